"""The study of the second phase transition: its protocol, its report and its page."""

from __future__ import annotations

import importlib.util
import re
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from matplotlib.figure import Figure
from places import ROOT
from store_results import RESULT

import pddl_pipeline
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.studies import chart_plot
from pddl_pipeline.studies.countdown.transition import report
from pddl_pipeline.studies.countdown.transition_protocol import (
    ARMS,
    ENHSP,
    EXACT,
    PHASES,
    PRIMARY,
    ROUNDS,
    SECONDARY,
    Case,
    Solver,
    cases_of,
    has_enough,
    is_complete,
    limits_of,
    primary_runs,
    round_of,
    secondary_runs,
)
from pddl_pipeline.studies.countdown.transition_runs import read_cases
from pddl_pipeline.studies.dataset_card import read_card
from pddl_pipeline.studies.stored_runs import StoredRun, StoredRuns, read_stored_runs
from pddl_pipeline.studies.study_result import StudyResult
from pddl_pipeline.translators.records import from_record

if TYPE_CHECKING:
    from conftest import CliHere

STUDIES = ROOT / "studies"
STUDY = "countdown-transition"

in_checkout = pytest.mark.skipif(not STUDIES.is_dir(), reason="the sdist has no stored runs")


def made(arm: str, sizes: Mapping[int, int]) -> list[Case]:
    """Return instances that are never run."""
    records = (
        {"id": f"{arm}-{size}-{k}", "domain": "countdown", "numbers": [1] * size, "target": size}
        for size, number in sizes.items()
        for k in range(number)
    )
    return list(cases_of(arm, map(from_record, records)))


def ran(case: Case, solver: Solver, *, valid: bool | None, miss: str = "0") -> StoredRun:
    """Return a run with a valid plan, with a false claim, or without a plan (None)."""
    limits = {"time_s": 3600.0, "cpu_s": 120.0, "memory_mb": 3584.0, "hit": None}
    result = replace(
        RESULT, id=case.instance.id, size=case.size, planner=solver.planner, limits=limits,
        outcome=Outcome.TIMEOUT if valid is None else Outcome.PLAN_FOUND,
        status=None if valid is None else Status.VALID if valid else Status.INVALID,
    )  # fmt: skip
    return StoredRun(result, solver.encoding, {}, "here", {} if valid is None else {"miss": miss})


def rows_of(result: StudyResult, caption: str) -> list[dict[str, str]]:
    (table,) = (named.table for named in result.tables if named.caption == caption)
    return [dict(zip(table.headings, row, strict=True)) for row in table.rows]


@in_checkout
def test_the_protocol_in_words_is_that_of_the_code() -> None:
    text = (STUDIES / "countdown" / "protocol.md").read_text()
    sizes = {
        int(s): (int(n), int(t)) for s, n, t in re.findall(r"\| (\d+) \| (\d+) \| (\d+) s", text)
    }
    for arm in ARMS:
        card = read_card(STUDIES / "countdown" / "data" / f"{arm}.toml")
        assert card.sizes == {size: number for size, (number, _) in sizes.items()}
        assert f"`{arm}`" in text
        assert str(card.seed) in text
    for size, (_, seconds) in sizes.items():
        limits = limits_of(size)
        assert (limits.cpu_s, limits.memory_bytes) == (seconds, 3.5 * 2**30)
        assert limits.time_s >= 10 * seconds
    phases = re.findall(
        r"^\| (?:easy|hard|easy again) \| [^|]+ \| ([\d, ]+) \|$", text, re.MULTILINE
    )
    for phase, listed in zip(PHASES, phases, strict=True):
        assert [size for size in sizes if size in phase.sizes] == list(map(int, listed.split(",")))
    table = text.split("## Solvers")[1].split("## Measures")[0]
    assert len(re.findall(r"^\| `", table, re.MULTILINE)) == len((*PRIMARY, *SECONDARY))
    for solver in (*PRIMARY, *SECONDARY):
        assert f"`{solver.planner}`" in table


@in_checkout
def test_every_instance_is_run_in_one_round_and_all_have_a_solution() -> None:
    cases = read_cases()
    planned = [run.key for number in range(ROUNDS) for run in primary_runs(round_of(cases, number))]
    assert len(planned) == len(set(planned)) == 2 * 232 + 2 * 24
    assert len({case.instance.id for case in cases}) == 232
    assert all(case.instance.extras["witness"] for case in cases)


def test_each_stop_leaves_nearly_the_same_share_of_every_size_and_arm() -> None:
    sizes = {6: 8, 16: 20, 24: 10, 30: 6}
    cases = [case for arm in ARMS for case in made(arm, sizes)]
    rounds = [Counter((c.arm, c.size) for c in round_of(cases, n)) for n in range(ROUNDS)]
    for number, done in enumerate(accumulate(rounds), start=1):
        for arm in ARMS:
            for size, of in sizes.items():
                assert abs(done[arm, size] - of * number / ROUNDS) <= 0.5
    arms = [case.arm for case in round_of(cases, 1)]
    assert arms == list(ARMS) * (len(arms) // 2)


def test_secondary_runs_are_made_where_enhsp_claims_a_plan() -> None:
    cases = made("cd", {18: 3})
    runs = [
        ran(case, ENHSP, valid=valid)
        for case, valid in zip(cases, (True, False, None), strict=True)
    ]
    planned = secondary_runs(cases, runs)
    assert Counter(run.instance.id for run in planned) == {"cd-18-0": 5, "cd-18-1": 5}
    assert {run.planner for run in planned} == {each.planner for each in SECONDARY}


def test_the_study_ends_by_the_number_of_claims_in_both_arms_only() -> None:
    cases = [case for arm in ARMS for case in made(arm, {14: 40, 18: 30})]
    large = [case for case in cases if case.size == 18]
    for valid in (True, False):
        runs = [ran(case, ENHSP, valid=valid) for case in cases]
        assert has_enough(cases, runs, ROUNDS)
        assert has_enough(cases, [run for run in runs if run.result.size == 18], ROUNDS)
        assert not has_enough(cases, [run for run in runs if run.result.size == 14], ROUNDS)
        assert not has_enough(cases, runs[:-1], ROUNDS)
    assert not has_enough(cases, [ran(case, EXACT, valid=True) for case in large], ROUNDS)


def test_the_study_ends_after_a_complete_round_with_enough_claims() -> None:
    cases = [case for arm in ARMS for case in made(arm, {18: 40})]
    solvers = (ENHSP, EXACT, *SECONDARY)
    runs = [ran(case, solver, valid=False) for case in cases for solver in solvers]
    ends = {case.instance.id: case.round for case in cases}
    # Two instances of each arm in each round: the 30th claim is made in the round with number 14.
    assert not has_enough(cases, runs, 13)
    assert has_enough(cases, runs, 14)
    enough = [run for run in runs if ends[run.result.id] <= 14]
    assert is_complete(cases, enough)
    assert not is_complete(cases, enough[1:])
    assert not is_complete(cases, [run for run in runs if ends[run.result.id] <= 13])
    assert is_complete(cases, runs)


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


def test_the_regression_says_that_validity_is_separated_by_the_phase(found: StudyResult) -> None:
    rows = [
        row for row in rows_of(found, "Logistic regressions (Firth)") if "ENHSP: v" in row["plans"]
    ]
    (row,) = rows
    # Counts plus one half: (0.5 / 10.5) / (4.5 / 4.5).
    assert float(row["odds ratio"]) == pytest.approx(0.5 / 10.5, rel=0.02)
    assert (row["n"], row["ML estimate exists"]) == ("18", "no")
    assert float(row["p"]) < 0.05


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
    chart_plot._draw_bars(axes, enhsp)
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


def test_without_the_repository_one_line_says_where_the_runs_are_expected(
    cli_here: CliHere, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pddl_pipeline, "__file__", str(tmp_path / "lib/site/pddl_pipeline/x.py"))
    done = cli_here("reproduce", STUDY, "-q", cwd=tmp_path)
    assert done.status == 3
    assert done.err.strip().endswith(
        f"{STUDY} failed: the stored runs are part of the repository: expected the folder "
        "studies/countdown in the current directory; run the command in a checkout"
    )


@pytest.mark.long
@in_checkout
def test_the_datasets_are_generated_again(cli_here: CliHere, tmp_path: Path) -> None:
    done = cli_here("reproduce", STUDY, "--check", cwd=tmp_path)
    assert done.status == 0
    assert done.out.count("116 instances, as stored") == 2


def updater() -> Any:
    specification = importlib.util.spec_from_file_location("u", STUDIES / "update_transition.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@in_checkout
def test_the_page_shows_what_its_stored_runs_give() -> None:
    """Each table and each sentence with a finding is computed again from the runs it names."""
    module = updater()
    text = module.PAGE.read_text()
    assert text == module.updated(text, module.number_of(text))
    assert len(re.findall(r"<!-- (?:conditions|summary|table:)", text)) >= 5


@in_checkout
def test_the_store_is_small_and_was_begun_after_the_protocol() -> None:
    file = STUDIES / "countdown" / "runs" / "transition.jsonl.gz"
    assert file.stat().st_size < 20 * 2**20
    assert all(run.result.started >= "2026-11-22T12:16" for run in read_stored_runs(file))
