"""Datasets of studies: their cards generate the same bytes again."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.data import (
    check_dataset,
    data_file,
    read_card,
    read_dataset,
    write_dataset,
)

CARD = """
title = "Ferry"
rules = "Two islands or more."
domain = "ferry"
method = "simplan"
settings = {}
seed = 5
prefix = "small"
sizes = { 2 = 2, 3 = 1 }
version = "pddl-pipeline 0.1.0"
date = 2026-11-22
sha256 = "SUM"
"""


@pytest.fixture
def card(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(CARD)
    path.write_text(CARD.replace("SUM", write_dataset(path)))
    return path


def test_a_card_generates_its_dataset_again(card: Path) -> None:
    assert [each.id for each in read_dataset(card)] == ["small-2-0", "small-2-1", "small-3-0"]
    before = data_file(card).read_bytes()
    assert check_dataset(card) == 3
    assert write_dataset(card) == read_card(card).sha256
    assert data_file(card).read_bytes() == before


def test_data_that_were_changed_are_not_used(card: Path) -> None:
    lines = gzip.decompress(data_file(card).read_bytes()).replace(b"small-2-1", b"small-2-9")
    data_file(card).write_bytes(gzip.compress(lines))
    with pytest.raises(InputError, match=r"small\.jsonl\.gz: found the checksum .*, expected"):
        read_dataset(card)


def test_a_generator_that_makes_other_data_is_noticed(card: Path) -> None:
    card.write_text(card.read_text().replace("seed = 5", "seed = 6"))
    with pytest.raises(InputError, match=r"small\.jsonl\.gz:1: found 3 lines, generated 3; they d"):
        check_dataset(card)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [("seed = 5", "", "missing required field `seed`"), ("seed", "sed", "unknown field `sed`")],
)
def test_a_card_with_a_mistake_is_an_error(card: Path, old: str, new: str, message: str) -> None:
    card.write_text(card.read_text().replace(old, new))
    with pytest.raises(InputError, match=message):
        read_card(card)
