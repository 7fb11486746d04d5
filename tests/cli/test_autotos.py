"""`autotos run`: conversations with a model or replayed logs; `autotos check`, and its planners."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from command_line import check_mistake, json_lines
from failing_code import GOAL_24, SUCC_24
from model_server import Answer, Model, error_text, in_parts, message, served, status
from places import ROOT
from scripted_model import GOAL, SUCC, WRONG_GOAL

from pddl_pipeline.endpoints.settings import KEY
from pddl_pipeline.model.package_version import VERSION
from pddl_pipeline.papers.autotos.checks import own_folder
from pddl_pipeline.papers.autotos.domains import DOMAINS
from pddl_pipeline.papers.autotos.loop import OPENINGS, SYSTEM
from pddl_pipeline.papers.autotos.published_log import log_text
from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import Cli

pytest.importorskip("openai")

LOG = ROOT / "examples" / "autotos" / "24game.txt"
CODE = ROOT / "examples" / "search-code" / "blocksworld.md"
BLOCKSWORLD = domain_folder("blocksworld")
TASK = (BLOCKSWORLD / "domain.pddl", BLOCKSWORLD / "p01.pddl")
NAMED = ("--domain", "24game")
GAME = ("autotos", "run", *NAMED, "--tests", "tests", "-o", "runs", "-q")
FIRST_PROMPT = len((SYSTEM + OPENINGS["24game"].succ).encode())
MONEY = ("--prices", "1000000,2000000", "--max-tokens", "1000")  # a token costs 1, or 2


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the test's folder with unit tests of a single puzzle, and a key."""
    monkeypatch.setenv(KEY, "secret")
    shutil.copytree(own_folder(DOMAINS["24game"]), tmp_path / "tests")
    (tmp_path / "tests" / "unittests.csv").write_text("Rank,Puzzles\n1,4 6 1\n")
    (tmp_path / "data.csv").write_text("Rank,Puzzles\n1,4 6\n2,3 8\n3,1 1\n")
    return tmp_path


def asking(url: str, *options: str) -> tuple[str, ...]:
    """Return a command that asks a model once, unless the options say more."""
    return (*GAME, "--model", "m", "--base-url", url, "--repetitions", "1", *options)


def script(succ: str, isgoal: str, *wrong: str) -> Callable[[str], str]:
    """Return a model that writes these functions, after wrong goal tests."""
    left = list(wrong)

    def reply(prompt: str) -> str:
        is_goal = prompt.lstrip().startswith(("Provide only the python code", "The goal test"))
        return left.pop(0) if is_goal and left else isgoal if is_goal else succ

    return reply


def cost(calls: list[dict[str, Any]]) -> int:
    replies = [each for each in calls if each["kind"] == "reply"]
    return sum(each["prompt_tokens"] + 2 * each["completion_tokens"] for each in replies)


def test_a_model_writes_functions_that_are_accepted_and_evaluated(cli: Cli, place: Path) -> None:
    model = Model(reply=script(SUCC, GOAL, WRONG_GOAL), key="secret")
    with served(model) as url:
        command = asking(url, "--repetitions", "2", "--data", "data.csv", "--json")
        # Prices may change, since they do not determine the replies.
        done, again = cli(*command, *MONEY), cli(*command, *MONEY[2:])
    assert (done.status, len(model.requests)) == (0, 5), done.err
    found = json.loads(done.out)
    stored = json_lines(place / "runs" / "calls.jsonl")
    assert found.pop("cost") == cost(stored)
    assert sum(each["answer_tokens"] for each in found["conversations"]) == sum(
        each.get("completion_tokens", 0) for each in stored
    )
    assert json.loads(again.out) == found
    assert [each["calls"] for each in found["conversations"]] == [
        {"succ": 1, "isgoal": 2},
        {"succ": 1, "isgoal": 1},
    ]
    assert (found["calls_mean"], found["errors"]["isgoal-soundness"]) == (2.5, 1)
    assert found["conversations"][0]["tokens"] > 100
    assert found["accuracy"]["at_5"] == found["accuracy"]["mean"] == 1.0
    assert found["accuracy"]["instances"] == 3
    assert json.loads((place / "runs" / "summary.json").read_text()) == found
    first = model.requests[0]
    assert (first["temperature"], first["messages"][0]["role"]) == (0.0, "system")
    assert first["messages"][1]["content"] == OPENINGS["24game"].succ
    assert "secret" not in "".join(path.read_text() for path in (place / "runs").glob("*.*"))
    assert cli("autotos", "check", "runs/functions-1.md", *NAMED, "--tests", "tests").status == 0


def test_calls_that_are_used_up_are_status_1(cli: Cli, place: Path) -> None:
    with served(Model(reply=lambda _: "I am sorry.")) as url:
        done = cli(*asking(url, "--max-calls", "2", "--data", "data.csv"))
    assert (done.status, "Accuracy" in done.out) == (1, False)
    assert "unparsable-response" in done.out
    kinds = [line["kind"] for line in json_lines(place / "runs" / "calls.jsonl")]
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
    with served(Model(reply=script(SUCC, GOAL), first=[answer])) as url:
        done = cli(*asking(url))
    said = f"warning: conversation 1, succ: the model returned no text{shown}; expected Python code"
    assert (done.status, done.err.strip()) == (0, said)
    first, outcome, *_ = json_lines(place / "runs" / "calls.jsonl")
    assert (first["text"], first["completion_tokens"]) == ("", 3)
    assert outcome["category"] == "unparsable-response"


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (status(401, error_text("Incorrect API key")), "expected a valid key"),
        (status(404, error_text("no such model")), "expected an address and a model"),
        (status(400, error_text("too long")), "found HTTP 400 too long"),
    ],
)
def test_what_was_paid_for_is_kept(cli: Cli, place: Path, answer: Answer, shown: str) -> None:
    model = Model(reply=script(SUCC, GOAL), first=[message("stop", content=SUCC), answer])
    with served(model) as url:
        command = asking(url, "--repetitions", "2")
        check_mistake(cli(*command), shown)
        assert len(json_lines(place / "runs" / "calls.jsonl")) == 2
        assert (cli(*command).status, len(model.requests)) == (0, 5)


def test_the_largest_cost_is_not_exceeded(cli: Cli, place: Path) -> None:
    model, file = Model(reply=script(SUCC, GOAL)), place / "runs" / "calls.jsonl"
    # One token for each byte, 120 for the template, and 1000 of the reply.
    most = FIRST_PROMPT + 120 + 2000
    with served(model) as url:
        command = asking(url, *MONEY, "--max-cost")
        done = cli(*command, "0")
        assert (done.status, len(model.requests)) == (3, 0)
        said = "stopped before --max-cost is exceeded: 0.0000 is spent, and the next request may"
        rest = "with a larger amount, the same command continues"
        assert done.err == f"warning: {said} cost {most:.4f}; {rest}\n"
        done = cli(*command, f"{most}")
        assert (done.status, len(model.requests)) == (3, 1)
        assert f"{cost(json_lines(file)[:1])}.0000 is spent" in done.err
        assert "Calls of the model" not in done.out
        assert not (place / "runs" / "summary.json").exists()
        # What was paid for counts, and is not asked again.
        done = cli(*command, f"{most}", "--json")
        assert (done.status, done.out, len(model.requests)) == (3, "", 1)
        assert (cli(*command, "1000000").status, len(model.requests)) == (0, 2)


def test_an_endpoint_without_counts_of_tokens_costs_the_most(cli: Cli, place: Path) -> None:
    with served(Model(reply=script(SUCC, GOAL), is_sparse=True)) as url:
        command = [each for each in asking(url, *MONEY) if each != "-q"]
        done, again = cli(*command), cli(*command)
    texts = 2 * FIRST_PROMPT + len((SUCC + OPENINGS["24game"].isgoal).encode())
    # Two and four messages of 10 tokens, two templates of 100, and two replies.
    most = texts + 20 + 40 + 200 + 2 * 2000
    assert json.loads((place / "runs" / "summary.json").read_text())["cost"] == most
    assert "the endpoint reports no usable numbers of tokens for 2 answers" in done.err
    assert done.out == again.out


def test_a_lost_reply_counts_as_paid(cli: Cli, place: Path) -> None:
    model = Model(reply=script(SUCC, GOAL), first=[in_parts(1000, "{")])
    most = f"{FIRST_PROMPT + 2120}"
    with served(model) as url:
        command = [each for each in asking(url, *MONEY, "--max-cost", most) if each != "-q"]
        done, again = cli(*command), cli(*command)
    assert (done.status, again.status, len(model.requests)) == (3, 3, 1)
    assert f"stopped before --max-cost is exceeded: {most}.0000 is spent" in again.err
    assert "the cost includes the most that 1 request without a reply may have cost" in done.err
    assert (place / "runs" / "calls.jsonl").read_text() == ""


def test_other_settings_need_another_folder(cli: Cli) -> None:
    with served(Model(reply=script(SUCC, GOAL))) as url:
        assert cli(*asking(url)).status == 0
        for option in ("--without completeness", "--temperature 0.5", "--max-calls 3",
                       "--set seed=1"):  # fmt: skip
            check_mistake(cli(*asking(url, *option.split())), "other settings need another folder")


def test_logs_are_replayed(cli: Cli, place: Path) -> None:
    done = cli(*GAME, "--replay", LOG)
    assert done.status == 0, done.err
    assert "Errors by category" in done.out
    assert (
        " ".join(done.out.splitlines()[4].split())
        == f"replay 24game 1 1 4.00 2.00 2.00 2 {VERSION}"
    )
    # The conversation that the command writes is a log, too; each log is a repetition.
    both = ("--replay", LOG, "--replay", "runs/conversation-1.txt", "-o", "both", "--json")
    calls = [each["calls"] for each in json.loads(cli(*GAME, *both).out)["conversations"]]
    assert calls == 2 * [{"succ": 2, "isgoal": 2}]
    first, second = (place / name / "conversation-1.txt" for name in ("runs", "both"))
    assert first.read_text() == second.read_text()


def test_results_state_the_version_that_made_them(cli: Cli, place: Path) -> None:
    command = (*GAME, "--replay", LOG, "--data", "data.csv", "--json")
    for version in (VERSION, "-"):
        done = json.loads(cli(*command).out)
        assert done["conversations"][0]["version"] == done["accuracy"]["version"] == version
        # Earlier versions did not store it.
        for file in (place / "runs").glob("*s.jsonl"):
            file.write_text(file.read_text().replace(f', "version": "{VERSION}"', ""))


SHORT = log_text([("How?", SUCC)], accepted=True)
REPLAY, MODEL = (*NAMED, "--replay", LOG), (*NAMED, "--model", "m")
RUN, CHECK = ("run", "-o", "runs"), ("check",)
MISTAKES = [
    (RUN, ("--domain", "24gam", "--replay", LOG), "unknown domain '24gam'"),
    (RUN, NAMED, "Missing option '--model', or '--replay'"),
    (RUN, (*REPLAY, "--model", "m"), "--model does not apply to"),
    (RUN, (*REPLAY, "--prices", "1,2"), "--prices does not apply"),
    (RUN, (*REPLAY, "--max-cost", "2"), "--max-cost does not"),
    (RUN, (*MODEL, "--max-cost", "2"), "--max-cost requires --prices"),
    (RUN, (*MODEL, "--prices", "1"), "expected two prices per"),
    (RUN, (*REPLAY, "--repetitions", "2"), "found 1 log to replay"),
    (RUN, (*NAMED, "--replay", "no.txt"), "no.txt: cannot be read"),
    (RUN, (*NAMED, "--replay", "data.csv"), "data.csv: found no log of AutoToS"),
    (RUN, (*NAMED, "--replay", "short.txt"), "found no reply 2, but the loop asks"),
    (RUN, (*NAMED, "--replay", "half.txt"), "half.txt:23: found a prompt without a"),
    (RUN, (*REPLAY, "--data", "nothing"), "nothing: "),
    (RUN, (*REPLAY, "--data", ROOT / "examples" / "ferry.jsonl"), "ferry"),
    (RUN, (*MODEL, "--temperature", "3"), "found temperature 3"),
    (RUN, (*MODEL, "--base-url", "x"), "found the address 'x'"),
    (RUN, (*MODEL, "--base-url", "http://127.0.0.1:9/v1"), "found no server"),
    (CHECK, ("nothing.py", *NAMED), "nothing.py: cannot be read"),
    (CHECK, (CODE, "--domain", "ferry"), "'ferry' is not one of '24game', 'blocksworld'"),
    (CHECK, (CODE,), "Missing option '--domain'"),
    (CHECK, (CODE, *NAMED, "--tests", "."), "found 0 files *_goals.jsonl"),
]


@pytest.mark.parametrize(("command", "arguments", "said"), MISTAKES)
def test_bad_input_is_one_line(
    cli: Cli, place: Path, command: tuple[str, ...], arguments: tuple[str | Path, ...], said: str
) -> None:
    (place / "short.txt").write_text(SHORT)
    (place / "half.txt").write_text(f"{SHORT}\nAutoToS prompt:\nGoal?\n")
    check_mistake(cli("autotos", *command, "-q", *arguments), said)


def test_no_key_is_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY)
    check_mistake(cli(*GAME, "--model", "m"), KEY)


def test_code_that_passes(cli: Cli, place: Path) -> None:
    command = ("autotos", "check", CODE, "--domain", "blocksworld")
    done = cli(*command)
    assert (done.status, done.err) == (0, "")
    assert "passed (goal tests: 9, searches: 3, states: " in done.out
    assert done.out.endswith(", successor tests: 4)\n")
    found = json.loads(cli(*command, "--json").out)
    assert (found["passed"], found["category"], found["feedback"]) == (True, None, None)
    assert (found["stage"], found["goal_tests"]) == ("completeness", 9)
    for file in own_folder(DOMAINS["blocksworld"]).glob("*.jsonl"):
        (place / file.name).write_text(file.read_text().splitlines()[0])
    (place / "unittests.csv").write_text(f"{TASK[1]}, 6\n")
    assert "passed (goal tests: 2, searches: 1, " in cli(*command, "--tests", place).out


def test_a_failure_is_its_category_and_the_feedback(cli: Cli, place: Path) -> None:
    (place / "answer.txt").write_text(SUCC_24.replace("x + y, ", "") + GOAL_24)
    command = ("autotos", "check", "answer.txt", *NAMED)
    done, found = cli(*command), json.loads(cli(*command, "--json").out)
    head, blank, *feedback = done.out.splitlines()
    assert (done.status, blank) == (1, "")
    assert head == "answer.txt: succ-completeness (succ, completeness)"
    assert feedback[0].startswith("Successor function when run on the state [2, 7] failed")
    assert found["feedback"].splitlines() == feedback
    assert (found["passed"], found["function"]) == (False, "succ")


FAILING = "def succ(state): 1 / 0\ndef isgoal(state, goal): return False"


@pytest.mark.parametrize(
    ("planner", "status_", "said"),
    [
        (f"dfs:order=last,code={CODE}", 0, f"dfs:order=last,code={CODE}: plan-found"),
        (f"bfs:code={CODE}", 0, f"bfs:code={CODE}: plan-found"),
        ("bfs:code=c.py", 1, "succ-exception: succ: ZeroDivisionError: division by zero"),
        ("bfs:code=nothing.py", 2, "nothing.py: no such file"),
    ],
)
def test_solve_with_code(cli: Cli, place: Path, planner: str, status_: int, said: str) -> None:
    (place / "c.py").write_text(FAILING)
    done = cli("solve", *TASK, "--planner", planner)
    assert (done.status, said in done.err, done.err.count("\n")) == (status_, True, 1), done.err
    assert bool(done.out) == (status_ == 0)
    assert ("gave-up" in done.err) == (status_ == 1)
