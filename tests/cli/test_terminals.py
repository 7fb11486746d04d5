"""Text from planners, models, files and stores cannot control the terminal."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import write_script
from page_blocks import in_turn
from places import PROGRAM

from pddl_pipeline.io.standard_streams import for_terminal
from pddl_pipeline.pddl_domains import domain_folder

FOLDER = domain_folder("blocksworld")
DOMAIN, PROBLEM = (str(FOLDER / name) for name in ("domain.pddl", "p01.pddl"))
# Erase, move, scroll, set modes, title, clipboard (ended by BEL or ST), links, reports, character
# sets, printing, reset, and the same in the eight-bit form; writing from right to left.
SEQUENCES = [
    *(f"\x1b[{end}" for end in (
        "2J", "K", "1A", "5G", "H", "3S", "?25l", "?1049h", "8m", "31m", "6n", "c", "5i", "!p",
        "1000h", "20t", "s", "u", "4l", "2q",
    )),
    "\x1b]0;title\x07", "\x1b]52;c;aGk=\x07", "\x1b]52;c;aGk=\x1b\\", "\x1b]8;;file:///x\x1b\\",
    "\x1b]4;1;?\x07", '\x1bP$q"p\x1b\\', "\x1b_x\x1b\\", "\x1b^x\x1b\\", "\x1bX\x1b\\", "\x1bc",
    "\x1b7", "\x1b8", "\x1bM", "\x1b(0", "\x1b#8", "\x9b2J", "\x9d0;x\x9c", "\x08\x08", "\x7f",
    "\u202e",
]  # fmt: skip
HOSTILE = "x".join(SEQUENCES)
NAME = re.sub("[ ();]", "", HOSTILE)
# Of the program: colours of rows; with a bar also other colours and the cursor.
ROWS = re.compile("\x1b\\[(?:33|1|0)m")
BAR = re.compile("\x1b\\[(?:[\\d;]+m|\\?25[lh]|2K|1A)|\r")
BARS = ("run", "score", "report", "translate", "prompt", "show")
ID = HOSTILE[:100]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("terminal")
    printing = f"import sys; sys.stdout.write({HOSTILE!r}); sys.exit(5)"
    write_script(folder / "crash.py", f"#!{sys.executable}\n{printing}\n")
    plan = f"(unknown{NAME} b1)\n"
    write_script(folder / "plan.py", f"#!{sys.executable}\nprint({plan!r})\n")
    (folder / "plan").write_text(plan)
    (folder / f"file{HOSTILE.replace('/', '')[:100]}").write_text("(")
    (folder / "bad.pddl").write_text(f"(define (domain x) (:oops{NAME}))")
    record = {"id": ID, "domain": "countdown", "numbers": [1, 2, 3, 4], "target": 24}
    (folder / "records.jsonl").write_text(json.dumps(record))
    answer = {"id": ID, "answer": f"{HOSTILE} = 24", "model": HOSTILE}
    (folder / "answers.jsonl").write_text(json.dumps(answer))
    (folder / "odd.jsonl").write_text(json.dumps({**record, "domain": HOSTILE}))
    return folder


COMMANDS = [
    ("validate", DOMAIN, PROBLEM, "plan"),
    ("validate", "bad.pddl", PROBLEM, "plan"),
    ("validate", DOMAIN, PROBLEM, "{file}"),
    ("validate", DOMAIN, PROBLEM, HOSTILE),
    ("solve", DOMAIN, PROBLEM, "--planner", "x=cmd:./crash.py {domain}"),
    ("solve", DOMAIN, PROBLEM, "--planner", "x=cmd:./plan.py {domain}"),
    ("run", PROBLEM, "records.jsonl", "--planner", "x=cmd:./crash.py {domain}", "-o", "runs"),
    ("score", "records.jsonl", "answers.jsonl"),
    ("score", "odd.jsonl", "answers.jsonl"),
    ("translate", "odd.jsonl", "-o", "out"),
    ("prompt", "records.jsonl", HOSTILE),
    ("show", "records.jsonl", HOSTILE),
    (HOSTILE,),
    ("--quiet", "run", "records.jsonl", "--planner", "x=cmd:./crash.py {domain}", "-o", "store"),
    ("--quiet", "report", "store"),
]


@pytest.fixture(scope="module")
def printed(folder: Path) -> list[str]:
    """What the commands print on a terminal with colours, standard error included."""
    (named,) = (file.name for file in folder.glob("file*"))
    commands = ([named if word == "{file}" else word for word in line] for line in COMMANDS)
    before = "unset NO_COLOR; TERM=xterm COLUMNS=200"
    return [done.out for done in in_turn(commands, folder, before, "< /dev/null")]


@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_nothing_from_outside_controls_the_terminal(printed: list[str], number: int) -> None:
    assert "\\x1b" in printed[number]
    own = BAR if COMMANDS[number][0] in BARS else ROWS
    left = own.sub("", printed[number])
    assert for_terminal(left) == left


def test_a_pipe_receives_every_byte(folder: Path) -> None:
    (named,) = (file.name for file in folder.glob("file*"))
    done = subprocess.run(
        [PROGRAM, "validate", DOMAIN, PROBLEM, named], cwd=folder, capture_output=True, check=False
    )
    assert f"Checking plan: {named}\n".encode() in done.stdout
