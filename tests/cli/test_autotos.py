"""`autotos`: conversations with a model behind a local server, or with replayed logs."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from model_server import Answer, Model, error_text, in_parts, message, served, status
from places import ROOT, SUPPORT
from scripted_model import BLOCKS, GOAL, GRIPPER, SUCC, WRONG_GOAL, fenced

from pddl_pipeline.endpoints.settings import KEY
from pddl_pipeline.papers.autotos.checks import own_folder
from pddl_pipeline.papers.autotos.loop import OPENINGS, SYSTEM
from pddl_pipeline.papers.autotos.published_log import log_text
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.search.black_boxes.domain import domains

if TYPE_CHECKING:
    from command_line import Cli

pytest.importorskip("openai")

EXAMPLE = ROOT / "examples" / "autotos" / "24game.txt"
FOREIGN = SUPPORT / "foreign_pddl" / "gripper"
GAME = ("--domain", "24game", "--tests", "tests", "-o", "runs")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the test's folder with unit tests of a single puzzle, and a key."""
    monkeypatch.setenv(KEY, "secret")
    shutil.copytree(own_folder(domains()["24game"]), tmp_path / "tests")
    (tmp_path / "tests" / "unittests.csv").write_text("Rank,Puzzles\n1,4 6 1\n")
    (tmp_path / "data.csv").write_text("Rank,Puzzles\n1,4 6\n2,3 8\n3,1 1\n")
    return tmp_path


def script(succ: str, isgoal: str, *wrong: str) -> Callable[[str], str]:
    """Return a model that writes these functions, after wrong goal tests."""
    left = list(wrong)

    def reply(prompt: str) -> str:
        is_goal = prompt.lstrip().startswith(("Provide only the python code", "The goal test"))
        return left.pop(0) if is_goal and left else isgoal if is_goal else succ

    return reply


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_a_model_writes_functions_that_are_accepted_and_evaluated(cli: Cli, place: Path) -> None:
    model = Model(reply=script(SUCC, GOAL, WRONG_GOAL), key="secret")
    with served(model) as url:
        command = ("autotos", "run", *GAME, "--model", "m", "--base-url", url, "--repetitions", "2",
                   "--data", "data.csv", "--json")  # fmt: skip
        done = cli(*command)
        assert done.status == 0, done.err
        assert len(model.requests) == 5
        again = cli(*command)
        assert (again.status, again.out, len(model.requests)) == (0, done.out, 5)
    found = json.loads(done.out)
    assert [each["calls"] for each in found["conversations"]] == [
        {"succ": 1, "isgoal": 2}, {"succ": 1, "isgoal": 1},
    ]  # fmt: skip
    assert (found["calls_mean"], found["errors"]["isgoal-soundness"]) == (2.5, 1)
    assert found["conversations"][0]["tokens"] > 100
    assert found["accuracy"]["at_5"] == found["accuracy"]["mean"] == 1.0
    assert found["accuracy"]["instances"] == 3
    assert json.loads((place / "runs" / "summary.json").read_text()) == found
    first = model.requests[0]
    assert (first["temperature"], first["messages"][0]["role"]) == (0.0, "system")
    assert first["messages"][1]["content"] == OPENINGS["24game"].succ
    assert "secret" not in "".join(path.read_text() for path in (place / "runs").glob("*.*"))
    code = ("autotos", "check", "runs/functions-1.md", "--domain", "24game", "--tests", "tests")
    assert cli(*code).status == 0


def test_calls_that_are_used_up_are_status_1(cli: Cli, place: Path) -> None:
    with served(Model(reply=lambda _: "I am sorry.")) as url:
        done = cli("autotos", "run", *GAME, "--model", "m", "--base-url", url, "--max-calls", "2",
                   "--repetitions", "1", "--data", "data.csv")  # fmt: skip
    assert done.status == 1
    assert "unparsable-response" in done.out
    assert "Accuracy" not in done.out
    kinds = [line["kind"] for line in lines(place / "runs" / "calls.jsonl")]
    assert kinds == ["reply", "outcome"] * 2
    assert not (place / "runs" / "functions-1.md").exists()


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (message("tool_calls", content=None, tool_calls=[{"id": "1"}]), " (tool_calls)"),
        (message("stop", content=""), " (stop)"),
        (message("length", content=None), " (length)"),
    ],
)
def test_a_reply_without_text_is_kept_and_counts(
    cli: Cli, place: Path, answer: Answer, shown: str
) -> None:
    model = Model(reply=script(SUCC, GOAL), first=[answer])
    with served(model) as url:
        done = cli("autotos", "run", *GAME, "-q", "--model", "m", "--base-url", url,
                   "--repetitions", "1")  # fmt: skip
    assert done.status == 0
    said = f"warning: conversation 1, succ: the model returned no text{shown}; expected Python"
    assert done.err.strip() == f"{said} code"
    first, outcome, *_ = lines(place / "runs" / "calls.jsonl")
    assert (first["text"], first["completion_tokens"]) == ("", 3)
    assert outcome["category"] == "unparsable-response"


@pytest.mark.parametrize(
    ("answer", "status_", "shown"),
    [
        (status(401, error_text("Incorrect API key")), 2, "expected a valid key"),
        (status(404, error_text("no such model")), 2, "expected an address and a model"),
        (status(400, error_text("too long")), 2, "found HTTP 400 too long"),
    ],
)
def test_what_was_paid_for_is_kept(
    cli: Cli, place: Path, answer: Answer, status_: int, shown: str
) -> None:
    model = Model(reply=script(SUCC, GOAL))
    with served(model) as url:
        command = ("autotos", "run", *GAME, "-q", "--model", "m", "--base-url", url,
                   "--repetitions", "2")  # fmt: skip
        model.first = [message("stop", content=SUCC), answer]
        done = cli(*command)
        assert (done.status, done.out, done.err.count("\n")) == (status_, "", 1)
        assert shown in done.err
        assert len(lines(place / "runs" / "calls.jsonl")) == 2
        assert cli(*command).status == 0
        assert len(model.requests) == 5


MONEY = ("--prices", "1000000,2000000", "--max-tokens", "1000")  # a token costs 1, or 2
HEADS = ["model", "answers", "prompt tokens", "answer tokens", "seconds", "cost"]


def cost(replies: list[dict[str, Any]]) -> int:
    return sum(each["prompt_tokens"] + 2 * each["completion_tokens"] for each in replies)


def test_tokens_and_money_are_added_up_over_calls(cli: Cli, place: Path) -> None:
    with served(Model(reply=script(SUCC, GOAL, WRONG_GOAL))) as url:
        command = ("autotos", "run", *GAME, "--model", "m", "--base-url", url, *MONEY)
        assert cli(*command, "-q", "--repetitions", "1").status == 0
        # Prices may change, since they do not determine the replies.
        done = cli(*command, "-q", "--repetitions", "2")
        stored = [x for x in lines(place / "runs" / "calls.jsonl") if x["kind"] == "reply"]
        used = [sum(x[name] for x in stored) for name in ("prompt_tokens", "completion_tokens")]
        head, _, row = done.out[done.out.index("Tokens of all stored calls") :].splitlines()[1:4]
        assert [name for name in HEADS if name in head] == HEADS
        prompt, answer = (f"{each:,}" for each in used)
        assert row.split()[:4] == ["m", "5", prompt, answer]
        assert row.split()[5] == f"{cost(stored)}.0000"
        found = json.loads((place / "runs" / "summary.json").read_text())
        assert found["cost"] == cost(stored)
        parts = found["conversations"]
        assert [sum(part[name] for part in parts) for name in ("prompt_tokens", "answer_tokens")
                ] == used  # fmt: skip
        without = cli(*command[:-4], *MONEY[2:], "-q", "--repetitions", "2", "--json")
    assert "cost" not in json.loads(without.out)


def test_the_largest_cost_is_not_exceeded(cli: Cli, place: Path) -> None:
    model, file = Model(reply=script(SUCC, GOAL)), place / "runs" / "calls.jsonl"
    with served(model) as url:
        command = ("autotos", "run", *GAME, "-q", "--model", "m", "--base-url", url, *MONEY,
                   "--repetitions", "1", "--max-cost")  # fmt: skip
        done = cli(*command, "0")
        assert (done.status, len(model.requests), done.err.count("\n")) == (3, 0, 1)
        # One token for each byte, 120 for the template, and 1000 of the reply.
        texts = len((SYSTEM + OPENINGS["24game"].succ).encode())
        said = "stopped before --max-cost is exceeded: 0.0000 is spent, and the next request may"
        rest = "with a larger amount, the same command continues"
        assert done.err == f"warning: {said} cost {texts + 120 + 2000:.4f}; {rest}\n"
        done = cli(*command, f"{texts + 2120}")
        assert (done.status, len(model.requests)) == (3, 1)
        assert f"{cost(lines(file)[:1])}.0000 is spent" in done.err
        assert "Calls of the model" not in done.out
        assert not (place / "runs" / "summary.json").exists()
        # What was paid for counts, and is not asked again.
        done = cli(*command, f"{texts + 2120}", "--json")
        assert (done.status, done.out, len(model.requests)) == (3, "", 1)
        assert cli(*command, "1000000").status == 0
    assert len(model.requests) == 2


def test_an_endpoint_without_counts_of_tokens_costs_the_most(cli: Cli, place: Path) -> None:
    with served(Model(reply=script(SUCC, GOAL), is_sparse=True)) as url:
        command = ("autotos", "run", *GAME, "--model", "m", "--base-url", url, *MONEY,
                   "--repetitions", "1")  # fmt: skip
        done, again = cli(*command), cli(*command)
    first, second = (OPENINGS["24game"].succ, OPENINGS["24game"].isgoal)
    texts = 2 * len((SYSTEM + first).encode()) + len((SUCC + second).encode())
    # Two and four messages of 10 tokens, two templates of 100, and two replies.
    most = texts + 20 + 40 + 200 + 2 * 2000
    assert json.loads((place / "runs" / "summary.json").read_text())["cost"] == most
    assert "the endpoint reports no tokens for 2 answers" in done.err
    assert done.out == again.out


def test_a_lost_reply_counts_as_paid(cli: Cli, place: Path) -> None:
    model = Model(reply=script(SUCC, GOAL), first=[in_parts(1000, "{")])
    texts = len((SYSTEM + OPENINGS["24game"].succ).encode())
    with served(model) as url:
        done = cli("autotos", "run", *GAME, "--model", "m", "--base-url", url, *MONEY,
                   "--repetitions", "1", "--max-cost", f"{texts + 2120}")  # fmt: skip
    assert (done.status, len(model.requests)) == (3, 1)
    assert f"stopped before --max-cost is exceeded: {texts + 2120:.4f} is spent" in done.err
    assert "the cost includes the most that 1 request without a reply may have cost" in done.err
    assert (place / "runs" / "calls.jsonl").read_text() == ""


def test_other_settings_need_another_folder(cli: Cli) -> None:
    with served(Model(reply=script(SUCC, GOAL))) as url:
        command = ("autotos", "run", *GAME, "--model", "m", "--base-url", url, "--repetitions", "1")
        assert cli(*command).status == 0
        for option in (("--without", "completeness"), ("--temperature", "0.5"),
                       ("--max-calls", "3"), ("--set", "seed=1")):  # fmt: skip
            done = cli(*command, *option)
            assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
            assert "other settings need another folder" in done.err


def test_a_foreign_pddl_domain(cli: Cli, place: Path) -> None:
    succ, isgoal = map(fenced, GRIPPER)
    model = Model(reply=script(succ, isgoal))
    domain = ("--domain", FOREIGN / "domain.pddl", "--problem", FOREIGN / "p01.pddl")
    with served(model) as url:
        done = cli("autotos", "run", *domain, "--model", "m", "--base-url", url, "-o", "runs",
                   "--repetitions", "1", "--data", FOREIGN, "--json")  # fmt: skip
    assert done.status == 0, done.err
    found = json.loads(done.out)
    assert (found["domain"], found["accuracy"]["results"]["solved"]) == ("gripper-strips", 2)
    assert "(define (domain gripper-strips)" in model.requests[0]["messages"][1]["content"]
    assert len(lines(place / "runs" / "results.jsonl")) == 2


def test_logs_are_replayed(cli: Cli, place: Path) -> None:
    done = cli("autotos", "run", *GAME, "--replay", EXAMPLE)
    assert done.status == 0, done.err
    for name in ("Calls of the model", "Errors by category"):
        assert name in done.out
    assert " ".join(done.out.splitlines()[4].split()) == "replay 24game 1 1 4.00 2.00 2.00 2"
    # The conversation that the command writes is a log, too; each log is a repetition.
    both = ("--replay", EXAMPLE, "--replay", "runs/conversation-1.txt")
    done = cli("autotos", "run", *GAME[:-1], "both", *both, "--json")
    calls = [each["calls"] for each in json.loads(done.out)["conversations"]]
    assert calls == 2 * [{"succ": 2, "isgoal": 2}]
    first, second = (place / name / "conversation-1.txt" for name in ("runs", "both"))
    assert first.read_text() == second.read_text()


REPLIES, KILLS = 10, 20
SHORT = log_text([("How?", SUCC)], accepted=True)


@pytest.mark.parametrize(
    ("arguments", "message_"),
    [
        (("--domain", "24gam", "--replay", EXAMPLE), "unknown domain '24gam'"),
        (("--domain", "crosswords", "--model", "m"), "the crossword is no planning task"),
        (("--domain", "PrOntoQA", "--model", "m"), "PrOntoQA is no planning task"),
        (("--domain", "24game"), "Missing option '--model', or '--replay'"),
        (("--domain", "24game", "--replay", EXAMPLE, "--model", "m"), "--model does not apply to"),
        (("--domain", "24game", "--replay", EXAMPLE, "--prices", "1,2"), "--prices does not apply"),
        (("--domain", "24game", "--replay", EXAMPLE, "--max-cost", "2"), "--max-cost does not"),
        (("--domain", "24game", "--model", "m", "--max-cost", "2"), "--max-cost requires --prices"),
        (("--domain", "24game", "--model", "m", "--prices", "1"), "expected two prices per"),
        (("--domain", "24game", "--replay", EXAMPLE, "--repetitions", "2"), "found 1 log to"),
        (("--domain", "24game", "--replay", "no.txt"), "no.txt: cannot be read"),
        (("--domain", "24game", "--replay", "data.csv"), "data.csv: found no log of AutoToS"),
        (("--domain", "24game", "--replay", "short.txt"), "found no reply 2, but the loop asks"),
        (("--domain", "24game", "--replay", "half.txt"), "half.txt:23: found a prompt without a"),
        (("--domain", "24game", "--replay", EXAMPLE, "--problem", "p.pddl"), "--problem applies"),
        (("--domain", "24game", "--replay", EXAMPLE, "--data", "nothing"), "nothing: "),
        (("--domain", "24game", "--model", "m", "--temperature", "3"), "found temperature 3"),
        (("--domain", "24game", "--model", "m", "--base-url", "x"), "found the address 'x'"),
        (("--domain", FOREIGN / "domain.pddl", "--model", "m"), "requires --problem"),
        (("--domain", "no.pddl", "--problem", "p", "--model", "m"), "no.pddl: cannot be read"),
        (("--domain", FOREIGN / "p01.pddl", "--problem", FOREIGN / "p01.pddl", "--model", "m"),
         "expected (domain NAME)"),
        (("--domain", FOREIGN / "domain.pddl", "--tests", "tests", "--model", "m"),
         "--tests does not apply"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(
    cli: Cli, place: Path, arguments: tuple[str | Path, ...], message_: str
) -> None:
    (place / "short.txt").write_text(SHORT)
    (place / "half.txt").write_text(f"{SHORT}\nAutoToS prompt:\nGoal?\n")
    done = cli("autotos", "run", "-q", "-o", "runs", *arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), done.err
    assert message_ in done.err


def test_no_key_and_no_server_are_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY)
    done = cli("autotos", "run", *GAME, "--model", "m")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert KEY in done.err
    done = cli("autotos", "run", *GAME, "--model", "m", "--base-url", "http://127.0.0.1:9/v1")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "found no server" in done.err


def test_data_of_another_domain_is_one_line(cli: Cli, place: Path) -> None:
    shutil.copy(domain_folder("ferry") / "examples.jsonl", place / "ferry.jsonl")
    done = cli("autotos", "run", "-q", "--domain", "24game", "--replay", EXAMPLE, "-o", "runs",
               "--data", "ferry.jsonl")  # fmt: skip
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)


def test_own_pddl_files_are_a_pddl_domain(cli: Cli, place: Path) -> None:
    folder = domain_folder("blocksworld")
    calls = [("How?", fenced(BLOCKS[0])), ("Goal?", fenced(BLOCKS[1]))]
    (place / "blocks.txt").write_text(log_text(calls, accepted=True))
    done = cli("autotos", "run", "--domain", folder / "domain.pddl", "--problem",
               folder / "p01.pddl", "--replay", "blocks.txt", "-o", "runs", "--data",
               folder / "p01.pddl")  # fmt: skip
    assert done.status == 0, done.err
    assert "100.00" in done.out


@pytest.mark.long
def test_kill_at_any_moment_asks_nothing_twice(place: Path) -> None:
    """Kill the program 20 times. Only a request that was under way may be sent again."""
    chance, model = Random(3), Model(delay_s=0.3, key="secret")

    def reply(_: str) -> str:
        number = len(model.requests[-1]["messages"]) // 2
        return SUCC if number == 1 else WRONG_GOAL if number < REPLIES else GOAL

    model.reply = reply
    program = Path(sys.executable).with_name("pddl-pipeline")
    with served(model) as url:
        command = [program, "autotos", "run", *GAME, "--model", "m", "--base-url", url,
                   "--repetitions", "1"]  # fmt: skip
        for _ in range(KILLS):
            process = subprocess.Popen(command, cwd=place, stderr=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL)  # fmt: skip
            time.sleep(chance.uniform(0.5, 4))
            process.kill()
            process.wait()
        assert subprocess.run(command, cwd=place, capture_output=True, check=True)
    replies = [line for line in lines(place / "runs" / "calls.jsonl") if line["kind"] == "reply"]
    assert len(replies) == REPLIES
    # A reply that was stored is never asked for again; one that was under way may be.
    assert len(model.requests) <= REPLIES + KILLS
