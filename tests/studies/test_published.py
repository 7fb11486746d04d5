"""Tests of the papers' numbers: each has a source, and unknown keys are rejected."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest
from places import PACKAGE

from pddl_pipeline.papers.data import Sourced

FILES = sorted((PACKAGE / "studies").glob("*/published.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_every_table_has_a_source(file: Path) -> None:
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    assert tables
    for table in tables.values():
        for each in table if isinstance(table, list) else [table]:
            assert each["source"]


def test_a_key_that_no_study_reads_is_refused() -> None:
    class Table(Sourced, frozen=True):
        accuracy: float

    assert msgspec.toml.decode('source = "Table 1"\naccuracy = 0.5', type=Table).accuracy == 0.5
    for text in ("accuracy = 0.5", 'source = "Table 1"\naccuracy = 0.5\nacuracy = 1'):
        with pytest.raises(msgspec.ValidationError):
            msgspec.toml.decode(text, type=Table)
