"""Functions of a model's answer or a file, as a state space in which every call is checked."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from pddl_pipeline.answers.marks import code_blocks
from pddl_pipeline.planners.foreign_code.process import CallFault, CodeSource, Functions
from pddl_pipeline.planners.foreign_code.worker import CODE_FILE
from pddl_pipeline.search.black_boxes.domain import Domain, FunctionFault, Puzzle, fault_of
from pddl_pipeline.search.space import NotAState, Space, State

_STATEMENTS: Final = ("def ", "class ", "import ", "from ", "if ", "try:", "return")
"""Beginnings of lines that may follow a function, or are an error in one."""
_WORDS: Final = {"succ": "succ", "isgoal": "goal"}
"""The words that the functions' names contain."""


def functions_in(text: str) -> tuple[CodeSource, ...]:
    """Return the code of both functions.

    Code is the text between fences, or the whole text if there are none. The first definition whose
    name contains the function's word counts, and the rest of its block is kept.

    Raises:
        CodeFails: a function is missing, or its block is not Python.
    """
    found: dict[str, dict[str, str]] = {}
    for function in _WORDS:
        code, names = function_in(text, function)
        found.setdefault(code, {}).update(names)
    return tuple(CodeSource(code, names) for code, names in found.items())


def function_in(text: str, function: str) -> CodeSource:
    """Return the code of one function; see `functions_in`.

    Args:
        text: Python code, or a model's answer with fenced code.
        function: ``succ`` or ``isgoal``.

    Raises:
        CodeFails: the function is missing, or its block is not Python.
    """
    code, name = _defining(code_blocks(text), function, _WORDS[function])
    return CodeSource(code, {function: name})


def _parsed(block: str) -> tuple[str, ast.Module]:
    """Return the code of a block and its syntax tree; text that follows the code is removed.

    Raises:
        SyntaxError: the block does not begin with Python code.
    """
    try:
        return block, _module(block)
    # Models explain their code below it, in the same block.
    except SyntaxError as error:
        code = _before_words(block)
        try:
            return code, _module(code)
        except SyntaxError:
            raise error from None


def _module(code: str) -> ast.Module:
    with warnings.catch_warnings():
        # Ignore warnings about strange code that runs.
        warnings.simplefilter("ignore")
        try:
            return ast.parse(code, CODE_FILE)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(str(error)) from error


def _before_words(block: str) -> str:
    """Return the lines before the first one after a function that cannot be Python."""
    lines = block.splitlines(keepends=True)
    start = next((n for n, line in enumerate(lines) if line.startswith("def ")), len(lines))
    for number, line in enumerate(lines[start:], start=start):
        if line[0] == "`" or (line[0].isalpha() and not line.startswith(_STATEMENTS)):
            return "".join(lines[:number])
    return block


def _defining(blocks: list[str], function: str, word: str) -> tuple[str, str]:
    """Return the first block that defines a function, and the function's name."""
    broken: SyntaxError | None = None
    for block in blocks:
        try:
            code, module = _parsed(block)
        except SyntaxError as error:
            # The error of a broken block counts only if the block is about this function.
            if word in block.lower():
                broken = broken or error
            continue
        names = [node.name for node in module.body if isinstance(node, ast.FunctionDef)]
        named = [name for name in names if word in name.lower()]
        if named:
            # `succ` itself comes before names that only contain it, such as `succ_of_row`.
            return code, function if function in named else named[0]
    kind = "missing" if broken is None else "syntax"
    reason = f"found no function whose name says '{word}'" if broken is None else str(broken)
    told = fault_of(f"{function}-{kind}", error=reason)
    raise CodeFails(Failure(Category.UNPARSABLE, function, f"{function}: {reason}", told))


SUCC = "succ"
ISGOAL = "isgoal"


class Category(StrEnum):
    """The categories of errors, as AutoToS (Cao et al. 2024, section 6) has them."""

    SUCC_SOUNDNESS = "succ-soundness"
    INPUT_CHANGED = "input-changed"
    SUCC_COMPLETENESS = "succ-completeness"
    ISGOAL_SOUNDNESS = "isgoal-soundness"
    SUCC_EXCEPTION = "succ-exception"
    ISGOAL_EXCEPTION = "isgoal-exception"
    SEARCH_TIMEOUT = "search-timeout"
    SUCC_TIMEOUT = "succ-timeout"
    ISGOAL_TIMEOUT = "isgoal-timeout"
    UNPARSABLE = "unparsable-response"


@dataclass(frozen=True, slots=True)
class Failure:
    """The first failure of the functions."""

    category: Category
    function: str
    """The function to fix: ``succ`` or ``isgoal``."""
    reason: str
    """One line."""
    fault: FunctionFault


class CodeFails(Exception):
    """A check of the functions failed."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(f"{failure.category}: {failure.reason}")
        self.failure = failure


def call_failed(fault: CallFault, goal_test_on: Any | None = None) -> Failure:
    """Return the failure of a call that did not return a result.

    Args:
        fault: how the call ended.
        goal_test_on: the state, if the call was a unit test of `isgoal`.
    """
    function, reason = fault.function, f"{fault.function}: {fault}"
    if fault.late:
        category = Category.SUCC_TIMEOUT if function == SUCC else Category.ISGOAL_TIMEOUT
        return Failure(category, function, reason, fault_of(f"{function}-too-long"))
    category = Category.SUCC_EXCEPTION if function == SUCC else Category.ISGOAL_EXCEPTION
    name = f"{function}-exception" if goal_test_on is None else "goal-exception"
    told = fault_of(name, state=goal_test_on, trace=fault.trace)
    return Failure(category, function, reason, told)


class Guarded:
    """External functions, applied to the instances of a domain.

    Each call is checked: it must end in time, must not
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
        # In Sokoban, for example, the walls are no part of a state.
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
            reason = f"{function} changed {state} to {after}"
            told = fault_of(f"{function}-changes-input", before=state, after=after)
            raise CodeFails(Failure(Category.INPUT_CHANGED, function, reason, told))
        return result

    def _is_changed(self, before: State, after: Any) -> bool:
        """Return whether a state has changed; the order of unordered parts may change."""
        try:
            return self._key(before) != self._key(after)
        # A value that is no state any more has changed.
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
            misstep = fault_of("no-state", why=error)
            reason = f"{error} in a successor of {before}: {after}"
        else:
            if wrong is None:
                return None
            misstep, reason = wrong.fault, f"{wrong.reason}: {before} to {after}"
        told = fault_of("wrong-successor", misstep=misstep, before=before, after=after)
        return Failure(Category.SUCC_SOUNDNESS, SUCC, reason, told)
