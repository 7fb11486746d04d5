"""Tests of descriptions of states: true ones are right in both formats, mistakes are recognised."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

import pytest
from question_subjects import questions, task_from_record, task_of

from pddl_pipeline.model.text import atom_text
from pddl_pipeline.pddl_domains import domain_names
from pddl_pipeline.questions.fluents import atom_words, fluents_of
from pddl_pipeline.questions.kind import kinds
from pddl_pipeline.questions.mistakes import (
    ACTION_IGNORED,
    AGENT_LOCATION,
    ATOM_MISSING,
    HALLUCINATED,
    MULTIPLE_STATES,
    Trajectory,
    trajectory_from,
)
from pddl_pipeline.questions.question import Question
from pddl_pipeline.questions.walk import random_walk
from pddl_pipeline.questions.wording import StateReader, render_state, wording_of
from pddl_pipeline.search.world import JudgedWorld

WORDED = ("blocksworld", "budget-blocksworld", "depots", "ferry", "grippers", "minigrid")
FLOORPLAN = ["..L..w..", "..w..L..", "LwwwwwwL", "..L..w..",
             "..w..L..", "wLwwwwww", "..w..L..", "..L..w.."]  # fmt: skip
LOCKS = ("p11", "p14", "p15", "p18", "p2", "p27", "p30", "p35", "p40")


def state_questions(domain: str, *, words: bool = True) -> list[Question]:
    return [each for each in questions(domain, words=words) if each.kind == "state"]


def verdict(question: Question, text: str) -> tuple[bool, tuple[str, ...]]:
    mark = kinds()["state"].mark(question, text)
    return mark.correct, mark.mistakes


@pytest.mark.parametrize("domain", domain_names())
def test_true_states_are_right_in_both_forms(domain: str) -> None:
    for question in state_questions(domain):
        words = trajectory_from(question.details).wording
        assert (words is not None) == (domain in WORDED)
        for description in {render_state(wording, question.answer) for wording in (words, None)}:
            for text in (
                description,
                f"**Answer:** {description}.",
                f"b1 is b2?\nThe new state is:\n{description}\n",
                f"<answer>{description.upper()}</answer> done",
                description.replace(", ", "\n- "),
            ):
                assert verdict(question, text) == (True, ()), (question.id, text)


def spoiled(question: Question, course: Trajectory) -> Iterator[tuple[set[str], set[str]]]:
    """Yield wrong descriptions of the last state, each with mistakes that it has."""

    def described(state: Iterable[str]) -> set[str]:
        return {atom for atom in state if atom_words(atom)[0] not in course.wording.states.implied}

    atoms, before = described(course.end), described(course.states[-2])
    for atom in atoms:
        # In words, other atoms may depend on these, or their absence is a denial.
        if atom_words(atom)[0] not in ("on", "at", "ontable", "handempty"):
            yield {ATOM_MISSING}, atoms - {atom}
    if before - course.end:
        yield {ACTION_IGNORED}, before
    task, held = task_of(question.domain, question.instance), frozenset().union(*course.states)
    *_, last = task.trace("\n".join(question.details["actions"]))
    for further in task.successors(last):
        then = described(course.fluents.changing(further.state.facts, further.state.values))
        if then - held:
            yield {HALLUCINATED}, then
    for atom in held - course.end:
        if atom_words(atom)[0] in ("on", "at", "at-robot", "at-ferry", "at-robby"):
            yield {MULTIPLE_STATES, ACTION_IGNORED}, atoms | {atom}
    yield from misplaced(course, atoms)


def misplaced(course: Trajectory, atoms: set[str]) -> Iterator[tuple[set[str], set[str]]]:
    """Yield descriptions with a thing where the agent is."""
    agent, facts = course.wording.states.agent, [atom_words(atom) for atom in atoms]
    if agent is None:
        return
    places = {f[1:][agent.place] for f in facts if f[0] == agent.predicate
              and f[1].startswith(agent.type or "")}  # fmt: skip
    for fact in facts:
        if fact[0] == agent.things and not fact[1].startswith(("truck", "hoist", "pallet")):
            for other in places - {fact[2]}:
                moved = atom_text((*fact[:2], other))
                yield {AGENT_LOCATION}, atoms - {atom_text(fact)} | {moved}


@pytest.mark.parametrize("domain", WORDED)
@pytest.mark.parametrize("words", [True, False])
def test_seeded_mistakes_are_named(domain: str, *, words: bool) -> None:
    seen, named = set[str](), {ATOM_MISSING, ACTION_IGNORED, MULTIPLE_STATES, HALLUCINATED}
    for question in state_questions(domain):
        course = trajectory_from(question.details)
        for expected, atoms in spoiled(question, course):
            text = render_state(course.wording if words else None, atoms)
            correct, mistakes = verdict(question, f"Answer: {text}")
            assert (correct, expected - {*mistakes}) == (False, set()), text
            seen |= expected
    assert seen == named | ({AGENT_LOCATION} if course.wording.states.agent else set())


@pytest.mark.parametrize("domain", WORDED)
def test_what_excludes_each_other_never_holds_together(domain: str) -> None:
    for question in state_questions(domain):
        course = trajectory_from(question.details)
        for state in course.states:
            for group in course.wording.states.exclusive:
                keys = [
                    tuple(objects[n] for n in group[predicate])
                    for predicate, *objects in map(atom_words, state)
                    if predicate in group
                ]
                assert len(keys) == len(set(keys))


# Predictions of the paper's tables 4 and 6: record, actions, answer, and the mistakes.
PREDICTIONS: dict[str, tuple[dict[str, object], str, str, tuple[str, ...]]] = {
    "multiple states": (
        {"domain": "blocksworld", "init": [["b2"], ["b3"], ["b4", "b1", "b5"]], "holding": None,
         "goal": [["on", "b2", "b3"]]},
        """(unstack b5 b1) (put-down b5) (unstack b1 b4) (stack b1 b3) (pick-up b4) (stack b4 b2)
        (pick-up b5)""",
        """b2 on-table, b3 is on b1 and is clear, b5 is held, b1 is on b3, b4 is on b2 and is clear,
        arm is not empty""",
        (MULTIPLE_STATES, ACTION_IGNORED, HALLUCINATED),
    ),
    "actions ignored": (
        {"domain": "minigrid", "floorplan": FLOORPLAN, "robot": "p5", "goal": "p0",
         "locks": dict.fromkeys(LOCKS, "shape0"),
         "keys": {"key0": {"shape": "shape0", "at": "p6"}}},
        "(move p5 p6) (pickup p6 key0) (move p6 p5) (move p5 p12) (unlock p12 p11 key0 shape0)",
        f"the following places are locked: {', '.join(LOCKS)}, key0 is at p11, the arm of the robot"
        " is empty, the robot is at p12 key0 has shape0, "
        + ", ".join(f"{place} lock has shape0" for place in LOCKS),
        (ACTION_IGNORED, HALLUCINATED, ATOM_MISSING),
    ),
    "hallucinated action": (
        {"domain": "ferry", "locations": ["l0", "l1", "l2", "l3", "l4"], "cars": ["c0", "c1", "c2"],
         "at": {"c0": "l0", "c1": "l2", "c2": "l2"}, "aboard": None, "ferry": "l2",
         "goal": {"c0": "l1"}},
        "(board c1 l2)(sail l2 l4)(debark c1 l4)(sail l4 l0)(board c0 l0)(sail l0 l1)",
        "c0 is at l1, c1 is at l4, c2 is at l2, the ferry is empty, the ferry is at l1",
        (ACTION_IGNORED, HALLUCINATED, AGENT_LOCATION),
    ),
    "atom missing": (
        {"domain": "blocksworld", "init": [["b1", "b2", "b3", "b4", "b5"]], "holding": None,
         "goal": [["on", "b2", "b3"]]},
        "(unstack b5 b4) (put-down b5)",
        "b5 is on-table and is clear, b2 is on b1, b1 is on-table, b3 is on b2, b4 is on b3",
        (ATOM_MISSING,),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PREDICTIONS)
def test_mistakes_of_the_papers_predictions(name: str) -> None:
    record, actions, prediction, expected = PREDICTIONS[name]
    instance, task = task_from_record(record)
    fluents = fluents_of(task)
    states = tuple(fluents.changing(state.facts, state.values) for state in task.trace(actions))
    course = Trajectory(fluents, wording_of(instance), states)
    description = StateReader(fluents, course.wording).read(prediction)
    assert not course.is_right(description)
    assert course.mistakes(description) == expected


def test_mistakes_in_a_domain_without_words() -> None:
    (question, *_) = [each for each in state_questions("countdown") if each.steps == 2]
    course = trajectory_from(question.details)
    for mistake, atom in (
        (ACTION_IGNORED, next(iter(course.states[0] - course.end))),
        (HALLUCINATED, "(active n99)"),
    ):
        text = render_state(None, course.end | {atom})
        assert verdict(question, f"Answer: {text}") == (False, (mistake,))


def test_walks_repeat_a_state_only_where_every_action_does() -> None:
    world = JudgedWorld(task_of("ferry", "ferry-3-1"))
    walk = random_walk(world, range(40, 41), Random(1))
    states = walk.states
    assert len(walk.steps) == 40
    assert len(set(states)) > 25
    for number in range(1, 41):
        if states[number] in states[:number]:
            followers = world.successors(states[number - 1])
            assert {state for _, state in followers} <= set(states[:number])
