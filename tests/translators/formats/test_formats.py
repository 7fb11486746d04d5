"""Reads small files in each of the public formats."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from dataset_checks import as_json, verdict_on_witness
from pyarrow import parquet

from pddl_pipeline import load_records
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.datasets import ReadOptions
from pddl_pipeline.translators.formats.registry import formats, guess_format
from pddl_pipeline.translators.judging import judge_plan
from pddl_pipeline.translators.records import from_record

CSV = "Rank,Puzzles,AMT (s),Solved rate\n1,1 1 4 6,4.4,99.20%\n901,4 5 6 10,7.2,90.80%"
AUTOTOS = "Rank,Puzzles,AMT (s),solvable\n1350,3 3 8 8,4.4,0\n"
GYM = {
    "question": "Calculate 309 …",
    "answer": "94*4 - 61 - 6",
    "metadata": {
        "source_dataset": "countdown", "source_index": 7, "numbers": [6, 61, 94, 4],
        "target": 309, "difficulty": {},
    },
}  # fmt: skip
PUZZLE = {
    "question": "Make 24 using 4, 3, 9, 8. …",
    "answer": "4 + 3 + 9 + 8",
    "metadata": {"source_dataset": "puzzle24", "source_index": 0, "numbers": [4, 3, 9, 8]},
}
SEARCH = {
    "nums": [90, 11, 37, 95], "target": 55, "search_path": "…", "optimal_path": ["55"],
    "solution": ["90+95=185", "11*185=2035", "2035/37=55"],
}  # fmt: skip
STATE = {
    "state": {
        "clear": ["b"], "on-table": ["d"], "arm-empty": True, "holding": None,
        "on": [["a", "c"], ["b", "a"], ["c", "d"]],
    },
    "goal": {"clear": [], "on-table": [], "arm-empty": False, "holding": None, "on": [["c", "a"]]},
}  # fmt: skip
SOKOBAN = {
    "state": {"at-player": [1, 1], "at-stone": [[1, 2]]},
    "grid": [[1, 1, 1, 1, 1], [1, 0, 0, 2, 1], [1, 1, 1, 1, 1]],
}
FLOATS = {"negatives": True, "division": "nonzero"}

# File name, content, format, and the id and part of the record of each instance.
CASES: dict[str, tuple[str, str, str, dict[str, dict[str, Any]]]] = {
    "24.csv": (
        "24.csv", CSV, "24game",
        {
            "24game-1": {"numbers": [1, 1, 4, 6], "target": 24},
            "24game-901": {"numbers": [4, 5, 6, 10], "source": "24 game"},
        },
    ),
    "with line ends of Windows": (
        "24.csv", "\ufeff" + CSV.replace("\n", "\r\n"), "24game",
        {"24game-1": {"numbers": [1, 1, 4, 6]}, "24game-901": {}},
    ),
    "model_test.csv": (
        "model_test.csv", AUTOTOS, "autotos-24game",
        {"24game-1350": {"numbers": [3, 3, 8, 8]}},
    ),
    "reasoning-gym": (
        "rg.jsonl", f"{json.dumps(GYM)}\n", "reasoning-gym",
        {"rg-7": {"numbers": [6, 61, 94, 4], "target": 309, "source": "reasoning-gym countdown",
                  # Its items name their dataset, so that no name of a field decides.
                  "rules": FLOATS | {"tolerance": "0.000001"}}},
    ),
    "puzzle24": (
        "my puzzles.json", json.dumps([PUZZLE], indent=1), "reasoning-gym",
        {"my-puzzles-puzzle24-0": {"numbers": [4, 3, 9, 8], "target": 24}},
    ),
    "stream of search": (
        "train1_b4.json", json.dumps([SEARCH], indent=4),
        "stream-of-search",
        {
            "train1_b4-0": {
                "numbers": [90, 11, 37, 95], "target": 55,
                "witness": ["(add n1 n4)", "(multiply n2 n1)", "(divide n2 n3)", "(checkgoal n2)"],
                "optimal_path": ["55"],
            }
        },
    ),
    "target-nums": (
        "tiny.jsonl", '{"target": 98, "nums": [44, 19, 35]}\n{"nums": [1, 2], "target": 3}\n',
        "table",
        {"tiny-0": {"numbers": [44, 19, 35], "target": 98}, "tiny-1": {"numbers": [1, 2]}},
    ),
    "states of blocks": (
        "blocks_goals.jsonl", json.dumps([STATE], indent=4), "autotos-states",
        {
            "blocks_goals-0": {
                "domain": "blocksworld", "init": [["d", "c", "a", "b"]], "holding": None,
                "goal": [["on", "c", "a"]],
            }
        },
    ),
    "states of Sokoban": (
        "sokoban_goals.jsonl", f"{json.dumps(SOKOBAN)}\n", "autotos-states",
        {"sokoban_goals-0": {"domain": "sokoban", "map": ["#####", "#@$.#", "#####"]}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_read_as(case: tuple[str, str, str, dict[str, dict[str, Any]]], tmp_path: Path) -> None:
    name, content, form, expected = case
    for path in (tmp_path / name, tmp_path / f"{name}.gz"):
        packed = path.suffix == ".gz"
        path.write_bytes(gzip.compress(content.encode()) if packed else content.encode())
        assert guess_format(path).name == form
        found = list(load_records(path))
        assert [instance.id for instance in found] == list(expected)
        for instance in found:
            record = as_json(instance)
            assert record == record | expected[instance.id]
            # The output is read again, in the project's own format.
            assert from_record(record) == instance
            assert "witness" not in record or verdict_on_witness(instance) is Status.VALID


@pytest.mark.parametrize(
    ("name", "form", "rules"),
    [
        ("24.csv", "24game", FLOATS),
        ("model_test.csv", "autotos-24game", FLOATS | {"tolerance": "0.001"}),
        ("stream of search", "stream-of-search", {"fractions": False, "division": "exact"}),
        ("target-nums", "target-nums", FLOATS | {"tolerance": "0.00001"}),
    ],
)
def test_a_format_has_its_rules_only_if_it_is_named(
    name: str, form: str, rules: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / CASES[name][0]
    path.write_text(CASES[name][1])
    for options, expected in (
        (ReadOptions(), None),
        (ReadOptions(form=form), rules),
        (ReadOptions(form=form, rules={}), None),
    ):
        found = list(load_records(path, source=options))
        assert [each.extras.get("rules") for each in found] == [expected] * len(found)


def test_parquet_in_batches(tmp_path: Path) -> None:
    table = pa.table({"target": range(10, 10_010), "nums": [[1, i % 50, 7] for i in range(10_000)]})
    parquet.write_table(table, tmp_path / "train-00000.parquet")
    *others, last = map(as_json, load_records(tmp_path / "train-00000.parquet"))
    expected = {"id": "train-00000-9999", "numbers": [1, 49, 7], "target": 10_009}
    assert (len(others), last) == (9_999, last | expected)


def test_acpbench_item(tmp_path: Path) -> None:
    folder = domain_folder("ferry")
    texts = {name: (folder / name).read_text() for name in ("domain.pddl", "p01.pddl")}
    item = {
        "id": 4896696031890359153, "group": "validation_gen", "context": "…", "question": "…",
        "answer": "4", "PDDL_domain": texts["domain.pddl"], "PDDL_problem": texts["p01.pddl"],
    }  # fmt: skip
    (tmp_path / "dev.gen.json").write_text(json.dumps([item]))
    (instance,) = load_records(tmp_path / "dev.gen.json")
    assert (instance.id, instance.domain) == ("validation_gen-4896696031890359153", "ferry")
    plan, task = (folder / "p01.plan").read_text(), read_instance(instance)
    assert judge_plan(plan, task, instance).status is Status.VALID


def test_every_format_is_tested() -> None:
    tested = {form for _, _, form, _ in CASES.values()}
    others = {"records", "pddl", "llm-reasoners", "acpbench", "target-nums"}
    assert set(formats()) == tested | others
