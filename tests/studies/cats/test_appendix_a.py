"""Tests of the study of Appendix A of CATS, on samples that match and samples that do not."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from pddl_pipeline.studies.cats.length_comparisons import (
    is_witnessed,
    of_budgets,
    of_lengths,
)
from pddl_pipeline.studies.cats.lengths import mean_length
from pddl_pipeline.studies.cats.published import LENGTHS
from pddl_pipeline.studies.registry import studies
from pddl_pipeline.studies.workbench import Workbench


def test_the_mean_of_the_paper() -> None:
    assert mean_length(LENGTHS) == pytest.approx(14.31, abs=0.005)


def test_the_papers_own_lengths_match_and_shorter_ones_do_not() -> None:
    same = [Counter(LENGTHS)] * 2
    shorter = [Counter({steps - 2: number for steps, number in LENGTHS.items() if steps > 2})] * 2
    for samples, expected in ((same, "matched"), (shorter, "differs")):
        others = {"shortest plans": samples[0], "complete goals": samples[0]}
        found = {each.what: each for each in of_lengths(samples, others)}
        assert found["distribution of lengths (Appendix A), by chi-square"].result == expected
        assert found["mean length (steps)"].result == expected
        assert found["tasks of short, mid and long horizon"].result == expected


def test_the_study(tmp_path: Path) -> None:
    bench = Workbench(tmp_path, number=3, sizes_given=range(4, 5), time_s=60)
    findings = studies()["cats-appendix-a"].run(bench)
    found = {each.what: each for each in findings.comparisons}
    budgets = found["budgets: tight, loose, unlimited"]
    assert (budgets.result, budgets.ours) == ("matched", "so in 3 of 3 tasks")
    truth = [each for what, each in found.items() if what.startswith("ground truth")]
    assert [each.result for each in truth] == ["matched"] * 2
    assert truth[1].ours == "the same in 3 of 3 tasks solved, of 3"
    assert findings.unexplained == 0
    assert len(findings.charts[0].series) == 3


def test_a_wrong_budget_and_a_dear_witness_show(tmp_path: Path) -> None:
    bench = Workbench(tmp_path, sizes_given=range(4, 5))
    tight, loose, free = bench.generated("budget-blocksworld", [4], 1)
    assert is_witnessed(tight)
    wrong = replace(loose, budget=(loose.budget or 0) + 1)
    (budgets, _) = of_budgets([tight, wrong, free])
    assert (budgets.result, budgets.ours) == ("differs", "so in 0 of 1 tasks")
    steps = tight.extras["witness"]
    for witness in (steps[:-1], [*steps, "(pick-up b9)"]):
        changed = replace(tight, extras={**tight.extras, "witness": witness})
        assert not is_witnessed(changed)
    assert not is_witnessed(replace(tight, budget=(tight.budget or 0) + 1))
