"""The core without the papers: a copy of the package without their folder is used."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from package_copy import PackageCopy
from plugin_sites import environment, run_lines

RECORDS = Path("pddl_domains", "ferry", "solved.jsonl")
TASK = "pddl/domain.pddl pddl/problems/one.pddl"
# Each command, its status, and a part of what it prints.
USES = [
    ("translate one.jsonl -o pddl", 0, "1 problem in pddl"),
    (f"validate {TASK} a.plan", 0, "Plan valid"),
    (f"solve {TASK} --planner goal-count", 0, "plan-found"),
    ("run one.jsonl --planner goal-count --planner bfs -o runs", 0, "goal-count"),
    ("report runs", 0, "goal-count"),
    ("score one.jsonl answers.jsonl", 0, "100.00"),
    ("show one.jsonl answers.jsonl -o pages", 0, "1 page"),
    ("-h", 0, "translate"),
    ("reproduce all", 2, "No module named 'pddl_pipeline.papers'"),
]


@pytest.mark.early
def test_every_core_command_works_without_the_papers(tmp_path: Path) -> None:
    package = PackageCopy(tmp_path).package
    shutil.rmtree(package / "papers")
    record = json.loads((package / RECORDS).read_text().splitlines()[0]) | {"id": "one"}
    plan = "\n".join(record["witness"])
    texts = {"one.jsonl": json.dumps(record), "a.plan": plan,
             "answers.jsonl": json.dumps({"id": "one", "answer": plan})}  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    printed = run_lines(environment(tmp_path), tmp_path, *(line for line, *_ in USES))
    for (line, status, words), done in zip(USES, printed, strict=True):
        assert done.status == status, f"{line}: {done.err}"
        assert words in done.out + done.err, line
    assert "reproduce" not in printed[-2].out
