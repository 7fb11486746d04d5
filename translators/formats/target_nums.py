"""``target, nums``: the countdown data of TinyZero on Hugging Face."""

from __future__ import annotations

from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.domains.countdown_rules import NAMED_RULES
from pddl_pipeline.translators.formats.format import DataRow, Format, Reading
from pddl_pipeline.translators.formats.table import table_instance, table_rows

_NAME: Final = "target-nums"
_SOURCE: Final = {"source": _NAME, "rules": NAMED_RULES[_NAME]}


def _instance(row: DataRow, reading: Reading) -> Instance[Any]:
    return table_instance(row, reading, _SOURCE)


FORMATS: Final = (
    Format(
        _NAME,
        "TinyZero's target and nums, with its rules; only with --format: CSV, TSV, JSON or Parquet",
        # Names of columns do not decide the rules.
        lambda _: False,
        table_rows,
        _instance,
        options=frozenset({"columns"}),
    ),
)
