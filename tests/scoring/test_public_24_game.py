"""Answers with published verdicts, if the public data are beside the project."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from places import DATA

from pddl_pipeline import load_records, reward, score

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the public datasets are not here")


@pytest.mark.parametrize("step", [20, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", ["cot", "standard"])
def test_answers_to_the_24_game_have_their_published_verdicts(kind: str, step: int) -> None:
    """GPT-4's answers of Yao et al. 2023, with and without chain of thought, and their rewards."""
    (file,) = (DATA / "game24").glob(f"*{kind}*.json.gz")
    answers, published = [], []
    for item in json.loads(gzip.decompress(file.read_bytes())):
        name = f"24game-{item['idx'] + 1}"
        answers += [{"id": name, "answer": text} for text in item["ys"]]
        published += item["accs"] if "accs" in item else [bool(i["r"]) for i in item["infos"]]
    assert len(published) == 10_000
    instances = {each.id: each for each in load_records(DATA / "game24" / "24.csv")}
    for lenient in (False, True):
        found = score(instances.values(), answers[::step], lenient_values=lenient)
        differing = [
            (each.answer.text.rpartition("\n")[2], list(each.errors))
            for each, right in zip(found, published[::step], strict=True)
            if each.correct != right
        ]
        # The published verdict is on the expression, whatever value the answer states for it.
        false = ("Answer: (13 - 9) * (12 - 6) = 48", ["false-value"])
        assert differing == ([false] if kind == "cot" and not lenient and step == 1 else [])
    for found in score(instances.values(), answers[::step]):
        given = reward(instances[found.id or ""], found.answer.text)
        assert given.solves == found.correct
        assert given.readable == (not {"bad-format", "bad-operator"}.intersection(found.errors))


def test_solutions_and_traces_of_stream_of_search() -> None:
    file = DATA / "stream_of_search" / "sample_train_b4_t100_20rows.json"
    instances, rows = list(load_records(file)), json.loads(file.read_text())
    names = [instance.id for instance in instances]
    texts = [json.dumps(row["solution"]) for row in rows] + [row["search_path"] for row in rows]
    answers = [
        {"id": name, "answer": text} for name, text in zip([*names, *names], texts, strict=True)
    ]
    found = [each.correct for each in score(instances, answers)]
    assert found == [True] * 20 + ["Goal Reached" in row["search_path"] for row in rows]


@pytest.mark.parametrize(
    "file", sorted((DATA / "reasoning_gym").glob("countdown_*.jsonl")), ids=lambda file: file.stem
)
def test_answers_of_reasoning_gym_are_right(file: Path) -> None:
    instances = list(load_records(file))
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    answers = [
        {"id": instance.id, "answer": f"<answer>{row['answer']}</answer>"}
        for instance, row in zip(instances, rows, strict=True)
    ]
    assert [each.verdict.status for each in score(instances, answers)] == ["valid"] * len(rows)
