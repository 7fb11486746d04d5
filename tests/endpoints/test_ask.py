"""``ask`` through the command line: its file, its limits, bad input, and interruptions."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from filelock import FileLock
from model_server import Answer, Model, error_text, in_parts, message, served, slow, status
from places import TESTS

if TYPE_CHECKING:
    from conftest import CliHere, Done

pytest.importorskip("openai")

SECRET = "sk-very-secret"  # noqa: S105 -- of the tests
PROMPTS = {f"p{number}": f"Question {number}?" for number in range(6)}
MONEY = ("--prices", "1000000,2000000", "--max-tokens", "10")  # a token costs 1, or 2

Ask = Callable[..., "Done"]


def write_prompts(file: Path, prompts: dict[str, str]) -> None:
    lines = ({"id": name, "prompt": text, "domain": "d"} for name, text in prompts.items())
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def answers(folder: Path) -> list[dict[str, Any]]:
    file = folder / "a.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


@pytest.fixture
def model() -> Model:
    return Model(reply=lambda text: f"To '{text}': (no) plan")


@pytest.fixture
def base(model: Model) -> Iterator[str]:
    with served(model) as address:
        yield address


@pytest.fixture
def ask(cli_here: CliHere, tmp_path: Path, base: str) -> Ask:
    """Ask the prompts of `PROMPTS`; options that are given again replace others."""
    write_prompts(tmp_path / "p.jsonl", PROMPTS)

    def run(*options: str, prompts: str = "p.jsonl", url: str = base) -> Done:
        fixed = ("--model", "m", "-o", "a.jsonl", "--base-url", url, "-q")
        return cli_here("ask", prompts, *fixed, *options, cwd=tmp_path)

    return run


def test_every_answer_has_what_score_and_a_reader_need(ask: Ask, tmp_path: Path) -> None:
    done = ask("-j", "3", "--temperature", "0.5")
    assert (done.status, done.err) == (0, "")
    lines = sorted(answers(tmp_path), key=lambda line: str(line["id"]))
    assert [line["id"] for line in lines] == list(PROMPTS)
    first = lines[0]
    assert len(first.pop("fingerprint")) == 32
    assert first.pop("seconds") > 0
    assert first == {
        "id": "p0", "answer": "To 'Question 0?': (no) plan", "model": "m", "attempt": 1,
        "prompt_tokens": 2, "completion_tokens": 5, "finish_reason": "stop",
        "settings": {"model": "m", "form": "chat", "temperature": 0.5},
    }  # fmt: skip


def test_as_many_requests_run_at_the_same_time_as_asked_for(ask: Ask, model: Model) -> None:
    model.delay_s = 0.1
    ask("-j", "3")
    assert model.most_at_once == 3


def test_the_same_command_asks_nothing_twice(ask: Ask, model: Model, tmp_path: Path) -> None:
    ask()
    content = (tmp_path / "a.jsonl").read_bytes()
    assert ask().status == 0
    assert (tmp_path / "a.jsonl").read_bytes() == content
    assert len(model.requests) == len(PROMPTS)
    done = ask("--attempts", "3", "--seed", "5")
    assert "found an answer with no seed, expected seed 5" in done.err
    assert ask("--attempts", "3").status == 0
    found = Counter(line["attempt"] for line in answers(tmp_path))
    assert found == {1: 6, 2: 6, 3: 6}
    assert len(model.requests) == 18


def test_each_attempt_has_its_own_seed(ask: Ask, model: Model) -> None:
    ask("--attempts", "2", "--seed", "5")
    assert Counter(request["seed"] for request in model.requests) == {5: 6, 6: 6}


def test_tokens_and_money_are_added_up_over_calls(ask: Ask) -> None:
    heads = ["model", "answers", "prompt tokens", "answer tokens", "seconds", "cost"]
    ask(*MONEY)
    done = ask(*MONEY, "--attempts", "2")
    table = done.out.splitlines()
    assert [head for head in heads if head in table[0]] == heads
    # 12 prompts of 2 tokens, and answers of 5.
    assert table[2].split()[:4] == ["m", "12", "24", "60"]
    assert table[2].split()[5] == "144.0000"


def test_the_largest_cost_is_not_exceeded(ask: Ask, model: Model, tmp_path: Path) -> None:
    """A request may cost 131: 11 bytes, 110 tokens of a template at most, and 10 of the answer.

    It then costs 12.
    """
    model.delay_s = 0.05
    done = ask(*MONEY, "--max-cost", "150", "-j", "4")
    assert done.status == 3
    assert len(model.requests) == len(answers(tmp_path)) == 1
    assert done.err == (
        "warning: stopped before --max-cost is exceeded: 12.0000 is spent, and the next request "
        "may cost 141.0000\n"
    )
    assert ask(*MONEY, "--max-cost", "165", "-j", "4").status == 3
    assert len(answers(tmp_path)) == 3  # 24 are spent, then 165 - 141
    assert ask(*MONEY, "--max-cost", "1000", "-j", "4").status == 0


def test_a_lost_reply_counts_as_paid(ask: Ask, model: Model, tmp_path: Path) -> None:
    model.first = [in_parts(1000, "{")]
    done = ask(*MONEY, "--max-cost", "290", "-j", "1")
    assert done.status == 3
    # 141 for the lost one, and 12 for the one that follows.
    assert "153.0000 is spent" in done.err
    assert len(answers(tmp_path)) == 1


def test_a_cost_of_0_asks_nothing(ask: Ask, model: Model, tmp_path: Path) -> None:
    done = ask(*MONEY, "--max-cost", "0")
    assert (done.status, done.err.count("\n")) == (3, 1)
    assert "0.0000 is spent, and the next request may cost 141.0000" in done.err
    assert not model.requests
    assert not (tmp_path / "a.jsonl").exists()


def test_a_dry_run_counts_and_writes_nothing(ask: Ask, model: Model, tmp_path: Path) -> None:
    ask()
    before = sorted(tmp_path.iterdir())
    done = ask(*MONEY[:2], "--attempts", "3", "--dry-run")
    assert done.status == 0
    assert done.out.splitlines()[0].startswith("6 prompts, 12 requests to send to http://127.")
    assert "about 33 (4 characters each)" in done.out  # 12 x 11 characters
    assert "no limit; set one with --max-tokens" in done.out
    assert "cost: at most about 33.0000, and that of the answers" in done.out
    assert len(model.requests) == 6
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (message("stop", content=None), "stop 1"),
        (message("tool_calls", content=None, tool_calls=[{"id": "x"}]), "tool_calls 1"),
        (message("length", content=""), "length 1"),
    ],
)
def test_an_answer_without_text_is_kept(
    ask: Ask, model: Model, tmp_path: Path, answer: Answer, reason: str
) -> None:
    model.first = [answer]
    for _ in range(2):
        done = ask()
        assert done.status == 3
        assert done.err == (
            f"warning: 1 answer without text ({reason}): stored, and not asked for again\n"
        )
    assert len(model.requests) == len(answers(tmp_path)) == 6
    assert [line["answer"] for line in answers(tmp_path)].count("") == 1


def test_a_prompt_that_is_rejected_does_not_stop_the_others(
    ask: Ask, model: Model, tmp_path: Path
) -> None:
    model.first = [status(400, error_text("the prompt is too long"))]
    done = ask("-j", "1")
    assert (done.status, done.err.count("\n")) == (3, 1)
    assert "warning: 1 prompt without an answer; 'p0': http" in done.err
    assert "found HTTP 400 the prompt is too long; expected" in done.err
    assert len(answers(tmp_path)) == 5
    assert ask().status == 0
    assert len(model.requests) == 7


def test_an_endpoint_that_never_answers_ends_the_command(ask: Ask, model: Model) -> None:
    model.first = [status(500, error_text("broken"))] * 100
    done = ask("--attempts", "9", "-j", "4", "--tries", "1")
    assert (done.status, done.err.count("\n")) == (3, 1)
    assert "stopped after 20 prompts in a row without an answer: http" in done.err
    assert len(model.requests) <= 24


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (status(401, error_text(f"bad key {SECRET}")), "HTTP 401 bad key (key); expected a valid"),
        (status(403, error_text("no access")), "HTTP 403 no access; expected a key"),
        (status(404, error_text("no model m")), "HTTP 404 no model m; expected an address and a"),
    ],
    ids=["key", "access", "model"],
)
def test_what_concerns_all_prompts_ends_the_command_and_keeps_what_was_paid_for(
    ask: Ask, model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Answer,
    said: str,
) -> None:  # fmt: skip
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    model.first = [message("stop", content="first"), failure]
    done = ask("-j", "1")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert said in done.err
    assert SECRET not in done.err
    assert [line["answer"] for line in answers(tmp_path)] == ["first"]
    assert len(model.requests) == 2


def test_all_prompts_rejected_is_bad_input(ask: Ask, model: Model) -> None:
    model.first = [status(400, error_text("temperature is not supported"))] * 6
    done = ask("-j", "1")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "found HTTP 400 temperature is not supported" in done.err


LINES = {
    "json": ("{", "p.jsonl:1: found no JSON, expected a line that `pddl-pipeline prompt` writes"),
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
    "model": (
        '{"custom_id": "a", "body": {"model": "n", "messages": []}}',
        "found a request for the model 'n'",
    ),
    "tools": ('{"custom_id": "a", "body": {"tools": []}}', "found 'tools' in the request"),
    "role": (
        '{"custom_id": "a", "body": {"messages": [{"role": "x", "content": "x"}]}}',
        "found a message without a role and a text",
    ),
}


@pytest.mark.parametrize(("content", "said"), LINES.values(), ids=LINES)
def test_bad_prompts_are_one_line(
    ask: Ask, model: Model, tmp_path: Path, content: str, said: str
) -> None:
    (tmp_path / "p.jsonl").write_text(content)
    done = ask()
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert said in done.err
    assert not model.requests
    assert not (tmp_path / "a.jsonl").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--base-url", "http://127.0.0.1:9/v1"), "found no server"),
        (("--base-url", "http://nowhere.invalid/v1"), "found no server"),
        (("--base-url", "https://api.openai.com/v1"), "found no key, expected one in the env"),
        (("--base-url", "ftp://x/v1"), "found the address 'ftp://x/v1'"),
        (("--base-url", "http://u:secret@x/v1"), "found a user name in the address"),
        (("--max-cost", "3"), "--max-cost requires --prices and --max-tokens"),
        (("--prices", "1"), "found '1', expected two prices"),
        (("--prices", "1,-2"), "found '-2', expected two prices"),
        (("--form", "completion", "--system", "x"), "a system message applies to the form chat"),
        (("--temperature", "-1"), "found temperature -1, expected 0 to 2"),
        (("-o", "-"), "found '-', expected a file; one of that name is ./-"),
        (("-o", "p.jsonl"), "p.jsonl: is an input and would be overwritten"),
        (("-o", "no/a.jsonl"), "no/a.jsonl: cannot be written: there is no such folder"),
        (("--model", ""), "found an empty model name"),
    ],
)
def test_bad_options_are_one_line(
    ask: Ask, model: Model, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    done = ask(*options)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert said in done.err
    assert "secret" not in done.err
    assert not model.requests
    assert not (tmp_path / "a.jsonl").exists()


def test_without_the_extra_the_command_names_it(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pddl_pipeline.endpoints.settings.find_spec", lambda _: None)
    done = ask()
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert 'the package openai: pip install "pddl-pipeline[models]"' in done.err
    assert ask("--dry-run").status == 0


def test_a_changed_prompt_is_refused(ask: Ask, model: Model, tmp_path: Path) -> None:
    ask()
    write_prompts(tmp_path / "p.jsonl", {**PROMPTS, "p3": "Another question?"})
    done = ask("--attempts", "2")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert (
        "found an answer to another prompt with the id 'p3', expected the same prompts" in done.err
    )
    assert len(model.requests) == 6
    # Other prompts may join.
    write_prompts(tmp_path / "p.jsonl", {"new": "New?", **PROMPTS})
    assert ask().status == 0
    assert len(model.requests) == 7


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--temperature", "1"), "no temperature, expected temperature 1.0"),
        (("--system", "x"), 'no system, expected system "x"'),
        (("--model", "n"), 'model "m", expected model "n"'),
        (("--form", "completion"), 'form "chat", expected form "completion"'),
        (("--max-tokens", "7"), "no max tokens, expected max tokens 7"),
        (("--stop", "X"), 'no stop, expected stop ["X"]'),
    ],
)
def test_other_settings_are_refused(
    ask: Ask, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    ask()
    content = (tmp_path / "a.jsonl").read_bytes()
    done = ask(*options)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert f"a.jsonl:1: found an answer with {said}; use a different file" in done.err
    assert (tmp_path / "a.jsonl").read_bytes() == content


def test_another_address_and_more_patience_continue_a_file(ask: Ask, model: Model) -> None:
    ask()
    with served(model) as other:
        done = ask("--attempts", "2", "--tries", "3", "--timeout", "9s", url=other)
    assert done.status == 0


@pytest.mark.parametrize("tail", [b'{"id": "p', b'{"id": "p9", "answer": "x", "mod', b"{"])
def test_half_a_line_at_the_end_is_removed(ask: Ask, tmp_path: Path, tail: bytes) -> None:
    ask()
    with (tmp_path / "a.jsonl").open("ab") as stream:
        stream.write(tail)
    assert ask("--attempts", "2").status == 0
    assert len(answers(tmp_path)) == 12


def test_a_complete_line_without_its_end_is_kept(ask: Ask, model: Model, tmp_path: Path) -> None:
    ask()
    file = tmp_path / "a.jsonl"
    file.write_bytes(file.read_bytes().removesuffix(b"\n"))
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


def test_requests_of_the_batch_format_are_asked(ask: Ask, model: Model, tmp_path: Path) -> None:
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]
    request = {"custom_id": "b", "body": {"model": "m", "messages": messages}}
    (tmp_path / "p.jsonl").write_text(json.dumps(request))
    assert ask("--system", "other").status == 0
    assert model.requests[0]["messages"] == messages
    assert [line["id"] for line in answers(tmp_path)] == ["b"]


def test_an_endpoint_without_counts_of_tokens_is_named(ask: Ask, model: Model) -> None:
    model.is_sparse = True
    done = ask(*MONEY)
    # The most that the answers can have cost: 6 times 121 bytes and 10 tokens.
    assert done.out.splitlines()[2].split() == ["m", "6", "-", "-", *done.out.split()[-2:]]
    assert done.out.split()[-1] == "846.0000"


def test_another_model_than_asked_for_is_named(ask: Ask, tmp_path: Path, model: Model) -> None:
    model.first = [status(200, json.dumps(
        {"model": "m-2026", "choices": [{"message": {"content": "x"}, "finish_reason": "stop"}]}
    ))]  # fmt: skip
    ask("-j", "1")
    assert answers(tmp_path)[0]["served_model"] == "m-2026"
    assert answers(tmp_path)[0]["model"] == "m"


FOREIGN = TESTS / "foreign_pddl"


@pytest.mark.parametrize("name", ["gripper", "mystery", "numeric"])
def test_answers_to_a_foreign_domain_are_scored_as_they_are(
    ask: Ask, cli_here: CliHere, model: Model, tmp_path: Path, name: str
) -> None:
    """The domains and problems are not of this project; ``mystery`` is PlanBench's."""
    folder = FOREIGN / name
    domain = ("--domain", folder / "domain.pddl")
    cli_here("prompt", folder / "p01.pddl", *domain, "-o", "p.jsonl", cwd=tmp_path)
    plan = (folder / "good.plan").read_text()
    model.reply = lambda _: f"<think>No.</think>\nMy plan:\n[PLAN]\n{plan}\n[PLAN END]"
    assert ask("--attempts", "2", "-j", "2").status == 0
    data = (folder / "p01.pddl", "--answers", "a.jsonl", *domain)
    done = cli_here("score", *data, "-o", "s.jsonl", cwd=tmp_path)
    assert done.status == 0, done.err
    lines = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    found = sorted((line["attempt"], line["model"], line["status"]) for line in lines)
    assert found == [(1, "m", "valid"), (2, "m", "valid")]


def start(folder: Path, base: str, *options: str, **environment: str) -> subprocess.Popen[str]:
    program = Path(sys.executable).with_name("pddl-pipeline")
    return subprocess.Popen(
        [program, "ask", "p.jsonl", "--model", "m", "--base-url", base, "-o", "a.jsonl",
         "-j", "4", *options],
        cwd=folder, env={**os.environ, **environment},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def wait_for(is_reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_reached():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.long)])
def test_kills_lose_nothing_and_ask_nothing_twice(
    model: Model, base: str, tmp_path: Path, kills: int
) -> None:
    names = [f"p{number}" for number in range(20 * kills)]
    write_prompts(tmp_path / "p.jsonl", {name: f"What is {name}?" for name in names})
    model.delay_s = 0.02
    chance, killed = Random(kills), 0
    while killed < kills:
        stored = {line["id"] for line in answers(tmp_path)}
        before = len(model.requests)
        process = start(tmp_path, base)
        wait_for(lambda before=before: len(model.requests) > before)
        time.sleep(chance.uniform(0, 0.2))
        process.kill()
        process.communicate()
        killed += 1
        asked = {prompt[8:-1] for prompt in model.prompts[before:]}
        assert not asked & stored, "a stored answer was asked for again"
        if (tmp_path / "a.jsonl").exists():
            # A kill may leave half a line; at most the replies under way are lost.
            lines = (tmp_path / "a.jsonl").read_bytes().split(b"\n")[:-1]
            assert len(model.replied) - len(lines) <= 4 * killed
            (tmp_path / "a.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    process = start(tmp_path, base)
    process.communicate(timeout=120)
    assert process.returncode == 0
    found = answers(tmp_path)
    assert sorted(line["id"] for line in found) == sorted(names)
    assert all(f"'What is {line['id']}?'" in line["answer"] for line in found)
    assert len(model.requests) <= len(names) + 4 * kills


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)]
)
def test_an_interrupted_command_says_what_is_stored(
    model: Model, base: str, tmp_path: Path, number: signal.Signals
) -> None:
    write_prompts(tmp_path / "p.jsonl", PROMPTS)
    model.first = [message("stop", content="first"), *[slow(8)] * 20]
    process = start(tmp_path, base, "-q", OPENAI_API_KEY=SECRET, OPENAI_LOG="debug")
    wait_for(lambda: bool(answers(tmp_path)))
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "1 of 6 answers stored in a.jsonl; the same command continues"
    assert SECRET not in err + (tmp_path / "a.jsonl").read_text()


def test_two_commands_do_not_write_to_one_file(ask: Ask, model: Model, tmp_path: Path) -> None:
    with FileLock(tmp_path / ".a.jsonl.lock"):
        done = ask()
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "a.jsonl: another process is writing to this file" in done.err
    assert not model.requests


def test_no_key_is_in_what_is_written(
    ask: Ask, model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    model.key = SECRET
    done = ask()
    assert done.status == 0
    assert all(SECRET.encode() not in file.read_bytes() for file in tmp_path.iterdir())
    assert SECRET not in done.out + done.err
