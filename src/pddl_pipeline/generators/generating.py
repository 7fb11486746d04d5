"""Makes instances: seeds them, drops what was made before, checks the witnesses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, Final, Generic, TypeVar

import msgspec

from pddl_pipeline.generators.generator import Draft, Generator, Preset
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.translators.witness import witness_fault

Settings = TypeVar("Settings")

_SEED_BYTES: Final = 6


def raise_short(message: str) -> None:
    """Raise an error: what is done about too few tasks where nobody says otherwise."""
    raise InputError(message)


def generate_sizes(  # noqa: PLR0913 -- what a dataset consists of
    generator: Generator[Settings],
    settings: Settings,
    *,
    sizes: range | None = None,
    number: int = 100,
    seed: int = 0,
    on_short: Callable[[str], None] = raise_short,
) -> Iterator[Instance[Any]]:
    """Yield instances of each size, no task twice.

    Args:
        generator: the method.
        settings: its options.
        sizes: sizes to make; the generator's own where None.
        number: how many of each size (how many seeds, where a seed gives several).
        seed: everything else follows from it.
        on_short: called with a message for each size of which there are some, but not so many,
            tasks.

    Raises:
        InputError: there is no task of a size, or ``on_short`` raises it.
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
    """Yield a dataset of a paper, split by split; sizes that are exhausted are left out.

    Raises:
        InputError: the settings do not allow so many tasks.
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
    """Return what the seed of one instance gives, as it stands in its record.

    Raises:
        InputError: it gives nothing.
    """
    drafts = generator.make(settings, size, instance_seed)
    if not drafts:
        raise InputError(f"seed {instance_seed} gives no instance of size {size}")
    return [_instance(generator, draft, size, instance_seed, 0, None) for draft in drafts]


class _Run(Generic[Settings]):
    """Goes through seeds, size by size; knows what was made before."""

    def __init__(self, generator: Generator[Settings], settings: Settings, seed: int) -> None:
        self.made: Counter[int] = Counter()
        self._generator = generator
        self._settings = settings
        self._seed = seed
        self._tried: Counter[int] = Counter()
        self._known: set[bytes] = set()

    def next(self, size: int, split: str | None = None) -> list[Instance[Any]]:
        """Return the instances of the next seed that gives new ones, or none."""
        for _ in range(self._generator.patience):
            seed = self._seed_of(size, self._tried[size])
            self._tried[size] += 1
            drafts = self._generator.make(self._settings, size, seed)
            if drafts and self._is_new(drafts):
                index = self.made[size]
                self.made[size] += 1
                return [_instance(self._generator, d, size, seed, index, split) for d in drafts]
        return []

    def _seed_of(self, size: int, position: int) -> int:
        """Return a seed that no other instance is likely to have, also not under another seed."""
        name = f"{self._seed} {self._generator.domain} {self._generator.method} {size} {position}"
        return int.from_bytes(blake2b(name.encode(), digest_size=_SEED_BYTES).digest())

    def _is_new(self, drafts: Sequence[Draft]) -> bool:
        tasks = msgspec.json.encode([draft.task for draft in drafts])
        digest = blake2b(tasks, digest_size=16).digest()
        new = digest not in self._known
        self._known.add(digest)
        return new


def _instance(  # noqa: PLR0913, PLR0917 -- what a record consists of
    generator: Generator[Any], draft: Draft, size: int, seed: int, index: int, split: str | None
) -> Instance[Any]:
    """Return a draft as an instance: named, read back from its record, its witness judged."""
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
            raise AssertionError(f"{instance.id}: the witness is no plan: {fault}")
    return instance
