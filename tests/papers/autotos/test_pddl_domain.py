"""Any PDDL domain: its states as plain data, its prompts, unit tests and plans."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from places import SUPPORT
from scripted_model import GRIPPER, fenced

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.autotos.checks import check_code
from pddl_pipeline.papers.autotos.feedback import feedback
from pddl_pipeline.papers.autotos.pddl_domain import PddlDomain, key
from pddl_pipeline.papers.autotos.subject import AskedDomain, pddl_subject
from pddl_pipeline.planners.functions.guarded import Category
from pddl_pipeline.search.black_boxes.domain import own_space
from pddl_pipeline.search.space import Bounds, NotAState
from pddl_pipeline.validation.task import read_task

FOREIGN = SUPPORT / "foreign_pddl"
BOUNDS = Bounds(10_000, 60)


@cache
def subject(name: str) -> AskedDomain:
    folder = FOREIGN / name
    return pddl_subject(folder / "domain.pddl", [folder / "p01.pddl", folder / "p02.pddl"], BOUNDS)


def test_a_state_has_the_facts_that_change_and_the_problem_the_others() -> None:
    start, problem = subject("gripper").tests.examples[0].puzzle
    assert start == {
        "facts": [("at", "blue", "hall"), ("at", "red", "hall"), ("at-robby", "hall"),
                  ("free", "left"), ("free", "right")]
    }  # fmt: skip
    assert ("room", "hall") in problem["facts"]
    assert problem["goal"] == ("and", ("at", "red", "study"), ("at", "blue", "study"))
    assert (problem["objects"]["red"], problem.get("values")) == ("object", None)


def test_values_that_change_are_part_of_the_state_and_costs_are_not() -> None:
    numeric, costs, derived = (
        subject(name).tests.examples[0].puzzle for name in ("numeric", "costs", "derived")
    )
    assert numeric.start == {"facts": [("van-in", "abbey")], "values": {("fuel",): 5}}
    values, objects = numeric.setting["values"], numeric.setting["objects"]
    assert (values["tank",], objects["abbey"]) == (8, "town")
    assert "values" not in costs.start
    assert costs.setting["values"] == {("fare", "home", "market"): 5}
    assert (derived.start, derived.setting["goal"]) == ({"facts": []}, ("powered", "mill"))


@pytest.mark.parametrize("name", ["costs", "derived", "gripper", "mystery", "numeric"])
def test_the_unit_tests_hold_for_the_domain_itself(name: str) -> None:
    tests, domain = subject(name).tests, subject(name).domain
    assert len(tests.examples) == 2
    assert [domain.isgoal(*each) for each in tests.goals] == [True] * 2
    assert not any(domain.isgoal(*each) for each in tests.non_goals)
    for state, known in tests.successors:
        after = list(own_space(domain, state).succ(state.start))
        assert [key(each) for each in after] == [key(each) for each in known]
        assert all(
            domain.check_transition(state.start, each, state.setting) is None for each in after
        )


SUCC, ISGOAL = GRIPPER
ALWAYS = "def isgoal(state, problem):\n    return True"
STATES = "def succ(state, problem):\n    return [state['facts']]"


@pytest.mark.parametrize(
    ("succ", "isgoal", "category", "said"),
    [
        (SUCC, ISGOAL, None, ()),
        (SUCC.replace("and ('free', hand) in facts", ""), ISGOAL, Category.SUCC_SOUNDNESS,
         ("no action leads to the successor", "Error occurred for problem: {'name': 'p01'",
          "no action of the domain leads from")),
        (SUCC.replace("for hand in hands", "for hand in hands[:1]"), ISGOAL,
         Category.SUCC_COMPLETENESS, ()),
        (SUCC, ALWAYS, Category.ISGOAL_SOUNDNESS, ()),
        (STATES, ISGOAL, Category.SUCC_SOUNDNESS, ("found no dict with facts",)),
    ],
)  # fmt: skip
def test_right_functions_pass_and_wrong_ones_do_not(
    succ: str, isgoal: str, category: Category | None, said: tuple[str, ...]
) -> None:
    found = subject("gripper")
    code = fenced(succ) + fenced(isgoal)
    failure = check_code(code, found.domain, found.tests, BOUNDS).failure
    assert (failure and failure.category) == category
    assert all(words in f"{failure.reason}{feedback(failure.fault)}" for words in said if failure)


def test_the_prompt_has_the_domain_and_an_example() -> None:
    opening = subject("gripper").opening
    assert "'values' is a dictionary" not in opening.succ
    assert (FOREIGN / "gripper" / "domain.pddl").read_text().strip() in opening.succ
    assert "('at-robby', 'hall')" in opening.succ
    assert "('at', 'red', 'study')" in opening.isgoal
    assert "'values' is a dictionary" in subject("numeric").opening.succ


@pytest.mark.parametrize(
    "value",
    [[], {}, {"facts": 3}, {"facts": [3]}, {"facts": [("at", 3)]}, {"facts": [], "values": 3},
     {"facts": [], "values": {("fuel",): "full"}}, None],
)  # fmt: skip
def test_other_values_are_no_states(value: object) -> None:
    with pytest.raises(NotAState, match="found no dict with facts"):
        key(value)


def test_the_order_of_facts_and_small_errors_of_floats_do_not_matter() -> None:
    one = {"facts": [("a", "b"), ("c",)], "values": {("fuel",): 1}}
    other = {"facts": [["c"], ["a", "b"]], "values": {("fuel",): 1.0000000001}}
    assert key(other) == key(one) != key({**one, "values": {("fuel",): 1.1}})


def test_two_problems_of_one_name_are_an_error() -> None:
    task = read_task(FOREIGN / "gripper" / "domain.pddl", FOREIGN / "gripper" / "p01.pddl")
    domain = PddlDomain("gripper", task)
    puzzle = domain.add(task, "p01")
    with pytest.raises(InputError, match="found two problems named 'p01'"):
        domain.add(task, "p01")
    domain.remove(puzzle)
    assert domain.add(task, "p01").start == puzzle.start


def test_a_problem_without_a_plan_is_an_error(tmp_path: Path) -> None:
    text = (FOREIGN / "gripper" / "p01.pddl").read_text()
    (tmp_path / "hard.pddl").write_text(text.replace("(at-robby hall)", ""))
    with pytest.raises(InputError, match=r"hard\.pddl: none of the .* expected an easier problem"):
        pddl_subject(FOREIGN / "gripper" / "domain.pddl", [tmp_path / "hard.pddl"], BOUNDS)
    with pytest.raises(InputError, match="requires --problem"):
        pddl_subject(FOREIGN / "gripper" / "domain.pddl", [], BOUNDS)
