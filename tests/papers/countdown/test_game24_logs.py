"""Published answers to the 24 game, scored in the form of Table 1."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.countdown.game24 import STUDIES, read_answers
from pddl_pipeline.papers.study import Workbench
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.translators.datasets import ReadOptions, load_records

PUZZLES = "Rank,Puzzles\n901,4 5 6 10\n902,1 2 4 7\n903,2 4 7 10\n"
RIGHT = "Answer: (10 - 6) * 5 + 4 = 24"
WRONG = "Answer: (10 - 6) * (5 - 4) * 4 = 24"
UNUSED = "Steps:\n10 - 6 = 4\nAnswer: (10 - 6) * 4 + 8 = 24"


def folder_of(tmp_path: Path, answers: dict[str, list[dict[str, Any]]]) -> Path:
    folder = tmp_path / "game24"
    folder.mkdir()
    (folder / "24.csv").write_text(PUZZLES)
    for name, items in answers.items():
        file = folder / f"gpt-4_0.7_{name}_start900_end1000.json.gz"
        file.write_bytes(gzip.compress(json.dumps(items).encode()))
    return tmp_path


def judge_of(data: Path) -> Judge:
    return Judge(load_records(data / "game24" / "24.csv", source=ReadOptions(form="24game")))


def test_the_table_counts_puzzles_and_drawn_answers(tmp_path: Path) -> None:
    """One of ten answers to the first puzzle is right: 10 % of one, 50 % of five of the ten."""
    standard = [
        {"idx": 900, "ys": [RIGHT] + [WRONG] * 9, "accs": [True] + [False] * 9},
        {"idx": 901, "ys": [WRONG] * 10, "accs": [False] * 9 + [True]},
    ]
    cot = [
        {"idx": 900, "ys": [UNUSED] * 10, "infos": [{"r": 0}] * 10},
        {"idx": 901, "ys": [RIGHT] * 10, "infos": [{"r": 0}] * 10},
    ]
    texts = ["10 - 6 = 4 (left: 4 4 5)\n", "6 - 4 = 2 (left: 2 5 10)\n"]
    steps = [
        {"x": "4 5 6 10", "ys": [""], "new_ys": texts},
        {"x": "4 5 6 10", "ys": texts, "new_ys": [f"{texts[0]}4 + 0 = 4 (left: 4 4 5)\n", RIGHT]},
    ]
    tot = [{"idx": 900, "ys": [*[WRONG] * 4, RIGHT], "accs": [0, 0, 0, 0, 1], "steps": steps}]
    logs = {"standard": standard, "cot": cot}
    named = {f"naive_{name}_sample_100": items for name, items in logs.items()}
    data = folder_of(tmp_path, {**named, "propose1_value3_greedy5": tot})
    found = STUDIES[1].run(Workbench(tmp_path / "runs", data=data))
    cells, agreement, calls = (each.table.rows for each in found.tables)
    ours = {row[0]: row[2:] for row in cells if row[1] == "GPT-4's answers, scored here"}
    assert [cell.split()[0] for cell in ours["IO"]] == ["5.00", "25.00", "50.00"]
    assert [cell.split()[0] for cell in ours["CoT"]] == ["0.00", "0.00", "0.00"]
    assert [cell.split()[0] for cell in ours["ToT"]] == ["20.00", "100.00", "100.00"]
    assert agreement[:2] == (("IO", "20", "1", "0", "1"), ("CoT", "20", "0", "0", "0"))
    assert agreement[2:] == (("ToT", "5", "1", "0", "0"),)
    # Two states, two boards and an answer: the same board is valued once.
    assert [row[1:] for row in calls] == [("3.00", "3", "3"), ("3.00", "3", "3")]


def test_negative_numbers_on_the_way_are_allowed(tmp_path: Path) -> None:
    """(4 - 7) * (2 - 10) is (-3) * (-8); the puzzle is 2 4 7 10."""
    items = [{"idx": 902, "ys": ["Answer: (4 - 7) * (2 - 10) = 24"], "infos": [{"r": 1}]}]
    data = folder_of(tmp_path, {"cot": items})
    (judged,) = read_answers(next((data / "game24").glob("*cot*")), judge_of(data))
    assert judged == ((True,), (True,))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"not gzip", "cannot be read"),
        (gzip.compress(b"{"), "cannot be read"),
        (gzip.compress(b'[{"idx": 900}]'), "no log of Tree of Thoughts"),
        (gzip.compress(b'[{"idx": 3, "ys": [], "accs": []}]'), "24game-4, which is not in the"),
    ],
    # The header of gzip has the time: the bytes as ids would differ between the processes of a run.
    ids=["not-packed", "half-of-json", "another-form", "unknown-puzzle"],
)
def test_files_of_another_form_are_reported(content: bytes, message: str, tmp_path: Path) -> None:
    data = folder_of(tmp_path, {})
    file = tmp_path / "log.json.gz"
    file.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_answers(file, judge_of(data))
