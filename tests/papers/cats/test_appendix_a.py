"""Tests of the study of Appendix A of CATS, on samples that match and samples that do not."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from pddl_pipeline.papers.cats.appendix_a import (
    Lengths,
    is_witnessed,
    mean_length,
    of_budgets,
    of_lengths,
)
from pddl_pipeline.papers.cats.benchmark import LENGTHS
from pddl_pipeline.papers.study import Workbench


def test_the_mean_of_the_paper() -> None:
    assert mean_length(LENGTHS) == pytest.approx(14.31, abs=0.005)


SHORTER = Counter({steps - 2: number for steps, number in LENGTHS.items() if steps > 2})


@pytest.mark.parametrize(("lengths", "result"), [(LENGTHS, "agrees"), (SHORTER, "differs")])
def test_the_papers_own_lengths_match_and_shorter_ones_do_not(
    lengths: Lengths, result: str
) -> None:
    others = {"shortest plans": lengths, "complete goals": lengths}
    found = list(of_lengths([lengths] * 2, others))
    together, mean, longest, horizons, _, complete = found
    assert {each.verdict for each in found if each not in (longest, complete)} == {result}
    assert (longest.verdict, complete.verdict) == ("not compared", "not compared")
    assert [each.is_fit for each in found] == [True, True, False, True, False, False]
    assert together.decision.n == (2 * sum(lengths.values()), 1008)
    assert together.ours[0].share == (1 if lengths is LENGTHS else 0)
    assert mean.ours[0].value == mean.ours[0].low == pytest.approx(mean_length(lengths))
    assert longest.ours[0].value == max(lengths)
    assert sum(each.value or 0 for each in horizons.ours) == sum(lengths.values())


def test_a_wrong_budget_and_a_dear_witness_show(tmp_path: Path) -> None:
    tight, loose, free = Workbench(tmp_path).generated("budget-blocksworld", [4], 1)
    assert is_witnessed(tight)
    budgets, examples = of_budgets([tight, replace(loose, budget=loose.budget + 1), free])
    assert (budgets.verdict, budgets.ours[0].value) == ("differs", 0)
    assert examples.verdict == "not compared"
    steps = tight.extras["witness"]
    for change in (
        {"extras": {**tight.extras, "witness": steps[:-1]}},
        {"extras": {**tight.extras, "witness": [*steps, "(pick-up b9)"]}},
        {"budget": tight.budget + 1},
    ):
        assert not is_witnessed(replace(tight, **change))
