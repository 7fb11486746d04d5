"""AutoToS's checks, in order, up to the first failure (section 4, steps 2 to 4)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from pddl_pipeline.papers.autotos.checks.unit_tests import Example, SuccessorCase, UnitTests
from pddl_pipeline.planners.functions.guarded import (
    ISGOAL,
    SUCC,
    Category,
    CodeFails,
    Failure,
    Guarded,
    Unparsable,
    functions_in,
    unparsable,
)
from pddl_pipeline.planners.functions.process import CALL_S, Functions
from pddl_pipeline.search.baseline import SearchEffort
from pddl_pipeline.search.black_boxes import feedback_text as text
from pddl_pipeline.search.black_boxes.domain import Domain, Puzzle
from pddl_pipeline.search.space import Bounds, NonDeterministic, Searched, State, breadth_first

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
    except Unparsable as error:
        checked.failure = unparsable(error)
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
            feedback = text.wrong_goal(state, is_goal=is_goal)
            raise CodeFails(Failure(Category.ISGOAL_SOUNDNESS, ISGOAL, reason, feedback))

    def _search(self, example: Example) -> None:
        effort = SearchEffort()
        try:
            space = self._guarded.space(example.puzzle)
            found = breadth_first(space, self._bounds, effort, late_test=True)
        except NonDeterministic as error:
            reason = "succ gives other successors when it is asked again"
            failure = Failure(Category.SUCC_SOUNDNESS, SUCC, reason, text.UNSTEADY)
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
            return Failure(Category.SEARCH_TIMEOUT, SUCC, reason, text.SEARCH_TIMEOUT)
        last = found.path[-1]
        if self._is_goal(last, example.puzzle.setting):
            return None
        reason = f"{example.name}: isgoal took {last} for a goal"
        return Failure(Category.ISGOAL_SOUNDNESS, ISGOAL, reason, text.reached_no_goal(last))

    def _is_goal(self, state: State, setting: Any) -> bool:
        others = (setting,) if self._domain.setting else ()
        try:
            return self._domain.isgoal(state, *others)
        except IndexError:
            # Outside the grid.
            return False

    def _successor_test(self, known: SuccessorCase) -> None:
        state, setting = known.puzzle
        found = self._guarded.succ(state, setting)
        is_same = self._domain.same or self._same_key
        missing = [each for each in known.successors if not any(is_same(each, f) for f in found)]
        if missing:
            reason = f"succ lacks {missing} after {state}"
            feedback = text.missing(state, missing)
            raise CodeFails(Failure(Category.SUCC_COMPLETENESS, SUCC, reason, feedback))

    def _same_key(self, one: State, other: State) -> bool:
        return self._domain.key(one) == self._domain.key(other)

    @contextmanager
    def _setting_in_feedback(self, puzzle: Puzzle) -> Iterator[None]:
        """Add the setting to the feedback on a failure in the cases in which AutoToS does."""
        try:
            yield
        except CodeFails as error:
            is_test = self._checked.stage is Stage.GOAL_TESTS
            failure, name = error.failure, self._domain.setting
            if self._domain.succ_takes and (is_test or failure.category not in _RAISED):
                feedback = text.in_setting(name, puzzle.setting, failure.feedback)
                failure = replace(failure, feedback=feedback)
            elif name and is_test:
                feedback = text.with_setting(name, puzzle.setting, failure.feedback)
                failure = replace(failure, feedback=feedback)
            raise CodeFails(failure) from error
