"""PlanBench's raw responses of models whose plans were extracted by its rule-based parser."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from typing import Any

import pytest
from places import DATA

from pddl_pipeline import load_records
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.score import Judge

ROWS = DATA / "planbench" / "llm_plans_with_VAL_verdicts.jsonl.gz"
FOLDERS = {
    "blocksworld": DATA / "autotos" / "blocksworld" / "blocks_instances",
    "blocksworld_3": DATA / "planbench" / "blocksworld_3_instances",
}
BOTH, SHOTS = (
    ("task_1_plan_generation", "task_1_plan_generation_zero_shot"),
    ("task_1_plan_generation",),
)
PARSED = {
    "claude-3-opus": BOTH, "gemini-1.5-flash": SHOTS, "gemini-pro": BOTH,
    "gpt-3.5-turbo-instruct": SHOTS, "gpt-4-turbo_chat": BOTH, "gpt-4_chat": SHOTS,
    "llama3-70b-8192_groq": BOTH,
}  # fmt: skip

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the public datasets are not here")


def rows() -> list[dict[str, Any]]:
    with gzip.open(ROWS, "rt", encoding="utf-8") as lines:
        found = map(json.loads, lines)
        return [
            row
            for row in found
            if row["domain"] in FOLDERS and row["task"] in PARSED.get(row["model"], ())
        ]


@pytest.mark.parametrize(
    ("step", "count", "otherwise", "lost", "unread"),
    [(10, 660, 0, 15, 0), pytest.param(1, 6_591, 2, 141, 3, marks=pytest.mark.long)],
)
def test_raw_answers_are_judged_as_published_but_where_the_parser_lost_or_added_lines(
    step: int, count: int, otherwise: int, lost: int, unread: int
) -> None:
    judges = {name: Judge(load_records(folder)) for name, folder in FOLDERS.items()}
    differ: Counter[str] = Counter()
    found = rows()[::step]
    for row in found:
        text = row["llm_raw_response"] or ""
        score = judges[row["domain"]].score(Answer(f"instance-{row['instance_id']}", text))
        by_their_rules = score.rulings["planbench"].right
        if by_their_rules != row["llm_correct"]:
            differ["published otherwise than parsed"] += 1
        elif score.correct != row["llm_correct"]:
            differ["right, and not as parsed" if score.correct else str(score.errors[0])] += 1
    assert len(found) == count
    # Most are valid plans that were published as wrong.
    assert differ == +Counter({
        "published otherwise than parsed": otherwise,
        "right, and not as parsed": lost,
        "unreadable": unread,
    })  # fmt: skip
