"""Generates instances: derives their seeds, drops duplicate tasks, checks the witnesses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from itertools import groupby, product
from time import monotonic
from typing import Any, Final, Generic, TypeVar

import msgspec

from pddl_pipeline.generators.generator import COUNT, Draft, Generator, Preset
from pddl_pipeline.model.discovery import registry
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.judging import witness_fault
from pddl_pipeline.translators.records import from_record


@cache
def generators() -> dict[str, dict[str, Generator[Any]]]:
    """Return the generators by domain and method; the first method is the domain's default."""
    found: dict[str, dict[str, Generator[Any]]] = {}
    every = registry(
        "pddl_pipeline.generators",
        "pddl_pipeline.generators",
        lambda each: f"{each.domain}/{each.method}",
    )
    for generator in every.values():
        found.setdefault(generator.domain, {})[generator.method] = generator
    return dict(sorted(found.items()))


Settings = TypeVar("Settings")

_SEED_BYTES: Final = 6


def raise_short(message: str) -> None:
    """Raise an error; the default reaction to a size with too few tasks."""
    raise InputError(message)


def generate_sizes(  # noqa: PLR0913 -- the parameters of a dataset
    generator: Generator[Settings],
    settings: Settings,
    *,
    sizes: Sequence[int] | None = None,
    number: int = COUNT,
    seed: int = 0,
    on_short: Callable[[str], None] = raise_short,
) -> Iterator[Instance[Any]]:
    """Yield instances of each size, without duplicate tasks.

    Args:
        generator: the method.
        settings: the options of the method.
        sizes: sizes to generate; None selects the generator's own sizes.
        number: number of instances of each size (number of seeds, if a seed makes several).
        seed: random seed.
        on_short: called with a message for each size that has some tasks, but fewer than `number`.

    Raises:
        InputError: a size has no task, or ``on_short`` raises it.
    """
    run = _Run(generator, settings, seed)
    for size in sizes or generator.sizes:
        for _ in range(number):
            made = run.next(size)
            yield from made
            if not made:
                break
        found = run.made[size]
        if not found:
            raise InputError(f"size {size}: found no task under these options")
        if found < number:
            on_short(f"size {size}: found {found} different tasks, not {number}")


def generate_preset(
    generator: Generator[Settings], settings: Settings, preset: Preset, *, seed: int = 0
) -> Iterator[Instance[Any]]:
    """Yield a dataset of a paper, split by split; exhausted sizes are skipped.

    Raises:
        InputError: the settings do not allow enough tasks.
    """
    run = _Run(generator, settings, seed)
    sizes = list(preset.sizes)
    for split, number in preset.splits.items():
        for position in range(number):
            made: list[Instance[Any]] = []
            while sizes and not made:
                size = sizes[position % len(sizes)]
                made = run.next(size, split)
                if not made:
                    sizes.remove(size)
            if not made:
                raise InputError(f"split {split}: found {position} tasks, expected {number}")
            yield from made


def generate_one(
    generator: Generator[Settings], settings: Settings, size: int, instance_seed: int
) -> list[Instance[Any]]:
    """Return the instances of the seed in a record.

    Raises:
        InputError: the seed generates no instance of this size.
    """
    drafts = generator.make(settings, size, instance_seed)
    if not drafts:
        raise InputError(f"seed {instance_seed} generates no instance of size {size}")
    return [_instance(generator, draft, size, instance_seed, 0, None) for draft in drafts]


def _seed(generator: Generator[Any], seed: int, size: int, attempt: int) -> int:
    """Return a seed that is unlikely to occur again, even with another seed of the dataset."""
    name = f"{seed} {generator.domain} {generator.method} {size} {attempt}".encode()
    return int.from_bytes(blake2b(name, digest_size=_SEED_BYTES).digest())


def prepared(  # noqa: PLR0913 -- the parameters of a dataset
    generator: Generator[Settings],
    settings: Settings,
    sizes: Sequence[int],
    *,
    number: int,
    seed: int,
    made: Sequence[Instance[Any]],
) -> tuple[Generator[Settings], float]:
    """Return a generator for a dataset that repeats `made` and continues, and seconds per instance.

    The seconds are a mean over a sample: tasks of a small, a middle and a large size in turn, made
    for half a second. The first one is not counted. The dataset gets them without another call.

    Args:
        generator: the method.
        settings: the options of the method.
        sizes: the sizes of the dataset.
        number: number of instances of each size.
        seed: random seed.
        made: the first instances of the dataset. Those of the last seed are made again, since some
            may be missing.
    """
    # The instances of a seed stand together in the file.
    groups = groupby(made, lambda instance: instance.extras["seed"])
    drafts = [(each, [Draft(instance.record) for instance in group]) for each, group in groups]
    repeated: dict[int, Sequence[Draft]] = dict(drafts[:-1])
    sample: dict[int, Sequence[Draft]] = {}
    done = Counter(instance.size for instance in made)
    left = [size for size in sizes if done[size] < number] or [sizes[-1]]
    # The first, the middle and the last size that is left.
    chosen = left[:: max(1, (len(left) - 1) // 2)]
    begin, count = monotonic(), 0
    for attempt, size in product(range(min(number, 2 + number // 20)), chosen):
        if len(sample) > 1 and monotonic() - begin > 0.5:
            break
        each = _seed(generator, seed, size, done[size] + attempt)
        sample[each] = generator.make(settings, size, each)
        count += len([_instance(generator, draft, size, each, 0, None) for draft in sample[each]])
        if len(sample) == 1:  # which includes the compilation
            begin, count = monotonic(), 0

    def make(settings: Settings, size: int, seed: int) -> Sequence[Draft]:
        if repeated:  # other seeds did not make a new task
            return repeated.pop(seed, ())
        return sample.pop(seed) if seed in sample else generator.make(settings, size, seed)

    return replace(generator, make=make), (monotonic() - begin) / max(1, count)


class _Run(Generic[Settings]):
    """Tries seeds, size by size, and skips tasks that were made before."""

    def __init__(self, generator: Generator[Settings], settings: Settings, seed: int) -> None:
        self.made: Counter[int] = Counter()
        self._generator, self._settings, self._seed = generator, settings, seed
        self._tried: Counter[int] = Counter()
        self._known: set[bytes] = set()

    def next(self, size: int, split: str | None = None) -> list[Instance[Any]]:
        """Return the instances of the next seed that makes a new task, or an empty list."""
        for _ in range(self._generator.patience):
            # From size and attempt alone: other sizes in the command make no difference.
            seed = _seed(self._generator, self._seed, size, self._tried[size])
            self._tried[size] += 1
            drafts = self._generator.make(self._settings, size, seed)
            tasks = [draft.task for draft in drafts]
            # 16 bytes a task: a dataset of a million tasks stays small in memory.
            digest = blake2b(msgspec.json.encode(tasks), digest_size=16).digest()
            if drafts and digest not in self._known:
                self._known.add(digest)
                # Numbered by what was made, so that ids have no gaps where seeds had no task.
                index = self.made[size]
                self.made[size] += 1
                return [_instance(self._generator, d, size, seed, index, split) for d in drafts]
        return []


def _instance(  # noqa: PLR0913, PLR0917 -- the parts of a record
    generator: Generator[Any], draft: Draft, size: int, seed: int, index: int, split: str | None
) -> Instance[Any]:
    """Return a draft as an instance with an id. Read it back from its record; check its witness."""
    name = f"{generator.prefix or generator.domain}-{size}-{index}"
    record = {
        "id": f"{name}-{draft.suffix}" if draft.suffix else name,
        "domain": generator.domain,
        **msgspec.to_builtins(draft.task),
        "source": generator.method,
        "seed": seed,
        **({"split": split} if split else {}),
        **draft.extras,
    }
    instance = from_record(record)
    if "witness" in draft.extras:
        fault = witness_fault(instance)
        if fault:
            raise AssertionError(f"{instance.id}: the witness is not a plan: {fault}")
    return instance
