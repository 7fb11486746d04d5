"""A server of OpenAI's protocol, which computes its answers by formulas and fails on request."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

COUNTS = {"prompt_tokens": 7, "completion_tokens": 3}
Answer = Callable[["Handler", dict[str, Any]], None]
"""Answers one request."""


def tokens_of(text: str) -> list[str]:
    """Return the words, each with the space before it, and the line breaks."""
    return re.findall(r" ?[^\s]+|\n| +", text)


def no_plan(prompt: str) -> str:
    """Return an answer that is no plan: the default reply of a model."""
    return f"I do not know ({len(prompt)})."


@dataclass
class Model:
    """The model that the server serves, with the requests that it received."""

    logprob: Callable[[str, str], float] = lambda _before, _token: -1.0
    """Returns the log-probability of a token, given the text before it."""
    begin: str = ""
    """A token that the model puts before every text."""
    reply: Callable[[str], str | None] = no_plan
    """Returns the reply to the text of the last message, or to a text to be continued."""
    name: str = ""
    """The only model that exists; empty if every name is accepted."""
    key: str = ""
    """The only key that is accepted; empty if none is needed."""
    delay_s: float = 0.0
    """Seconds before each reply."""
    is_sparse: bool = False
    """Whether responses have no counts of tokens and no name of a model."""
    first: list[Answer] = field(default_factory=list)
    """The answers to the first requests, one each."""
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    replied: list[str] = field(default_factory=list)
    """The prompts of the replies that were sent completely."""
    most_at_once: int = 0
    """The largest number of requests that were open at the same time."""
    _open: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def prompts(self) -> list[str]:
        return [prompt for request in self.requests for prompt in texts_of(request)]

    @contextmanager
    def received(self, request: dict[str, Any], headers: dict[str, str]) -> Iterator[Answer | None]:
        """Register a request while it is answered; yield the special answer to it, if any."""
        with self._lock:
            self.requests.append(request)
            self.headers.append(headers)
            self._open += 1
            self.most_at_once = max(self.most_at_once, self._open)
            special = self.first.pop(0) if self.first else None
        try:
            yield special
        finally:
            with self._lock:
                self._open -= 1

    def choice(self, index: int, prompt: str) -> dict[str, Any]:
        """Return the log-probabilities of a text."""
        tokens = [*([self.begin] if self.begin else []), *tokens_of(prompt), " more"]
        values: list[float | None] = []
        before = ""
        for token in tokens:
            values.append(self.logprob(before, token) if values else None)
            before += token if token != self.begin else ""
        return {"index": index, "text": prompt, "finish_reason": "length",
                "logprobs": {"tokens": tokens, "token_logprobs": values,
                             "top_logprobs": None, "text_offset": []}}  # fmt: skip

    def response(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the response to a request."""
        if "messages" not in request and request.get("echo"):
            choices = [self.choice(*each) for each in enumerate(request["prompt"])]
            return {"object": "text_completion", "choices": choices[::-1]}
        (text,) = texts_of(request)
        reply = self.reply(text)
        tokens = tokens_of(reply or "")
        most = request.get("max_tokens", 10**6)
        if len(tokens) > most:
            reply = "".join(tokens[:most])
        choice: dict[str, Any] = {"finish_reason": "length" if len(tokens) > most else "stop"}
        if "messages" in request:
            choice["message"] = {"role": "assistant", "content": reply}
        else:
            choice["text"] = reply
        response: dict[str, Any] = {"choices": [choice]}
        if not self.is_sparse:
            usage = {"prompt_tokens": len(tokens_of(text)),
                     "completion_tokens": min(most, len(tokens))}  # fmt: skip
            response |= {"model": request["model"], "usage": usage}
        return response


def texts_of(request: dict[str, Any]) -> list[str]:
    """Return the texts of a request: its prompts, or its last message."""
    if "messages" in request:
        return [request["messages"][-1]["content"]]
    prompt = request["prompt"]
    return [prompt] if isinstance(prompt, str) else prompt


class Handler(BaseHTTPRequestHandler):
    """A request handler that answers from the server's model."""

    model: Model
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        kind = "chat/completions" if "messages" in request else "completions"
        headers = {name.title(): value for name, value in self.headers.items()}
        with self.model.received(request, headers) as special, suppress(OSError):
            time.sleep(self.model.delay_s)
            if special is not None:
                special(self, request)
            elif self.path != f"/v1/{kind}":
                self.send(404, "<html>not found</html>")
            elif self.headers.get("Authorization", "") != self._expected_key():
                said = f"Incorrect API key provided: {self.headers.get('Authorization')}"
                self.send(401, error_text(said))
            elif self.model.name and request["model"] != self.model.name:
                self.send(404, error_text(f"The model `{request['model']}` does not exist"))
            else:
                self.send(200, json.dumps(self.model.response(request)))
                self.model.replied.append("".join(texts_of(request)))

    def _expected_key(self) -> str:
        key = self.model.key
        return f"Bearer {key}" if key else self.headers.get("Authorization", "")

    def send(self, status: int, text: str, **headers: str) -> None:
        content = text.encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)
        self.close_connection = headers.get("Connection") == "close"

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def error_text(message: str) -> str:
    """Return the body of a response with an error status."""
    return json.dumps({"error": {"message": message}})


def status(number: int, text: str = "{}", **headers: str) -> Answer:
    return lambda handler, _: handler.send(number, text, **headers)


def message(finish_reason: str, usage: Any = COUNTS, /, **fields: Any) -> Answer:
    """Return an answer with this message of the model, after which the connection is closed."""
    content = {"role": "assistant", **fields}
    choices = [{"message": content, "finish_reason": finish_reason}]
    text = json.dumps({"choices": choices, "model": "m", "usage": usage})
    return status(200, text, Connection="close")


def slow(seconds: float) -> Answer:
    """Return an answer that closes the connection after some seconds without sending anything."""

    def answer(handler: Handler, _: dict[str, Any]) -> None:
        time.sleep(seconds)
        handler.close_connection = True

    return answer


def in_parts(size: int, *parts: str, pause_s: float = 0.0) -> Answer:
    """Return an answer that promises `size` bytes, sends the parts, and closes the connection."""

    def answer(handler: Handler, _: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(size))
        handler.end_headers()
        handler.close_connection = True
        for part in parts:
            handler.wfile.write(part.encode())
            handler.wfile.flush()
            time.sleep(pause_s)

    return answer


@contextmanager
def served(model: Model) -> Iterator[str]:
    """Serve a model on this machine; yield the base address."""
    handler = type("ModelHandler", (Handler,), {"model": model})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        with pytest.MonkeyPatch.context() as patch:
            # Without certificates a client is ready in a tenth of the time.
            patch.delenv("SSL_CERT_FILE", raising=False)
            patch.setenv("SSL_CERT_DIR", os.devnull)
            yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
