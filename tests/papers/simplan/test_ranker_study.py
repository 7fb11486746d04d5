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


def test_the_report_compares_each_model_of_the_ranker() -> None:
    """Six instances differ for the worse model: the exact McNemar test has p = 2 / 2^6."""
    model = {"method": "ranker", "set": "blocksworld", "seed": 0, "instance": "", "map": 0.9}
    models = [*rows("ranker", 9, 1), *({**row, "seed": 1} for row in rows("ranker", 6, 1))]
    others = [*rows("goal-count", 0, 1), *rows("without permutations", 0, 1)]
    found = report([{**model, "cpu_s": 360}, *models, *others])
    table = found.tables[0].table
    ranker, goals, untrained = table.rows
    assert ranker == ("Blocks C", "ranker", "10", "2", "0.56", "0.75 [0.60, 0.90]",
                      "9 of 10, 6 of 10", "-", "0.90")  # fmt: skip
    assert goals[1:6] == ("goal-count", "10", "1", "0.00", "0.00")
    assert dict(zip(table.headings, goals, strict=True))["largest p"] == "0.031"
    assert dict(zip(table.headings, untrained, strict=True))["largest p"] == "-"
    assert found.conditions.startswith(f"4 of {len([*parts()])} parts, 1 model, 0.50 hours")
