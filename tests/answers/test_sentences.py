"""Answers in sentences: a table with a careful person's verdicts, and texts whose truth is known.

A right plan may be unreadable, but never invalid; a wrong one is never valid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest
from answer_table import rows
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sentence_writers import PHRASES, doubtful, remarked, taken_back, told

from pddl_pipeline import load_records, read_task
from pddl_pipeline.answers.readers import parse_answer
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.scoring.answer import answer_from
from pddl_pipeline.scoring.score import Judge, score
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.validation.task import Task

SHARE = 0.9
PLANS = {
    "blocksworld": "unstack b c, put-down b, pick-up c, stack c a",
    "ferry": "sail l0 l1, board c0 l1, sail l1 l2, debark c0 l2",
    "grippers": "move robot1 room1 room2, pick robot1 ball1 room2 lgripper1, "
    "move robot1 room2 room3, drop robot1 ball1 room3 lgripper1",
    "depots": "lift hoist0 crate1 crate0 depot0, load hoist0 crate1 truck0 depot0, "
    "drive truck0 depot0 distributor0, unload hoist1 crate1 truck0 distributor0, "
    "drop hoist1 crate1 pallet1 distributor0",
}
READ = [
    ("ferry", "Sail from location l1 to location l0.", "(sail l1 l0)"),
    ("ferry", "1. Sail the ferry to l0 from l1", "(sail l1 l0)"),
    ("ferry", "- **Board** car `c0` onto the ferry at l1", "(board c0 l1)"),
    ("ferry", "debark c0 from the ferry at l3", "(debark c0 l3)"),
    ("ferry", "sail l1 l0", "(sail l1 l0)"),
    ("grippers", "Use robot1 to pick up ball ball1 in room room3", None),
    (
        "grippers",
        "Use robot robot1 to pick up ball1 in room3 with gripper lgripper1",
        "(pick robot1 ball1 room3 lgripper1)",
    ),
    ("grippers", "move robot1 to room3 from room2", "(move robot1 room2 room3)"),
    ("minigrid", "Move the robot from p17 to p16", "(move p17 p16)"),
    ("minigrid", "unlock p14 from p16 with key0 of shape shape0", "(unlock p16 p14 key0 shape0)"),
    ("minigrid", "unlock p16 p14 key0 shape0", "(unlock p16 p14 key0 shape0)"),
    ("minigrid", "unlock p14 with key0 of shape0 at p16", None),
    ("minigrid", "pick up key0 at p23", "(pickup p23 key0)"),
    ("depots", "drive truck0 to depot0 from distributor1", "(drive truck0 distributor1 depot0)"),
    (
        "sokoban",
        "move player player-01 from pos-5-3 to pos-5-4 by dir-down",
        "(move player-01 pos-5-3 pos-5-4 dir-down)",
    ),
]  # fmt: skip


class Found(NamedTuple):
    """What the reader makes of a row of the table."""

    row: dict[str, Any]
    expected: str
    status: str
    errors: list[str]

    @property
    def is_wrong(self) -> bool:
        """Whether a verdict is given that the careful person does not give."""
        return self.status not in ("malformed", self.expected)

    @property
    def is_same(self) -> bool:
        """Whether verdict and mistake are those of the table."""
        error = "removed" in self.row or self.row.get("error", "") in ("", *self.errors)
        return self.status == self.expected and error


@cache
def table() -> list[Found]:
    instances, texts = rows()
    found = []
    for row in texts:
        (each,) = score([instances[row["domain"]]], [{"id": "t", "answer": row["text"]}])
        expected = "malformed" if "removed" in row else row["verdict"]
        found.append(Found(row, expected, str(each.verdict.status), [*map(str, each.errors)]))
    return found


def test_no_row_of_the_table_has_a_wrong_verdict() -> None:
    assert len(table()) >= 958
    assert [each for each in table() if each.is_wrong] == []


def test_most_rows_of_the_table_have_the_verdict_of_a_careful_person() -> None:
    """Prints the other ones, by kind."""
    differ = [each for each in table() if not each.is_same]
    groups = Counter((e.row["kind"], e.row["domain"], e.expected, e.status) for e in differ)
    shown = "\n".join(f"{count} {' | '.join(group)}" for group, count in groups.most_common())
    print(f"{len(differ)} of {len(table())} rows differ:\n{shown}")  # noqa: T201
    assert len(differ) <= (1 - SHARE) * len(table()), shown


@cache
def subject(domain: str) -> tuple[Judge, Task, tuple[Step, ...]]:
    """Return the judge of an instance, its task, and a plan for it."""
    judge = Judge([rows()[0][domain]])
    words = [each.split() for each in PLANS[domain].split(", ")]
    return judge, judge.task("t"), tuple(Step(name, tuple(rest)) for name, *rest in words)


def other_steps(task: Task, steps: tuple[Step, ...], random: Random) -> list[Step]:
    """Return changed steps, which may still be a plan."""
    found = list(steps)
    at, form = random.randrange(len(found)), random.randrange(4)
    if form == 0:
        del found[at]
    elif form == 1:
        found.insert(at, random.choice(steps))
    elif form == 2:
        found[at], found[at - 1] = found[at - 1], found[at]
    else:
        found[at] = other_objects(task, found[at], random)
    return found


def other_objects(task: Task, step: Step, random: Random) -> Step:
    """Return a step with other objects of the right types."""
    parameters = task.vocabulary.actions[step.action].parameters
    names = [random.choice(sorted(task.vocabulary.candidates(p.types))) for p in parameters]
    return Step(step.action, tuple(names))


def verdicts(seed: int) -> Iterator[tuple[str, str, str]]:
    """Yield texts with their truth and the reader's verdict; a doubtful text is malformed."""
    random = Random(seed)
    domain = random.choice(sorted(PHRASES))
    judge, task, plan = subject(domain)
    wrong = other_steps(task, plan, random)
    reaches = "valid" if str(task.judge(Plan(wrong)).status) == "valid" else "invalid"
    truth = {
        told(domain, plan, random): "valid",
        told(domain, wrong, random): reaches,
        taken_back(domain, wrong, plan, random): "valid",
        taken_back(domain, plan, wrong, random): reaches,
        remarked(domain, plan, other_objects(task, plan[0], random), random): "valid",
        remarked(domain, wrong, other_objects(task, plan[0], random), random): reaches,
        doubtful(domain, plan, other_objects(task, plan[0], random), random): "malformed",
    }
    for text, right in truth.items():
        yield text, right, str(judge.score(answer_from({"id": "t", "answer": text})).verdict.status)


def assert_none_is_wrong(seed: int) -> None:
    for text, right, status in verdicts(seed):
        assert status in (right, "malformed"), f"{right} is {status}:\n{text}"


@given(st.integers(0, 2**32))
@example(5496)  # a place before the step, and another one that the step would have there
def test_no_verdict_on_texts_whose_truth_is_known_is_wrong(seed: int) -> None:
    assert_none_is_wrong(seed)


@pytest.mark.long
@settings(max_examples=700)
@given(st.integers(0, 2**32))
def test_no_verdict_on_many_texts_whose_truth_is_known_is_wrong(seed: int) -> None:
    assert_none_is_wrong(seed)


def test_most_texts_whose_truth_is_known_are_read() -> None:
    found = [each for seed in range(60) for each in verdicts(seed)]
    unread = [text for text, right, status in found if status != right]
    assert len(unread) <= (1 - SHARE) * len(found), "\n\n".join(unread[:10])


@pytest.mark.parametrize(("domain", "answer", "expected"), READ)
def test_a_sentence_is_read_or_refused(domain: str, answer: str, expected: str | None) -> None:
    """None if the line lacks names, or leaves their roles open; the reader never guesses."""
    instance = next(load_records(domain_folder(domain) / "examples.jsonl"))
    found = parse_answer(answer, instance, read_instance(instance))
    assert (found.plan and str(found.plan).strip()) == expected


@pytest.mark.parametrize("domain", ["ferry", "grippers", "minigrid", "sokoban"])
def test_sentences_are_read_where_the_domain_is_not_recognised(domain: str) -> None:
    folder = domain_folder(domain)
    problem = (folder / "p01.pddl").read_text().replace("(:init", "(:init (allowed)")
    own = (folder / "domain.pddl").read_text()
    mended = own.replace("(:predicates", "(:predicates (allowed)").replace(
        "precondition (and", "precondition (and (allowed)"
    )
    instance = given_instance("t", mended, problem, {})
    assert instance.record.known is None
    task = read_task(instance.record.domain, instance.record.problem)
    line = next(answer for name, answer, plan in READ if name == domain and plan is not None)
    read = parse_answer(line, instance, task)
    assert read.plan is not None
    assert task.read_plan(read.plan)


def test_actions_that_are_called_like_articles() -> None:
    domain = """(define (domain d) (:predicates (p) (q))
        (:action a :parameters () :effect (p))
        (:action the :parameters () :precondition (p) :effect (q)))"""
    problem = "(define (problem p) (:domain d) (:init) (:goal (q)))"
    texts = ("Here is the plan:\n1. (a)\n2. (the)", "a\nthe")
    answers = [{"id": "p", "answer": text} for text in texts]
    found = score([given_instance("p", domain, problem, {})], answers)
    assert [each.correct for each in found] == [True, False]
