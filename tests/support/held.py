"""Repeat what a reliability audit found to hold, and print a table with the numbers.

    python tests/support/held.py [--share SHARE] [ROW...|all]

Each row has the audit's number of repetitions times the share, which is 1 if it is not given; a
tenth takes some minutes. The rows are named in `ROWS`. The exit status is 1 if a row fails.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import psutil
from page_browser import opened
from places import PROGRAM, ROOT, TESTS
from processes_of_tests import is_in, wait_for
from store_results import RESULT, read_store, write_store

from pddl_pipeline.pddl_domains import domain_folder

sys.path[:0] = [
    str(TESTS / "cli"), str(TESTS / "runs"), str(TESTS / "planners" / "sandbox"),
]  # fmt: skip
DATA = domain_folder("ferry") / "examples.jsonl"
IDS = ("../../x", "/etc/passwd", "..", ".", "-o", "a b", "a\nb", "a\0b", "\x1b[2J", "~", "$(id)",
       "con", "x" * 200, "größe", "\u202ea", "%2e%2e%2fx", "*", "a|id", "<b>", "'", '"', "\\..\\x",
       )[:19]  # fmt: skip
SCRIPT = "window.hit=1"
INJECTIONS = (
    f"<script>{SCRIPT}</script>", f"</script><script>{SCRIPT}</script>",
    f"<img src=x onerror={SCRIPT}>",
    f"<svg onload={SCRIPT}>", f"'><script>{SCRIPT}</script>", f'"><script>{SCRIPT}</script>',
    f'" onmouseover="{SCRIPT}', f"' autofocus onfocus='{SCRIPT}", f"javascript:{SCRIPT}",
    f"<a href=javascript:{SCRIPT}>a</a>", "<iframe srcdoc='<script>parent.hit=1</script>'>",
    f"<!--<script>{SCRIPT}</script>", f"]]><script>{SCRIPT}</script>",
    f"</title><script>{SCRIPT}</script>",
    f"</style><script>{SCRIPT}</script>", f"</textarea><script>{SCRIPT}</script>",
    "<base href=http://127.0.0.1:9/>", f"<details open ontoggle={SCRIPT}>",
)  # fmt: skip


def program(folder: Path, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [PROGRAM, "-q", *map(str, arguments)], cwd=folder, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(folder)},
    )  # fmt: skip


def ended(folder: Path, *arguments: object) -> int:
    """Run a command; fail if it ends with a traceback."""
    process = program(folder, *arguments)
    _, err = process.communicate(timeout=300)
    assert "Traceback" not in err, err
    return process.returncode


def runner(folder: Path, number: int) -> str:
    import_module("test_kill").check_killed_runs(folder, number)
    return f"{number} kills: nothing lost, doubled or left"


def others(folder: Path, number: int) -> str:
    """Kill warm processes, supervisors and planners in turn, until there were enough kills."""
    line = ("run", DATA, "--planner", "slow=cmd:sh -c 'sleep 0.3; exit 0'", "-j", "2",
            "--repeat", "4", "-o", "runs", "--retry", "crash,lost")  # fmt: skip
    kills, stores = 0, 0
    while kills < number:
        process, levels = program(folder, *line), cycle((1, 2, 3))
        while process.poll() is None and kills < number:
            time.sleep(0.2)
            kills += killed_below(process.pid, next(levels))
        process.communicate(timeout=300)
        while ended(folder, *line) == 3:
            pass
        stores += 1
        results = read_store(folder / "runs")
        final = {result.key: str(result.outcome) for result in results}
        assert Counter(final.values()) == {"gave-up": 20}, final
        (folder / "runs").rename(folder / f"runs-{stores}")
    wait_for(lambda: not any(is_in(each, folder) for each in psutil.process_iter()), 10)
    assert not list(folder.glob("pddl-pipeline-*"))
    return f"{kills} kills, {stores} stores: nothing lost or left"


def killed_below(process: int, level: int) -> bool:
    """Kill a process that is this number of levels below another; return whether there was one."""
    try:
        found = psutil.Process(process)
        for _ in range(level):
            found = Random().choice(found.children())
        found.kill()
    except (psutil.Error, IndexError):
        return False
    return True


def openings(folder: Path, number: int) -> str:
    for each in range(number):
        line = ("run", DATA, "--planner", "slow=cmd:sleep 0.5", "-o", f"runs-{each}")
        three = [program(folder, *line) for _ in range(3)]
        said = [(process.communicate(timeout=300)[1], process.returncode) for process in three]
        refused = [text for text, _ in said if "another process is writing" in text]
        # On a busy machine, one may start when another has ended.
        ran = [status for _, status in said if status == 0]
        # Of a run that crashed or was lost, `run -q` says nothing here: its status is 3.
        results = {
            result.key: (str(result.outcome), result.reason)
            for result in read_store(folder / f"runs-{each}")
        }
        found = (bool(ran), len(refused) + len(ran), len(results))
        assert found == (True, 3, 5), (found, said, results)
    return f"{number} times three: one runs, others are refused or come later"


def attempts(_: Path, number: int) -> str:
    attempt_with = import_module("test_faults").attempt_with
    family = [psutil.Process()]
    seen = []
    for done in range(number):
        assert attempt_with("behaves").plan
        if done in (number // 4, number - 1):
            family = [family[0], *family[0].children()]
            seen.append(
                (sum(each.memory_info().rss for each in family) / 2**20,
                 sum(each.num_fds() for each in family))
            )  # fmt: skip
    (early, few), (late, many) = seen
    assert late < early + 10, seen
    assert many <= few + 2, seen
    return f"{number} attempts: {early:.0f} to {late:.0f} MiB, {few} to {many} descriptors"


def output(*arguments: str) -> str:
    """Run a program of Python, and return its last lines."""
    line = [sys.executable, *arguments]
    done = subprocess.run(line, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]
    return "; ".join(done.stdout.splitlines()[-4:])


TESTS_OF = ("-m", "pytest", "-q", "-n0", "--run-long")
READERS = ("plans", "formats of plans", "PDDL domain", "PDDL problem")


@contextmanager
def pages(folder: Path, texts: tuple[str, ...]) -> Iterator[list[Path]]:
    """Yield the pages of every kind about texts that stand wherever texts of others do."""
    results = [
        replace(RESULT, key=f"k{number}", id=text, planner=text, domain=text, reason=text,
                plan=(text,), extra={text: text})
        for number, text in enumerate(texts)
    ]  # fmt: skip
    write_store(folder / "store", *results)
    ids = [json.loads(line) | {"id": text} for line, text in zip(cycle(DATA.open()), texts)]
    rows = [{"id": text, "model": text, "answer": f"{text}\n(board c0 l0)"} for text in texts]
    for name, objects in (("data", ids), ("answers", rows)):
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in objects))
    for line in (
        "report store --html report.html --pages of-runs", "show store -o shown",
        "score data.jsonl answers.jsonl --html score.html --pages of-answers",
        "show data.jsonl answers.jsonl -o answers", "translate data.jsonl -o pddl",
        "run data.jsonl --planner t=cmd:true -o runs",
    ):  # fmt: skip
        assert ended(folder, *line.split()) in (0, 1, 3), line
    yield [*folder.rglob("*.html")]


def injections(folder: Path, number: int) -> str:
    with pages(folder, INJECTIONS[:number]) as found, opened() as browser:
        for page in found:
            browser.open(page)
            browser.js("for (const e of document.querySelectorAll('details')) e.open = true")
            assert not browser.js("return window.hit || window.frames.length"), page
            assert browser.requests() == []
    return f"{number} injections, {len(found)} pages: no script, no request"


def ids(folder: Path, number: int) -> str:
    inside = folder / "outer" / "inner"
    inside.mkdir(parents=True)
    with pages(inside, IDS[:number]) as found:
        assert len(found) > 3 * number  # three kinds have a page for each
        assert [path.name for path in folder.rglob("*") if not path.is_relative_to(inside)] == [
            "outer"
        ]
    return f"{number} ids, {len(found)} pages: nothing outside of the folder"


ROWS: dict[str, tuple[Callable[[Path, int], str], int]] = {
    "kill -9 of the runner": (runner, 40),
    "kill -9 of others": (others, 271),
    "three open a store": (openings, 51),
    "attempts in a row": (attempts, 2000),
    "planners that misbehave": (
        lambda _, __: output(*TESTS_OF, "tests/planners/sandbox/test_faults.py"),
        1,
    ),
    "texts that repeat a unit": (lambda _, __: output("benchmarks/reader_growth.py", *READERS), 1),
    "injections": (injections, 18),
    "ids": (ids, 19),
    "encodings of a key": (
        lambda _, __: output(*TESTS_OF, "tests/endpoints/test_ask_faults.py", "-k", "key"),
        1,
    ),
}


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("rows", nargs="*", choices=["all", *ROWS], default="all")
    arguments.add_argument("--share", type=float, default=1)
    chosen = arguments.parse_args()
    failed = 0
    for name in ROWS if "all" in chosen.rows else chosen.rows:
        check, number = ROWS[name]
        begin = time.monotonic()
        with TemporaryDirectory() as folder:
            try:
                said = check(Path(folder), max(1, round(number * chosen.share)))
            except AssertionError as error:
                said, failed = f"FAILED {error}"[:4000], 1
        sys.stdout.write(f"{name:28}{said} ({time.monotonic() - begin:.0f} s)\n")
        sys.stdout.flush()
    return failed


if __name__ == "__main__":
    sys.exit(main())
