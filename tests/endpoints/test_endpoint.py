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


USER = {"role": "user", "content": "one two three"}
REQUESTS: list[tuple[list[Message], dict[str, Any], dict[str, Any]]] = [
    (ASKED, {}, {"messages": [USER]}),
    (
        ASKED,
        {"temperature": 0.5, "max_tokens": 9, "seed": 4, "system": "brief", "stop": ("END",)},
        {"temperature": 0.5, "max_tokens": 9, "seed": 4, "stop": ["END"],
         "messages": [{"role": "system", "content": "brief"}, USER]},
    ),
    (  # the system message of a conversation replaces another one
        [Message("system", "mine"), *ASKED],
        {"system": "other"},
        {"messages": [{"role": "system", "content": "mine"}, USER]},
    ),
    (ASKED, {"form": "completion"}, {"prompt": "one two three"}),
]  # fmt: skip


@pytest.mark.parametrize(("messages", "settings", "request_"), REQUESTS)
def test_a_request_has_only_what_was_chosen(
    messages: list[Message], settings: dict[str, Any], request_: dict[str, Any]
) -> None:
    model = Model()
    replied(model, messages, **settings)
    assert model.requests == [{"model": "m"} | request_]


PARTS = [{"type": "text", "text": "a"}, {"text": "b"}]


@pytest.mark.parametrize(
    ("model", "settings", "expected"),
    [
        (Model(reply=lambda _: "four five"), {}, ("four five", "stop", 3, 2, "m")),
        (Model(reply=lambda text: f" after {text}"), {"form": "completion", "max_tokens": 2},
         (" after one", "length", 3, 2, "m")),
        (Model(reply=lambda _: "yes", is_sparse=True), {},
         ("yes", "stop", None, None, "", "prompt_tokens: found null",
          "completion_tokens: found null")),
        (Model(first=[message("stop", {"prompt_tokens": 5.5, "completion_tokens": -1})]),
         {}, ("", "stop", 6, None, "m", "prompt_tokens: found 5.5",
              "completion_tokens: found -1.0")),
        (Model(first=[message("stop", content="a\ud800b\udc00")]), {},
         ("a\ufffdb\ufffd", "stop", 7, 3, "m", "replaced 2 unpaired surrogates by U+FFFD")),
        (Model(first=[message("stop", content=None)]), {}, ("", "stop", 7, 3, "m")),
        (Model(first=[message("stop", content="")]), {}, ("", "stop", 7, 3, "m")),
        (Model(first=[message("tool_calls", content=None, tool_calls=[{"id": "1"}])]), {},
         ("", "tool_calls", 7, 3, "m")),
        (Model(first=[message("stop", content=PARTS)]), {}, ("ab", "stop", 7, 3, "m")),
        (Model(first=[message("stop", content="x", reasoning_content="y")]), {},
         ("x", "stop", 7, 3, "m")),
    ],
)  # fmt: skip
def test_replies(model: Model, settings: dict[str, Any], expected: tuple[Any, ...]) -> None:
    reply = replied(model, **settings)
    assert reply == Reply(*expected[:4], reply.seconds, expected[4], expected[5:])
    assert 0 < reply.seconds < 20


def test_openai_itself_is_sent_its_own_name_of_the_limit() -> None:
    for base, name in (("", "max_completion_tokens"), ("http://localhost/v1", "max_tokens")):
        assert EndpointSettings("m", base, max_tokens=5).parameters == {"model": "m", name: 5}


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
    ("failure", "timeout_s", "least_s"),
    [
        (slow(3), 0.5, 0),
        (in_parts(1000, *" " * 600, pause_s=0.05), 0.5, 0),
        (status(429, Retry_After="1"), 20, 1),
    ],
    ids=["silence", "trickle", "retry after"],
)
def test_the_time_until_the_next_try(failure: Answer, timeout_s: float, least_s: float) -> None:
    model, start = Model(reply=lambda _: "yes", first=[failure]), time.monotonic()
    assert replied(model, timeout_s=timeout_s).text == "yes"
    assert least_s <= time.monotonic() - start < 10


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
    said = rf"found HTTP {number} no, \(OPENAI_API_KEY\) is wrong \[31m; expected .*"
    assert re.fullmatch(rf"http://127\.0\.0\.1:\d+/v1/chat/completions: {said}", str(found.value))


def test_a_wrong_address_is_one_line() -> None:
    said = "HTTP 404 <html>not found</html>; expected an address and a model"
    with (
        served(Model()) as base,
        Endpoint(EndpointSettings("m", f"{base}/v2")) as endpoint,
        pytest.raises(Rejected, match=said),
    ):
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
    with pytest.raises(InputError, match=re.escape(found)) as error:
        EndpointSettings(**{"model": "m", **settings})
    assert "pass" not in str(error.value)


@pytest.mark.parametrize("key", ["a b", "ü"])
def test_a_key_that_cannot_be_sent_is_not_shown(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(PipelineError, match="OPENAI_API_KEY contains a space or a character"):
        replied(Model())


def test_pauses_double_up_to_a_minute() -> None:
    found = list(pauses(1, 9))
    assert found[0] == 0
    ratios = [pause / min(2**number, 60) for number, pause in enumerate(found[1:])]
    assert all(0.75 <= ratio <= 1 for ratio in ratios)


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [(None, 0, 0), ("7", 7, 7), ("1.5", 1.5, 1.5), ("soon", 0, 0), ("-3", 0, 0),
     ("Wed, 21 Oct 2015 07:28:00 GMT", 0, 0), ("Wed, 21 Oct 2099 07:28:00 GMT", 1e9, 1e10)],
)  # fmt: skip
def test_retry_after_is_seconds_or_a_date(header: str | None, least: float, most: float) -> None:
    assert least <= asked_to_wait_s(header) <= most
