"""Judges the operations of an answer by the rules of the paper and of the answer's source."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from pddl_pipeline.model.answer import Fault, Ruling
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.translators.answers.countdown.board import DescribedOperation
from pddl_pipeline.translators.answers.countdown.operations import Operation, distance, shown
from pddl_pipeline.translators.answers.countdown.start import Start
from pddl_pipeline.translators.domains.countdown_rules import Rules

_WHOSE: Final = {
    "paper": "the paper's rules",
    "source": "the source's rules",
    "negatives": "rules with negative numbers",
}
_RIGHT: Final = Ruling(right=True)


class Judged(NamedTuple):
    """The faults of an answer under the rules that count, and the rulings under all rules."""

    faults: tuple[Fault, ...]
    rulings: dict[str, Ruling]


def judged(described: DescribedOperation, start: Start) -> Judged:
    """Judge the operations of an answer. Rulings have the first reason only."""
    operations = described.board.operations
    unusual = [o for o in operations if not (type(o.value) is int and o.value >= 0)]
    if not unusual and _reaches_target(described, start):
        return Judged(_stated(described), dict.fromkeys(start.rules, _RIGHT))
    missed: dict[tuple[bool, str], list[Fault]] = {}  # most rules agree on these
    faults: dict[str, list[Fault]] = {}
    for name, rules in start.rules.items():
        key = rules.all_used, rules.tolerance
        if key not in missed:
            missed[key] = [*described.board.faults, *_missed(described, start, name)]
        faults[name] = missed[key]
    # No rules forbid other operations.
    doubtful = [
        (step, each) for step, each in enumerate(operations if unusual else (), start=1)
        if not (type(each.value) is int and each.value >= 0 and each.action != "divide")
    ]  # fmt: skip
    rulings = {
        name: _ruling(described, faults[name], _broken(doubtful, name, rules))
        for name, rules in start.rules.items()
    }
    return Judged((*faults[start.judged], *_stated(described)), _with_others(rulings))


def _stated(described: DescribedOperation) -> tuple[Fault, ...]:
    """Return the fault of a false value behind an expression; the rules do not matter for it."""
    stated = described.board.stated
    return () if stated is None else (Fault(ErrorKind.FALSE_VALUE, *stated),)


def _reaches_target(described: DescribedOperation, start: Start) -> bool:
    """Return whether all numbers were combined to the target, without faults in the text."""
    board = described.board
    complete = len(board.operations) + 1 == len(board.used) == len(start.numbers)
    reached = board.result is not None and board.result.value == start.target
    return complete and reached and not board.faults and described.flaw is None


def _ruling(
    described: DescribedOperation, faults: list[Fault], broken: tuple[int, str] | None
) -> Ruling:
    if broken is not None:
        return Ruling(right=False, reason=broken[1], step=broken[0])
    if faults or described.flaw:
        return Ruling(right=False, reason=faults[0].message if faults else described.flaw)
    return _RIGHT


def _with_others(rulings: dict[str, Ruling]) -> dict[str, Ruling]:
    """Add to the reasons of broken rules under which other rules the answer is right."""
    right = [_WHOSE[name] for name, ruling in rulings.items() if ruling.right]
    if not right:
        return rulings
    return {
        name: ruling if ruling.right
        else ruling._replace(reason=f"{ruling.reason}; right under {right[0]}")
        for name, ruling in rulings.items()
    }  # fmt: skip


def _missed(described: DescribedOperation, start: Start, rules: str) -> list[Fault]:
    """Return the faults of an answer as a whole; no faults if it has no result but other faults."""
    board, needed = described.board, len(start.numbers) - 1
    if board.result is None and (board.faults or described.flaw):
        return []
    found: list[Fault] = []
    count = len(board.operations)
    counts = f"operations: {count}, expected {needed}"
    if count > needed:
        found.append(Fault(ErrorKind.MORE_STEPS, counts))
    if start.rules[rules].all_used:
        if count < needed:
            found.append(Fault(ErrorKind.FEWER_STEPS, counts))
        if len(board.used) < len(start.numbers):
            unused = [str(start.numbers[n]) for n in start.numbers if n not in board.used]
            found.append(Fault(ErrorKind.UNUSED_NUMBER, f"not used: {', '.join(unused)[:80]}"))
    off = _off_target(described, start, start.slack[rules])
    return [*found, Fault(ErrorKind.NOT_TARGET, off)] if off else found


def _off_target(described: DescribedOperation, start: Start, slack: Fraction) -> str | None:
    result = described.board.result
    if result is None or result.value is None:
        return None
    value = result.value
    if value == start.target or (slack and distance(value, start.target) <= slack):
        return None
    return f"the result is {shown(value)}, not {start.target}"


def _broken(
    doubtful: Sequence[tuple[int, Operation]], name: str, rules: Rules
) -> tuple[int, str] | None:
    """Return the 1-based step and the reason of the first operation that breaks rules, or None.

    Args:
        doubtful: the operations that may break rules, with their steps.
        name: the name of the rules.
        rules: the rules.
    """
    for step, operation in doubtful:
        reason = rule_break(operation, rules)
        if reason is not None:
            return step, f"{operation.sum} {reason}, which {_WHOSE[name]} do not allow"
    return None


def rule_break(operation: Operation, rules: Rules) -> str | None:
    """Return how an operation breaks rules, or None."""
    value, divisor = operation.value, operation.second.value
    if operation.action == "divide" and divisor is not None:
        if not divisor:
            return "divides by 0"
        if rules.division == "positive" and divisor.numerator < 0:
            return "divides by a negative number"
        if rules.division == "exact" and not isinstance(value, int):
            return "leaves a remainder"
    if value is None:
        return None
    if not rules.negatives and value.numerator < 0:  # comparing fractions is slow
        return "is negative"
    return None if isinstance(value, int) or rules.fractions else "is not a whole number"
