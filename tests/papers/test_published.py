"""Tests of the papers' numbers: each table has a source, and unknown names are errors."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from places import PACKAGE

from pddl_pipeline.papers.data import published

FILES = sorted((PACKAGE / "papers").glob("*/published.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_every_table_has_a_source(file: Path) -> None:
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    assert tables
    for table in tables.values():
        for each in table if isinstance(table, list) else [table]:
            assert each["source"]


def test_a_number_that_the_file_does_not_have_is_an_error() -> None:
    numbers = published("pddl_pipeline.papers.cats")
    assert numbers.benchmark.costs == (1, 1, 20, 1)
    assert numbers.lengths.tasks[2] == 5
    with pytest.raises(AttributeError, match=r"published\.toml has no 'lenghts'"):
        _ = numbers.lenghts
