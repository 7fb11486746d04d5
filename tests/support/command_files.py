"""All commands, and a folder with every file that they may read: two instances of blocksworld."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import click
from command_line import write_script
from places import ROOT
from store_results import RESULT, write_store

from pddl_pipeline.cli.group import GROUP
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.questions.kind import kinds
from pddl_pipeline.questions.making import QuestionSpec, make_questions
from pddl_pipeline.translators.datasets import load_records

BLOCKS = domain_folder("blocksworld")
FILES = ("domain.pddl", "p01.pddl", "p01.plan", "examples.jsonl", "solved.jsonl")
CSV = "id,numbers,target\na,1 2 3 4,24\nb,2 3 4 6,24\n"


def all_commands() -> dict[str, click.Command]:
    """Return each command and group by its words."""
    context, found = click.Context(GROUP), dict[str, click.Command]()
    for name in GROUP.list_commands(context):
        command = GROUP.get_command(context, name)
        assert command is not None
        below = getattr(command, "commands", {})
        found |= {name: command, **{f"{name} {each}": below[each] for each in below}}
    return found


def write_files(folder: Path) -> Path:
    """Write the files into a folder; return it."""
    for name in FILES:
        shutil.copy(BLOCKS / name, folder / name)
    plan = (BLOCKS / "p01.plan").read_text()
    lines = (BLOCKS / "examples.jsonl").read_text().splitlines(keepends=True)[:2]
    (folder / "examples.jsonl").write_text("".join(lines))
    (folder / "one.jsonl").write_text(lines[0])
    first, second = (json.loads(line)["id"] for line in lines)
    answers = [{"id": first, "answer": plan}, {"id": second, "answer": ""}]
    (folder / "answers.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in answers))
    (folder / "prompts.jsonl").write_text('{"id": "a", "prompt": "Ask."}\n')
    (folder / "given.jsonl").write_text(json.dumps({"id": "p01", "answer": plan}))
    (folder / "answers.csv").write_text(f'id,response\n{first},"{plan}"\n{second},\n')
    (folder / "table.csv").write_text(CSV)
    write_script(folder / "mine.sh", f"#!/bin/sh\ncp '{folder}/p01.plan' \"$1\"\n")
    planner = f'[[planners]]\nname = "mine"\ncommand = "{folder}/mine.sh {{plan}}"\n'
    (folder / "planners.toml").write_text(planner)
    (folder / "look.toml").write_text('rules = [{ predicate = "on", on = true }]\n')
    shutil.copy(ROOT / "examples" / "search-code" / "blocksworld.md", folder / "code.md")
    shutil.copy(ROOT / "examples" / "autotos" / "24game.txt", folder / "log.txt")
    write_store(folder / "store", RESULT)
    (folder / "pairs.jsonl").touch()
    instances = load_records(folder / "examples.jsonl")
    questions = [*make_questions(instances, QuestionSpec(["state"]))]
    exact = [{"id": each.id, "answer": kinds()["state"].answer_text(each)} for each in questions]
    for name, rows in (("questions", [q.to_json() for q in questions]), ("exact", exact)):
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return folder
