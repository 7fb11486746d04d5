"""Make ENHSP's plans on numeric IPC domains again; see countdown/protocol-numeric.md.

``python studies/numeric_distances.py DATASET --continue`` makes the runs that are missing; without
``--continue``, it prints a row for each stored run, with the distances of its comparisons.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from operator import add, eq, ge, gt, le, lt, mul, sub, truediv
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.papers.stored_runs import (
    PlannedRun,
    StoredRun,
    StoredRuns,
    read_stored_runs,
    run_planned,
)
from pddl_pipeline.runs.stored_commands import machine
from pddl_pipeline.translators.given_pddl import GivenPddl, given_instance

FOLDER: Final = Path(__file__).parent / "countdown"
CLAIMS: Final = FOLDER / "results" / "numeric-ipc" / "claims.csv"
STORE: Final = FOLDER / "runs" / "numeric.jsonl.gz"
LIMITS: Final = Limits(time_s=300, cpu_s=30)
COMPARE: Final = {"<": lt, "<=": le, "=": eq, ">=": ge, ">": gt}
COMBINE: Final = {"+": add, "-": sub, "*": mul, "/": truediv}
_WORD: Final = re.compile(r"[()]|[^\s()]+")
Tree = Any
"""A word or a list of trees."""


def parse(text: str) -> Tree:
    """Return the tree of a PDDL text."""
    stack: list[list[Tree]] = [[]]
    for word in _WORD.findall(re.sub(";.*", "", text).lower()):
        if word == "(":
            stack.append([])
        elif word == ")":
            closed = stack.pop()
            stack[-1].append(closed)
        else:
            stack[-1].append(word)
    return stack[0][0]


def typed(words: list[Tree]) -> dict[str, str]:
    """Return the type of each name of a list such as ``a b - truck c``."""
    found, waiting, at = dict[str, str](), list[str](), 0
    while at < len(words):
        if words[at] == "-":
            found |= dict.fromkeys(waiting, words[at + 1])
            waiting, at = [], at + 1
        else:
            waiting.append(words[at])
        at += 1
    return found | dict.fromkeys(waiting, "object")


class Evaluator:
    """Executes a plan in exact arithmetic, without the project's validator, and notes distances."""

    def __init__(self, domain: str, problem: str) -> None:
        """Read the texts."""
        parts = {part[0]: part[1:] for part in (*parse(domain)[1:], *parse(problem)[1:])}
        self.types = typed(parts.get(":types", []))
        self.objects = typed(parts.get(":constants", [])) | typed(parts.get(":objects", []))
        self.actions = {
            part[1]: dict(zip(part[2::2], part[3::2], strict=True))
            for part in parse(domain)
            if part[0] == ":action"
        }
        self.goal = parts[":goal"][0]
        self.facts = {tuple(fact) for fact in parts[":init"] if fact[0] != "="}
        self.values = {
            tuple(fact[1]): Fraction(fact[2]) for fact in parts[":init"] if fact[0] == "="
        }
        self.distances: list[Fraction] = []

    def execute(self, plan: Sequence[str]) -> bool:
        """Return whether a plan is valid."""
        for step in plan:
            name, *arguments = step.strip("()").lower().split()
            action = self.actions[name]
            binding = dict(zip(typed(action.get(":parameters", [])), arguments, strict=True))
            if not self.holds(action.get(":precondition", []), binding):
                return False
            self._apply(list(self._changes(action[":effect"], binding)))
        return self.holds(self.goal, {})

    def holds(self, tree: Tree, binding: Mapping[str, str]) -> bool:
        """Return whether a condition holds; evaluate all of its comparisons."""
        match tree:
            case [] | ["and"]:
                return True
            case ["and" | "or" as word, *parts]:
                found = [self.holds(part, binding) for part in parts]
                return (all if word == "and" else any)(found)
            case ["not", part]:
                return not self.holds(part, binding)
            case ["imply", first, second]:
                return self.holds(["or", ["not", first], second], binding)
            case ["forall" | "exists" as word, variables, part]:
                found = [self.holds(part, one) for one in self._bindings(variables, binding)]
                return (all if word == "forall" else any)(found)
            case ["=", str(one), str(other)] if self._is_name(one):
                return binding.get(one, one) == binding.get(other, other)
            case [str(word), first, second] if word in COMPARE:
                left, right = self.value(first, binding), self.value(second, binding)
                self.distances.append(abs(left - right))
                return COMPARE[word](left, right)
        return tuple(binding.get(word, word) for word in tree) in self.facts

    def value(self, tree: Tree, binding: Mapping[str, str]) -> Fraction:
        """Return the value of an expression."""
        match tree:
            case str(number):
                return Fraction(number)
            case ["-", part]:
                return -self.value(part, binding)
            case [str(word), *parts] if word in COMBINE:
                first, *rest = (self.value(part, binding) for part in parts)
                for other in rest:
                    first = COMBINE[word](first, other)
                return first
        return self.values[tuple(binding.get(word, word) for word in tree)]

    def _is_name(self, word: str) -> bool:
        return word.startswith("?") or word in self.objects

    def _bindings(
        self, variables: list[Tree], binding: Mapping[str, str]
    ) -> Iterator[dict[str, str]]:
        kinds = typed(variables)
        fitting = [[x for x in self.objects if self._is_a(x, kind)] for kind in kinds.values()]
        for objects in product(*fitting):
            yield {**binding, **dict(zip(kinds, objects, strict=True))}

    def _is_a(self, name: str, kind: str) -> bool:
        own = self.objects[name]
        while own not in (kind, "object"):
            own = self.types[own]
        return kind in (own, "object")

    def _changes(self, tree: Tree, binding: Mapping[str, str]) -> Iterator[tuple[Any, ...]]:
        match tree:
            case ["and", *parts]:
                for part in parts:
                    yield from self._changes(part, binding)
            case ["when", condition, part]:
                if self.holds(condition, binding):
                    yield from self._changes(part, binding)
            case ["forall", variables, part]:
                for one in self._bindings(variables, binding):
                    yield from self._changes(part, one)
            case ["increase" | "decrease" | "assign" as word, fluent, amount]:
                name = tuple(binding.get(part, part) for part in fluent)
                yield word, name, self.value(amount, binding)
            case ["not", fact]:
                yield "delete", tuple(binding.get(word, word) for word in fact)
            case [*fact] if fact:
                yield "add", tuple(binding.get(word, word) for word in fact)

    def _apply(self, changes: list[tuple[Any, ...]]) -> None:
        for kind, name, *amount in sorted(changes, key=lambda change: change[0] == "add"):
            match kind:
                case "add":
                    self.facts.add(name)
                case "delete":
                    self.facts.discard(name)
                case "assign":
                    self.values[name] = amount[0]
                case _:
                    sign = 1 if kind == "increase" else -1
                    self.values[name] = self.values.get(name, Fraction(0)) + sign * amount[0]


def distances(record: GivenPddl, plan: Sequence[str]) -> tuple[bool, list[Fraction]]:
    """Return whether a plan is valid, and the distance of each comparison on its way."""
    evaluator = Evaluator(record.domain, record.problem)
    return evaluator.execute(plan), evaluator.distances


class _WithoutTexts(StoredRuns):
    """Stored runs without the texts of their instances, which are others' and public."""

    def append(self, run: StoredRun) -> Any:
        return super().append(replace(run, record={}))


def planned_runs(dataset: Path) -> list[PlannedRun]:
    """Return the runs on the instances with a claim, in the order of the first run's CPU time."""
    with CLAIMS.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["outcome"] == "plan-found"]
    planned = []
    for row in sorted(rows, key=lambda row: float(row["cpu_s"])):
        folder = dataset / row["domain"]
        texts = (
            (folder / part).read_text(encoding="utf-8")
            for part in ("domain.pddl", f"instances/{row['instance']}.pddl")
        )
        instance = given_instance(f"{row['domain']}-{row['instance']}", *texts, {})
        planned.append(PlannedRun(instance, "enhsp", LIMITS))
    return planned


def main(dataset: Path, *, makes_runs: bool) -> None:
    """Make the missing runs, or print a row for each."""
    planned = planned_runs(dataset)
    if makes_runs:
        with _WithoutTexts(STORE) as store:
            for _ in run_planned(store, planned, lambda *_: {}, machine()):
                pass
        return
    records = {each.instance.id: each.instance.record for each in planned}
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(
        ["instance", "outcome", "verdict", "valid", "steps", "comparisons", "at bound", "least",
         "cpu_s"]
    )  # fmt: skip
    for run in read_stored_runs(STORE):
        found, own = run.result, list[object]([""] * 4)
        if found.plan is not None:
            valid, every = distances(records[found.id], found.plan)
            above = [each for each in every if each]
            own = [valid, len(every), len(every) - len(above), min(above, default="")]
        writer.writerow(
            [found.id, found.outcome, found.status or "", own[0], found.steps or "", *own[1:],
             found.cpu_s]
        )  # fmt: skip


if __name__ == "__main__":
    main(Path(sys.argv[1]), makes_runs=sys.argv[2:] == ["--continue"])
