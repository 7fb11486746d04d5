"""Generation of questions about instances; the same seed produces the same questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from random import Random
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.errors import InputError, NotJudged, PddlError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.prompts.texts import described_by
from pddl_pipeline.questions.fluents import fluents_of
from pddl_pipeline.questions.kind import Draft, Kind, Scene, Stage, kind_named, kinds, made_kinds
from pddl_pipeline.questions.mistakes import Trajectory
from pddl_pipeline.questions.question import NoQuestion, Question
from pddl_pipeline.questions.wording import StateReader, wording_of
from pddl_pipeline.translators import read_instance, translate
from pddl_pipeline.translators.datasets import Data, as_instances
from pddl_pipeline.validation.vocabulary import OBJECT

MOST_STATES: Final = 20_000
_TRIES: Final = 10
_ATOMS: Final = 200
"""A state counts once for each 200 atoms, so that the bound on states limits memory."""
OnSkip = Callable[[str, str, str], None]
"""Called with the instance, the kind and the reason if a question cannot be made."""
Drafts = Callable[[Stage, Random], Iterable[Draft]]
"""Makes drafts from the instance's stage and a random source."""


@dataclass(frozen=True, slots=True)
class QuestionSpec:
    """The specification of the questions to make."""

    kinds: Sequence[str] = ()
    """The names of the kinds; empty for all."""
    count: int = 1
    """The number of questions per kind and instance."""
    seed: int = 0
    steps: range = range(1, 8)
    """The numbers of actions of a walk to draw from; SimPlan's figure 2 has 1 to 7."""
    words: bool = True
    """Whether to describe states in SimPlan's words if the domain has them."""
    most_states: int = MOST_STATES
    """Kinds that need all states skip instances with more states. A state counts once for each 200
    atoms that may change in it."""

    def __post_init__(self) -> None:
        if self.steps[0] < 1:
            raise InputError("a walk must have at least 1 step")


def make_questions(
    instances: Data,
    spec: QuestionSpec = QuestionSpec(),
    on_none: OnSkip = lambda *_: None,
) -> Iterator[Question]:
    """Yield questions about instances, in the order of the instances, kind by kind.

    A question depends only on the seed, the instance's id, its kind and its number. Equal questions
    are made once.

    Raises:
        InputError: a kind does not exist.
        PddlError: a task is not classical.
    """
    chosen = [kind_named(name) for name in spec.kinds or made_kinds()]
    for instance in as_instances(instances):
        try:
            subject = _subject(instance, spec)
        # Also an InputError, but this one is not skipped.
        except PddlError:
            raise
        except (NoQuestion, NotJudged, InputError) as error:
            on_none(instance.id, "all kinds", str(error))
            continue
        for kind in chosen:
            yield from _questions(subject, kind, spec, on_none)


def ask(
    instance: Instance[Any],
    kind: str,
    drafts: Drafts,
    seed: int,
) -> list[Question]:
    """Return questions of a kind from drafts that the caller makes.

    Args:
        instance: the instance that the questions are about.
        kind: the kind's name, which determines how answers are marked.
        drafts: makes the drafts.
        seed: the seed of all draws.

    Raises:
        NoQuestion: the instance allows no question.
        PddlError: the task is not classical.
        NotJudged: the task exceeds the limits of the computation.
    """
    subject = _subject(instance, QuestionSpec())
    random = Random(f"{seed} {instance.id} {kind}")
    return [
        _question(subject, kinds()[kind], seed, number, draft)
        for number, draft in enumerate(drafts(subject.stage, random))
    ]


def preamble(instance: Instance[object], stage: Stage) -> str:
    """Return the text that precedes a question: the actions, the objects, the constant atoms.

    The actions are explained in SimPlan's words if the domain has them and states are described in
    words, else by the domain's PDDL.
    """
    task, worded = stage.task, stage.wording is not None
    text = described_by(instance, task).get("simplan") if worded else None
    parts = [
        text.domain(instance, task)
        if text
        else f"The domain in PDDL:\n{translate(instance).domain_pddl.strip()}"
    ]
    types = stage.fluents.types
    # Objects with a further type are listed there only.
    typed = {name for kind, names in types.items() if kind != OBJECT for name in names}
    lines = [
        f"{kind}: {', '.join(names)}"
        for kind, names in types.items()
        if kind != OBJECT or not typed.issuperset(names)
    ]
    parts.append("The objects by type:\n" + "\n".join(lines))
    if stage.constant:
        parts.append(f"What never changes: {', '.join(stage.constant)}")
    return "\n\n".join(parts)


class _AskedTask(NamedTuple):
    """An instance with its stage and the text that precedes its questions."""

    instance: Instance[Any]
    stage: Stage
    preamble: str


def _subject(instance: Instance[Any], spec: QuestionSpec) -> _AskedTask:
    task = read_instance(instance)
    task.check_supported()
    fluents = fluents_of(task)
    wording, problem = wording_of(instance) if spec.words else None, translate(instance)
    pddl = {"domain": problem.domain_pddl, "problem": problem.problem_pddl}
    begin = task.initial_state()
    start = fluents.changing(begin.facts, begin.values)
    # Fewer states may be stored if they are large.
    most_states = max(1, spec.most_states // ceil((len(start) or 1) / _ATOMS))
    # The words are used only if an answer in them can be read back; else the states are PDDL.
    for known in (wording, None):
        stage = Stage(task, fluents, known, most_states, pddl)
        description = StateReader(fluents, known).read(stage.describe(stage.world.start))
        if Trajectory(fluents, known, (start,)).is_right(description):
            return _AskedTask(instance, stage, preamble(instance, stage))
    raise NoQuestion("its names cannot be read back from a description")


def _questions(
    subject: _AskedTask, kind: Kind, spec: QuestionSpec, on_none: OnSkip
) -> Iterator[Question]:
    """Yield the questions of one kind; fewer than requested if the draws repeat earlier ones."""
    seen = set[str]()
    for number in range(spec.count):
        try:
            draft = _drawn(subject, kind, spec, number, seen)
        except (NoQuestion, NotJudged) as error:
            on_none(subject.instance.id, kind.name, str(error))
            return
        yield _question(subject, kind, spec.seed, number, draft)


def _drawn(
    subject: _AskedTask, kind: Kind, spec: QuestionSpec, number: int, seen: set[str]
) -> Draft:
    """Return a draft that differs from those seen.

    Raises:
        NoQuestion: ten draws produced none, or a draw failed for a final reason.
        NotJudged: the task exceeds the limits of the computation.
    """
    reason, make = NoQuestion("no further different question was found"), kind.make
    if make is None:
        raise NoQuestion("there are only published questions of this kind", final=True)
    for attempt in range(_TRIES):
        # A seed of its own: other instances and kinds in the file make no difference.
        name = f"{spec.seed} {subject.instance.id} {kind.name} {number} {attempt}"
        random = Random(name)
        try:
            draft = make(Scene(subject.stage, spec.steps, random))
        except NoQuestion as error:
            if error.final:
                raise
            reason = error
            continue
        # Two draws may differ in their walks and still ask the same.
        content = draft.context + draft.question
        if content not in seen:
            seen.add(content)
            return draft
    raise reason


def _question(subject: _AskedTask, kind: Kind, seed: int, number: int, draft: Draft) -> Question:
    instance = subject.instance
    prompt = "\n\n".join(part for part in (subject.preamble, draft.context, draft.question) if part)
    return Question(
        id=f"{instance.id}:{kind.name}:{number}",
        instance=instance.id,
        domain=instance.domain,
        size=instance.size,
        kind=kind.name,
        steps=draft.steps,
        seed=seed,
        prompt=prompt,
        question=draft.question,
        answer=draft.answer,
        details=draft.details,
        extra=instance.extra,
    )
