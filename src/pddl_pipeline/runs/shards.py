"""Run stores in parts, one folder per shard."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from pddl_pipeline.runs.jobs import SHARD
from pddl_pipeline.runs.store import RUNS

_SHARD: Final = re.compile(rf"{SHARD}(\d+)-of-(\d+)")


def store_folders(folder: Path) -> list[Path]:
    """Return the run stores of a folder: itself, and its sub-folders ``shard-3-of-8``.

    If there are none, return the folder itself: reading it then raises the appropriate error.
    """
    places = [folder, *sorted(filter(_is_shard, folder.glob(f"{SHARD}*")), key=_number)]
    return [place for place in places if (place / RUNS).exists()] or [folder]


def _is_shard(place: Path) -> bool:
    return _SHARD.fullmatch(place.name) is not None


def _number(place: Path) -> tuple[int, ...]:
    """Return the number of shards and the index of this one, as a sort key."""
    return tuple(int(number) for number in reversed(re.findall(r"\d+", place.name)))
