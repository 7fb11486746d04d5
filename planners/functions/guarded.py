"""External functions as a state space in which every call is checked."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from pddl_pipeline.planners.functions.failure import (
    ISGOAL,
    SUCC,
    Category,
    CodeFails,
    Failure,
    call_failed,
)
from pddl_pipeline.planners.functions.process import CallFault, Functions
from pddl_pipeline.search.black_boxes import feedback_text as text
from pddl_pipeline.search.black_boxes.domain import Domain, Puzzle
from pddl_pipeline.search.space import NotAState, Space, State


class Guarded:
    """External functions, applied to the instances of a domain.

    Each call is checked as in AutoToS's search (section 4, step 3): it must end in time, must not
    change its input, and its successors must pass the partial soundness check.
    """

    def __init__(
        self, functions: Functions, domain: Domain, *, partial_soundness: bool = True
    ) -> None:
        """Store the functions.

        Args:
            functions: the external functions.
            domain: their domain.
            partial_soundness: whether to apply the domain's check of transitions. Successors must
                have the form of states in any case.
        """
        self._functions = functions
        self._domain = domain
        self._partial_soundness = partial_soundness

    def space(self, puzzle: Puzzle) -> Space:
        """Return the state space of an instance; its functions raise `CodeFails`."""
        return Space(
            puzzle.start,
            lambda state: self.succ(state, puzzle.setting),
            lambda state: self.isgoal(state, puzzle.setting),
            self._domain.key,
        )

    def succ(self, state: State, setting: Any) -> list[State]:
        """Return the successors of a state.

        Raises:
            CodeFails: a check fails.
        """
        others = (setting,) if self._domain.succ_takes else ()
        successors: list[State] = self._called(SUCC, state, *others)
        for after in successors:
            failure = self._misstep(state, after, setting)
            if failure is not None:
                raise CodeFails(failure)
        return successors

    def isgoal(self, state: State, setting: Any, *, unit_test: bool = False) -> bool:
        """Return whether a state is a goal.

        Raises:
            CodeFails: a check fails.
        """
        others = (setting,) if self._domain.setting else ()
        return bool(self._called(ISGOAL, state, *others, unit_test=unit_test))

    def _called(self, function: str, state: State, *others: Any, unit_test: bool = False) -> Any:
        try:
            result, after = self._functions.call(function, state, *others)
        except CallFault as fault:
            raise CodeFails(call_failed(fault, state if unit_test else None)) from fault
        if after is not None and self._is_changed(state, after):
            words = text.input_changed if function == SUCC else text.goal_changes_input
            reason = f"{function} changed {state} to {after}"
            failure = Failure(Category.INPUT_CHANGED, function, reason, words(state, after))
            raise CodeFails(failure)
        return result

    def _is_changed(self, before: State, after: Any) -> bool:
        """Return whether a state has changed; the order of unordered parts may change."""
        try:
            return self._key(before) != self._key(after)
        except NotAState:
            return True

    def _key(self, value: Any) -> Hashable:
        key = self._domain.key(value)
        try:
            hash(key)
        except TypeError as error:
            raise NotAState("found a list where a name or a number is expected") from error
        return key

    def _misstep(self, before: State, after: Any, setting: Any) -> Failure | None:
        try:
            self._key(after)
            wrong = (
                self._domain.check_transition(before, after, setting)
                if self._partial_soundness
                else None
            )
        except NotAState as error:
            feedback = text.wrong_successor(text.no_state(str(error)), before, after)
            reason = f"{error} in a successor of {before}: {after}"
            return Failure(Category.SUCC_SOUNDNESS, SUCC, reason, feedback)
        if wrong is None:
            return None
        feedback = text.wrong_successor(wrong.feedback, before, after)
        reason = f"{wrong.reason}: {before} to {after}"
        return Failure(Category.SUCC_SOUNDNESS, SUCC, reason, feedback)
