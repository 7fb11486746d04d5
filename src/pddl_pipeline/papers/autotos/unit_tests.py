"""AutoToS, section 4 and Appendix A: its unit tests applied to this project's functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

from pddl_pipeline.papers.autotos.checks.unit_tests import (
    SuccessorCase,
    UnitTests,
    own_folder,
    read_unit_tests,
)
from pddl_pipeline.papers.autotos.published import OWN_FUNCTIONS
from pddl_pipeline.papers.comparison import Comparison, Quantity, quantity_text
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import Fact
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import NamedTable, StudyResult
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.search.black_boxes.domain import Domain, Puzzle, domains, own_space
from pddl_pipeline.search.space import State
from pddl_pipeline.tables.text_table import TextTable

_Test = TypeVar("_Test")

_DOMAINS: Final = ("24game", "blocksworld", "sokoban")
"""The domains of AutoToS that this project searches; the other two are crosswords and PrOntoQA."""


_Counts = Mapping[str, Quantity]
"""The tests that pass, by kind."""


def _run(bench: Workbench) -> StudyResult:
    folders = {name: bench.dataset("autotos", name) for name in _DOMAINS}
    counts = {name: _passed(domains()[name], folder) for name, folder in folders.items()}
    theirs = [name for name, folder in folders.items() if folder is not None]
    return StudyResult(
        conditions="Unit tests of " + (f"AutoToS for {', '.join(theirs)}" if theirs else
        "this project") + "; functions succ and isgoal of this project.",
        comparisons=tuple(_comparison(name, counts[name]) for name in _DOMAINS),
        tables=(NamedTable("Unit tests that pass", _table(counts)),),
    )  # fmt: skip


def _passed(domain: Domain, folder: Path | None) -> _Counts:
    """Return the number of passed tests by kind."""
    tests = read_unit_tests(folder or own_folder(domain), domain)
    return {
        "goals": _count(tests.goals, lambda puzzle: _is_goal(domain, puzzle)),
        "non-goals": _count(tests.non_goals, lambda puzzle: not _is_goal(domain, puzzle)),
        "complete successors": _count(tests.successors, lambda known: _is_complete(domain, known)),
        "sound transitions": _sound(domain, tests),
    }


def _count(tests: Iterable[_Test], passes: Callable[[_Test], bool]) -> Quantity:
    results = [passes(test) for test in tests]
    return Quantity(sum(results), of=len(results))


def _is_goal(domain: Domain, puzzle: Puzzle) -> bool:
    return bool(own_space(domain, puzzle).isgoal(puzzle.start))


def _is_complete(domain: Domain, known: SuccessorCase) -> bool:
    found = list(own_space(domain, known.puzzle).succ(known.puzzle.start))
    return all(any(_same(domain, each, other) for other in found) for each in known.successors)


def _same(domain: Domain, one: State, other: State) -> bool:
    if domain.same is not None:
        return domain.same(one, other)
    return domain.key(one) == domain.key(other)


def _sound(domain: Domain, tests: UnitTests) -> Quantity:
    """Count the transitions from the tests' states that pass AutoToS's partial soundness check."""
    transitions = [
        (known.puzzle.start, after, known.puzzle.setting) for known in tests.successors
        for after in own_space(domain, known.puzzle).succ(known.puzzle.start)
    ]  # fmt: skip
    return _count(transitions, lambda each: domain.check_transition(*each) is None)


def _comparison(name: str, counts: _Counts) -> Comparison:
    passed = all(each.value == each.of for each in counts.values())
    number = sum(each.of or 0 for each in counts.values())
    return Comparison(
        what=f"unit tests of {name} that this project's functions pass",
        ours=tuple(replace(passed, label=kind) for kind, passed in counts.items()),
        decision=decide(Fact(passed, number) if number else None),
        remark=OWN_FUNCTIONS,
    )


def _table(counts: Mapping[str, _Counts]) -> TextTable:
    kinds = tuple(next(iter(counts.values())))
    rows = tuple((name, *map(quantity_text, found.values())) for name, found in counts.items())
    return TextTable(("domain", *kinds), rows, names=1)


STUDIES: Final = (Study("autotos-unittests", "its unit tests, on our own functions", _run),)
