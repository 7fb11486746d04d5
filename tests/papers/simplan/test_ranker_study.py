"""Tests of the report on SimPlan's trained ranker."""

from __future__ import annotations

from pddl_pipeline.papers.simplan.ranker_study import parts, report


def rows(method: str, solved: int, seeds: int) -> list[dict[str, object]]:
    """Return searches on ten instances, of which the first ones are solved."""
    key = {
        "method": method,
        "set": "blocksworld-complex",
        "lama": 10,
        "predictions": 160,
        "cpu_s": 36,
    }
    return [
        {**key, "seed": seed, "instance": f"b{n}", "solved": n < solved}
        for seed in range(seeds)
        for n in range(10)
    ]


def test_the_report_compares_each_method_with_the_ranker() -> None:
    """Nine instances differ: the exact McNemar test has p = 2 / 2^9."""
    model = {"method": "ranker", "set": "blocksworld", "seed": 0, "instance": "", "map": 0.9}
    found = report([{**model, "cpu_s": 360}, *rows("ranker", 9, 2), *rows("goal-count", 0, 1)])
    ranker, goals = found.tables[0].table.rows
    assert ranker == ("Blocks C", "ranker", "10", "2", "0.56", "0.90 [0.60, 0.98]", "-", "0.90")
    assert goals[1:5] == ("goal-count", "10", "1", "0.00")
    assert goals[6] == "0.0039"
    assert found.conditions.startswith(f"3 of {len([*parts()])} parts, 1 model, 0.40 hours")
