"""Commands that are killed at random moments leave the old output or the new one."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from store_results import RESULT

from pddl_pipeline import load_records, translate
from pddl_pipeline.cli.main import main
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.runs.jobs import Finished, problem_hash
from pddl_pipeline.runs.store import RunStore

FERRY = domain_folder("ferry") / "examples.jsonl"


def _translate(folder: Path) -> None:
    assert run(folder, f"translate {FERRY} -o out") == 0


def _generate(folder: Path) -> None:
    assert run(folder, "generate ferry --size 4 --count 100 --seed 1 -o out") == 0


def _score(folder: Path) -> None:
    names = [instance.id for instance in load_records(FERRY)]
    lines = (json.dumps({"id": name, "answer": "(sail l0 l1)", "attempt": attempt})
             for attempt in range(20) for name in names)  # fmt: skip
    (folder / "answers").write_text("\n".join(lines))
    (folder / "out").write_text("old\n")


def _rejudge(folder: Path) -> None:
    with RunStore(folder / "out") as store:
        for instance in load_records(FERRY):
            problem = problem_hash(translate(instance))
            store.keep_problem(problem, instance)
            result = replace(RESULT, key=instance.id, id=instance.id, problem=problem)
            store.add(Finished(result, {}))


COMMANDS: dict[str, tuple[Callable[[Path], None], str]] = {
    "translate": (_translate, f"translate {domain_folder('countdown') / 'examples.jsonl'} -o out"),
    "generate": (_generate, "generate ferry --size 4 --count 100 --seed 2 -o out"),
    "rejudge": (_rejudge, "rejudge out"),
    "score": (_score, f"score {FERRY} answers -o out"),
}
"""Commands that replace what is in ``out``, each with a function that makes a folder for it."""


CHANGES = {"os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir", "os.truncate"}


def kill_at(change: int) -> None:
    """Make this process kill itself before a change of names of files, counted from 1."""
    left = iter(range(change - 1))

    def hook(event: str, _: object) -> None:
        if event in CHANGES and next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def run(folder: Path, line: str, after_s: float | None = None, change: int = 0) -> int | None:
    """Run a command in a fork of this process; return its status, None if it was killed.

    Args:
        folder: where it runs.
        line: its arguments.
        after_s: seconds until it is killed.
        change: the change of the names of files before which it is killed; see `kill_at`.
    """
    child = os.fork()
    if child == 0:
        try:
            os.chdir(folder)
            if change:
                kill_at(change)
            sys.argv = ["pddl-pipeline", "-q", *line.split()]
            for stream in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
            main()
        except SystemExit as ended:
            os._exit(int(ended.code or 0))
        finally:
            os._exit(99)
    if after_s is not None:
        time.sleep(after_s)
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return None if status == -signal.SIGKILL else status


def content(folder: Path, *, hidden: bool) -> dict[str, bytes]:
    """Return the files in a folder without backups; hidden ones and parts only if wanted."""
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return {
        name: path.read_bytes()
        for name, path in files.items()
        if path.name != ".lock"
        and "rejudged-" not in name
        and (hidden or ("/." not in f"/{name}" and path.suffix != ".part"))
    }


def killed(command: str, folder: Path, moments: int) -> Counter[str]:
    """Kill a command before each change of names and at random moments; count what it left.

    That is the old output or the new one, or a folder that is named as unfinished. The next
    success leaves the new output and nothing else.
    """
    make, line = COMMANDS[command]
    old, new = folder / "old", folder / "new"
    old.mkdir()
    make(old)
    shutil.copytree(old, new)
    run(new, line)  # imports what the next runs need
    begin = time.monotonic()
    status = run(Path(shutil.copytree(old, folder / "measured")), line)
    duration = time.monotonic() - begin
    before, after = content(old, hidden=True), content(new, hidden=True)
    assert before != after
    found, change, is_killed = Counter[str](), 0, True
    while is_killed or moments:
        work = Path(shutil.copytree(old, folder / "work"))
        if is_killed:  # at the changes, until there are no more
            change += 1
            is_killed = run(work, line, change=change) is None
        else:
            moments -= 1
            run(work, line, Random().uniform(0, 1.2 * duration))
        left = content(work, hidden=False)
        if left not in (before, after):
            with pytest.raises(InputError, match="an interrupted `translate`"):
                list(load_records(work / "out"))
        if command == "rejudge" and left == after:
            assert any(work.rglob("*.rejudged-*.jsonl"))  # the old lines
        found["old" if left == before else "new" if left == after else "named"] += 1
        assert run(work, line) == status
        assert content(work, hidden=True) == after
        shutil.rmtree(work)
    assert change > 1
    return found + Counter({"changes": change - 1})


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS)
def test_a_kill_leaves_the_old_or_the_new(command: str, tmp_path: Path) -> None:
    """Run ``tests/support/held.py`` for 200 random moments."""
    found = killed(command, tmp_path, 8)
    assert found["old"]
    assert found["new"]
