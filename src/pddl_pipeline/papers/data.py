"""The data of the papers: published numbers, and generated datasets with their cards.

The numbers are in ``published.toml`` beside the studies of each paper. A dataset is
``NAME.jsonl.gz``; its card, from which it is generated again, is ``NAME.toml``.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from hashlib import sha256
from importlib import resources
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from pddl_pipeline.generators.dataset import generator_named
from pddl_pipeline.generators.generating import generate_preset, generate_sizes
from pddl_pipeline.io.files import write_bytes
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.papers.study import MissingData
from pddl_pipeline.translators.records import from_record, to_record


class Numbers(dict[Any, Any]):
    """A table of published numbers, whose keys are also attributes."""

    def __getattr__(self, name: str) -> Any:
        if name not in self:
            raise AttributeError(f"published.toml has no '{name}'")
        return self[name]


def published(package: str) -> Numbers:
    """Return the numbers of the paper whose studies a package contains.

    Lists become tuples, and keys of digits become whole numbers. Every table of the file has a
    ``source``, the paper's table, figure, section or page.

    Args:
        package: the package, as its modules know it by ``__package__``.
    """
    text = resources.files(package).joinpath("published.toml").read_text(encoding="utf-8")
    found: Numbers = _numbers(msgspec.toml.decode(text))
    return found


def _numbers(value: Any) -> Any:
    if isinstance(value, dict):
        pairs = ((int(key) if key.isdigit() else key, _numbers(x)) for key, x in value.items())
        return Numbers(pairs)
    return tuple(map(_numbers, value)) if isinstance(value, list) else value


def stored_data(paper: str, *parts: str) -> Path:
    """Return a file or folder of a paper's protocols, datasets and stored runs.

    It is looked up in the folder ``studies`` of the current directory, then in the package, of
    which it is a part.

    Raises:
        MissingData: neither exists.
    """
    here, packaged = Path("studies", paper), Path(__file__).parent / paper / "stored"
    # A checkout comes first: `--continue` writes there.
    for folder in (here, packaged):
        if (place := folder.joinpath(*parts)).exists():
            return place
    name = Path(*parts)
    raise MissingData(f"no stored data: expected {here / name} or {packaged / name}")


class DatasetCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The description of a generated dataset."""

    title: str
    rules: str
    """The rules by which instances are generated, in words."""
    domain: str
    method: str
    """The generator's method."""
    settings: dict[str, Any]
    """The method's options that differ from their defaults."""
    seed: int
    prefix: str
    """The start of the ids."""
    version: str
    """The package and its version that generated the dataset."""
    date: date
    sha256: str
    """The checksum of the uncompressed lines."""
    sizes: dict[int, int] = {}
    """The number of seeds of each size, each of which makes one instance or more; empty if a preset
    determines the sizes."""
    preset: str = ""
    """The generator's dataset of a paper, without `sizes`."""
    split: str = ""
    """The split of the preset."""


class DatasetDiffers(InputError):
    """A stored dataset is not the one that its card describes."""


def read_card(path: Path) -> DatasetCard:
    """Return the card in a file.

    Raises:
        InputError: the file cannot be read or is not a card.
    """
    try:
        return msgspec.toml.decode(path.read_bytes(), type=DatasetCard, strict=False)
    except (OSError, msgspec.MsgspecError) as error:
        raise InputError(f"cannot be read: {error}", file=str(path)) from error


def read_dataset(path: Path) -> list[Instance[Any]]:
    """Return the instances of the dataset that belongs to a card, in the order of the file.

    Raises:
        DatasetDiffers: the dataset does not have the card's checksum.
        InputError: a file cannot be read.
    """
    card, lines = read_card(path), _stored_lines(path)
    found = sha256(lines).hexdigest()
    if found != card.sha256:
        message = f"found the checksum {found}, expected {card.sha256} as in {path.name}"
        raise DatasetDiffers(message, file=str(data_file(path)))
    return [from_record(json.loads(line)) for line in lines.splitlines()]


def generate_lines(card: DatasetCard) -> bytes:
    """Return the lines of the dataset that a card describes.

    Raises:
        InputError: the generator does not exist or finds too few tasks.
    """
    return "".join(
        json.dumps(to_record(instance), ensure_ascii=False) + "\n" for instance in _instances(card)
    ).encode()


def _instances(card: DatasetCard) -> Iterator[Instance[Any]]:
    generator = replace(generator_named(card.domain, card.method), prefix=card.prefix)
    settings = generator.settings(**card.settings)
    if card.preset:
        preset = generator.presets[card.preset]
        for instance in generate_preset(generator, settings, preset, seed=card.seed):
            if instance.extras.get("split") == card.split:
                yield instance
    for size, number in card.sizes.items():
        sizes = range(size, size + 1)
        yield from generate_sizes(generator, settings, sizes=sizes, number=number, seed=card.seed)


def write_dataset(path: Path) -> str:
    """Generate the dataset of a card and write it beside the card; return its checksum.

    Raises:
        InputError: as `generate_lines`, or a file cannot be read or written.
    """
    lines = generate_lines(read_card(path))
    write_bytes(data_file(path), _compressed(lines))
    return sha256(lines).hexdigest()


def check_dataset(path: Path) -> int:
    """Generate the dataset of a card again and compare it with the stored one, byte for byte.

    Returns:
        The number of instances.

    Raises:
        DatasetDiffers: the datasets differ, or the stored one does not have the card's checksum.
        InputError: a file cannot be read.
    """
    stored = [record.id for record in read_dataset(path)]
    lines = generate_lines(read_card(path))
    old, new = _stored_lines(path).splitlines(), lines.splitlines()
    file = str(data_file(path))
    if old != new:
        same = takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))
        message = f"found {len(old)} lines, generated {len(new)}"
        raise DatasetDiffers(f"{message}; they differ", file=file, line=len([*same]) + 1)
    if data_file(path).read_bytes() != _compressed(lines):
        message = "holds the same lines, compressed differently; expected gzip without a time"
        raise DatasetDiffers(message, file=file)
    return len(stored)


def _compressed(lines: bytes) -> bytes:
    # Without a time, equal lines give equal files.
    return gzip.compress(lines, mtime=0)


def data_file(path: Path) -> Path:
    """Return the path of the dataset that belongs to a card."""
    return path.with_suffix(".jsonl.gz")


def _stored_lines(path: Path) -> bytes:
    file = data_file(path)
    try:
        return gzip.decompress(file.read_bytes())
    except (OSError, EOFError) as error:
        raise InputError(f"cannot be read: {error}", file=str(file)) from error
