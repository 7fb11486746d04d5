"""The client of an endpoint: its requests, and what it does with each kind of failure."""

from __future__ import annotations

import asyncio
import re
import time
from typing import Any

import pytest
from model_server import Answer, Model, error_text, in_parts, message, served, slow, status

from pddl_pipeline.endpoints.endpoint import (
    Endpoint,
    NoAnswer,
    Rejected,
    Unreachable,
    asked_to_wait_s,
    pauses,
)
from pddl_pipeline.endpoints.settings import EndpointSettings, Message, Reply
from pddl_pipeline.model.errors import InputError, PipelineError

pytest.importorskip("openai")

ASKED = [Message("user", "one two three")]
SECRET = "sk-very-secret"  # noqa: S105 -- of the tests
MIB = "x" * 2**20


def replied(model: Model, messages: list[Message] = ASKED, **settings: Any) -> Reply:
    """Return the reply of a model that is served; pauses are short."""
    chosen: dict[str, Any] = {"pause_s": 0.01, "tries": 3, "timeout_s": 20, **settings}
    with served(model) as base, Endpoint(EndpointSettings("m", base, **chosen)) as endpoint:
        return endpoint.reply(messages)


def test_a_reply_has_its_text_its_reason_and_its_tokens() -> None:
    reply = replied(Model(reply=lambda _: "four five"))
    assert reply == Reply("four five", "stop", 3, 2, reply.seconds, "m")
    assert 0 < reply.seconds < 20


USER = {"role": "user", "content": "one two three"}
MINE = Message("system", "mine")


@pytest.mark.parametrize(
    ("messages", "settings", "request_"),
    [
        (ASKED, {}, {"messages": [USER]}),
        (
            ASKED,
            {"temperature": 0.5, "max_tokens": 9, "seed": 4, "system": "be brief",
             "stop": ("END",)},
            {"temperature": 0.5, "max_tokens": 9, "seed": 4, "stop": ["END"],
             "messages": [{"role": "system", "content": "be brief"}, USER]},
        ),
        # The system message of a conversation counts.
        ([MINE, *ASKED], {"system": "other"},
         {"messages": [{"role": "system", "content": "mine"}, USER]}),
        (ASKED, {"form": "completion", "max_tokens": 2},
         {"prompt": "one two three", "max_tokens": 2}),
    ],
)  # fmt: skip
def test_a_request_has_only_what_was_chosen(
    messages: list[Message], settings: dict[str, Any], request_: dict[str, Any]
) -> None:
    model = Model()
    replied(model, messages, **settings)
    assert model.requests == [{"model": "m", **request_}]


def test_a_completion_continues_the_text() -> None:
    reply = replied(Model(reply=lambda text: f" after {text}"), form="completion", max_tokens=2)
    assert (reply.text, reply.finish_reason, reply.completion_tokens) == (" after one", "length", 2)


def test_openai_itself_is_sent_its_own_name_of_the_limit() -> None:
    assert EndpointSettings("m", max_tokens=5).parameters["max_completion_tokens"] == 5
    local = EndpointSettings("m", "http://localhost:8000/v1", max_tokens=5)
    assert local.parameters["max_tokens"] == 5


def test_a_key_is_sent_if_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()
    replied(model)
    monkeypatch.setenv("OPENAI_API_KEY", f"{SECRET}\n")
    replied(model)
    keys = [headers.get("Authorization") for headers in model.headers]
    assert keys == [None, f"Bearer {SECRET}"]


@pytest.mark.parametrize(
    "failure",
    [
        status(429, Retry_After="0"),
        status(500),
        status(503, "<html>busy</html>"),
        status(408),
        status(409),
        status(200, "<html>hello</html>"),
        status(200, '{"choices": []}'),
        status(200, '{"choices": [{"message": 3}]}'),
        status(200, "\udcff".encode("utf-8", "surrogatepass").decode("latin-1")),
        slow(0),
        in_parts(1000, '{"choices": [{"mess'),
        in_parts(2**27, *[MIB] * 70),
    ],
    ids=["429", "500", "503", "408", "409", "html", "no-choices", "wrong-type", "bytes",
         "closed", "cut", "huge"],
)  # fmt: skip
def test_a_failure_that_may_pass_is_tried_again(failure: Answer) -> None:
    model = Model(reply=lambda _: "yes", first=[failure])
    assert replied(model).text == "yes"
    assert len(model.requests) == 2


@pytest.mark.parametrize(
    "failure", [slow(3), in_parts(1000, *" " * 600, pause_s=0.05)], ids=["silence", "trickle"]
)
def test_a_reply_that_takes_too_long_is_asked_for_again(failure: Answer) -> None:
    model = Model(reply=lambda _: "yes", first=[failure])
    start = time.monotonic()
    assert replied(model, timeout_s=0.5).text == "yes"
    assert time.monotonic() - start < 10


def test_the_wait_that_a_server_asks_for_is_kept() -> None:
    model = Model(first=[status(429, Retry_After="1")])
    start = time.monotonic()
    replied(model)
    assert 1 <= time.monotonic() - start < 10


@pytest.mark.parametrize(
    ("first", "message"),
    [
        # A server that asks for a long wait is not asked again.
        ([status(429, error_text("later"), Retry_After="100000")],
         "HTTP 429 later; the endpoint asks to wait 100000 s"),
        ([status(500), status(500), status(502, error_text("bad gateway"))],
         r"returned no answer in 3 tries: HTTP 502 bad gateway$"),
    ],
)  # fmt: skip
def test_the_last_failure_is_named(first: list[Answer], message: str) -> None:
    model, expected = Model(first=[*first]), len(first)
    with pytest.raises(NoAnswer, match=message):
        replied(model)
    assert len(model.requests) == expected


@pytest.mark.parametrize("number", [400, 401, 403, 404, 422])
def test_a_rejection_is_not_tried_again(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    said = error_text(f"no,\n{SECRET} is wrong \x1b[31m")
    model = Model(first=[status(number, said)])
    with pytest.raises(Rejected) as found:
        replied(model)
    assert len(model.requests) == 1
    said = rf"found HTTP {number} no, \(key\) is wrong \[31m; expected .*"
    assert re.fullmatch(rf"http://127\.0\.0\.1:\d+/v1/chat/completions: {said}", str(found.value))
    assert SECRET not in str(found.value)


def test_an_unknown_model_and_a_wrong_address_are_one_line() -> None:
    model = Model(name="other")
    with pytest.raises(Rejected, match="The model `m` does not exist; expected an address and a"):
        replied(model)
    with served(Model()) as base:
        wrong = EndpointSettings("m", base.removesuffix("/v1"))
        with Endpoint(wrong) as endpoint, pytest.raises(Rejected, match="HTTP 404 <html>not found"):
            endpoint.reply(ASKED)


def test_a_refused_connection_is_not_waited_for() -> None:
    start = time.monotonic()
    settings = EndpointSettings("m", "http://127.0.0.1:9/v1", pause_s=100)
    said = r"found no server .*, expected a running endpoint"
    with Endpoint(settings) as endpoint, pytest.raises(Unreachable, match=said):
        endpoint.reply(ASKED)
    assert time.monotonic() - start < 30


def test_a_server_that_was_there_is_waited_for() -> None:
    with served(Model(first=[message("stop", content="yes")])) as base:
        endpoint = Endpoint(EndpointSettings("m", base, pause_s=0.01, tries=2))
        endpoint.reply(ASKED)
    with endpoint, pytest.raises(NoAnswer, match="no answer in 2 tries"):
        endpoint.reply(ASKED)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (message("stop", content=None), ("", "stop")),
        (message("stop", content=""), ("", "stop")),
        (message("tool_calls", content=None, tool_calls=[{"id": "1"}]), ("", "tool_calls")),
        (message("stop", content=[{"type": "text", "text": "a"}, {"text": "b"}]), ("ab", "stop")),
        (message("stop", content="x", reasoning_content="y"), ("x", "stop")),
    ],
)
def test_replies_without_text_are_replies(answer: Answer, expected: tuple[str, str]) -> None:
    reply = replied(Model(first=[answer]))
    assert (reply.text, reply.finish_reason, reply.completion_tokens) == (*expected, 3)


def test_tokens_that_are_not_reported_are_unknown() -> None:
    reply = replied(Model(is_sparse=True))
    assert (reply.prompt_tokens, reply.completion_tokens, reply.served_model) == (None, None, "")


def test_a_caller_may_run_in_an_event_loop() -> None:
    async def in_a_notebook() -> str:
        return replied(Model(reply=lambda _: "yes")).text

    assert asyncio.run(in_a_notebook()) == "yes"


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({"model": " "}, "found an empty model name"),
        ({"temperature": 3}, "found temperature 3, expected 0 to 2"),
        ({"max_tokens": 0}, "found 0 tokens at most"),
        ({"form": "completion", "system": "x"}, "a system message applies to the form chat"),
        ({"base_url": "localhost:8000"}, "found the address 'localhost:8000', expected one such"),
        ({"base_url": "http://me:pass@host/v1"}, "found a user name in the address"),
        ({"base_url": "http://host/v1?key=1"}, "found a '?' or '#' in the address"),
        ({"base_url": "http://[host/v1"}, "found an invalid address"),
        ({"tries": 0}, "found 0 tries"),
        ({"timeout_s": float("nan")}, "found a time-out of nan s"),
    ],
)
def test_invalid_settings_are_one_line(settings: dict[str, Any], found: str) -> None:
    with pytest.raises(InputError) as error:
        EndpointSettings(**{"model": "m", **settings})
    assert found in str(error.value)
    assert "pass" not in str(error.value)


@pytest.mark.parametrize("key", ["a b", "ü"])
def test_a_key_that_cannot_be_sent_is_not_shown(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(PipelineError, match="OPENAI_API_KEY contains a space or a character"):
        replied(Model())


def test_pauses_double_up_to_a_minute() -> None:
    found = list(pauses(1, 9))
    assert found[0] == 0
    for number, pause in enumerate(found[1:]):
        most = min(2**number, 60)
        assert 0.75 * most <= pause <= most


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [(None, 0, 0), ("7", 7, 7), ("1.5", 1.5, 1.5), ("soon", 0, 0), ("-3", 0, 0),
     ("Wed, 21 Oct 2015 07:28:00 GMT", 0, 0), ("Wed, 21 Oct 2099 07:28:00 GMT", 1e9, 1e10)],
)  # fmt: skip
def test_retry_after_is_seconds_or_a_date(header: str | None, least: float, most: float) -> None:
    assert least <= asked_to_wait_s(header) <= most
