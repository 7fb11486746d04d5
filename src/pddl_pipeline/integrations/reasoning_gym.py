"""reasoning-gym: a ``score_answer`` that is sound. It does not need the package."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.integrations.instances import score_text
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.answers.countdown.bare import reaches
from pddl_pipeline.translators.formats.format import DataRow, Reading
from pddl_pipeline.translators.formats.registry import format_named
from pddl_pipeline.translators.formats.row_fields import field_of
from pddl_pipeline.translators.records import from_record

_READ: Final = {"countdown": 0.05, "puzzle24": 0.01}
"""The reward for an answer that can be read, and is wrong."""
_PUZZLE_TARGET: Final = 24
_SLACK: Final = Fraction(1, 10**6)


def score_answer(answer: object, entry: dict[str, Any]) -> float:
    """Return the reward for an answer to an item of ``countdown`` or ``puzzle24``.

    1.0 where it is right by its source's rules, 0.05 where it can be read, 0.01 else, as there;
    puzzle24 gives nothing for reading. An item may also carry a record of ours in its metadata.

    Args:
        answer: a text, or what has one, such as a number; None where there is none.
        entry: the item, of which only the metadata count; its position in a dataset does not.

    Raises:
        FieldFault: the entry is no such item.
    """
    item, text = field_of(entry, "metadata", dict), "" if answer is None else str(answer)
    name, target = str(item.get("source_dataset")), item.get("target", _PUZZLE_TARGET)
    right = None
    if name in _READ and isinstance(item.get("numbers"), list):
        right = reaches(text, item["numbers"], target, _SLACK)
    if right is None:  # more than a bare expression, or none
        judged = score_text(_instance(item), text)
        right = judged.correct
        if ErrorKind.BAD_FORMAT in judged.errors:
            return 0.01
    return 1.0 if right else _READ.get(name, 0.05)


def _instance(metadata: dict[str, Any]) -> Instance[Any]:
    if "record" in metadata:
        return from_record(metadata["record"])
    entry = {"metadata": {"source_index": 0, **metadata}}
    row, reading = DataRow("the entry", None, 1, entry), Reading(Path("entry"))
    return format_named("reasoning-gym").instance(row, reading)
