"""The planners bfs and dfs, as processes within limits."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from countdown_by_hand import walked
from failing_code import BLOCKS, MOVES
from places import ROOT
from planner_outcomes import Case, countdown
from planner_problems import LIMITS, hard_blocksworld, sample

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.planners.attempting import attempt
from pddl_pipeline.planners.registry import planner_named

CLAIM, GAVE_UP = Outcome.CLAIMS_UNSOLVABLE, Outcome.GAVE_UP
UNSOLVABLE = countdown(3, 5, 7, 9, target=4999)
LARGE = countdown(1, 10**9, 10**9 + 1, target=10**9 + 1)
NUMBERS, TARGET = walked(5, Random(7))
FIFTY = countdown(*range(1, 51), target=10**40 + 1)
CASES = {
    "5 numbers": Case("dfs", countdown(*NUMBERS, target=TARGET), cost=5),
    "50 numbers": Case("dfs", countdown(*range(1, 51), target=sum(range(1, 51))), cost=50),
    # With order=first, the 7,350 successors of a state are generated only when needed.
    "50 numbers, no plan": Case(
        "dfs:states=50000,seconds=1,order=first", FIFTY, GAVE_UP,
        "^dfs: Gave up: no goal within 1 s$", Limits(120, 500 * 2**20),
    ),
    "floats": Case("bfs:numbers=float", LARGE, status="invalid"),
    "no floats": Case("bfs", LARGE, CLAIM, "Unsolvable: none of the "),
    "dfs proves": Case("dfs", UNSOLVABLE, CLAIM, "Unsolvable: none of "),
    "dfs forgets": Case("dfs:states=1", UNSOLVABLE, CLAIM, "Unsolvable: none of "),
    "bfs without zeros": Case("bfs:zeros=no", UNSOLVABLE, GAVE_UP, "Gave up: none of the "),
    "dfs with floats": Case("dfs:numbers=float", UNSOLVABLE, GAVE_UP, "Gave up: none of "),
    "few states": Case(
        "bfs:states=10", UNSOLVABLE, GAVE_UP, "no goal among 10 states, the most to remember"
    ),
    "time": Case(
        "bfs:seconds=0.2", hard_blocksworld(), GAVE_UP, r"^bfs: Gave up: no goal within 0\.2 s$"
    ),
    "memory": Case(
        "bfs", hard_blocksworld(), Outcome.MEMOUT, limits=Limits(60, 70 * 2**20)
    ),
    "numbers": Case(
        "bfs:numbers=float", sample("ferry"), Outcome.UNSUPPORTED,
        "the settings numbers and zeros apply only to countdown",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_outcome(name: str) -> None:
    assert CASES[name].check().memory_mb < 400


def test_the_same_order_gives_the_same_plan() -> None:
    planners = ("dfs", "dfs:order=first", "dfs:order=last")
    plans = [attempt(planner_named(each), sample("ferry"), LIMITS).plan for each in planners]
    assert plans[0] == plans[1] != plans[2]


GOOD = (ROOT / "examples" / "search-code" / "blocksworld.md").read_text()
RETURN = "return found"
UNSTACK = "add(clear - {upper} | {lower}, table, on - {(upper, lower)}, upper)"
TO_THE_TABLE = "add(clear | {lower}, table | {upper}, on - {(upper, lower)}, None)"
PUSHES = MOVES.replace("grid[a][b] != 1", "grid[a][b] != 1 and (a, b) not in state['at-stone']")
CODE = {
    "no code": ("", "unparsable-response: succ: found no function whose name says 'succ'"),
    "zero": (GOOD.replace(RETURN, "return 1 / 0"), "succ-exception: succ: ZeroDivisionError: "),
    "endless": (GOOD.replace(RETURN, "while True: pass"), "succ-timeout: succ: took more than 1 s"),
    "nothing": (GOOD.replace(RETURN, "return []"), "code: none of the 1 states is a goal"),
    "no step": (GOOD.replace(UNSTACK, TO_THE_TABLE), "succ-soundness: no step leads from {"),
}
LONG = {
    "end": (GOOD.replace(RETURN, "import os; os._exit(0)"), "process ended with exit status 0"),
    "exit": (GOOD.replace(RETURN, "raise SystemExit"), "succ-exception: succ: SystemExit"),
    "depth": (GOOD.replace(RETURN, "return succ(state)"), "succ-exception: succ: RecursionError"),
    "seven": (GOOD.replace(RETURN, "return 7"), "succ-exception: succ: TypeError"),
    "goal": (GOOD.replace("return all", "return list"), "isgoal-exception: isgoal: TypeError"),
    "changed": (
        GOOD.replace("held = ", "held = state.pop('holding') #"),
        "input-changed: succ changed {",
    ),
    "towers": (BLOCKS, "succ-soundness: 1 blocks are clear, 2 on the table"),
}


@pytest.mark.parametrize("name", [*CODE, *(pytest.param(n, marks=pytest.mark.long) for n in LONG)])
def test_code_that_fails_is_reported(name: str, tmp_path: Path) -> None:
    text, reason = (CODE | LONG)[name]
    (tmp_path / "code.py").write_text(text)
    planner = f"bfs:code={tmp_path / 'code.py'}"
    Case(planner, sample("blocksworld"), GAVE_UP, re.escape(reason)).check()


@pytest.mark.parametrize(
    ("planner", "text", "case"),
    [
        ("bfs", GOOD, Case("", sample("blocksworld"), cost=6)),
        ("dfs", GOOD, Case("", sample("blocksworld"))),
        # A wrong goal test makes a claim, which is judged.
        ("bfs", f"{GOOD}\n".replace("return all", "return any"),
         Case("", sample("blocksworld"), status="invalid")),
        ("bfs", PUSHES, Case("", sample("sokoban"), GAVE_UP, "code: none of the ")),
        ("dfs", GOOD, Case("", sample("ferry"), Outcome.UNSUPPORTED,
                           "code applies only to blocksworld, Sokoban and countdown")),
    ],
    ids=["bfs", "dfs", "goal test", "sokoban", "ferry"],
)  # fmt: skip
def test_code_in_a_models_answer(planner: str, text: str, case: Case, tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(text)
    case._replace(planner=f"{planner}:code={tmp_path / 'code.py'}").check()
