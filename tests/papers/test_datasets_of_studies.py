"""Stored datasets: the studies draw the same instances, and --check compares the bytes."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest
from command_line import CliHere
from places import DATA

from pddl_pipeline.papers.cats.benchmark import BUDGETS, CARD, tasks_of
from pddl_pipeline.papers.countdown.datasets import CARD_TO_999, TARGETS_TO_999, instances_of
from pddl_pipeline.papers.data import data_file, read_card, read_dataset, stored_data
from pddl_pipeline.papers.simplan.test_sets import TEST_SETS
from pddl_pipeline.papers.study import MissingData, Workbench, studies

STUDY = "countdown-figure1"
GAME24 = "countdown-24game-logs"


def test_every_card_has_its_dataset_and_every_dataset_a_study() -> None:
    used = {stored_data(each.paper) / card for each in studies().values() for card in each.cards}
    stored = set(stored_data("cats").parent.glob("*/data/*.toml"))
    assert stored == used
    for card in stored:
        assert read_dataset(card)
        described = read_card(card)
        assert described.rules.strip()
        assert bool(described.sizes) is not bool(described.preset)


def test_studies_draw_the_stored_instances(tmp_path: Path) -> None:
    bench = Workbench(tmp_path, scale="paper")
    tasks = tasks_of(bench, 5, budgets=BUDGETS)
    assert tasks == read_dataset(stored_data("cats") / CARD)[:15]
    stored = read_dataset(stored_data("countdown") / CARD_TO_999)
    drawn = instances_of(bench, "CD", [6], 2, TARGETS_TO_999)
    assert drawn == [each for each in stored if each.size == 6][:2]
    ferry = next(each for each in TEST_SETS if each.store == "ferry-simple")
    stored = read_dataset(stored_data("simplan") / "data" / "ferry-simple.toml")
    assert ferry.instances(bench, quick=1) == sorted(stored, key=lambda each: each.size)


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """A copy of the only dataset of a study, in the current folder."""
    folder = tmp_path / "studies" / "countdown" / "data"
    folder.mkdir(parents=True)
    for file in (stored_data("countdown") / "data").glob("states.*"):
        shutil.copy(file, folder)
    return folder / "states.toml"


def test_a_dataset_that_is_as_its_card_says(card: Path, tmp_path: Path, cli_here: CliHere) -> None:
    done = cli_here("reproduce", STUDY, "--check", cwd=tmp_path)
    assert (done.status, done.out) == (0, "countdown/data/states.toml: 100 instances, as stored\n")
    assert card.exists()


def test_a_dataset_that_differs_is_a_line_and_the_status_3(
    card: Path, tmp_path: Path, cli_here: CliHere
) -> None:
    data = data_file(card)
    good = gzip.decompress(data.read_bytes())
    for content, status, message in (
        (gzip.compress(good, mtime=1), 3, "states.toml: differs: "),
        (gzip.compress(good, mtime=1), 3, "compressed differently"),
        (gzip.compress(good[:-40], mtime=0), 3, "found the checksum"),
        (None, 2, "cannot be read"),
    ):
        data.unlink() if content is None else data.write_bytes(content)
        done = cli_here("reproduce", STUDY, "--check", cwd=tmp_path)
        assert done.status == status
        assert message in done.out + done.err


AUTOTOS = "in the folder autotos of --data"


@pytest.mark.parametrize(
    ("study", "message"),
    [
        ("autotos-blocksworld", AUTOTOS),
        ("autotos-sokoban", AUTOTOS),
        ("autotos-logs", rf"requires clean_logs, .* {AUTOTOS}"),
        (GAME24, r"requires 24\.csv in"),
    ],
)
def test_without_its_public_data_a_study_says_what_is_missing(
    study: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(MissingData, match=message):
        studies()[study].run(Workbench(tmp_path))


def test_with_a_part_of_its_public_data_a_study_says_what_is_left_out(
    tmp_path: Path, cli_here: CliHere
) -> None:
    folder = DATA / "game24"
    if not folder.exists():
        pytest.skip("the public datasets are not here")
    data = tmp_path / "data" / "game24"
    data.mkdir(parents=True)
    standard = "gpt-4_0.7_naive_standard_sample_100_start900_end1000.json.gz"
    for name in ("24.csv", standard):
        (data / name).symlink_to(folder / name)
    done = cli_here("reproduce", GAME24, "--data", "data", "--count", "3", "-o", "r", cwd=tmp_path)
    assert done.status == 3
    assert f"{GAME24}: without game24/gpt-4_0.7_naive_cot" in done.err
    assert "GPT-4's answers, scored here" in done.out
