"""The library takes records, dicts, data frames and files; errors name row and column."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pddl_pipeline import InputError, load_records, score, translate
from pddl_pipeline.integrations.pandas import score_frame
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.prompts.prompting import prompts
from pddl_pipeline.questions.making import QuestionSpec, make_questions
from pddl_pipeline.runs.running import run
from pddl_pipeline.translators.datasets import ReadOptions

ONE = {"id": "a", "numbers": [3, 4, 5, 6], "target": 24}
FERRY = domain_folder("ferry") / "examples.jsonl"
FRAME = pd.DataFrame({
    "id": ["a", "b"], "nums": [np.array([3, 4, 5, 6]), np.array([1, 2, 3, 4])],
    "goal": np.array([24, 24]), "level": [1.5, np.nan], "day": [date(2026, 1, 2), pd.NaT],
})  # fmt: skip
ANSWERS = [
    {"id": "a", "answer": "(3 + 5 - 4) * 6 = 24"},
    {"id": "a", "answer": "3 * 4 * 5 * 6 = 24"},
]


def test_translate_takes_a_record_or_many() -> None:
    (instance,) = load_records(ONE)
    problem = translate(instance)
    assert translate(ONE) == translate({**ONE, "domain": "countdown", "level": 3}) == problem
    assert translate([ONE]) == translate(pd.DataFrame([ONE])) == translate([instance]) == [problem]
    assert "(= (value n4) 6)" in problem.problem_pddl
    first, *others = translate(FERRY)
    assert ("(:domain ferry)" in first.problem_pddl, len(others)) == (True, 4)


OTHER = [{"problem_id": each["id"], "response": each["answer"]} for each in ANSWERS]


@pytest.mark.parametrize(
    ("answers", "names"),
    [
        (OTHER, {}),
        (iter(OTHER), {}),
        (pd.DataFrame(OTHER, index=[7, 8]), {}),
        (OTHER, {"answer_field": "response"}),
        (pd.DataFrame(OTHER).rename(columns={"problem_id": "q"}), {"id_field": "q"}),
        (pd.DataFrame(OTHER).assign(output="x"), {"answer_field": "response"}),
    ],
)
def test_score_knows_the_names_that_the_command_knows(answers: Any, names: dict[str, str]) -> None:
    assert [each.correct for each in score(ONE, answers, **names)] == [True, False]


def test_a_row_without_the_fields_is_a_fault_of_that_row() -> None:
    found = list(score(ONE, ["x", {"problem_id": "a"}, *OTHER]))
    assert [each.verdict.status for each in found[:2]] == ["undecided", "undecided"]
    assert [each.correct for each in found[2:]] == [True, False]


@pytest.mark.parametrize(
    ("answers", "names", "message"),
    [
        (pd.DataFrame({"problem_id": ["a"], "re": ["x"]}), {},
         "no row has the field 'answer', found the fields problem_id, re; answer_field= names it"),
        ([{"q": "a", "reply": "x"}], {"id_field": "Q"},
         "no row has the fields 'Q' and 'answer', found the fields q, reply; did you mean 'q'?"),
        ([{"id": "a", "output": "x", "response": "y"}], {},
         "found the fields 'response' and 'output'; choose one with answer_field="),
    ],
)  # fmt: skip
def test_answers_without_the_fields(answers: Any, names: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(score(ONE, answers, **names))
    assert str(caught.value) == message


def test_values_of_a_frame_become_json() -> None:
    found = list(load_records(FRAME))
    assert [each.record.numbers for each in found] == [(3, 4, 5, 6), (1, 2, 3, 4)]
    extras = [{"level": 1.5, "day": "2026-01-02"}, {"level": None, "day": None}]
    assert [each.extra for each in found] == extras
    assert score_frame(pd.DataFrame(ANSWERS), FRAME)["correct"].tolist() == [True, False]


@pytest.mark.parametrize("kind", ["csv", "json", "parquet"])
def test_whole_numbers_beside_missing_cells(tmp_path: Path, kind: str) -> None:
    """pandas makes floats of them, NaN of none; CSV has 52.0 as text."""
    examples = pd.read_json(domain_folder("budget-blocksworld") / "examples.jsonl", lines=True)
    frame = examples[:3].assign(optimal_cost=[52, None, 7], seed=[4, None, 5])
    how = {"orient": "records"} if kind == "json" else {}
    getattr(frame, f"to_{kind}")(tmp_path / f"a.{kind}", **how)
    assert str(frame["budget"].dtype) == "float64"
    for found in (load_records(frame), load_records(tmp_path / f"a.{kind}")):
        assert [each.budget for each in found] == [52, 94, None]
        assert [each.extras.get("seed") for each in load_records(frame)] == [4, None, 5]


def test_a_part_of_a_frame_keeps_its_rows() -> None:
    frame = FRAME.drop(columns="id")[[False, True]]
    assert [each.id for each in load_records(frame)] == ["data-1"]
    with pytest.raises(InputError, match="row 2: field 'goal'"):
        [*load_records(frame.assign(goal="x"))]
    twice = pd.concat([frame, frame])
    assert [each.id for each in load_records(twice)] == ["data-0", "data-1"]


def test_frames_of_other_domains_are_read() -> None:
    frame = pd.read_json(FERRY, lines=True).drop(columns="domain")
    options = ReadOptions(domain_name="ferry")
    assert list(load_records(frame, source=options)) == list(load_records(FERRY))


def test_prompts_questions_and_runs_take_them(tmp_path: Path) -> None:
    assert [each["id"] for each in prompts(FRAME)] == ["a", "b"]
    asked = make_questions([ONE], QuestionSpec(("state",)))
    assert [each.instance for each in asked] == ["a"]
    found = run(FRAME, tmp_path / "runs", ["countdown-exact"])
    assert [(each.id, each.solved) for each in found] == [("a", True), ("b", True)]
    assert found[0].extra == {"level": 1.5, "day": "2026-01-02"}


def test_instances_pass_unchanged() -> None:
    two = [*load_records([ONE], pd.DataFrame([{**ONE, "id": "b"}]))]
    assert [each.id for each in two] == ["a", "b"]
    assert list(load_records(two)) == two
    assert list(score([], [])) == []


def test_without_ids_positions_are_used() -> None:
    notes: list[str] = []
    records = [{"nums": [1], "goal": 1}, {"nums": [2], "goal": 2}]
    found = load_records(records, source=ReadOptions(on_note=notes.append))
    assert [each.id for each in found] == ["data-0", "data-1"]
    assert "data: no ids; ids are the file name and the position from 0, such as data-0" in notes
    found = load_records(
        [{"id": "a", **records[0]}, *records], source=ReadOptions(on_note=notes.append)
    )
    assert [each.id for each in found] == ["a", "data-1", "data-2"]
    assert any(note.startswith("data: rows without an id: 2 of 3; their ids") for note in notes)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([ONE, {**ONE, "id": "b", "target": "x"}], "data: row 2: field 'target': found 'x', expec"),
        ([ONE, ONE], "data: row 2: field 'id': 'a' is already used at data: row 1"),
        ([ONE, {"id": "b", "numbers": [1]}], "data: row 2: field 'target' is missing"),
        ({"id": "a", "numbers": [1]}, "data: row 1: field 'target' is missing, found id, numbers"),
        ([ONE, 7], "data: row 2: found int, expected a record, a dict or an instance"),
        (FRAME.assign(goal=[24, None]), "data: row 2: field 'goal' is empty, expected a whole"),
        (FRAME.assign(goal=[24, np.inf]), "data: row 2: field 'goal': found 'inf', expected a"),
        (FRAME.drop(columns="goal"), "data: row 1: field 'target' is missing, found id, nums"),
        (
            pd.DataFrame([[1, 2]], columns=["target", "target"]),
            "data: column 'target' occurs twice",
        ),
        ([], "data: found no record"),
    ],
)
def test_errors_name_row_and_column(data: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(load_records(data))
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("data", [None, 5])
def test_data_of_no_known_kind(data: Any) -> None:
    expected = f"data: found {type(data).__name__}, expected instances, records, a data frame or a"
    for call in (load_records, translate):
        with pytest.raises(TypeError, match=expected):
            list(call(data))
