"""Training pairs of SimPlan's ranker: a state with the goal, and the next action (Figure 13).

A file of pairs is JSONL. Its first line is a `Header`; each further line is a `Pair`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, NamedTuple, Union

import msgspec

from pddl_pipeline.io.files import writing
from pddl_pipeline.io.text_lines import open_binary
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Step
from pddl_pipeline.papers.model_reward import PromptSubject, tagged_prompts
from pddl_pipeline.papers.rewards import Situation
from pddl_pipeline.search.world import World, world_of
from pddl_pipeline.translators import translate_and_read
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.validation.domain_reader import read_domain
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.task import Task

TRAIN: Final = "train"
DEV: Final = "dev"
DEV_SHARE: Final = 5
"""Without splits of their own, one of so many instances is for development."""
WORDS: Final = re.compile(r"[^\s(),:]+")
_DIGITS: Final = "0123456789"
_MOST_RANDOM: Final = 3


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="header"):
    """What all pairs of a file share."""

    domain: str
    actions: dict[str, int]
    """The number of parameters of each action."""
    left_out: frozenset[Ground]
    """The facts of `left_out_facts`, which the texts leave out."""
    history: bool
    """Whether a text has the initial state and the actions so far instead of the current state."""
    names: tuple[str, ...]
    """The names that objects may have."""


class Pair(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="pair"):
    """A state and the next action of a plan."""

    id: str
    """The instance."""
    split: Literal["train", "dev"]
    query: str
    """The state and the goal."""
    action: str
    negatives: dict[str, tuple[str, ...]]
    """The hard negatives of each kind."""


class Texts:
    """Writes states and actions of a task."""

    def __init__(self, subject: PromptSubject, header: Header) -> None:
        """Prepare a task.

        Raises:
            InputError: the task is of another domain, or does not have facts that are left out.
        """
        world = world_of(subject.task)
        if actions_of(subject.task) != header.actions:
            raise InputError(f"the model is of a domain with other actions: {header.domain}")
        if missing := header.left_out - world.fixed:
            fact = " ".join(min(missing))
            raise InputError(f"found no ({fact}), which all training instances of the model have")
        self._prompts = tagged_prompts(subject, header.left_out)
        self._start = Situation(lambda: world.fact_texts(world.start), tuple, 0)
        self._history = header.history
        self.action = self._prompts.action
        """Return the text of a step."""

    def query(self, situation: Situation) -> str:
        """Return the text of a state with the goal."""
        shown = self._start if self._history else situation
        done = situation.steps() if self._history else ()
        past = (f"<ACTION> {self.action(step)}" for step in done)
        return " ".join((*self._prompts.before_action(shown).split(), *past))


def actions_of(task: Task) -> dict[str, int]:
    """Return the number of parameters of each action of a task."""
    return {name: len(each.parameters) for name, each in task.vocabulary.actions.items()}


class Solved(NamedTuple):
    """An instance with a valid plan."""

    instance: Instance[Any]
    subject: PromptSubject
    """The same as a search reads it, from its PDDL."""
    world: World[Any]
    plan: Sequence[Step]

    @property
    def objects(self) -> Mapping[str, frozenset[str]]:
        """The types of each object."""
        return self.subject.task.vocabulary.objects


def solved(instance: Instance[Any], plan: str) -> Solved:
    """Return an instance with a valid plan."""
    texts, task = translate_and_read(instance)
    given = given_instance("task", texts.domain_pddl, texts.problem_pddl, {})
    return Solved(instance, PromptSubject(given, task), world_of(task), task.read_plan(plan))


def left_out_facts(worlds: Iterable[World[Any]]) -> frozenset[Ground]:
    """Return facts that never change and are the same in all instances, such as a map.

    The ranker learns them, as SimPlan's learns Minigrid's connections (Appendix D.1). They are
    relations of two or more objects, and other facts about these objects alone.
    """
    first, *others = (frozenset(world.fixed) for world in worlds)
    # A predicate is left out as a whole or not at all.
    differing = {fact[0] for other in others for fact in first ^ other}
    shared = {fact for fact in first if fact[0] not in differing}
    objects = {name for fact in shared if len(fact) > 2 for name in fact[1:]}
    # Predicates that are also about other objects stay.
    kept = {fact[0] for fact in shared if not objects.issuperset(fact[1:])}
    return frozenset(fact for fact in shared if fact[0] not in kept)


class Names:
    """Draws new names for the objects of instances (section 4.3).

    A name with a number gets another number. Names without numbers are shuffled among the objects
    of the same types. Names in facts that are left out stay, and constants of the domain.
    """

    def __init__(self, data: Sequence[Solved], left_out: Iterable[Ground], count: int) -> None:
        task = data[0].subject.task
        constants = read_domain(task.texts[0], "domain").objects if task.texts else ()
        self._kept = {*constants, *(name for fact in left_out for name in fact[1:])}
        every = {name for each in data for name in each.objects}
        pools = {stem: {f"{stem}{n}" for n in range(count)} for stem in map(_stem, every) if stem}
        for name in every - self._kept:
            # The names of the data themselves may have higher numbers.
            pools.get(_stem(name), set()).add(name)
        self._pools = {stem: sorted(pool - self._kept) for stem, pool in pools.items()}
        self.all: tuple[str, ...] = tuple(sorted(every.union(*self._pools.values())))
        """The names that objects may have."""

    def draw(self, each: Solved, random: Random) -> dict[str, str]:
        """Return a new name for each object that gets one."""
        groups: dict[object, list[str]] = {}
        for name, types in each.objects.items():
            if name not in self._kept:
                groups.setdefault(_stem(name) or types, []).append(name)
        new = (
            random.sample(self._pools[key] if isinstance(key, str) else names, len(names))
            for key, names in groups.items()
        )
        return dict(zip(chain(*groups.values()), chain(*new), strict=True))


def _stem(name: str) -> str:
    """Return a name without its number; empty if it has none."""
    return name.rstrip(_DIGITS) if name[-1] in _DIGITS else ""


def renamed(pair: Pair, names: Mapping[str, str]) -> Pair:
    """Return a pair with new names of objects."""

    def text(old: str) -> str:
        return WORDS.sub(lambda match: names.get(match[0], match[0]), old)

    hard = {kind: tuple(map(text, every)) for kind, every in pair.negatives.items()}
    return Pair(pair.id, pair.split, text(pair.query), text(pair.action), hard)


def _pairs_of(
    each: Solved, texts: Texts, split: Literal["train", "dev"], random: Random
) -> Iterator[Pair]:
    """Yield the states of a plan with their next actions."""
    world, state = each.world, each.world.start
    for number, step in enumerate(each.plan):
        after = world.apply(step, state)
        situation = Situation(
            lambda state=state: world.fact_texts(state),  # type: ignore[misc]
            lambda number=number: tuple(each.plan[:number]),  # type: ignore[misc]
            0,
        )
        right = texts.action(step)
        hard = {
            # The step that undoes the right one: `put down b` for `pick up b`.
            "opposite": [back for back, end in world.successors(after) if end == state],
            "swapped": _swapped(each, step),
            "random": _replaced(each, step, [x for x, _ in world.successors(state)], random),
        }
        negatives = {
            kind: tuple(dict.fromkeys(text for x in steps if (text := texts.action(x)) != right))
            for kind, steps in hard.items()
        }
        yield Pair(each.instance.id, split, texts.query(situation), right, negatives)
        state = after


def _swapped(each: Solved, step: Step) -> list[Step]:
    """Return a step with two objects of the same types swapped, in all ways."""
    return [
        Step(step.action, tuple({one: other, other: one}.get(x, x) for x in step.arguments))
        for one, other in combinations(step.arguments, 2)
        if each.objects[one] == each.objects[other]
    ]


def _replaced(each: Solved, step: Step, applicable: Sequence[Step], random: Random) -> list[Step]:
    """Return the action with other objects: applicable ones if there are any, else one object.

    Ranking only concerns applicable actions, so these are the harder negatives.
    """
    old = step.arguments
    others = [x for x in applicable if x.action == step.action and x.arguments != old] or [
        Step(step.action, (*old[:place], name, *old[place + 1 :]))
        for place, replaced in enumerate(old)
        for name, types in each.objects.items()
        if types == each.objects[replaced] and name not in old
    ]
    return random.sample(others, min(_MOST_RANDOM, len(others)))


def make_pairs(
    data: Sequence[Solved], *, permutations: int = 20, names: int = 30, history: bool = False,
    seed: int = 0,
) -> tuple[Header, Iterator[Pair]]:  # fmt: skip
    """Return the header and the pairs of instances of one domain.

    Args:
        data: the instances, at least one, with their plans.
        permutations: the number of times that each training instance is written, each time with
            other names of the objects; 0 for once with its own names.
        names: the number of numbers that names may get.
        history: see `Header`.
        seed: the seed of names and negatives.
    """
    left_out = left_out_facts(each.world for each in data)
    drawn = Names(data, left_out, names)
    domain, actions = data[0].instance.domain, actions_of(data[0].subject.task)
    header = Header(domain, actions, left_out, history, drawn.all)
    dev = {*sorted(each.instance.id for each in data)[::DEV_SHARE]}

    def pairs() -> Iterator[Pair]:
        for each in data:
            name = each.instance.id
            random = Random(f"{seed} {name}")
            is_dev = each.instance.extras.get("split", DEV if name in dev else TRAIN) == DEV
            texts = Texts(each.subject, header)
            found = list(_pairs_of(each, texts, DEV if is_dev else TRAIN, random))
            times = 0 if is_dev else permutations
            for new in [drawn.draw(each, random) for _ in range(times)] or [{}]:
                yield from (renamed(pair, new) for pair in found)

    return header, pairs()


def write_pairs(path: Path, header: Header, pairs: Iterable[Pair]) -> int:
    """Write a file of pairs; return their number.

    Raises:
        InputError: the file cannot be written.
    """
    count = -1
    with writing(path) as stream:
        for count, each in enumerate(chain([header], pairs)):  # noqa: B007 -- the last one counts
            stream.write(msgspec.json.encode(each, order="sorted").decode() + "\n")
    return count


def read_pairs(path: Path) -> tuple[Header, dict[str, list[Pair]]]:
    """Return the header and the pairs of each split.

    Raises:
        InputError: the file cannot be read, has pairs of two domains, or lacks a split.
    """
    headers, found = list[Header](), dict[str, list[Pair]]({TRAIN: [], DEV: []})
    decode = msgspec.json.Decoder(Union[Header, Pair]).decode
    with open_binary(path) as file:
        for number, line in enumerate(file, start=1):
            try:
                each = decode(line)
            except msgspec.MsgspecError as error:
                raise _wrong(path, number, str(error)) from error
            if isinstance(each, Header):
                headers.append(each)
            elif headers:
                found[each.split].append(each)
            if not headers or headers[-1] != headers[0]:
                raise _wrong(path, number, "found a pair without a header, or another header")
    for split, pairs in found.items():
        if not pairs:
            raise _wrong(path, None, f"found no pairs of the split {split}")
    return headers[0], found


def _wrong(path: Path, line: int | None, reason: str) -> InputError:
    message = f"{reason}; expected pairs of one domain that simplan data wrote"
    return InputError(message, file=str(path), line=line)
