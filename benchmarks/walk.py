"""Count this project's files and functions that a command calls, in all of its processes.

    python benchmarks/walk.py [--list]

Functions that run while modules are imported count; the bodies of modules and classes do not.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pddl_pipeline
from pddl_pipeline.pddl_domains import domain_folder

RECORD = '{"id": "a", "domain": "countdown", "numbers": [3, 4, 5, 6], "target": 24}\n'
ANSWER = '{"id": "a", "answer": "(4 + 6 - 5) * 3 = 15"}\n'
# Python imports this at its start. A line for each function, written at once: some processes end
# without the interpreter's exit.
PROFILER = """
import os, sys, threading
place = os.environ.get("WALK_PLACE")
def profile(frame, event, _, known=set()):
    code = frame.f_code
    if event == "call" and code not in known:
        known.add(code)
        if code.co_filename.startswith(place) and code.co_flags & 2:
            os.write(sink, f"{code.co_filename}\\t{code.co_qualname}\\n".encode())
if place:
    sink = os.open(os.environ["WALK_FILE"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    threading.setprofile(profile)
    sys.setprofile(profile)
"""


def called(arguments: list[str], folder: Path) -> set[tuple[str, str]]:
    """Return the files and functions that a command calls, given its arguments and its folder."""
    (folder / "sitecustomize.py").write_text(PROFILER, encoding="utf-8")
    calls = folder / "calls"
    calls.unlink(missing_ok=True)
    package = Path(pddl_pipeline.__file__).parent
    environment = {
        **os.environ, "WALK_PLACE": f"{package}{os.sep}", "WALK_FILE": str(calls),
        "PYTHONPATH": os.pathsep.join([str(folder), *sys.path[1:]]),
    }  # fmt: skip
    command = [sys.executable, "-m", "pddl_pipeline", *arguments]
    subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True)
    lines = calls.read_text(encoding="utf-8").splitlines()
    return {(file, function) for file, _, function in (line.partition("\t") for line in lines)}


def main() -> None:
    """Print a line for each command."""
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS)
    parser.add_argument("--list", action="store_true", help="print the names, too")
    options = parser.parse_args()
    sample = domain_folder("countdown")
    with TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "data.jsonl").write_text(RECORD, encoding="utf-8")
        (folder / "answers.jsonl").write_text(ANSWER, encoding="utf-8")
        (folder / "plan").write_text("(checkgoal)\n", encoding="utf-8")
        for arguments in (
            ["validate", str(sample / "domain.pddl"), str(sample / "p01.pddl"), "plan"],
            ["run", "data.jsonl", "--planner", "enhsp", "-o", "runs"],
            ["score", "data.jsonl", "answers.jsonl"],
        ):
            found = called(arguments, folder)
            print(
                f"{arguments[0]}: {len({file for file, _ in found})} files, {len(found)} functions"
            )
            if options.list:
                print(*(f"  {file}\t{function}" for file, function in sorted(found)), sep="\n")


if __name__ == "__main__":
    main()
