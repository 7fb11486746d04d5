"""Finds instances by number, for answers without an id: PlanBench's 7 is ``instance-7``."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from pddl_pipeline.translators.field_checks import FieldFault

_ENDING: Final = re.compile(r".*-(0|[1-9]\d{0,17})", re.DOTALL)


class InstanceNumbers:
    """The ids of a dataset, by the number at the end of the id."""

    def __init__(self, ids: Iterable[str] = ()) -> None:
        self._ids: defaultdict[int, list[str]] = defaultdict(list)
        for name in ids:
            match = _ENDING.fullmatch(name)
            if match:
                self._ids[int(match[1])].append(name)

    def id_of(self, number: int, usual: str) -> str:
        """Return the id of the instance with this number.

        Return `usual` if the dataset has that id, or no id that ends in this number; else the only
        id that ends in it.

        Raises:
            FieldFault: several ids end in this number.
        """
        found = self._ids.get(number, [])
        if usual in found or not found:
            return usual
        if len(found) > 1:
            raise FieldFault(
                "instance_id", f"found {number}, which may be {found[0]} or {found[1]}"
            )
        return found[0]
