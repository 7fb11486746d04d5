"""reasoning-gym's items: agreement on its own answers, and none on its loopholes."""

from __future__ import annotations

from typing import Any

import pytest
import reasoning_gym

from pddl_pipeline.integrations import reasoning_gym_dataset
from pddl_pipeline.integrations.reasoning_gym import score_answer
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.translators.field_checks import FieldFault

Item = dict[str, Any]


def item(numbers: list[int], target: int | None = None) -> Item:
    """One of countdown, or of puzzle24 where there is no target."""
    dataset = "puzzle24" if target is None else "countdown"
    metadata: Item = {"source_dataset": dataset, "numbers": numbers}
    return {"metadata": metadata if target is None else {**metadata, "target": target}}


def theirs(answer: str | None, entry: Item) -> float:
    score = reasoning_gym.get_score_answer_fn(entry["metadata"]["source_dataset"])
    return float(score(answer, entry))


@pytest.mark.parametrize(
    ("dataset", "size"),
    [
        ("countdown", 12),
        ("puzzle24", 3),
        pytest.param("countdown", 500, marks=pytest.mark.long),
        pytest.param("puzzle24", 100, marks=pytest.mark.long),
    ],
)
def test_its_own_answers_are_right(dataset: str, size: int) -> None:
    for entry in reasoning_gym.create_dataset(dataset, seed=42, size=size):
        assert score_answer(entry["answer"], entry) == theirs(entry["answer"], entry) == 1.0


@pytest.mark.parametrize(
    ("answer", "entry"),
    [
        (None, item([2, 3], 8)),
        ("", item([2, 3], 8)),
        ("I give up", item([2, 3], 8)),
        ("2*", item([2, 3], 6)),
        ("2+3", item([2, 3], 8)),
        ("2+2", item([2, 3], 4)),
        ("5-8+10", item([5, 8, 10], 7)),
        ("(8-3)/2*4", item([8, 3, 2, 4], 10)),
        (None, item([8, 5, 10, 6])),
        ("8+5+10+6", item([8, 5, 10, 6])),
        ("10*(8-5)-6", item([8, 5, 10, 6])),
    ],
)
def test_rewards_as_there(answer: str | None, entry: Item) -> None:
    assert score_answer(answer, entry) == theirs(answer, entry)


@pytest.mark.parametrize(
    ("answer", "entry", "there", "here"),
    [
        # Loopholes are closed.
        ("2**3", item([2, 3], 8), 1.0, 0.05),
        ("sqrt(4)*3", item([4, 3], 6), 1.0, 0.05),
        ("factorial(4)", item([4], 24), 1.0, 0.05),
        ("1.5*2", item([1, 5, 2], 3), 1.0, 0.05),
        ("7//2", item([7, 2], 3), 1.0, 0.05),
        ("6*4*1*1", item([8, 5, 10, 6]), 1.0, 0.01),
        ("(8*6+1)/2", item([8, 6, 2, 1]), 1.0, 0.01),  # 24.5, cut to 24 there
        # Forms that it does not read.
        ("2*3 = 6", item([2, 3], 6), 0.01, 1.0),
        ("<answer>2*3</answer>", item([2, 3], 6), 0.01, 1.0),
        ("2 \N{MULTIPLICATION SIGN} 3", item([2, 3], 6), 0.01, 1.0),
    ],
)
def test_other_rewards_than_there(answer: str, entry: Item, there: float, here: float) -> None:
    assert (theirs(answer, entry), score_answer(answer, entry)) == (there, here)


@pytest.mark.parametrize(("answer", "reward"), [(6, 1.0), (5, 0.05), (0, 0.05), ([], 0.01)])
def test_an_answer_that_is_no_text_is_its_text(answer: object, reward: float) -> None:
    assert score_answer(answer, item([6], 6)) == reward


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"question": "?"}, "'metadata' is missing"),
        ({"metadata": {"source_dataset": "sudoku"}}, "expected countdown, puzzle24"),
    ],
)
def test_other_entries_are_refused(entry: Item, message: str) -> None:
    with pytest.raises((FieldFault, InputError), match=message):
        score_answer("2", entry)


def test_a_dataset_of_our_own_once_it_is_registered() -> None:
    name = reasoning_gym_dataset.NAME
    reasoning_gym.factory.DATASETS.pop(name, None)
    reasoning_gym_dataset.register()
    reasoning_gym_dataset.register()
    made = reasoning_gym.create_dataset(name, method="rg", numbers=5, seed=3, size=4)
    entries = list(made)
    assert len({str(entry["metadata"]["record"]) for entry in entries}) == 4
    assert entries == list(made)
    for entry in entries:
        record = entry["metadata"]["record"]
        assert len(record["numbers"]) == 5
        assert str(record["target"]) in entry["question"]
        answers = (entry["answer"], entry["answer"].partition("\n")[2], None)
        assert [made.score_answer(each, entry) for each in answers] == [1.0, 0.05, 0.01]


def test_a_method_that_is_unknown() -> None:
    with pytest.raises(InputError, match="method 'walk', known: cd, rg, sos"):
        reasoning_gym_dataset.Countdowns(reasoning_gym_dataset.CountdownsConfig(method="walk"))
