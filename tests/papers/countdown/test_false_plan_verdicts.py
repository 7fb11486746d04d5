"""What validators say of ENHSP's false plans: the stored table, the page, and the stored runs."""

from __future__ import annotations

import csv
import runpy
from collections import Counter
from itertools import accumulate

from transition_cases import STUDIES, in_checkout

from pddl_pipeline.papers.countdown import transition_data, zeros
from pddl_pipeline.statistics.differences import exact_interval
from pddl_pipeline.translators import translate_and_read

SAMPLED = 9
"""Every so many plans, the tolerance is computed again."""


@in_checkout
def test_the_page_has_the_counts_of_the_table_and_the_table_is_of_the_stored_runs() -> None:
    table = STUDIES / "countdown" / "results" / "false-plans" / "verdicts.csv"
    rows = list(csv.DictReader(table.read_text().splitlines()))
    page = STUDIES.parent / "docs" / "reproduction" / "countdown-transition.md"
    text = " ".join(page.read_text().split())
    names = {"val": "VAL 3c7a1f3, no option", "kairos": "Kairos 1.0.6",
             "up": "Unified Planning 1.3.0"}  # fmt: skip
    for column, name in names.items():
        accepted = sum(row[column] == "valid" for row in rows)
        low, high = (f"{100 * end:.1f}" for end in exact_interval(accepted, len(rows), 0.95))
        assert f"| {name} | {accepted} of {len(rows)} ({low} to {high}) |" in text
    counts = sorted(Counter(float(row["tolerance"]) for row in rows).items())
    totals = accumulate(number for _, number in counts)
    said = [f"{total} from {end:.0e}" for total, (end, _) in zip(totals, counts, strict=True)]
    said[-1] = f"| pddl-pipeline | 0 of {len(rows)}, by definition |"
    assert all(part in text for part in said)
    assert counts[-1][0] == 1e-5
    assert all((row["kairos"] == "valid") == (float(row["tolerance"]) <= 1e-6) for row in rows)
    least_tolerance = runpy.run_path(str(STUDIES / "false_plan_verdicts.py"))["least_tolerance"]
    stored = iter(rows)
    for study, read_cases in (
        ("transition", transition_data.read_cases),
        ("zeros", zeros.read_cases),
    ):
        cases = read_cases()
        instances = {case.instance.id: case.instance for case in cases}
        runs = transition_data.read_runs(cases, transition_data.store_file(study))
        for number, run in enumerate(zeros.false_plans(runs)):
            row = next(stored)
            assert (row["study"], row["instance"]) == (study, run.result.id)
            if number % SAMPLED == 0:
                task, plan = translate_and_read(instances[run.result.id])[1], run.result.plan or ()
                assert row["exact"] == task.judge("\n".join(plan)).status
                assert row["tolerance"] == least_tolerance(task, "\n".join(plan))
    assert next(stored, None) is None
