"""The study of the second phase transition: its protocol, its report and its page."""

from __future__ import annotations

import importlib.util
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    (table,) = (named.table for named in result.tables if named.caption == caption)
    return [dict(zip(table.headings, row, strict=True)) for row in table.rows]


@pytest.fixture
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


def test_shares_intervals_and_mcnemar_by_phase(found: StudyResult) -> None:
    rows = {(row["arm"], row["phase"]): row for row in rows_of(found, "ENHSP's claims by phase")}
    late = rows["cd", "sizes 17 to 30"]
    # Clopper-Pearson for 0 of 10: 1 - 0.025^(1/10) = 30.8 %; McNemar: 2 * 0.5^10.
    assert late["claimed"] == "10 of 10"
    assert late["claimed, 95 %"] == "69.2 to 100.0"
    assert (late["valid of claimed"], late["valid of claimed, 95 %"]) == ("0 of 10", "0.0 to 30.8")
    assert (late["false claims"], late["McNemar p"]) == ("10", "0.002")
    hard = rows["cd", "sizes 8 to 16"]
    assert (hard["claimed"], hard["valid of claimed"], hard["McNemar p"]) == (
        "4 of 8",
        "4 of 4",
        "-",
    )
    assert rows["cd-to-999", "sizes 17 to 30"]["claimed"] == "-"
    (sentence,) = (each for each in found.notes if each.startswith("cd, sizes 17 to 30"))
    assert "0 of 10 are valid (0.0 to 30.8 %)" in sentence
    assert "adjusted by Holm, is 0.0039" in sentence


def test_the_overview_has_a_row_for_each_size(found: StudyResult) -> None:
    first, last = rows_of(found, "Plans by size")
    assert (first["size"], first["cd: ENHSP claimed"], first["cd: ENHSP valid"]) == (
        "8", "4 of 8", "4 of 8",
    )  # fmt: skip
    assert (last["cd: ENHSP claimed"], last["cd: ENHSP valid"]) == ("10 of 10", "0 of 10")
    assert (last["cd: DFS, exact valid"], last["cd-to-999: ENHSP valid"]) == ("2 of 10", "-")


def test_misses_by_cause_and_quantiles(found: StudyResult) -> None:
    row = rows_of(found, "Misses of false claims")[-1]
    assert (row["at most 1e-9"], row["1e-9 to 1e-5"], row["above 1e-5"]) == ("5", "4", "1")
    assert (row["least"], row["largest"]) == ("1.00e-10", "1.00e-2")
    assert row["median"] == "1.00e-10"
    first, second, third, *_ = rows_of(found, "False claims")
    assert (first["instance"], first["miss"], first["cause"]) == (
        "cd-18-0",
        "1.00e-6",
        "1e-9 to 1e-5",
    )
    assert [each["DFS, exact"] for each in (first, second, third)] == ["valid", "valid", "timeout"]
    assert first["ENHSP, checked"] == "-"


def test_what_exact_search_solves_where_the_claim_is_false(found: StudyResult) -> None:
    rows = rows_of(found, "Exact DFS, by what ENHSP claims")
    late = next(row for row in rows if row["phase"] == "sizes 17 to 30")
    assert (late["its claim is false"], late["all"]) == ("2 of 10", "2 of 10")


def test_cpu_time_is_censored_without_a_plan(found: StudyResult) -> None:
    rows = {
        (r["plans"], r["phase"]): r for r in rows_of(found, "CPU time until a plan (Kaplan-Meier)")
    }
    assert rows["ENHSP: claimed", "sizes 17 to 30"]["% by 120 s"] == "100"
    assert rows["ENHSP: valid", "sizes 17 to 30"]["% by 120 s"] == "0"
    assert rows["ENHSP: claimed", "sizes 8 to 16"]["events"] == "4 of 8"


def test_the_picture_counts_valid_plans_false_claims_and_the_rest(found: StudyResult) -> None:
    enhsp, exact = found.charts
    bars = {s.name: {p.x: p.y for p in s.points} for s in enhsp.series}
    assert bars == {
        "valid plan": {"8": 4, "18": 0},
        "claimed plan that is not valid": {"8": 0, "18": 10},
        "no plan within the limit": {"8": 4, "18": 0},
    }
    assert [s.name for s in exact.series] == ["valid plan", "no plan within the limit"]
    figure = Figure()
    axes = figure.subplots()
    chart_plot.draw_panel(axes, enhsp)
    assert [bar.get_y() for bar in axes.patches] == [0, 0, 4, 0, 4, 10]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a folder with a copy of the study, in which the command works on that copy."""
    shutil.copytree(STUDIES, tmp_path / "studies", ignore=shutil.ignore_patterns(".*"))
    return tmp_path


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
    assert done.status == 0
    assert done.out.count("116 instances, as stored") == 2


def updater() -> Any:
    specification = importlib.util.spec_from_file_location("u", STUDIES / "update_transition.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@in_checkout
def test_the_page_shows_what_its_stored_runs_give() -> None:
    """Each table and each sentence with a finding is computed again from the runs it names."""
    module = updater()
    text = module.PAGE.read_text()
    assert text == module.updated(text, module.number_of(text))
    assert len(re.findall(r"<!-- (?:conditions|summary|table:)", text)) == 4


@in_checkout
def test_the_store_is_small_and_was_begun_after_the_protocol() -> None:
    file = STUDIES / "countdown" / "runs" / "transition.jsonl.gz"
    assert file.stat().st_size < 20 * 2**20
    assert all(run.result.started >= "2026-11-22T12:16" for run in read_stored_runs(file))
