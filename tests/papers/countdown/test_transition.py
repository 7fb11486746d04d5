"""The study of the second phase transition: its protocol, its report and its page."""

from __future__ import annotations

import re
import shutil
from math import comb
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING

import pytest

from pddl_pipeline.papers import data
from pddl_pipeline.papers.countdown.transition import between_table, report, size_for_rise
from pddl_pipeline.papers.countdown.transition_data import ARMS, ENHSP, EXACT, ZERO, sample_of
from pddl_pipeline.papers.countdown.transition_data import LATE as LATE_PHASES
from pddl_pipeline.papers.stored_runs import StoredRuns, read_stored_runs
from pddl_pipeline.papers.study import StudyResult
from pddl_pipeline.statistics.differences import LEVEL, POWER, share_difference

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
    runs += [ran(case, ZERO, valid=at < 1) for at, case in enumerate(cases[8:10])]
    return report(cases, runs)


COMPARED, BY_SIZE, LATE = "Phases compared", "Plans by size", "sizes 17 to 30"


@pytest.mark.parametrize(
    ("caption", "row", "cells"),
    [
        # Clopper-Pearson for 0 of 10: 1 - 0.025^(1/10) = 30.8 %; Fisher: 1 / C(14, 4); the odds
        # ratio of 0.26 gives 0 of the 4 valid ones among the 10 with a probability of 2.5 %.
        (COMPARED, {"arm": "cd", "share": "Valid claims"}, {
            "sizes 8 to 16": "4 of 4 (39.8 to 100.0)", LATE: "0 of 10 (0.0 to 30.8)",
            "odds ratio": "0.00 (0.00 to 0.26)", "Fisher p": "0.001",
        }),
        (COMPARED, {"arm": "cd", "share": "Claims"}, {
            "sizes 8 to 16": "4 of 8 (15.7 to 84.3)", LATE: "10 of 10 (69.2 to 100.0)",
        }),
        (COMPARED, {"arm": "cd", "share": "Solved by exact DFS"},
         {"sizes 8 to 16": "-", LATE: "2 of 10 (2.5 to 55.6)", "Fisher p": "-"}),
        (COMPARED, {"arm": "cd-to-999"}, {LATE: "-", "odds ratio": "-"}),
        (BY_SIZE, {"solver": "ENHSP", "size": "8"}, {"claimed": "4 of 8", "valid": "4 of 8"}),
        (BY_SIZE, {"solver": "ENHSP", "size": "18"},
         {"claimed": "10 of 10", "valid": "0 of 10", "valid, 95 %": "0.0 to 30.8"}),
        ("What plans pass through", {"solver": "ENHSP", "plans are": "false"},
         {"sizes below 17": "-", "sizes from 17": "10 neither"}),
        ("False claims", {"instance": "cd-18-0"},
         {"miss": "1.00e-6", "DFS, exact": "valid", "ENHSP, checked": "-"}),
        ("False claims", {"instance": "cd-18-2"}, {"DFS, exact": "timeout"}),
        ("Other solvers on the instances that ENHSP claims", {"solver": "ENHSP, tolerance 0"},
         {"ENHSP's plan false: claimed": "2 of 2", "and valid": "1 of 2"}),
    ],
)  # fmt: skip
def test_rows_of_the_report(
    found: StudyResult, caption: str, row: dict[str, str], cells: dict[str, str]
) -> None:
    first = next(each for each in rows_of(found, caption) if row.items() <= each.items())
    assert {name: first[name] for name in cells} == cells


@pytest.mark.parametrize(
    "sentence",
    [
        "at most 1e-9: 5; 1e-9 to 1e-5: 4; above 1e-5: 1; 10 in all.",
        # What exact search solves where the claim is false.
        "Exact DFS, sizes 17 to 30: solves 2 of 10 instances",
        "Of 4 runs of ENHSP without a claim, 4 ended at the CPU limit.",
        "False plans with tolerance 0: cd-18-1.",
    ],
)
def test_the_notes_have_the_findings(found: StudyResult, sentence: str) -> None:
    assert sentence in "\n".join(found.notes)


@pytest.mark.parametrize(("count", "of"), [(16, 19), (49, 61), (1, 2)])
def test_the_size_for_a_rise_has_the_power_and_no_smaller_one_has(count: int, of: int) -> None:
    """The power by its definition: the sum over all results whose p is below the level."""
    share, size = count / of, size_for_rise(count, of)
    powers = [
        sum(
            comb(n, k) * share**k * (1 - share) ** (n - k)
            for k in range(n)
            if share_difference(n, n, k, n).p < LEVEL
        )
        for n in (size - 1, size)
    ]
    assert powers[0] < POWER <= powers[1]


def test_the_picture_has_shares_of_claimed_and_valid_plans(found: StudyResult) -> None:
    enhsp, exact = found.charts
    shares = {s.name: [p.y for p in s.points] for s in enhsp.series}
    assert enhsp.sizes == (8, 18)
    assert shares == {"claimed plans": [50, 100], "valid plans": [50, 0]}
    assert [s.name for s in exact.series] == [*shares]
    last = enhsp.series[1].points[-1]
    assert (last.low, last.high) == pytest.approx((0, 100 * (1 - 0.025 ** (1 / 10))))


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
    assert "of 512 primary and" in done.out
    assert "Phases compared" in done.out
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
    assert len(re.findall(r"<!-- (?:conditions|summary:|table:)", text)) == 4
    sample = sample_of(*(both := script["both_studies"](script["number_of"](text))))
    tables = between_table(sample).rows, between_table(sample, LATE_PHASES).rows
    (claims, valid, _), (late_claims, late_valid, _) = (
        [(one.partition(" (")[0], other.partition(" (")[0], ratio, p)
         for arm, _, one, other, ratio, p in rows if arm == ARMS[-1]]
        for rows in tables
    )  # fmt: skip
    said = [
        f"{claims[0]} instances at sizes 8 to 16 and {claims[1]} at 17 to 30",
        f"odds ratio {claims[2]}, p={claims[3]}",
        f"{valid[0]} are valid at 8 to 16 and {valid[1]} at 17 to 30 (p={valid[3]})",
        f"in the last phase, {late_valid[0]} and {late_valid[1]} (p={late_valid[3]};",
        f"claims: {late_claims[0]} and {late_claims[1]}, p={late_claims[3]})",
        "in all {} valid plans ({} instances)".format(
            *re.findall(r"more exact.*: (\d+) of .* on (\d+) ", "\n".join(report(*both).notes))[0]
        ),
    ]
    assert [part for part in said if part not in " ".join(text.split())] == []


@in_checkout
def test_the_store_is_small_and_was_begun_after_the_protocol() -> None:
    file = STUDIES / "countdown" / "runs" / "transition.jsonl.gz"
    assert file.stat().st_size < 20 * 2**20
    assert all(run.result.started >= "2026-11-22T12:16" for run in read_stored_runs(file))
