"""Countdown answers of which only the last line is read have the verdict that all lines give."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from countdown_writers import random_way, told_alone
from places import TESTS

from pddl_pipeline import reward
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.scoring.score_line import score_line
from pddl_pipeline.translators.answers.countdown import progress, reader
from pddl_pipeline.translators.records import from_record

COUNTDOWN = TESTS / "translators" / "answers" / "countdown.jsonl"
ABOVE = "Steps:\n4 + 5 = 9 (left: 6 9 10)\nLet me see.\n"
LAST = ("Answer: None", "Answer: no solution (sorry)", "Answer: 4 + 5", "Answer: 5 - 7 + 1 ")


def cases() -> list[tuple[Instance[Any], str]]:
    """Return texts that end with their only mark, with their instances."""
    found = []
    for line in COUNTDOWN.read_text().splitlines():
        row = json.loads(line)
        found.append((row["numbers"], row["target"], f"{ABOVE}Answer: {row['text']}"))
    for seed in range(60):
        random = Random(seed)
        numbers = [random.randint(1, 30) for _ in range(random.randint(2, 6))]
        first, second = random_way(random, numbers), random_way(random, numbers)
        target = int(first.value)
        texts = [told_alone(way, random) for way in (first, second)]
        found += [(numbers, target, f"{ABOVE}Answer: {text}") for text in texts]
    found += [([4, 5, 6, 10], 24, ABOVE + last) for last in LAST]
    return [
        (from_record({"id": "a", "domain": "countdown", "numbers": n, "target": target}), text)
        for n, target, text in found
    ]


def judged(instance: Instance[Any], text: str) -> tuple[str, tuple[Any, ...]]:
    found = reward(instance, text)
    parts = (found.value, found.readable, found.executes, found.goals, found.solves)
    return score_line(Judge([instance]).score(Answer("a", text))), parts


def test_the_last_line_alone_gives_the_verdict_of_all_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    every = cases()
    assert sum(reader.usual_answer(text) is not None for _, text in every) > 100
    found = [judged(*case) for case in every]
    for module in (reader, progress):
        monkeypatch.setattr(module, "usual_answer", lambda _: None)
    assert found == [judged(*case) for case in every]
