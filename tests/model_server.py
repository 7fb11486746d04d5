"""A server for OpenAI's completions protocol, which computes its answers by a formula."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[["Handler", dict[str, Any]], None]
"""Answers one request."""


def tokens_of(text: str) -> list[str]:
    """Return the words, each with the space before it, and the line breaks."""
    return re.findall(r" ?[^\s]+|\n| +", text)


@dataclass
class Model:
    """The model that the server serves, with the requests that it received."""

    logprob: Callable[[str, str], float] = lambda _before, _token: -1.0
    """Returns the log-probability of a token, given the text before it."""
    begin: str = ""
    """A token that the model puts before every text."""
    first: list[Answer] = field(default_factory=list)
    """The answers to the first requests, one each."""
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def prompts(self) -> list[str]:
        return [prompt for request in self.requests for prompt in request["prompt"]]

    def choice(self, index: int, prompt: str) -> dict[str, Any]:
        tokens = [*([self.begin] if self.begin else []), *tokens_of(prompt), " more"]
        values: list[float | None] = []
        before = ""
        for token in tokens:
            values.append(self.logprob(before, token) if values else None)
            before += token if token != self.begin else ""
        return {"index": index, "text": prompt, "finish_reason": "length",
                "logprobs": {"tokens": tokens, "token_logprobs": values,
                             "top_logprobs": None, "text_offset": []}}  # fmt: skip


class Handler(BaseHTTPRequestHandler):
    """A request handler that answers from the server's model."""

    model: Model
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.path == "/v1/completions"
        self.model.requests.append(request)
        self.model.headers.append(dict(self.headers))
        if self.model.first:
            self.model.first.pop(0)(self, request)
            return
        choices = [self.model.choice(*each) for each in enumerate(request["prompt"])]
        self.send(200, json.dumps({"object": "text_completion", "choices": choices[::-1]}))

    def send(self, status: int, text: str, **headers: str) -> None:
        content = text.encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def status(number: int, text: str = "{}", **headers: str) -> Answer:
    return lambda handler, _: handler.send(number, text, **headers)


def slow(seconds: float) -> Answer:
    """Return an answer that closes the connection after some seconds without sending anything."""

    def answer(handler: Handler, _: dict[str, Any]) -> None:
        time.sleep(seconds)
        handler.close_connection = True

    return answer


@contextmanager
def served(model: Model) -> Iterator[str]:
    """Serve a model on this machine; yield the base address."""
    handler = type("ModelHandler", (Handler,), {"model": model})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
