"""Measure calls of models' functions in their sandbox: calls per second of wall-clock and CPU time.

    python benchmarks/model_functions.py

The functions are those of examples/search-code/blocksworld.md, called on a state of five blocks.
Each round has as many calls of the one as of the other function, after a first call that starts the
process. The CPU time is that of both processes together; other programs hardly change it.
"""

from __future__ import annotations

import time
from pathlib import Path

import psutil

from pddl_pipeline.planners.foreign_code.process import CodeSource, Functions

ROUNDS, CALLS = 5, 2_000
EXAMPLE = Path(__file__).parents[1] / "examples" / "search-code" / "blocksworld.md"
NAMES = {"succ": "succ", "isgoal": "isgoal"}
STATE = {
    "clear": ["b", "d", "e"], "on-table": ["a", "c", "e"], "arm-empty": True, "holding": None,
    "on": [("b", "a"), ("d", "c")],
}  # fmt: skip
GOAL = {"clear": [], "on-table": [], "on": [("a", "b")]}


def cpu_s() -> float:
    """Return the CPU time of this process and its running children, in seconds."""
    own = psutil.Process()
    times = [each.cpu_times() for each in (own, *own.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def main() -> None:
    """Print the calls per second of each round."""
    _, *parts = EXAMPLE.read_text(encoding="utf-8").split("```python\n")
    code = "\n".join(part.partition("```")[0] for part in parts)
    with Functions((CodeSource(code, NAMES),)) as functions:
        functions.call("succ", STATE)
        for _ in range(ROUNDS):
            begin, before = time.perf_counter(), cpu_s()
            for _ in range(CALLS // 2):
                functions.call("succ", STATE)
                functions.call("isgoal", STATE, GOAL)
            wall, cpu = time.perf_counter() - begin, cpu_s() - before
            print(f"{CALLS / wall:,.0f} calls a second, {CALLS / cpu:,.0f} per second of CPU time")


if __name__ == "__main__":
    main()
