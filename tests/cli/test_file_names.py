"""Names of files that are not UTF-8, in every command that reads or writes files."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import Cli


def named(text: str) -> str:
    """Return a name of a file with the byte E9, which is not UTF-8 before an ASCII letter."""
    return os.fsdecode(text.replace("%", "\xe9").encode("latin-1"))


COMMANDS = (
    "translate f%rry -o t%out",
    "translate f%rry f%2 -o t%both",
    "translate t%out -o t%again",
    "run f%rry --planner lama-first -o s%tore",
    "report s%tore --html r%.html",
    "show s%tore -o s%pages",
    "prompt f%rry -o p%.jsonl",
    "questions f%rry -o q%.jsonl",
    "equivalent f%rry/p%1.pddl f%2 --json",
    "score f%rry a%.jsonl -o sc%.jsonl --html sc%.html --pages scp%",
    "show f%rry a%.jsonl -o ap%",
    "show f%rry/domain.pddl f%rry/p%1.pddl f%rry/pl%n -o one%.html",
    "solve f%rry/domain.pddl f%rry/p%1.pddl -o sol%",
    "validate f%rry/domain.pddl f%rry/p%1.pddl f%rry/pl%n",
    "validate --json f%rry/domain.pddl f%rry/p%1.pddl f%rry/pl%n",
)


def test_names_that_are_not_utf_8(cli: Cli, tmp_path: Path) -> None:
    ferry, there = domain_folder("ferry"), tmp_path / named("f%rry")
    there.mkdir()
    for old, new in {
        "domain.pddl": "domain.pddl",
        "p01.pddl": "p%1.pddl",
        "p01.plan": "pl%n",
    }.items():
        shutil.copy(ferry / old, there / named(new))
    shutil.copytree(there, tmp_path / named("f%2"))
    answer = {"id": r"p\udce91", "answer": (ferry / "p01.plan").read_text("utf-8")}
    (tmp_path / named("a%.jsonl")).write_text(json.dumps(answer) + "\n", encoding="utf-8")
    written = list[bytes]()
    for command in COMMANDS:
        done = cli(*map(named, command.split()))
        assert done.status == 0, (command, done.err)
        written += [done.out.encode()] * ("--json" in command)
    written += [file.read_bytes() for file in tmp_path.rglob("*.jsonl")]
    for content in written:
        # JSON has no unpaired surrogates; a name has the text of one, with a backslash.
        assert rb"\udce9" not in content.replace(rb"\\udce9", b"")
    row = json.loads((tmp_path / named("s%tore") / "runs.jsonl").read_text("utf-8"))
    assert (row["id"], row["status"]) == (r"p\udce91", "valid")


def test_a_planner_whose_name_is_not_utf_8_is_an_error(cli: Cli, tmp_path: Path) -> None:
    planner = tmp_path / named("m%")
    planner.write_text("#!/bin/sh\n", encoding="utf-8")
    planner.chmod(0o755)
    task = (domain_folder("ferry") / name for name in ("domain.pddl", "p01.pddl"))
    done = cli("solve", *task, "--planner", named("me=cmd:./m%"))
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "expected UTF-8; link the file under another name" in done.err
