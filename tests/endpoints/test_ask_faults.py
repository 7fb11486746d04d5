"""``ask`` with an endpoint that fails, with bad input, and with files of other settings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from asked_prompts import MONEY, PROMPTS, SECRET, Ask, answers, write_prompts
from endpoint_faults import LOST, USABLE, check_no_key
from model_server import Model, error_text, message, served, status

pytest.importorskip("openai")


def test_an_endpoint_that_never_answers_ends_the_command(ask: Ask, model: Model) -> None:
    model.first = [status(500, error_text("broken"))] * 100
    done = ask("--attempts", "9", "-j", "4", "--set", "tries=1")
    assert (done.status, done.err.count("\n")) == (3, 1)
    assert "stopped after 20 prompts in a row without an answer: http" in done.err
    assert len(model.requests) <= 24
    assert "without --max-tokens got no reply, and may" in ask(*MONEY, "--max-cost", "9").err


@pytest.mark.parametrize("name", [*LOST, *USABLE])
def test_no_fault_exceeds_the_budget_is_paid_twice_or_stores_the_key(
    ask: Ask, model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    answer, (prompt, completion) = (LOST | USABLE)[name]
    model.first = [answer] * 100
    timeout = "0.4s" if name == "silent" else "30s"
    limits = f"--max-cost 450 -j 2 --set tries=1 --set timeout={timeout}"
    said = [f"{ask(*MONEY, *limits.split())}" for _ in range(5)]
    # While 450 is enough for a request that costs 141 at most, and only until all have a text.
    found, cost = answers(tmp_path), prompt + 2 * completion
    most = len(PROMPTS) * (5 if name in LOST else 1)
    assert len(model.requests) == (min(most, (450 - 141) // cost + 1) if cost else most)
    assert len(found) == (0 if name in LOST else len(model.requests))
    assert ("removed the key" in f"{found}") == (name in USABLE and "key" in name)
    files = (file.read_text() for file in tmp_path.rglob("*") if file.is_file())
    check_no_key([*said, *files, *(line["answer"] for line in found)])


REJECTED = {
    "key": (401, f"bad key {SECRET}", "HTTP 401 bad key (OPENAI_API_KEY); expected a valid"),
    "access": (403, "no access", "HTTP 403 no access; expected a key"),
    "model": (404, "no model m", "HTTP 404 no model m; expected an address and a"),
    "all": (400, "no temperature", "found HTTP 400 no temperature"),
}


@pytest.mark.parametrize("name", REJECTED)
def test_what_concerns_all_prompts_ends_the_command_and_keeps_what_was_paid_for(
    ask: Ask, model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    number, text, said = REJECTED[name]
    rejections, kept = [status(number, error_text(text))] * 6, [] if name == "all" else ["first"]
    model.first = [*(message("stop", content=each) for each in kept), *rejections]
    done = ask("-j", "1")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert said in done.err
    assert [line["answer"] for line in answers(tmp_path)] == kept
    assert len(model.requests) == (2 if kept else 6)


LINES = {
    "json": ("nonsense", "p.jsonl:1:1: expected a JSON value, found 'n'\n"),
    "cut": ('{"id": ', "p.jsonl:1:8: expected a JSON value, found the end of the line\n"),
    "nested": ('{"id": ' + "[" * 100_000, "p.jsonl:1: nested too deeply\n"),
    "list": ("[1]", "p.jsonl:1: found no JSON object"),
    "no-id": ('{"prompt": "x"}', "p.jsonl:1: found no 'id' of text"),
    "no-prompt": ('{"id": "a"}', "p.jsonl:1: found no 'prompt' of text"),
    "empty": ('{"id": "a", "prompt": " "}', "p.jsonl:1: found no 'prompt' of text"),
    "half": (r'{"id": "a", "prompt": "\ud800"}', r"found an unpaired surrogate (\ud800)"),
    "twice": (
        '{"id": "a", "prompt": "x"}\n\n{"id": "a", "prompt": "y"}',
        "p.jsonl:3: found the id 'a' again, which line 1 has",
    ),
    "nothing": ("\n", "p.jsonl: found no prompts"),
}


OPTIONS = [
    (("--base-url", "http://127.0.0.1:9/v1"), "found no server"),
    (("--base-url", "http://nowhere.invalid/v1"), "found no server"),
    (("--base-url", "https://api.openai.com/v1"), "found no key, expected one in the env"),
    (("--base-url", "ftp://x/v1"), "found the address 'ftp://x/v1'"),
    (("--base-url", "http://u:secret@x/v1"), "found a user name in the address"),
    (("--max-cost", "3"), "--max-cost requires --prices and --max-tokens"),
    (("--prices", "1"), "found '1', expected two prices"),
    (("--prices", "1,-2"), "found '-2', expected two prices"),
    (
        ("--set", "form=completion", "--set", "system=x"),
        "a system message applies to the form chat",
    ),
    (("--temperature", "-1"), "found temperature -1, expected 0 to 2"),
    (("-o", "-"), "found '-', expected a file; one of that name is ./-"),
    (("-o", "p.jsonl"), "p.jsonl: is an input and would be overwritten"),
    (("-o", "no/a.jsonl"), "no/a.jsonl: cannot be written: there is no such folder"),
    (("--model", ""), "found an empty model name"),
]


@pytest.mark.parametrize(
    ("content", "options", "said"),
    [*((text, (), said) for text, said in LINES.values()), *((None, *each) for each in OPTIONS)],
)
def test_bad_prompts_and_options_are_one_line(
    ask: Ask, model: Model, tmp_path: Path, content: str | None, options: tuple[str, ...], said: str
) -> None:
    if content is not None:
        (tmp_path / "p.jsonl").write_text(content)
    done = ask(*options)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert said in done.err
    assert "secret" not in done.err
    assert not model.requests
    assert not (tmp_path / "a.jsonl").exists()


def test_without_the_extra_the_command_names_it(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pddl_pipeline.model.extras.find_spec", lambda _: None)
    done = ask()
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert 'asking a model requires openai; fix: pip install "pddl-pipeline[models]"' in done.err
    assert ask("--dry-run").status == 0


@pytest.mark.parametrize(
    ("changed", "options", "said"),
    [
        ({}, ("--temperature", "1"), "no temperature, expected temperature 1.0"),
        ({}, ("--set", "system=x"), 'no system, expected system "x"'),
        ({}, ("--model", "n"), 'model "m", expected model "n"'),
        ({}, ("--set", "form=completion"), 'form "chat", expected form "completion"'),
        ({}, ("--max-tokens", "7"), "no max tokens, expected max tokens 7"),
        ({}, ("--set", "stop=X"), 'no stop, expected stop ["X"]'),
        ({}, ("--set", "seed=5", "--attempts", "3"), "no seed, expected seed 5"),
        (
            {"p3": "Another question?"},
            ("--attempts", "2"),
            "to another prompt with the id 'p3', expected the same prompts",
        ),
    ],
)
def test_another_question_is_refused(
    ask: Ask, tmp_path: Path, changed: dict[str, str], options: tuple[str, ...], said: str
) -> None:
    ask()
    content = (tmp_path / "a.jsonl").read_bytes()
    write_prompts(tmp_path / "p.jsonl", PROMPTS | changed)
    done = ask(*options)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert re.search(rf"a.jsonl:\d: found an answer .*{re.escape(said)}", done.err)
    assert (tmp_path / "a.jsonl").read_bytes() == content


def test_more_prompts_another_address_and_more_patience_continue_a_file(
    ask: Ask, model: Model, tmp_path: Path
) -> None:
    ask()
    write_prompts(tmp_path / "p.jsonl", {"new": "New?", **PROMPTS})
    with served(model) as other:
        done = ask("--attempts", "2", "--set", "tries=3", "--set", "timeout=9s", url=other)
    assert (done.status, len(answers(tmp_path)), len(model.requests)) == (0, 14, 14)


@pytest.mark.parametrize("tail", [b'{"id": "p9", "answer": "x", "mod', b"{", b""])
def test_half_a_line_at_the_end_is_removed(
    ask: Ask, model: Model, tmp_path: Path, tail: bytes
) -> None:
    """A complete line without its end is kept."""
    ask()
    file = tmp_path / "a.jsonl"
    file.write_bytes(file.read_bytes() + tail if tail else file.read_bytes()[:-1])
    assert ask("--attempts", "2").status == 0
    assert len(answers(tmp_path)) == len(model.requests) == 12


@pytest.mark.parametrize("content", ['{"id": "p0", "answer": "mine"}\n', "my notes", '{"a": 1}'])
def test_a_file_that_ask_did_not_write_is_left_alone(
    ask: Ask, model: Model, tmp_path: Path, content: str
) -> None:
    (tmp_path / "a.jsonl").write_text(content)
    done = ask()
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "expected a line that `pddl-pipeline ask` wrote" in done.err
    assert (tmp_path / "a.jsonl").read_text() == content
    assert not model.requests
