"""Time `score --task pddl` on problems against themselves with one fact of the goal changed.

    python benchmarks/equivalence.py DATA...

The data are problems in PDDL, as those of the planning competitions, or records. The answer to each
problem with at most 60 objects is the problem itself, itself renamed and in another order, and
itself with another object in the first fact of its goal. A line
is printed for each kind: how many answers are decided, and the longest CPU and wall-clock times.
The status is 1 if an answer is undecided or takes more than 1 second. One that does is timed again,
and the least of three times counts.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

from pddl_pipeline import load_records, translate
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.scoring.score import score
from pddl_pipeline.translators import read_instance

MOST_OBJECTS: Final = 60
LIMIT_S: Final = 1.0
_FACT: Final = re.compile(r"\((?:= *\([^()]*\))?[^()]+\)")


def renamed(text: str) -> str:
    """Return a problem with other names of the objects, and its initial facts in reverse order."""
    start, end = text.index("(:init"), text.index("(:goal")
    facts = _FACT.findall(text, start, end)
    turned = f"{text[:start]}(:init {' '.join(reversed(facts))})\n{text[end:]}"
    names = re.findall(r"[^\s()-][^\s()]*(?=[^()]*\))", text[text.index("(:objects") + 9 : start])
    types = re.findall(r"- *([^\s()]+)", text[text.index("(:objects") : start])
    kept = {*names} - {*types}
    return re.sub(r"[^\s()]+", lambda word: f"x-{word[0]}" if word[0] in kept else word[0], turned)


def with_another_goal(text: str) -> str:
    """Return a problem whose first goal fact has another last object, or is left out."""
    start = text.index("(:goal")
    goal = _FACT.findall(text, start)[0]
    name, *objects = goal.strip("()").split()
    same = (fact.strip("()").split() for fact in _FACT.findall(text))
    others = sorted({fact[-1] for fact in same if fact and fact[0] == name} - {*objects})
    fact = f"({' '.join([name, *objects[:-1], Random(0).choice(others)])})" if others else ""
    return text[:start] + text[start:].replace(goal, fact, 1)


KINDS: Final[dict[str, Callable[[str], str]]] = {
    "itself": lambda text: text,
    "renamed, reordered": renamed,
    "one goal changed": with_another_goal,
}


def main() -> int:
    """Print a line for each kind of answers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="+", type=Path)
    instances = [
        each for each in load_records(*parser.parse_args().data)
        if len(read_instance(each).vocabulary.objects) <= MOST_OBJECTS
    ]  # fmt: skip
    failed = 0
    for kind, change in KINDS.items():
        found = Counter[Status]()
        times = []
        for instance in instances:
            answer = {"id": instance.id, "answer": change(translate(instance).problem_pddl)}
            tries: list[tuple[float, float]] = []
            while not tries or (len(tries) < 3 and min(tries)[0] > LIMIT_S):
                begin = time.process_time(), time.perf_counter()
                (result,) = score([instance], [answer], reading="pddl")
                tries.append((time.process_time() - begin[0], time.perf_counter() - begin[1]))
            times.append((*min(tries), instance.id))
            found[result.verdict.status] += 1
        cpu, wall = max(times), max(each[1] for each in times)
        over = sum(each[1] > LIMIT_S for each in times)
        failed |= found[Status.UNDECIDED] > 0 or cpu[0] > LIMIT_S
        said = ", ".join(f"{count} {status}" for status, count in sorted(found.items()))
        print(f"{kind:20}{len(times)} answers: {said}; CPU at most {cpu[0]:.2f} s ({cpu[2]}), "
              f"wall-clock at most {wall:.2f} s, {over} above {LIMIT_S:.0f} s")  # fmt: skip
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
