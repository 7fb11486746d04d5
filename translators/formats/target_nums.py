"""``target, nums``: the countdown data of TinyZero on Hugging Face."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.translators.domains.countdown_rules import NAMED_RULES
from pddl_pipeline.translators.formats.format import Format
from pddl_pipeline.translators.formats.table import table_instance, table_rows

_NAME: Final = "target-nums"
_SOURCE: Final = {"source": _NAME, "rules": NAMED_RULES[_NAME]}


FORMATS: Final = (
    Format(
        _NAME,
        "TinyZero's target and nums, with its rules; only with --format: CSV, TSV, JSON or Parquet",
        # Names of columns do not decide the rules.
        lambda _: False,
        table_rows,
        lambda row, reading: table_instance(row, reading, _SOURCE),
        options=frozenset({"columns"}),
    ),
)
