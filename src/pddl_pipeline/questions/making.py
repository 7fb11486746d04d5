"""Makes questions about instances; the same seed gives the same questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from random import Random
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.errors import InputError, NotJudged
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.questions.kind import Draft, Kind, Scene, Stage
from pddl_pipeline.questions.mistakes import Trajectory
from pddl_pipeline.questions.question import NoQuestion, Question
from pddl_pipeline.questions.registry import kinds
from pddl_pipeline.questions.state_reading import StateReader
from pddl_pipeline.questions.state_rendering import StateRenderer, wording_of
from pddl_pipeline.questions.templates import preamble
from pddl_pipeline.questions.world import World
from pddl_pipeline.translators import read_instance

MOST_STATES: Final = 20_000
_TRIES: Final = 10
_ATOMS: Final = 200
"""States with more atoms count as several: it is memory that the bound keeps."""
Excuse = Callable[[str, str, str], None]
"""Called with the instance, the kind and the reason where there is no question."""
Drafts = Callable[[Stage, Random], Iterable[Draft]]
"""Makes drafts, given what they are about and what to draw from."""


def _say_nothing(instance: str, kind: str, reason: str) -> None:
    del instance, kind, reason


@dataclass(frozen=True, slots=True)
class QuestionSpec:
    """Which questions are to be made."""

    kinds: Sequence[str] = ()
    """Their names; all where empty."""
    count: int = 1
    """Of each kind, about each instance."""
    seed: int = 0
    steps: range = range(1, 8)
    """How many actions are walked; SimPlan's figure 2 has 1 to 7."""
    words: bool = True
    """Whether states are told in SimPlan's words, where the domain has them."""
    most_states: int = MOST_STATES
    """Where a kind needs all states, instances with more are passed. A state counts once for each
    200 atoms that may change in it."""

    def __post_init__(self) -> None:
        if self.steps[0] < 1:
            raise InputError("a walk has at least 1 step")


def make_questions(
    instances: Iterable[Instance[Any]],
    wishes: QuestionSpec = QuestionSpec(),
    on_none: Excuse = _say_nothing,
) -> Iterator[Question]:
    """Yield questions about instances, in their order, kind by kind.

    Each is drawn from the seed, the instance's id, its kind and its number alone. Questions that
    are equal are made once.

    Raises:
        InputError: there is no such kind.
    """
    chosen = [kinds()[name] for name in wishes.kinds or kinds()]
    for instance in instances:
        try:
            subject = _subject(instance, wishes)
        except (NoQuestion, NotJudged, InputError) as error:
            on_none(instance.id, "all kinds", str(error))
            continue
        for kind in chosen:
            yield from _questions(subject, kind, wishes, on_none)


def ask(
    instance: Instance[Any],
    kind: str,
    drafts: Callable[[Stage, Random], Iterable[Draft]],
    seed: int,
) -> list[Question]:
    """Return questions whose drafts are made elsewhere, in the form of a kind.

    Args:
        instance: what they are about.
        kind: the kind's name, by which answers are marked.
        drafts: makes them.
        seed: everything that is drawn follows from it.

    Raises:
        NoQuestion: the instance allows none.
        NotJudged: the task outgrows what is computed.
    """
    subject = _subject(instance, QuestionSpec())
    random = Random(f"{seed} {instance.id} {kind}")  # noqa: S311 -- no secret
    made = drafts(subject.stage, random)
    return [_question(subject, kinds()[kind], seed, n, draft) for n, draft in enumerate(made)]


def _bound(world: World, wishes: QuestionSpec) -> int:
    """Return how many states may be kept: fewer where each is large."""
    return max(1, wishes.most_states // ceil((len(world.told(world.start)) or 1) / _ATOMS))


class _Subject(NamedTuple):
    """What the questions are about."""

    instance: Instance[Any]
    stage: Stage
    preamble: str


def _subject(instance: Instance[Any], wishes: QuestionSpec) -> _Subject:
    task = read_instance(instance)
    if task.facts.unsupported:
        raise NoQuestion(str(task.facts.unsupported[0]))
    world = World(task)
    wording = wording_of(instance.domain, world.fluents) if wishes.words else None
    for teller in (StateRenderer(wording), StateRenderer(None)):
        stage = Stage(world, teller, _bound(world, wishes))
        course = Trajectory(world.fluents, teller.wording, (world.told(world.start),))
        if course.is_right(
            StateReader(world.fluents, teller.wording).read(stage.tell(world.start))
        ):
            return _Subject(instance, stage, preamble(instance, stage))
    raise NoQuestion("its names cannot be told in a text and read again")


def _questions(
    subject: _Subject, kind: Kind, wishes: QuestionSpec, on_none: Excuse
) -> Iterator[Question]:
    """Yield the questions of one kind; where draws give no other one, fewer than were asked for."""
    seen = set[str]()
    for number in range(wishes.count):
        try:
            draft = _drawn(subject, kind, wishes, number, seen)
        except (NoQuestion, NotJudged) as error:
            on_none(subject.instance.id, kind.name, str(error))
            return
        yield _question(subject, kind, wishes.seed, number, draft)


def _drawn(
    subject: _Subject, kind: Kind, wishes: QuestionSpec, number: int, seen: set[str]
) -> Draft:
    """Return a draft that is not among those seen.

    Raises:
        NoQuestion: ten draws gave none, or the first says that none will.
        NotJudged: the task outgrows what is computed.
    """
    reason = NoQuestion("no further question that is different")
    for attempt in range(_TRIES):
        name = f"{wishes.seed} {subject.instance.id} {kind.name} {number} {attempt}"
        random = Random(name)  # noqa: S311 -- no secret
        try:
            draft = kind.make(Scene(subject.stage, wishes.steps, random))
        except NoQuestion as error:
            if error.final:
                raise
            reason = error
            continue
        content = draft.context + draft.question
        if content not in seen:
            seen.add(content)
            return draft
    raise reason


def _question(subject: _Subject, kind: Kind, seed: int, number: int, draft: Draft) -> Question:
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
    )
