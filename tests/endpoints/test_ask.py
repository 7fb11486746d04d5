"""``ask`` through the command line: its answers, its figures and its limits."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from asked_prompts import MONEY, PROMPTS, SECRET, Ask, answers
from model_server import Answer, Model, error_text, in_parts, message, status
from places import SUPPORT

if TYPE_CHECKING:
    from command_line import CliHere

pytest.importorskip("openai")


def test_every_answer_has_what_score_and_a_reader_need(
    ask: Ask, model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    model.delay_s, model.key = 0.1, SECRET
    done = ask("-j", "3", "--temperature", "0.5")
    assert (done.status, done.err, model.most_at_once) == (0, "", 3)
    lines = sorted(answers(tmp_path), key=lambda line: str(line["id"]))
    assert [line["id"] for line in lines] == list(PROMPTS)
    first = lines[0]
    assert len(first.pop("fingerprint")) == 32
    assert first.pop("seconds") > 0
    assert first == {
        "id": "p0", "answer": "To 'Question 0?': (no) plan", "model": "m", "attempt": 1,
        "prompt_tokens": 2, "completion_tokens": 5, "finish_reason": "stop",
        "request": 1, "settings": {"model": "m", "form": "chat", "temperature": 0.5},
    }  # fmt: skip


def test_the_same_command_asks_nothing_twice(ask: Ask, model: Model, tmp_path: Path) -> None:
    """Each attempt has its own seed."""
    ask("--set", "seed=5")
    content = (tmp_path / "a.jsonl").read_bytes()
    assert ask("--set", "seed=5").status == 0
    assert (tmp_path / "a.jsonl").read_bytes() == content
    assert ask("--attempts", "3", "--set", "seed=5").status == 0
    assert Counter(line["attempt"] for line in answers(tmp_path)) == {1: 6, 2: 6, 3: 6}
    assert Counter(request["seed"] for request in model.requests) == {5: 6, 6: 6, 7: 6}


def test_tokens_and_money_are_added_up_over_calls(ask: Ask) -> None:
    ask(*MONEY)
    head, _, row, *_ = ask(*MONEY, "--attempts", "2").out.splitlines()
    assert re.split("  +", head.strip()) == [
        "model", "answers", "prompt tokens", "answer tokens", "seconds", "cost",
    ]  # fmt: skip
    # 12 prompts of 2 tokens, and answers of 5.
    assert [*row.split()[:4], row.split()[5]] == ["m", "12", "24", "60", "144.0000"]


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
    (tmp_path / ".a.jsonl.requests").unlink()  # earlier versions did not write it
    assert ask(*MONEY, "--max-cost", "165", "-j", "4").status == 3
    assert len(answers(tmp_path)) == 3  # 24 are spent, then 165 - 141
    assert ask(*MONEY, "--max-cost", "1000", "-j", "4").status == 0


@pytest.mark.parametrize(
    ("options", "next_cost"),
    [
        (("--max-cost", "0"), "141.0000"),
        # The system message counts: 300 bytes, and 10 for the message.
        (("--max-cost", "300", "--set", f"system={300 * 's'}"), "451.0000"),
    ],
)
def test_a_small_limit_asks_nothing(
    ask: Ask, model: Model, tmp_path: Path, options: tuple[str, ...], next_cost: str
) -> None:
    done = ask(*MONEY, *options)
    assert (done.status, done.err.count("\n"), model.requests) == (3, 1, [])
    assert f"0.0000 is spent, and the next request may cost {next_cost}" in done.err
    assert not (tmp_path / "a.jsonl").exists()


def test_a_lost_reply_counts_as_paid(ask: Ask, model: Model, tmp_path: Path) -> None:
    model.first = [in_parts(1000, "{")]
    done = ask(*MONEY, "--max-cost", "290", "-j", "1")
    assert done.status == 3
    # 141 for the lost one, and 12 for the one that follows.
    assert "153.0000 is spent" in done.err
    assert len(answers(tmp_path)) == 1
    (tmp_path / ".a.jsonl.requests").write_text("[1,[2,3]]\nx\n")
    done = ask(*MONEY)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert ".a.jsonl.requests:2: found no request: " in done.err


def test_a_dry_run_counts_and_writes_nothing(ask: Ask, model: Model, tmp_path: Path) -> None:
    ask()
    before = sorted(tmp_path.iterdir())
    done = ask(*MONEY[:2], "--attempts", "3", "--dry-run")
    assert re.sub(r"http://\S+", "URL", done.out) == (
        "6 prompts, 12 requests to send to URL\n"
        "tokens of the prompts: about 33 (4 characters each)\n"  # 12 x 11 characters
        "tokens of the answers: no limit; set one with --max-tokens\n"
        "cost: at most about 33.0000, and that of the answers\n"
    )
    assert (done.status, len(model.requests), sorted(tmp_path.iterdir())) == (0, 6, before)


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
            f"warning: 1 answer without text ({reason}): stored, and not requested again\n"
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


def test_an_endpoint_without_counts_of_tokens_is_named(ask: Ask, model: Model) -> None:
    model.is_sparse = True
    done = ask(*MONEY)
    # The most that the answers can have cost: 6 times 121 bytes and 10 tokens.
    assert done.out.splitlines()[2].split() == ["m", "6", "-", "-", *done.out.split()[-2:]]
    assert done.out.split()[-1] == "846.0000"


def test_another_model_than_asked_for_is_named(ask: Ask, tmp_path: Path, model: Model) -> None:
    choice = {"message": {"content": "x"}, "finish_reason": "stop"}
    model.first = [status(200, json.dumps({"model": "m-2026", "choices": [choice]}))]
    ask("-j", "1")
    found = answers(tmp_path)[0]
    assert (found["served_model"], found["model"]) == ("m-2026", "m")


FOREIGN = SUPPORT / "foreign_pddl"


@pytest.mark.parametrize("name", ["mystery", "numeric"])
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
