"""AutoToS's checks of `succ` and `isgoal` (section 4, steps 2 to 4), and its unit tests."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, NamedTuple

from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.pddl_domains import domain_text
from pddl_pipeline.planners.foreign_code.guarded import (
    ISGOAL,
    SUCC,
    Category,
    CodeFails,
    Failure,
    Guarded,
    functions_in,
)
from pddl_pipeline.planners.foreign_code.process import CALL_S, Functions
from pddl_pipeline.search.baseline import SearchEffort
from pddl_pipeline.search.black_boxes.bridges import bridge_of
from pddl_pipeline.search.black_boxes.domain import Domain, Puzzle, fault_of
from pddl_pipeline.search.space import (
    Bounds,
    NonDeterministic,
    NotAState,
    Searched,
    State,
    breadth_first,
)
from pddl_pipeline.translators.formats.json_rows import parse_json, value_of_line
from pddl_pipeline.validation.task import read_task

_FOLDER: Final = Path(__file__).parent / "unit_test_data"
_PUZZLES: Final = "Puzzles"


class SuccessorCase(NamedTuple):
    """A state and some or all of its successors."""

    puzzle: Puzzle
    successors: list[State]


class Example(NamedTuple):
    """An instance to search."""

    name: str
    puzzle: Puzzle


class UnitTests(NamedTuple):
    """The unit tests of one domain."""

    goals: list[Puzzle]
    """Goal states, each with its setting."""
    non_goals: list[Puzzle]
    successors: list[SuccessorCase]
    examples: list[Example]


def own_folder(domain: Domain) -> Path:
    """Return the folder of the project's unit tests of a domain."""
    return _FOLDER / domain.name


def read_unit_tests(folder: Path, domain: Domain) -> UnitTests:
    """Read a folder of unit tests in AutoToS's format.

    ``*_goals.jsonl``, ``*_non_goals.jsonl`` and ``*_successors.jsonl`` have one object per line or
    one list of objects. Instances are PDDL files in ``unittests_instances``, or are listed in
    ``unittests.csv``: puzzles of four numbers, or PDDL files. Instances of countdown are in
    ``*_instances.jsonl``.

    Raises:
        InputError: a file is missing, or has another format.
    """
    non_goals = set(folder.glob("*_non_goals.jsonl"))
    # Files of non-goals match the pattern of goals, too.
    goals = set(folder.glob("*_goals.jsonl")) - non_goals
    successors = set(folder.glob("*_successors.jsonl"))
    for name, found in (("goals", goals), ("non_goals", non_goals), ("successors", successors)):
        if len(found) != 1:
            raise InputError(
                f"found {len(found)} files *_{name}.jsonl, expected 1", file=str(folder)
            )
    return UnitTests(
        [_puzzle(entry, domain) for entry in _entries(goals.pop())],
        [_puzzle(entry, domain) for entry in _entries(non_goals.pop())],
        [_known(entry, domain) for entry in _entries(successors.pop())],
        list(_examples(folder, domain)),
    )


class _Entry(NamedTuple):
    content: Any
    file: str
    line: int | None

    def fault(self, found: str) -> InputError:
        return InputError(found, file=self.file, line=self.line)


def _entries(file: Path) -> Iterator[_Entry]:
    text, name = read_file(file), str(file)
    try:
        entries = parse_json(text)
    except ValueError:
        entries = None
    if isinstance(entries, list) and entries and all(isinstance(entry, dict) for entry in entries):
        yield from (_Entry(content, name, None) for content in entries)
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield _Entry(value_of_line(line, name, number), name, number)


def _puzzle(entry: _Entry, domain: Domain) -> Puzzle:
    """Return a state and its setting; the 24 game has no setting, and its entry is the state."""
    content = entry.content if isinstance(entry.content, dict) else {"state": entry.content}
    try:
        setting = domain.tidy(content[domain.setting]) if domain.setting else None
        return Puzzle(_state(content["state"], domain), setting)
    except (KeyError, TypeError, NotAState) as error:
        expected = f"a state{domain.setting and f' and a {domain.setting}'}"
        raise entry.fault(f"{_missing(error)}, expected {expected} of {domain.name}") from error


def _known(entry: _Entry, domain: Domain) -> SuccessorCase:
    content = entry.content
    # The 24 game's entries are pairs without names.
    if isinstance(content, list) and len(content) == 2:
        content = {"state": content[0], "successors": content[1]}
    try:
        setting = domain.tidy(content[domain.setting]) if domain.succ_takes else None
        successors = [_state(each, domain) for each in content["successors"]]
        return SuccessorCase(Puzzle(_state(content["state"], domain), setting), successors)
    except (KeyError, TypeError, NotAState) as error:
        expected = f"a state and successors of {domain.name}"
        raise entry.fault(f"{_missing(error)}, expected {expected}") from error


def _state(value: Any, domain: Domain) -> State:
    state = domain.tidy(value)
    # The key is not needed here: it raises NotAState for what is no state.
    domain.key(state)
    return state


def _missing(error: Exception) -> str:
    return f"found no {error.args[0]!r}" if isinstance(error, KeyError) else str(error)


def _examples(folder: Path, domain: Domain) -> Iterator[Example]:
    """Yield the instances in the order of their file names, or of the file that lists them."""
    for file in sorted(folder.glob("unittests_instances/*.pddl")):
        yield _from_pddl(file, folder, domain)
    for file in sorted(folder.glob("*_instances.jsonl")):
        for number, entry in enumerate(_entries(file), start=1):
            yield Example(f"{file.name}:{number}", _puzzle(entry, domain))
    if (folder / "unittests.csv").exists():
        yield from _from_table(folder / "unittests.csv", domain)


def _from_table(file: Path, domain: Domain) -> Iterator[Example]:
    rows = list(csv.reader(read_file(file).splitlines()))
    head = rows[0] if rows else []
    for number, row in enumerate(rows, start=1):
        if _PUZZLES not in head and row:
            yield _from_pddl(file.parent / row[0].strip(), file.parent, domain)
        # The first row has the names of the columns.
        elif number > 1 and row:
            words = row[head.index(_PUZZLES)].split()
            if not words or not all(word.isascii() and word.isdigit() for word in words):
                raise InputError(f"found no numbers: {words}", file=str(file), line=number)
            yield Example(" ".join(words), Puzzle([int(word) for word in words]))


def _from_pddl(file: Path, folder: Path, domain: Domain) -> Example:
    text, own = read_file(file), folder / "domain.pddl"
    about = read_file(own) if own.exists() else domain_text(domain.name)
    bridge = bridge_of(read_task(about, file), about, text)
    if bridge.form is None or bridge.form.domain is not domain:
        raise InputError(f"found no task of {domain.name}", file=str(file))
    return Example(file.name, bridge.form.puzzle)


_RAISED = (Category.SUCC_EXCEPTION, Category.ISGOAL_EXCEPTION)


class Stage(StrEnum):
    """The stages of the checks, in this order."""

    RESPONSE = "response"
    GOAL_TESTS = "goal-tests"
    SOUNDNESS = "soundness"
    COMPLETENESS = "completeness"


@dataclass(slots=True)
class Checked:
    """The result of the checks."""

    stage: Stage = Stage.RESPONSE
    """The last stage that began."""
    failure: Failure | None = None
    """None if all checks passed."""
    goal_tests: int = 0
    """Number of states for which `isgoal` is correct."""
    searches: int = 0
    """Number of searched instances."""
    successor_tests: int = 0
    """Number of states for which `succ` returned all known successors."""
    states: int = 0
    """Number of states expanded in the searches."""
    calls: int = 0
    """Number of calls of both functions."""


def check_code(
    answer: str, domain: Domain, tests: UnitTests, bounds: Bounds, call_s: float = CALL_S
) -> Checked:
    """Check the functions in an answer, and stop at the first failure.

    Args:
        answer: Python code, or a model's answer with fenced code.
        domain: the domain of the functions.
        tests: the unit tests.
        bounds: the limits of each search.
        call_s: time limit of each call, in seconds.
    """
    checked = Checked()
    try:
        sources = functions_in(answer)
    except CodeFails as error:
        checked.failure = error.failure
        return checked
    with Functions(sources, call_s) as functions:
        checks = Checks(Guarded(functions, domain), domain, bounds, checked)
        try:
            checks.goal_tests(tests)
            checks.soundness(tests)
            checks.completeness(tests)
        except CodeFails as error:
            checked.failure = error.failure
        checked.calls = functions.calls
    return checked


class Checks:
    """The checks of functions, stage by stage; their results are in a `Checked`."""

    def __init__(self, guarded: Guarded, domain: Domain, bounds: Bounds, checked: Checked) -> None:
        self._guarded = guarded
        self._domain = domain
        self._bounds = bounds
        self._checked = checked

    def goal_tests(self, tests: UnitTests) -> None:
        """Apply `isgoal` to the goal states and non-goal states (step 2).

        Raises:
            CodeFails: a check fails.
        """
        self._checked.stage = Stage.GOAL_TESTS
        for is_goal, puzzles in ((True, tests.goals), (False, tests.non_goals)):
            for puzzle in puzzles:
                with self._setting_in_feedback(puzzle):
                    self._goal_test(puzzle, is_goal=is_goal)
                self._checked.goal_tests += 1

    def soundness(self, tests: UnitTests) -> None:
        """Search the example instances with both functions (step 3).

        Raises:
            CodeFails: a check fails.
        """
        self._checked.stage = Stage.SOUNDNESS
        for example in tests.examples:
            with self._setting_in_feedback(example.puzzle):
                self._search(example)
            self._checked.searches += 1

    def completeness(self, tests: UnitTests) -> None:
        """Look for the known successors among those that `succ` returns (step 4).

        Raises:
            CodeFails: a check fails.
        """
        self._checked.stage = Stage.COMPLETENESS
        for known in tests.successors:
            with self._setting_in_feedback(known.puzzle):
                self._successor_test(known)
            self._checked.successor_tests += 1

    def _goal_test(self, puzzle: Puzzle, *, is_goal: bool) -> None:
        state, setting = puzzle
        if self._guarded.isgoal(state, setting, unit_test=True) != is_goal:
            reason = f"isgoal took {state} for {'no goal' if is_goal else 'a goal'}"
            told = fault_of("goal-rejected" if is_goal else "goal-accepted", state=state)
            raise CodeFails(Failure(Category.ISGOAL_SOUNDNESS, ISGOAL, reason, told))

    def _search(self, example: Example) -> None:
        effort = SearchEffort()
        try:
            space = self._guarded.space(example.puzzle)
            # Tested late: the order of the calls decides which error is found first.
            found = breadth_first(space, self._bounds, effort, late_test=True)
        except NonDeterministic as error:
            reason = "succ gives other successors when it is asked again"
            failure = Failure(Category.SUCC_SOUNDNESS, SUCC, reason, fault_of("unsteady"))
            raise CodeFails(failure) from error
        finally:
            self._checked.states += effort.expanded
        failure_found = self._judged(example, found)
        if failure_found is not None:
            raise CodeFails(failure_found)

    def _judged(self, example: Example, found: Searched) -> Failure | None:
        if found.path is None:
            # The completeness tests explain why no goal was found.
            if found.exhausted:
                return None
            reason = f"{example.name}: {found.reason}"
            return Failure(Category.SEARCH_TIMEOUT, SUCC, reason, fault_of("search-timeout"))
        last = found.path[-1]
        if self._is_goal(last, example.puzzle.setting):
            return None
        reason = f"{example.name}: isgoal took {last} for a goal"
        told = fault_of("reached-no-goal", state=last)
        return Failure(Category.ISGOAL_SOUNDNESS, ISGOAL, reason, told)

    def _is_goal(self, state: State, setting: Any) -> bool:
        # The project's own goal test, which does not depend on the functions of the model.
        others = (setting,) if self._domain.setting else ()
        try:
            return self._domain.isgoal(state, *others)
        except IndexError:
            # Outside the grid.
            return False

    def _successor_test(self, known: SuccessorCase) -> None:
        state, setting = known.puzzle
        found = self._guarded.succ(state, setting)
        key = self._domain.key
        is_same = self._domain.same or (lambda one, other: key(one) == key(other))
        missing = [
            successor
            for successor in known.successors
            if not any(is_same(successor, f) for f in found)
        ]
        if missing:
            reason = f"succ lacks {missing} after {state}"
            told = fault_of("missing", state=state, successors=missing)
            raise CodeFails(Failure(Category.SUCC_COMPLETENESS, SUCC, reason, told))

    @contextmanager
    def _setting_in_feedback(self, puzzle: Puzzle) -> Iterator[None]:
        """Add the setting to the feedback on a failure in the cases in which AutoToS does."""
        try:
            yield
        except CodeFails as error:
            is_test, takes = self._checked.stage is Stage.GOAL_TESTS, self._domain.succ_takes
            failure, name = error.failure, self._domain.setting
            if name and (is_test or (takes and failure.category not in _RAISED)):
                told = fault_of(
                    "in-setting" if takes else "with-setting",
                    name="grid configuration" if name == "grid" else name,
                    title=name.capitalize(),
                    setting=puzzle.setting,
                    feedback=failure.fault,
                )
                failure = replace(failure, fault=told)
            raise CodeFails(failure) from error
