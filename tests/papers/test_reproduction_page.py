"""docs/reproduction: its tables are those of the stored results, and its commands made them."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from pathlib import Path
from runpy import run_path
from statistics import median_low
from types import SimpleNamespace
from typing import get_args

import msgspec
import pytest
from places import ROOT

from pddl_pipeline.papers.comparison import ClaimVerdict
from pddl_pipeline.papers.data import read_dataset
from pddl_pipeline.papers.reproduction import from_stored_runs
from pddl_pipeline.papers.section import Section
from pddl_pipeline.papers.simplan.test_sets import TEST_SETS, not_stated
from pddl_pipeline.papers.study import studies

FOLDER = ROOT / "studies"
# These say what words, options and folders mean, and hold no results.
EXPLAINING = ("| verdict | meaning |", "| option |", "| folder in DIR |", "| form | rules")

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the sdist has no stored results")


@pytest.fixture(scope="module")
def script() -> SimpleNamespace:
    """Return the script that writes the tables of the page."""
    return SimpleNamespace(**run_path(str(FOLDER / "update_reproduction.py")))


@pytest.fixture(scope="module")
def pages(script: SimpleNamespace) -> dict[str, str]:
    """Return the text of each page by its name."""
    return {page.stem: page.read_text(encoding="utf-8") for page in script.PAGES}


def test_the_tables_are_those_of_the_stored_results(
    script: SimpleNamespace, pages: dict[str, str]
) -> None:
    assert {name: script.updated(text) for name, text in pages.items()} == pages


def test_a_changed_number_would_show(script: SimpleNamespace, pages: dict[str, str]) -> None:
    page = pages["countdown"]
    changed = page.replace("| 982 |", "| 983 |", 1)
    assert changed != page
    assert script.updated(changed) == page


def test_every_table_is_computed(script: SimpleNamespace, pages: dict[str, str]) -> None:
    """A table without results, or one that is not computed, would go unchecked."""
    text = "\n".join(pages.values())
    computed = re.findall(r"<!-- table: (\S+) -->", text)
    assert sorted(computed) == sorted(script.TABLES)
    rest = re.sub(r"<!-- table: .*?<!-- end -->", "", text, flags=re.DOTALL)
    headings = re.findall(r"^(\|.*\|)\n\|[ |-]+\|$", rest, re.MULTILINE)
    assert len(headings) == len(EXPLAINING)
    assert all(heading.startswith(EXPLAINING) for heading in headings)


@pytest.mark.parametrize(
    "file", sorted(FOLDER.glob("*/results/*/findings.json")), ids=lambda file: file.parent.name
)
def test_the_page_names_the_command_of_each_stored_result(
    file: Path, script: SimpleNamespace, pages: dict[str, str]
) -> None:
    study = file.parent.name
    section = script.stored(study)
    paper = pages[file.parents[2].name]
    named = [
        without_places(shlex.split(" ".join(span.split())))
        for span in re.findall(r"`(reproduce [^`]+)`", paper)
    ]
    assert without_places(shlex.split(section.command)[1:]) in named
    assert section.versions["pddl-pipeline"]
    assert section.made.startswith("2026-")


@pytest.mark.parametrize(
    "folder",
    [each for each in sorted(FOLDER.glob("*/runs/*")) if each.is_dir()],
    ids=lambda x: x.name,
)
def test_the_findings_are_those_of_the_stored_runs(folder: Path, script: SimpleNamespace) -> None:
    section = script.stored(folder.name)
    drawn = from_stored_runs(studies()[folder.name], section)
    assert msgspec.json.decode(msgspec.json.encode(drawn), type=Section) == section


def without_places(words: list[str]) -> list[str]:
    """Return the words of a command, sorted, without folders and the number of processes."""
    pairs = zip(["", *words], words, strict=False)
    return sorted(word for before, word in pairs if not {before, word} & {"-o", "--data", "-j"})


def test_the_page_names_the_limit_of_each_claim(
    script: SimpleNamespace, pages: dict[str, str]
) -> None:
    assert all(
        claim.limit in " ".join(pages[claim.study.partition("-")[0]].split())
        for claim in script.claims()
    )


def test_every_claim_is_on_its_page_with_a_verdict(script: SimpleNamespace) -> None:
    names = {*script.PAPERS, "naive", "plan_lengths", "printed_verdicts"} & script.TABLES.keys()
    verdicts = [
        cell.split(",")[0].split(" (")[0]
        for table in (script.TABLES[name]() for name in names)
        for row in table.rows
        for heading, cell in zip(table.headings, row, strict=True)
        if heading.startswith("verdict")
    ]
    assert len(verdicts) == len(script.claims())
    assert set(verdicts) <= set(get_args(ClaimVerdict))


def test_the_index_explains_the_verdicts_and_corrects_over_all_tests(
    script: SimpleNamespace, pages: dict[str, str]
) -> None:
    """The family of Holm's correction is not chosen by its results."""
    explained = re.findall(r"^\| `([a-z ]+)` \|", pages["index"], re.MULTILINE)
    assert tuple(explained) == get_args(ClaimVerdict)
    tests, below, stand = map(int, script.TABLES["holm"]().rows[0])
    assert tests > below > stand


def test_the_page_has_the_medians_of_the_targets(pages: dict[str, str]) -> None:
    stored = read_dataset(FOLDER / "countdown" / "data" / "paper-cd.toml")
    medians = (
        f"{median_low(x.record.target for x in stored if x.size == size):.0e}"
        for size in (4, 26, 28, 30)
    )
    said = "medians from {} (size 4) to {} (26), {} (28) and {} (30)"
    assert re.sub(r"e\+0?", "e", said.format(*medians)) in " ".join(pages["countdown"].split())


def test_stored_margins_of_shares_scale(script: SimpleNamespace) -> None:
    """The margin of 0.1 holds at one half; equal shares of 0 or 1 say nothing."""
    seen = Counter[bool]()
    for study in ("cats-printed", "simplan-table2"):
        for each in script.stored(study).findings.comparisons:
            decision = each.decision
            if decision.test not in ("Fisher's exact test", "Welch's t test"):
                continue
            share = each.paper[0].share
            seen[is_alike := decision.difference == 0 and share in (0, 1)] += 1
            if is_alike:
                assert each.verdict == "not informative"
            else:
                assert decision.margin == pytest.approx(0.4 * share * (1 - share))
    assert min(seen.values()) > 5


def test_stored_remarks_are_those_of_the_code(script: SimpleNamespace) -> None:
    """A setting that the paper does not state is named in the stored results as in the code."""
    for each in TEST_SETS:
        for name, unstated in (("random", ""), ("goal-count", each.unstated_search)):
            assert script.comparison(
                "simplan-table2", f"{each.label}: fraction solved by {name}"
            ).remark.partition("; ")[2] == not_stated(each.unstated or unstated)
