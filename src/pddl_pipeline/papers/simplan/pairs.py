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
from pddl_pipeline.papers.model_reward import Subject, tagged_prompts
from pddl_pipeline.papers.rewards import Situation
from pddl_pipeline.search.world import World, world_of
from pddl_pipeline.translators import translate_and_read
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.task import Task

TRAIN: Final = "train"
DEV: Final = "dev"
DEV_SHARE: Final = 5
"""Without splits of their own, one of so many instances is for development."""
WORDS: Final = re.compile(r"[^\s(),:]+")
_NUMBERED: Final = re.compile(r"(.*?)(\d+)")
_MOST_RANDOM: Final = 3
_HARD: Final = ("opposite", "swapped", "random")


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

    def __init__(self, subject: Subject, header: Header) -> None:
        """Prepare a task.

        Raises:
            InputError: the header is of another domain, or the facts that it leaves out differ.
        """
        world = world_of(subject.task)
        check_actions(header, actions_of(subject.task))
        known = {fact[0] for fact in header.left_out}
        other = {fact for fact in world.fixed if fact[0] in known and _is_of(fact, header)}
        if odd := sorted(other ^ header.left_out):
            found = " ".join(odd[0])
            raise InputError(
                f"the training instances share facts of {odd[0][0]} that the task does not have, "
                f"or it has more, such as ({found})"
            )
        self._prompts = tagged_prompts(subject, header.left_out)
        self._history = header.history
        start = Situation(lambda: world.fact_texts(world.start), tuple, 0)
        self._start = self._prompts.before_action(start)
        self.action = self._prompts.action
        """Return the text of a step."""

    def query(self, situation: Situation) -> str:
        """Return the text of a state with the goal."""
        if not self._history:
            return self._prompts.before_action(situation).replace("\n", " ").strip()
        done = (f"<ACTION> {self.action(step)}" for step in situation.steps())
        return " ".join((*self._start.split(), *done))


def _is_of(fact: Ground, header: Header) -> bool:
    """Return whether a fact of a left-out predicate would be left out as well."""
    return len(fact) > 2 or fact[1:] in {each[1:] for each in header.left_out}


def actions_of(task: Task) -> dict[str, int]:
    """Return the number of parameters of each action of a task."""
    return {name: len(each.parameters) for name, each in task.vocabulary.actions.items()}


def check_actions(header: Header, actions: Mapping[str, int]) -> None:
    """Check that a task has the actions of the training instances.

    Raises:
        InputError: it has others.
    """
    if actions != header.actions:
        odd = min({*actions.items()} ^ {*header.actions.items()})[0]
        raise InputError(f"expected a task of {header.domain}; the action {odd} differs")


class Solved(NamedTuple):
    """An instance with a plan."""

    instance: Instance[Any]
    task: Task
    world: World[Any]
    plan: str
    kinds: Mapping[str, object]
    """The kind of each object: its types, and the names of the fixed facts about it alone."""


def solved(instance: Instance[Any], plan: str) -> Solved:
    """Return an instance with a valid plan."""
    _, task = translate_and_read(instance)
    world, alone = world_of(task), dict[str, set[str]]()
    for fact in world.fixed:
        if len(fact) == 2:
            alone.setdefault(fact[1], set()).add(fact[0])
    kinds = {
        name: (types, frozenset(alone.get(name, ())))
        for name, types in task.vocabulary.objects.items()
    }
    return Solved(instance, task, world, plan, kinds)


def left_out_facts(worlds: Sequence[World[Any]]) -> frozenset[Ground]:
    """Return facts that never change and are the same in all instances, such as a map.

    The ranker learns them, as SimPlan's learns Minigrid's connections (Appendix D.1). They are
    relations of two or more objects, and other facts about these objects alone.
    """
    names = {fact[0] for fact in worlds[0].fixed}
    shared = [
        of_name for name in sorted(names)
        if (of_name := _fixed(worlds[0], name)) and all(_fixed(x, name) == of_name for x in worlds)
    ]  # fmt: skip
    found = {fact for facts in shared for fact in facts if len(fact) > 2}
    objects = {name for fact in found for name in fact[1:]}
    for facts in shared:
        if all(objects.issuperset(fact[1:]) for fact in facts):
            found |= facts
    return frozenset(found)


def _fixed(world: World[Any], name: str) -> frozenset[Ground]:
    return frozenset(fact for fact in world.fixed if fact[0] == name)


class Names:
    """Draws new names for the objects of instances (section 4.3).

    A name with a number gets another number. Names without numbers are shuffled among the
    objects of a kind. Names in facts that are left out, and constants, stay.
    """

    def __init__(self, data: Sequence[Solved], left_out: Iterable[Ground], count: int) -> None:
        self.kept = {name for fact in left_out for name in fact[1:]}
        self._pools: dict[str, list[str]] = {}
        self._every = {name for each in data for name in each.kinds}
        for name in sorted(self._every - self.kept):
            if match := _NUMBERED.fullmatch(name):
                stem = match[1]
                pool = self._pools.setdefault(stem, [f"{stem}{n}" for n in range(count)])
                if name not in pool:
                    pool.append(name)

    def all(self) -> tuple[str, ...]:
        """Return the names that objects may have."""
        return tuple(sorted(self._every.union(*self._pools.values())))

    def draw(self, each: Solved, random: Random) -> dict[str, str]:
        """Return a new name for each object that gets one."""
        groups: dict[object, list[str]] = {}
        for name in sorted(each.kinds.keys() - self.kept):
            match = _NUMBERED.fullmatch(name)
            groups.setdefault(match[1] if match else each.kinds[name], []).append(name)
        found = dict[str, str]()
        for key, names in groups.items():
            pool = sorted(self._pools.get(key, names)) if isinstance(key, str) else names
            found |= zip(names, random.sample(pool, len(names)), strict=True)
        return found


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Return a text with new names of objects."""
    return WORDS.sub(lambda match: names.get(match[0], match[0]), text)


class _Example(NamedTuple):
    query: str
    action: str
    negatives: dict[str, tuple[str, ...]]


def _examples(each: Solved, texts: Texts, random: Random) -> Iterator[_Example]:
    """Yield the states of a plan with their next actions."""
    world, state = each.world, each.world.start
    plan = each.task.read_plan(each.plan)
    for number, step in enumerate(plan):
        after = world.apply(step, state)
        situation = Situation(
            lambda state=state: world.fact_texts(state),  # type: ignore[misc]
            lambda number=number: plan[:number], 0,  # type: ignore[misc]
        )  # fmt: skip
        right = texts.action(step)
        hard = (
            [back for back, end in world.successors(after) if end == state],
            _swapped(each, step),
            _replaced(each, step, [other for other, _ in world.successors(state)], random),
        )
        negatives = {
            kind: tuple(dict.fromkeys(text for x in steps if (text := texts.action(x)) != right))
            for kind, steps in zip(_HARD, hard, strict=True)
        }
        yield _Example(texts.query(situation), right, negatives)
        state = after


def _swapped(each: Solved, step: Step) -> list[Step]:
    """Return a step with two objects of one kind swapped, in all ways."""
    found = []
    for one, other in combinations(range(len(step.arguments)), 2):
        new = list(step.arguments)
        if each.kinds[new[one]] == each.kinds[new[other]]:
            new[one], new[other] = new[other], new[one]
            found.append(Step(step.action, tuple(new)))
    return found


def _replaced(
    each: Solved, step: Step, applicable: Sequence[Step], random: Random
) -> list[Step]:  # fmt: skip
    """Return the action with other objects: applicable ones if there are any, else one object.

    Ranking only concerns applicable actions, so these are the harder negatives.
    """
    others = [x for x in applicable if x.action == step.action and x[:2] != step[:2]]
    if others:
        return random.sample(others, min(_MOST_RANDOM, len(others)))
    found = []
    for place, old in enumerate(step.arguments):
        like = [
            x for x, kind in each.kinds.items()
            if kind == each.kinds[old] and x not in step.arguments
        ]  # fmt: skip
        for name in random.sample(like, min(1, len(like))):
            new = (*step.arguments[:place], name, *step.arguments[place + 1 :])
            found.append(Step(step.action, new))
    return found


def make_pairs(
    data: Sequence[Solved], *, permutations: int = 20, names: int = 30, history: bool = False,
    seed: int = 0,
) -> tuple[Header, Iterator[Pair]]:  # fmt: skip
    """Return the header and the pairs of instances.

    Args:
        data: the instances, at least one, with their plans.
        permutations: the number of times that each training instance is written, each time with
            other names of the objects; 0 for once with its own names.
        names: the number of numbers that names may get.
        history: see `Header`.
        seed: the seed of names and negatives.

    Raises:
        InputError: the instances are of several domains.
    """
    left_out = left_out_facts([each.world for each in data])
    drawn = Names(data, left_out, names)
    first = data[0]
    header = Header(first.instance.domain, actions_of(first.task), left_out, history, drawn.all())
    for each in data:
        check_actions(header, actions_of(each.task))
    splits = _splits([each.instance for each in data], seed)

    def pairs() -> Iterator[Pair]:
        for each in data:
            random = Random(f"{seed} {each.instance.id}")  # noqa: S311 -- reproducible
            split = splits[each.instance.id]
            examples = list(_examples(each, Texts(_subject(each), header), random))
            is_renamed = permutations > 0 and split == TRAIN
            for _ in range(permutations if is_renamed else 1):
                new = drawn.draw(each, random) if is_renamed else {}
                for query, action, negatives in examples:
                    hard = {
                        kind: tuple(renamed(text, new) for text in every)
                        for kind, every in negatives.items()
                    }
                    texts = renamed(query, new), renamed(action, new)
                    yield Pair(each.instance.id, split, *texts, hard)

    return header, pairs()


def _subject(each: Solved) -> Subject:
    texts, task = translate_and_read(each.instance)
    return Subject(given_instance("task", texts.domain_pddl, texts.problem_pddl, {}), task)


def _splits(
    instances: Sequence[Instance[Any]], seed: int
) -> dict[str, Literal["train", "dev"]]:  # fmt: skip
    """Return the split of each instance: its own, or one of so many is for development."""
    order = sorted(each.id for each in instances)
    Random(seed).shuffle(order)  # noqa: S311 -- reproducible
    dev = {*order[::DEV_SHARE]}
    return {
        each.id: DEV if each.extras.get("split", DEV if each.id in dev else TRAIN) == DEV else TRAIN
        for each in instances
    }


def write_pairs(path: Path, header: Header, pairs: Iterable[Pair]) -> int:
    """Write a file of pairs; return their number.

    Raises:
        InputError: the file cannot be written.
    """
    count = -1
    with writing(path) as stream:
        for each in chain([header], pairs):
            stream.write(msgspec.json.encode(each, order="sorted").decode() + "\n")
            count += 1
    return count


def read_pairs(path: Path) -> tuple[Header, dict[str, list[Pair]]]:
    """Return the header and the pairs of each split.

    Raises:
        InputError: the file cannot be read, has pairs of two domains, or lacks a split.
    """
    header: Header | None = None
    found: dict[str, list[Pair]] = {TRAIN: [], DEV: []}
    decode = msgspec.json.Decoder(Union[Header, Pair]).decode
    with open_binary(path) as file:
        for number, line in enumerate(file, start=1):
            try:
                each = decode(line)
            except msgspec.MsgspecError as error:
                raise _wrong(path, number, str(error)) from error
            if isinstance(each, Header):
                if each != (header or each):
                    raise _wrong(path, number, f"found {each.domain}, not as in line 1")
                header = each
            elif header is None:
                raise _wrong(path, number, "found no header before it")
            else:
                found[each.split].append(each)
    if header is None:
        raise _wrong(path, None, "is empty")
    for split, pairs in found.items():
        if not pairs:
            raise _wrong(path, None, f"found no pairs of the split {split}")
    return header, found


def _wrong(path: Path, line: int | None, reason: str) -> InputError:
    message = f"{reason}; expected pairs of one domain that simplan data wrote"
    return InputError(message, file=str(path), line=line)
