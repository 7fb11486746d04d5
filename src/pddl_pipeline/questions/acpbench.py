"""Exact answers to ACPBench's generative items (Kokel et al. 2025): ``val``, ``app``, ``prog``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.errors import NotJudged, PddlError, PlanSyntaxError, StepFails
from pddl_pipeline.model.plan import Step
from pddl_pipeline.questions.fluents import fluents_of
from pddl_pipeline.questions.kind import MAX_TRIES
from pddl_pipeline.questions.kinds.all_applicable import ALL_APPLICABLE_KIND
from pddl_pipeline.questions.kinds.effects import EFFECTS_KIND, effects_between
from pddl_pipeline.questions.kinds.inapplicable import FIRST_INAPPLICABLE_KIND
from pddl_pipeline.questions.question import NoQuestion, Question
from pddl_pipeline.search.world import JudgedWorld
from pddl_pipeline.translators.formats.rows import slug
from pddl_pipeline.validation.plan_reader import read_steps
from pddl_pipeline.validation.task import Task, task_from_texts

Effects = dict[str, list[str]]
Answer = int | list[str] | Effects
_TEXTS: Final = ("group", "context", "question", "PDDL_domain", "PDDL_problem")
_WORD: Final = re.compile(r"[\w-]+")


class _Group(NamedTuple):
    """One of the benchmark's tasks."""

    kind: str
    """The kind of question that it corresponds to."""
    answer: Callable[[Task, str], Answer]
    steps: Callable[[str], int]


def is_item(given: object) -> bool:
    """Return whether an object looks like one of the benchmark's items."""
    return isinstance(given, Mapping) and {"group", "context", "question"} <= given.keys()


def answer_acpbench(item: Mapping[str, Any]) -> Answer:
    """Return the exact answer to an item, in the benchmark's format.

    Returns:
        ``val``: the index of the first step that is not applicable, from 0. ``app``: all
        applicable actions, sorted. ``prog``: ``{"pos": […], "neg": […]}``, the atoms that
        become true and those that become false, sorted.

    Raises:
        NoQuestion: the object is not such an item, its PDDL cannot be read, or its text does not
            identify exactly one action. The message states which.
    """
    group = _group_of(item)
    try:
        task = task_from_texts(
            (item["PDDL_domain"], "PDDL_domain"), (item["PDDL_problem"], "PDDL_problem")
        )
        return group.answer(task, item["question"])
    except (PddlError, NotJudged) as error:
        raise NoQuestion(str(error)) from error


def question_of(item: Mapping[str, Any]) -> Question:
    """Return an item as a question with the answer computed by `answer_acpbench`.

    Raises:
        NoQuestion: as for `answer_acpbench`.
    """
    group, answer = _group_of(item), answer_acpbench(item)
    text = item["question"]
    details = {"actions": _actions(text)} if group.kind == FIRST_INAPPLICABLE_KIND else {}
    name = re.search(r"\(\s*domain\s+([^\s()]+)", item["PDDL_domain"])
    return Question(
        id=item_id(item), instance=item_id(item), domain=name[1] if name else "", size=0,
        kind=group.kind, steps=group.steps(text), seed=None,
        prompt=f"{item['context']}\n\n{text}", question=text, answer=answer, details=details,
    )  # fmt: skip


def item_id(item: Mapping[str, Any]) -> str:
    """Return the id that `load_records` gives an item."""
    return slug(f"{item.get('group')}-{item.get('id')}")


def _group_of(item: Mapping[str, Any]) -> _Group:
    for name in _TEXTS:
        if not isinstance(item.get(name), str):
            raise NoQuestion(f"found no text in '{name}'; only the 'gen' files contain PDDL")
    group = _GROUPS.get(item["group"])
    if group is None:
        raise NoQuestion(f"unsupported group '{item['group'][:60]}', supported: {_KNOWN}")
    return group


def _first_inapplicable(task: Task, question: str) -> int:
    """Return the index of the first inapplicable step.

    A step that the task does not have is not applicable.
    """
    state = task.initial_state()
    for index, text in enumerate(_actions(question)):
        try:
            (step,) = task.read_plan(text)
            task.apply(step, state)
        except (PlanSyntaxError, StepFails):
            return index
    raise NoQuestion("every action of the sequence is applicable")


def _applicable(task: Task, question: str) -> list[str]:
    del question
    return [str(step) for step in _applicable_steps(task)]


def _effects(task: Task, question: str) -> Effects:
    state, fluents = task.initial_state(), fluents_of(task)
    before = fluents.changing(*state)
    task.apply(_described_step(task, _quoted(question)), state)
    return effects_between(before, fluents.changing(*state))


def _applicable_steps(task: Task) -> list[Step]:
    """Return the applicable steps of the initial state, sorted by action and arguments."""
    world = JudgedWorld(task, MAX_TRIES)
    return [step for step, _ in world.successors(world.start)]


def _described_step(task: Task, text: str) -> Step:
    """Return the applicable step that a text in natural language describes.

    The step's objects are exactly those that the text mentions, as whole words. If several steps
    match, three criteria narrow them down in turn: the text mentions each object as often as it is
    an argument; the text contains every word of the action's name; the text first mentions the
    objects in the order of the arguments.

    Raises:
        NoQuestion: no step matches, or several do.
    """
    words = _WORD.findall(text.lower())
    mentioned = [word for word in words if word in task.vocabulary.objects]
    found = [step for step in _applicable_steps(task) if set(step.arguments) == set(mentioned)]
    narrower: tuple[Callable[[Step], bool], ...] = (
        lambda step: Counter(step.arguments) == Counter(mentioned),
        lambda step: set(re.split(r"[-_]", step.action)) <= set(words),
        lambda step: list(dict.fromkeys(step.arguments)) == list(dict.fromkeys(mentioned)),
    )
    for keeps in narrower:
        if len(found) > 1:
            found = [step for step in found if keeps(step)] or found
    if len(found) != 1:
        count = f"{len(found)} applicable actions" if found else "no applicable action"
        objects = ", ".join(dict.fromkeys(mentioned)) or "no objects"
        raise NoQuestion(f"{count} with exactly the objects of the text: {objects}")
    return found[0]


def _actions(question: str) -> list[str]:
    """Return the steps between the quotation marks."""
    try:
        return [f"({' '.join(words)})" for words in read_steps(_quoted(question)).words]
    except PlanSyntaxError as error:
        raise NoQuestion(f"the quoted sequence is not a plan: {error}") from error


def _quoted(question: str) -> str:
    first, last = question.find('"'), question.rfind('"')
    if first == last:
        raise NoQuestion("found nothing between quotation marks")
    return question[first + 1 : last]


_GROUPS: Final = {
    "validation_gen": _Group(
        FIRST_INAPPLICABLE_KIND, _first_inapplicable, lambda text: len(_actions(text))
    ),
    "applicable_actions_gen": _Group(ALL_APPLICABLE_KIND, _applicable, lambda _: 0),
    "progression_gen": _Group(EFFECTS_KIND, _effects, lambda _: 1),
}
_KNOWN: Final = ", ".join(_GROUPS)
