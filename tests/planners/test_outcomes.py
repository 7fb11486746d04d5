"""Correct outcomes in situations that are often reported wrongly."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from planner_outcomes import UNSOLVABLE, Case, adapted, altered, blocks, countdown
from planner_problems import HARD_COUNTDOWN, sample

from pddl_pipeline import translate
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.translators.records import from_record


def missing(command: tuple[str, ...]) -> tuple[str, ...]:
    return tuple("missing.pddl" if word == "problem.pddl" else word for word in command)


def with_heap(size: str, command: tuple[str, ...]) -> tuple[str, ...]:
    place = command.index("-jar")
    return (*command[:place], f"-Xmx{size}", *command[place:])


def measured(metric: str) -> Problem:
    text = sample("ferry").problem_pddl.rstrip()[:-1]
    return replace(sample("ferry"), problem_pddl=f"{text}(:metric minimize {metric}))")


CLAIM, GAVE_UP = Outcome.CLAIMS_UNSOLVABLE, Outcome.GAVE_UP
INPUT, UNSUPPORTED = Outcome.INPUT_ERROR, Outcome.UNSUPPORTED
FERRY, NUMBERS, GRIPPERS = sample("ferry"), sample("countdown"), sample("grippers")
# The shortest plan with put-down costs 52.
DEAR = translate(
    from_record({
        "id": "a", "domain": "budget-blocksworld", "init": [["b1", "b2", "b3"], ["b4"]],
        "holding": None, "goal": [["on", "b1", "b4"], ["on", "b4", "b2"]], "budget": None,
        "costs": {"pick-up": 1, "unstack": 2, "put-down": 20, "stack": 3},
    })
)  # fmt: skip
GARBAGE = replace(FERRY, problem_pddl="(define (problem x")
HARD = translate(from_record(HARD_COUNTDOWN))
DONE_ALREADY = blocks("(clear b1)")
STATIC = Problem(
    "(define (domain d) (:predicates (a) (b)) (:action x :precondition (a) :effect (b)))",
    "(define (problem p) (:domain d) (:init (a)) (:goal (a)))",
)
FRACTIONS = countdown(3, 3, 8, 8, target=24, encoding="rational")
# The smallest positive value that these four numbers make is 1 / 716539, about 1.4e-6.
TINY = (1, 97, 89, 83)
PAPER, RATIONAL = (countdown(*TINY, target=0, encoding=each) for each in ("paper", "rational"))
CASES = {
    "claim of enhsp": Case("enhsp", countdown(1, 1, target=24), CLAIM),
    "claim of symk": Case("symk-opt", UNSOLVABLE, CLAIM),
    "claim of forbiditerative": Case("forbiditerative-diverse", UNSOLVABLE, CLAIM),
    "claim of pyperplan": Case("pyperplan", UNSOLVABLE, CLAIM),
    "claim of lpg": Case("lpg", UNSOLVABLE, CLAIM),
    "claim of kairos": Case("kairos", UNSOLVABLE, CLAIM),
    "kairos reads garbage": Case(
        "kairos", GARBAGE, INPUT, "^Kairos could not read the problem: problem.pddl:.* error: "
    ),
    "nothing to do for kairos": Case("kairos", DONE_ALREADY, cost=0),
    # It counts its memory itself, and keeps 48 MB less than the limit.
    "cheapest, kairos-anytime": Case("kairos-anytime", DEAR, cost=35),
    # It computes with doubles, in which 2^53 + 1 is 2^53.
    "a false claim of kairos": Case(
        "kairos", countdown(8192, 8192, 8192, 16384, target=2**53 + 1),
        says="9007199254740992 = 9007199254740993 is false", status="invalid",
        figures={"expanded": 183, "evaluated": 534, "claimed_cost": 4},
    ),
    "tamer gives up": Case("tamer", UNSOLVABLE, GAVE_UP),
    "pyperplan reads garbage": Case("pyperplan", GARBAGE, INPUT),
    "lpg reads garbage": Case("lpg", GARBAGE, INPUT),
    # ENHSP's grammar has no action called start, which is PDDL.
    "enhsp reads an unknown name": Case("enhsp", altered(FERRY, "(:action sail", "(:action start")),
    "enhsp reads a rule": Case(
        "enhsp", altered(FERRY, "(:action sail", "(:derived (empty-ferry) (and)) (:action sail"),
        INPUT, r"^ENHSP could not read the problem: line .*missing '\)' at '\('$",
    ),
    "enhsp without a value": Case(
        "enhsp", altered(NUMBERS, "(= (value n4) 6)", ""), INPUT,
        "^a numeric fluent has no initial value$",
    ),
    "enhsp with an infinite number": Case(
        "enhsp", countdown(10**20, 10**22, target=10**42), GAVE_UP, "above 3.4e[+]38 are infinite"
    ),
    "enhsp with a small heap": Case(
        adapted("enhsp", partial(with_heap, "6m")), HARD, Outcome.MEMOUT, "the Java heap is full"
    ),
    "numbers for forbiditerative": Case("forbiditerative-diverse", NUMBERS, UNSUPPORTED),
    "numbers for pyperplan": Case("pyperplan", NUMBERS, UNSUPPORTED),
    "nothing to do for tamer": Case("tamer", DONE_ALREADY, cost=0),
    "nothing to do for lpg": Case("lpg", DONE_ALREADY, cost=0),
    "a static goal for lpg": Case("lpg", STATIC, GAVE_UP, "^the goal holds"),
    "conditional effects for lpg": Case(
        "lpg",
        replace(
            UNSOLVABLE,
            domain_pddl=UNSOLVABLE.domain_pddl.replace(
                ":effect (and", ":effect (and (when (handempty) (handempty))"
            ),
        ),
        UNSUPPORTED,
    ),
    "cheapest, Fast Downward": Case("seq-opt-lmcut", DEAR, cost=35, optimal=True),
    "Unified Planning reads no goal": Case(
        "up:fast-downward", Problem(UNSOLVABLE.domain_pddl, "(define (problem x) (:domain y))"),
        UNSUPPORTED, "Unified Planning cannot read the problem",
    ),
    "Unified Planning names what is missing": Case(
        "up:fast-downward", NUMBERS, UNSUPPORTED, "GENERAL_NUMERIC_PLANNING"
    ),
    "figures of enhsp": Case(
        "enhsp", NUMBERS, figures={"expanded": 307, "evaluated": 473, "claimed_cost": 4}
    ),
    # ENHSP treats differences below its tolerance as 0; whole numbers are never that close.
    "a false claim of enhsp": Case("enhsp", PAPER, says="1/716539 = 0 is false", status="invalid"),
    "fractions, countdown-exact": Case("countdown-exact", FRACTIONS),
}  # fmt: skip
LONG = {
    "kairos with little memory": Case(
        "kairos-anytime",
        HARD,
        Outcome.MEMOUT,
        "^Kairos ran out of memory$",
        limits=Limits(time_s=30, memory_bytes=64 * 2**20),
    ),
    "enhsp that collects garbage": Case(
        adapted("enhsp", partial(with_heap, "8m")), HARD, Outcome.MEMOUT, limits=Limits(time_s=10)
    ),
    "claim of enhsp without numbers": Case("enhsp", UNSOLVABLE, CLAIM),
    "claim of enhsp-opt-blind": Case("enhsp-opt-blind", UNSOLVABLE, CLAIM),
    "claim of enhsp-anytime": Case("enhsp-anytime", UNSOLVABLE, CLAIM),
    "enhsp without its file": Case(adapted("enhsp", missing), FERRY, INPUT),
    "length, enhsp": Case("enhsp-opt-blind", GRIPPERS, cost=8, optimal=True),
    "length, symk": Case("symk-opt", GRIPPERS, cost=8, optimal=True),
    **{
        f"cheapest, {planner}": Case(planner, DEAR, cost=35, optimal=True)
        for planner in ("fd-blind", "enhsp-opt-blind", "symk-opt", "kstar-topk")
    },
    "cheapest, enhsp": Case("enhsp-opt-hrmax", DEAR, cost=35, optimal=True),
    "enhsp, rational": Case("enhsp", RATIONAL, CLAIM),
    "nothing to do for aries": Case("aries", DONE_ALREADY, cost=0),
    "fractions, enhsp-strict": Case("enhsp-strict", FRACTIONS),
    "kstar reads garbage": Case("kstar-topk", GARBAGE, INPUT),
    "symk reads garbage": Case("symk-opt", GARBAGE, INPUT),
    "numbers for symk": Case("symk-opt", NUMBERS, UNSUPPORTED),
    "numbers for kstar": Case("kstar-topk", NUMBERS, UNSUPPORTED),
    "nothing to do for enhsp": Case("enhsp", DONE_ALREADY, cost=0),
    "makespan, enhsp": Case("enhsp", measured("(total-time)")),
    "enhsp with a small tolerance": Case("enhsp:tolerance=1e-7", PAPER, CLAIM),
    "fractions, enhsp": Case("enhsp", FRACTIONS),
    "nothing to do for symk": Case("symk-opt", DONE_ALREADY, cost=0),
    "nothing to do for kstar": Case("kstar-topk", DONE_ALREADY, cost=0),
    "makespan, symk": Case("symk-opt", measured("total-time")),
    "cheapest, kstar": Case("kstar-topq", DEAR, cost=35, optimal=True),
    "cheapest, symk": Case("symk-topk", DEAR, cost=35, optimal=True),
    "claim of kstar": Case("kstar-topk", UNSOLVABLE, CLAIM),
    "nothing to do for pyperplan": Case("pyperplan", DONE_ALREADY, cost=0),
}


@pytest.mark.parametrize("name", [*CASES, *(pytest.param(n, marks=pytest.mark.long) for n in LONG)])
def test_outcome(name: str) -> None:
    (CASES | LONG)[name].check()


def test_other_settings_of_enhsp_are_other_runs() -> None:
    names = ("enhsp", "enhsp:search=lazygbfs", "enhsp:heuristic=blind", "enhsp:tolerance=0")
    options = [planner_named(name).options["params"] for name in names]
    assert options == [
        "-s gbfs -h hadd",
        "-s lazygbfs -h hadd -tolerance 1e-05",
        "-s gbfs -h blind -tolerance 1e-05",
        "-s gbfs -h hadd -tolerance 0.0",
    ]
