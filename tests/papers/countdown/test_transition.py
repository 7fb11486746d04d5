"""The study of the second phase transition: its protocol, its report and its page."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING

import pytest
from matplotlib.figure import Figure

from pddl_pipeline.papers import chart_plot, data
from pddl_pipeline.papers.countdown.transition import report
from pddl_pipeline.papers.countdown.transition_data import ENHSP, EXACT
from pddl_pipeline.papers.stored_runs import StoredRuns, read_stored_runs
from pddl_pipeline.papers.study import StudyResult

if TYPE_CHECKING:
    from command_line import CliHere
from transition_cases import STUDIES, in_checkout, made, ran

STUDY = "countdown-transition"


def rows_of(result: StudyResult, caption: str) -> list[dict[str, str]]:
    table = {named.caption: named.table for named in result.tables}[caption]
    return [dict(zip(table.headings, row, strict=True)) for row in table.rows]


@pytest.fixture(scope="module")
def found() -> StudyResult:
    """Ten false claims of ENHSP at size 18, two of them solved by DFS, and four valid ones at 8."""
    cases = made("cd", {8: 8, 18: 12})
    runs = [ran(case, ENHSP, valid=case.instance.id < "cd-8-4" or None) for case in cases[:8]]
    misses = ["1/1000000"] * 4 + ["1/10000000000"] * 5 + ["1/100"]
    runs += [
        ran(case, ENHSP, valid=False, miss=miss)
        for case, miss in zip(cases[8:], misses, strict=False)
    ]
    runs += [ran(case, EXACT, valid=at < 2 or None) for at, case in enumerate(cases[8:18])]
    return report(cases, runs)


BY_PHASE, MISSES = "ENHSP's claims by phase", "Misses of false claims"
CPU_TIME, LATE = "CPU time until a plan (Kaplan-Meier)", "sizes 17 to 30"


@pytest.mark.parametrize(
    ("caption", "row", "cells"),
    [
        # Clopper-Pearson for 0 of 10: 1 - 0.025^(1/10) = 30.8 %; McNemar: 2 * 0.5^10.
        (BY_PHASE, {"arm": "cd", "phase": LATE}, {
            "claimed": "10 of 10", "claimed, 95 %": "69.2 to 100.0", "valid of claimed": "0 of 10",
            "valid of claimed, 95 %": "0.0 to 30.8", "false claims": "10", "McNemar p": "0.002",
        }),
        (BY_PHASE, {"arm": "cd", "phase": "sizes 8 to 16"},
         {"claimed": "4 of 8", "valid of claimed": "4 of 4", "McNemar p": "-"}),
        (BY_PHASE, {"arm": "cd-to-999", "phase": LATE}, {"claimed": "-"}),
        ("Plans by size", {"size": "8"},
         {"cd: ENHSP claimed": "4 of 8", "cd: ENHSP valid": "4 of 8"}),
        ("Plans by size", {"size": "18"}, {
            "cd: ENHSP claimed": "10 of 10", "cd: ENHSP valid": "0 of 10",
            "cd: DFS, exact valid": "2 of 10", "cd-to-999: ENHSP valid": "-",
        }),
        (MISSES, {"at most 1e-9": "5"}, {
            "1e-9 to 1e-5": "4", "above 1e-5": "1", "least": "1.00e-10", "median": "1.00e-10",
            "largest": "1.00e-2",
        }),
        ("False claims", {"instance": "cd-18-0"}, {
            "miss": "1.00e-6", "cause": "1e-9 to 1e-5", "DFS, exact": "valid",
            "ENHSP, checked": "-",
        }),
        ("False claims", {"instance": "cd-18-2"}, {"DFS, exact": "timeout"}),
        # What exact search solves where the claim is false.
        ("Exact DFS, by what ENHSP claims", {"phase": LATE},
         {"its claim is false": "2 of 10", "all": "2 of 10"}),
        # Without a plan, the time is censored.
        (CPU_TIME, {"plans": "ENHSP: claimed", "phase": LATE}, {"% by 120 s": "100"}),
        (CPU_TIME, {"plans": "ENHSP: valid", "phase": LATE}, {"% by 120 s": "0"}),
        (CPU_TIME, {"plans": "ENHSP: claimed", "phase": "sizes 8 to 16"}, {"events": "4 of 8"}),
    ],
)  # fmt: skip
def test_rows_of_the_report(
    found: StudyResult, caption: str, row: dict[str, str], cells: dict[str, str]
) -> None:
    first = next(each for each in rows_of(found, caption) if row.items() <= each.items())
    assert {name: first[name] for name in cells} == cells


def test_the_note_has_the_interval_and_the_adjusted_p(found: StudyResult) -> None:
    (sentence,) = (each for each in found.notes if each.startswith(f"cd, {LATE}"))
    assert "0 of 10 are valid (0.0 to 30.8 %)" in sentence
    assert "adjusted by Holm, is 0.0039" in sentence


def test_the_picture_counts_valid_plans_false_claims_and_the_rest(found: StudyResult) -> None:
    enhsp, exact = found.charts
    bars = {s.name: {p.x: p.y for p in s.points} for s in enhsp.series}
    assert bars == {
        "valid plan": {"8": 4, "18": 0},
        "claimed plan that is not valid": {"8": 0, "18": 10},
        "no plan within the limit": {"8": 4, "18": 0},
    }
    assert [s.name for s in exact.series] == ["valid plan", "no plan within the limit"]
    axes = Figure().subplots()
    chart_plot.draw_panel(axes, enhsp)
    assert [bar.get_y() for bar in axes.patches] == [0, 0, 4, 0, 4, 10]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a folder with a copy of the study, in which the command works on that copy."""
    shutil.copytree(STUDIES, tmp_path / "studies", ignore=shutil.ignore_patterns(".*"))
    return tmp_path


@pytest.mark.long
@in_checkout
def test_the_command_reports_without_running(cli_here: CliHere, copy: Path) -> None:
    before = (copy / "studies/countdown/runs/transition.jsonl.gz").read_bytes()
    done = cli_here("reproduce", STUDY, "-o", "out", cwd=copy)
    assert done.status == 0
    assert "of 512 primary runs so far" in done.out
    assert "ENHSP's claims by phase" in done.out
    assert (copy / "studies/countdown/runs/transition.jsonl.gz").read_bytes() == before
    assert (copy / "out" / STUDY / "table1.csv").is_file()


@in_checkout
def test_another_writer_and_options_without_effect_are_errors(
    cli_here: CliHere, copy: Path
) -> None:
    with StoredRuns(copy / "studies/countdown/runs/transition.jsonl.gz"):
        done = cli_here("reproduce", STUDY, "--continue", "-q", cwd=copy)
    assert (done.status, done.out) == (2, "")
    assert "another process is writing these runs" in done.err
    for arguments, message in (
        ((STUDY, "--count", "3"), "--count has no effect: the study's protocol fixes"),
        (("countdown-figure1", "--continue"), "--continue has no effect: none of the studies"),
        (("autotos-24game", "--check"), "--check has no effect: none of the studies"),
    ):
        done = cli_here("reproduce", *arguments, cwd=copy)
        assert (done.status, done.out) == (2, "")
        assert message in done.err


def test_without_its_stored_runs_the_study_is_skipped(
    cli_here: CliHere, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site" / "papers"
    monkeypatch.setattr(data, "__file__", str(package / "data.py"))
    done = cli_here("reproduce", STUDY, "-q", cwd=tmp_path)
    assert done.status == 0
    assert done.err.strip().endswith(
        f"{STUDY} skipped: no stored data: expected studies/countdown/data/cd.toml or "
        f"{package}/countdown/stored/data/cd.toml"
    )


@pytest.mark.long
@in_checkout
def test_the_datasets_are_generated_again(cli_here: CliHere, tmp_path: Path) -> None:
    done = cli_here("reproduce", STUDY, "--check", cwd=tmp_path)
    assert (done.status, done.out.count("116 instances, as stored")) == (0, 2)


@in_checkout
def test_the_page_shows_what_its_stored_runs_give() -> None:
    """Each table and each sentence with a finding is computed again from the runs it names."""
    script = run_path(str(STUDIES / "update_transition.py"))
    text = script["PAGE"].read_text()
    assert text == script["updated"](text, script["number_of"](text))
    assert len(re.findall(r"<!-- (?:conditions|summary|table:)", text)) == 4


@in_checkout
def test_the_store_is_small_and_was_begun_after_the_protocol() -> None:
    file = STUDIES / "countdown" / "runs" / "transition.jsonl.gz"
    assert file.stat().st_size < 20 * 2**20
    assert all(run.result.started >= "2026-11-22T12:16" for run in read_stored_runs(file))
