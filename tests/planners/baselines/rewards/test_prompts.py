"""The papers' prompts: CATS's Figures 4 to 7, SimPlan's Figure 13."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from baseline_runs import blocks, given_of
from planner_problems import sample

from pddl_pipeline import translate
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.papers.model_reward import Prompts, cats_prompts, subject_of, tagged_prompts
from pddl_pipeline.papers.rewards import Situation
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.search.world import world_of
from pddl_pipeline.translators.records import from_record

FIGURE_4 = """[STATEMENT]
As initial conditions I have that, the red block is clear, the blue block is clear, the orange \
block is clear, the hand is empty, the red block is on the table, the blue block is on the table \
and the orange block is on the table.
My goal is to have that the blue block is on top of the orange block.
My previous plan is:

[PREVIOUS PLAN]
pick up the blue block
[PREVIOUS PLAN END]

The current time usage for the previous plan is {spent} min
My plan is as follows:

[PLAN]
"""
FIGURE_7 = """[STATEMENT]
The initial state: I have that, the red block is clear. The blue block is clear. The orange block \
is clear. The hand is empty. The red block is on the table. The blue block is on the table. The \
orange block is on the table.
The current state: I have that, the red block is clear. The orange block is clear. The hand is \
currently holding blue block. The red block is on the table. The orange block is on the table.
Goal: The blue block is on top of the orange block.
[PREVIOUS ACTION]
pick up the blue block.
We have used {spent} minutes so far.{limit}
[ACTION] stack the blue block on top of the orange block
[EVALUATION]"""


def asked(
    problem: Problem, steps: Sequence[Step], folder: Path, budget: Number | None = None
) -> tuple[Prompts | None, Prompts, Situation]:
    """The two layouts, and the situation after a number of steps."""
    given = given_of(problem, folder, budget=budget)
    world = world_of(given.task)
    state, spent = world.start, 0
    for step in steps:
        spent += world.cost(step, state)
        state = world.apply(step, state)
    subject = subject_of(given)
    here = Situation(lambda: world.fact_texts(state), lambda: tuple(steps), spent)
    return cats_prompts(subject, budget), tagged_prompts(subject), here


def three(**more: object) -> Problem:
    return blocks([["a"], ["b"], ["c"]], [["on", "b", "c"]], **more)


PICK, STACK = Step("pick-up", ("b",)), Step("stack", ("b", "c"))


def test_cats_asks_for_the_next_action_as_in_figures_4_and_5(tmp_path: Path) -> None:
    prompts, _, here = asked(three(), [PICK], tmp_path, 33)
    assert prompts is not None
    text = prompts.before_action(here)
    example = FIGURE_4.format(spent=1)
    parts = text.split("\n\n[STATEMENT]")
    assert len(parts) == 4
    assert parts[0].startswith("I am playing with a set of blocks")
    assert "Put down a block, 20 min\n" in parts[0]
    assert f"[STATEMENT]{parts[1]}" == (
        f"{example}stack the blue block on top of the orange block\n[PLAN END]"
    )
    assert parts[2].endswith(
        "is 21 min\nMy plan is as follows:\n\n[PLAN]\npick up the blue block\n[PLAN END]"
    )
    assert f"[STATEMENT]{parts[3]}" == example
    assert prompts.action(STACK) == "stack the blue block on top of the orange block"


VARIANT = Problem(
    (domain_folder("blocksworld") / "variants" / "pickup.pddl").read_text(),
    "(define (problem p) (:domain blocksworld-4ops) (:objects a b c)"
    " (:init (arm-empty) (on-table a) (on-table b) (on-table c) (clear a) (clear b) (clear c))"
    " (:goal (and (on b c))))",
)
PLAIN = {"id": "b", "domain": "blocksworld", "init": [["a"], ["b"], ["c"]], "holding": None,
         "goal": [["on", "b", "c"]]}  # fmt: skip


@pytest.mark.parametrize(
    ("problem", "step", "spent", "told"),
    [
        (three(costs={"pick-up": 7, "unstack": 2, "put-down": 3, "stack": 4}), PICK, 7,
         ("Pick up a block, 7 min\nUnstack a block from on top of another block, 2 min",
          "previous plan is 5 min")),  # to unstack and to put down
        (translate(from_record(PLAIN)), PICK, 1, ()),
        (VARIANT, Step("pickup", ("b",)), 1, ()),
    ],
    ids=["costs", "a minute a step", "another name of the action"],
)  # fmt: skip
def test_the_costs_and_actions_of_a_task_have_the_same_words(
    problem: Problem, step: Step, spent: int, told: tuple[str, ...], tmp_path: Path
) -> None:
    prompts, tagged, here = asked(problem, [step], tmp_path)
    assert prompts is not None
    text = prompts.before_action(here)
    assert text.endswith(FIGURE_4.format(spent=spent))
    assert all(part in text for part in told)
    assert tagged.action(step) == "pick up b"


@pytest.mark.parametrize(("budget", "limit"), [(33, "\nOur time limit is 33 minutes."), (None, "")])
def test_cats_asks_whether_an_action_is_good_as_in_figures_6_and_7(
    budget: int | None, limit: str, tmp_path: Path
) -> None:
    prompts, _, here = asked(three(), [PICK], tmp_path, budget)
    assert prompts is not None
    text = prompts.before_good(here, STACK)
    assert text.endswith(f"\n\n{FIGURE_7.format(spent=1, limit=limit)}")
    assert text.count("[EVALUATION] good") == 1
    assert text.count("[EVALUATION] bad") == 1


def test_backward_what_is_to_hold_stands_for_the_initial_state(tmp_path: Path) -> None:
    prompts, _, _ = asked(three(), [], tmp_path)
    assert prompts is not None
    here = Situation(lambda: ("(clear c)", "(holding b)"), lambda: (STACK,), 1, backward=True)
    text = prompts.before_action(here).rpartition("[STATEMENT]")[2]
    assert "that, the orange block is clear and the hand is currently holding blue block." in text
    assert "[PREVIOUS PLAN]\nstack the blue block on top of the orange block\n" in text


def test_simplan_tells_a_state_as_in_figure_13(tmp_path: Path) -> None:
    problem = blocks([["b1"], ["b24"]], [["on", "b24", "b1"]])
    _, tagged, here = asked(problem, [Step("pick-up", ("b1",))], tmp_path)
    assert tagged.before_action(here) == (
        "<INITIAL> b24 is clear <INITIAL> the hand is holding b1 <INITIAL> b24 is on the table\n"
        "<GOAL> b24 is on top of b1\n"
    )
    step = Step("stack", ("b1", "b24"))
    assert tagged.action(step) == "stack b1 on top of b24"
    assert tagged.before_good(here, step).endswith(
        "<GOAL> b24 is on top of b1\n<ACTION> stack b1 on top of b24\n<EVALUATION>"
    )


@pytest.mark.parametrize("domain", domain_names())
def test_every_domain_has_a_layout_that_tells_states_and_steps_apart(
    domain: str, tmp_path: Path
) -> None:
    problem = sample(domain)
    given = given_of(problem, tmp_path)
    world = world_of(given.task)
    subject = subject_of(given)
    assert (cats_prompts(subject, None) is not None) == domain.endswith("blocksworld")
    tagged = tagged_prompts(subject)
    found = world.successors(world.start)
    steps = [tagged.action(step) for step, _ in found]
    assert len(set(steps)) == len(steps)
    states = {tagged.before_action(Situation(lambda s=s: world.fact_texts(s), tuple, 0))  # type: ignore[misc]
              for _, s in found}  # fmt: skip
    assert len(states) == len({state for _, state in found})
    assert all("<INITIAL> " in state and "\n<GOAL> " in state for state in states)


def test_values_are_told_and_so_are_goals_that_are_no_atoms(tmp_path: Path) -> None:
    domain = """(define (domain d) (:functions (n) (m)) (:predicates (p))
      (:action up :parameters () :precondition () :effect (increase (n) 1)))"""
    problem = """(define (problem e) (:domain d) (:init (= (n) 1) (= (m) 5) (p))
      (:goal (and (>= (n) (m)) (p))))"""
    _, tagged, here = asked(Problem(domain, problem), [Step("up")], tmp_path)
    assert tagged.before_action(here) == (
        "<INITIAL> (p) <INITIAL> (= (m) 5) <INITIAL> (= (n) 2)\n<GOAL> (>= (n) (m)) <GOAL> (p)\n"
    )
