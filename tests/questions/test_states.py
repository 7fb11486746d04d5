"""Tests of descriptions of states: true ones are right in both formats, mistakes are recognised."""

from __future__ import annotations

from random import Random

import pytest
from question_subjects import questions, task_from_record, task_of

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


def mistakes(
    question: Question, atoms: set[str] | frozenset[str], *, words: bool
) -> tuple[str, ...]:
    """Return the mistakes of an answer that describes these atoms."""
    wording = trajectory_from(question.details).wording if words else None
    mark = kinds()["state"].mark(question, f"Answer: {render_state(wording, atoms)}")
    assert not mark.correct
    return mark.mistakes


@pytest.mark.parametrize("domain", domain_names())
def test_true_states_are_right_in_both_forms(domain: str) -> None:
    for question in state_questions(domain):
        words = trajectory_from(question.details).wording
        assert (words is not None) == (domain in WORDED)
        for wording in (words, None):
            description = render_state(wording, question.answer)
            for text in (
                description,
                f"**Answer:** {description}.",
                f"b1 is b2?\nThe new state is:\n{description}\n",
                f"<answer>{description.upper()}</answer> done",
                description.replace(", ", "\n- "),
            ):
                mark = kinds()["state"].mark(question, text)
                assert mark.correct, (question.id, text, mark)


@pytest.mark.parametrize("domain", WORDED)
@pytest.mark.parametrize("words", [True, False])
def test_seeded_mistakes_are_named(domain: str, *, words: bool) -> None:
    seen: set[str] = set()
    for question in state_questions(domain):
        course = trajectory_from(question.details)
        end, implied = course.end, course.wording.states.implied
        atoms = {atom for atom in end if atom_words(atom)[0] not in implied}
        for atom in atoms:
            # In words, other atoms may depend on one of these, or its absence is a denial.
            if atom_words(atom)[0] not in {"on", "at", "ontable", "handempty"}:
                assert ATOM_MISSING in mistakes(question, atoms - {atom}, words=words)
                seen.add(ATOM_MISSING)
        before = {a for a in course.states[-2] if atom_words(a)[0] not in implied}
        if before - end:
            assert ACTION_IGNORED in mistakes(question, before, words=words)
            seen.add(ACTION_IGNORED)
        seen |= seeded_more(question, course, atoms, words=words)
    agents = {AGENT_LOCATION} if course.wording.states.agent else set()
    assert seen >= {ATOM_MISSING, ACTION_IGNORED, MULTIPLE_STATES, HALLUCINATED} | agents


def seeded_more(
    question: Question, course: Trajectory, atoms: set[str], *, words: bool
) -> set[str]:
    """Insert an extra action, an atom beside its opposite, and a thing at the agent."""
    seen, task = set(), task_of(question.domain, question.instance)
    *_, last = task.trace("\n".join(question.details["actions"]))
    held = frozenset().union(*course.states)
    for further in task.successors(last):
        atoms_then = course.fluents.changing(*further.state)
        then = {a for a in atoms_then if atom_words(a)[0] != "open"}
        if then - held:
            assert HALLUCINATED in mistakes(question, then, words=words)
            seen.add(HALLUCINATED)
    for atom in held - course.end:
        if atom_words(atom)[0] in ("on", "at", "at-robot", "at-ferry", "at-robby"):
            found = mistakes(question, atoms | {atom}, words=words)
            assert {MULTIPLE_STATES, ACTION_IGNORED} <= set(found)
            seen.add(MULTIPLE_STATES)
    agent = course.wording.states.agent
    if agent is None:
        return seen
    places = [atom_words(a)[1:][agent.place] for a in atoms
              if atom_words(a)[0] == agent.predicate
              and (agent.type is None or atom_words(a)[1].startswith(agent.type))]  # fmt: skip
    things = [a for a in atoms if atom_words(a)[0] == agent.things
              and not atom_words(a)[1].startswith(("truck", "hoist", "pallet"))]  # fmt: skip
    for thing in things:
        predicate, name, place = atom_words(thing)
        for other in set(places) - {place}:
            moved = atoms - {thing} | {f"({predicate} {name} {other})"}
            assert AGENT_LOCATION in mistakes(question, moved, words=words)
            seen.add(AGENT_LOCATION)
    return seen


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


def marked(record: dict[str, object], actions: str, prediction: str) -> tuple[str, ...]:
    """Return the mistakes found in a prediction of the paper's table 4."""
    instance, task = task_from_record(record)
    fluents = fluents_of(task)
    states = tuple(fluents.changing(*state) for state in task.trace(actions))
    course = Trajectory(fluents, wording_of(instance), states)
    description = StateReader(fluents, course.wording).read(prediction)
    assert not course.is_right(description)
    return course.mistakes(description)


def test_table_4_object_in_multiple_states() -> None:
    record = {"domain": "blocksworld", "init": [["b2"], ["b3"], ["b4", "b1", "b5"]],
              "holding": None, "goal": [["on", "b2", "b3"]]}  # fmt: skip
    actions = ("(unstack b5 b1) (put-down b5) (unstack b1 b4) (stack b1 b3) (pick-up b4)"
               " (stack b4 b2) (pick-up b5)")  # fmt: skip
    found = marked(record, actions, "b2 on-table, b3 is on b1 and is clear, b5 is held, b1 is on"
                   " b3, b4 is on b2 and is clear, arm is not empty")  # fmt: skip
    assert MULTIPLE_STATES in found


def test_table_4_actions_ignored() -> None:
    record = {"domain": "minigrid", "floorplan": FLOORPLAN, "robot": "p5", "goal": "p0",
              "keys": {"key0": {"shape": "shape0", "at": "p6"}},
              "locks": dict.fromkeys(LOCKS, "shape0")}  # fmt: skip
    shapes = ", ".join(f"{place} lock has shape0" for place in LOCKS)
    found = marked(
        record,
        "(move p5 p6) (pickup p6 key0) (move p6 p5) (move p5 p12) (unlock p12 p11 key0 shape0)",
        f"the following places are locked: {', '.join(LOCKS)}, key0 is at p11, the arm of the robot"
        f" is empty, the robot is at p12 key0 has shape0, {shapes}",
    )
    assert ACTION_IGNORED in found


def test_table_4_hallucinated_action_and_table_6_the_agents_location() -> None:
    record = {"domain": "ferry", "locations": ["l0", "l1", "l2", "l3", "l4"],
              "cars": ["c0", "c1", "c2"], "at": {"c0": "l0", "c1": "l2", "c2": "l2"},
              "aboard": None, "ferry": "l2", "goal": {"c0": "l1"}}  # fmt: skip
    actions = "(board c1 l2)(sail l2 l4)(debark c1 l4)(sail l4 l0)(board c0 l0)(sail l0 l1)"
    found = marked(record, actions, "c0 is at l1, c1 is at l4, c2 is at l2, the ferry is empty,"
                   " the ferry is at l1")  # fmt: skip
    assert set(found) >= {HALLUCINATED, AGENT_LOCATION}
    assert ATOM_MISSING not in found


def test_table_4_atom_missing() -> None:
    record = {"domain": "blocksworld", "init": [["b1", "b2", "b3", "b4", "b5"]],
              "holding": None, "goal": [["on", "b2", "b3"]]}  # fmt: skip
    found = marked(record, "(unstack b5 b4) (put-down b5)",
                   "b5 is on-table and is clear, b2 is on b1, b1 is on-table, b3 is on b2,"
                   " b4 is on b3")  # fmt: skip
    assert found == (ATOM_MISSING,)


def test_mistakes_in_a_domain_without_words() -> None:
    (question, *_) = [each for each in state_questions("countdown") if each.steps == 2]
    course = trajectory_from(question.details)
    stale = next(iter(course.states[0] - course.end))
    assert ACTION_IGNORED in mistakes(question, course.end | {stale}, words=False)
    wrong = course.end | {"(active n99)"}
    assert mistakes(question, wrong, words=False) == (HALLUCINATED,)


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
