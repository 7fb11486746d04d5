"""A published conversation beside the loop: the same replies, and what each side made of them."""

from __future__ import annotations

from typing import NamedTuple

from pddl_pipeline.papers.autotos.loop.experiment import Checks
from pddl_pipeline.papers.autotos.loop.loop import End, Loop
from pddl_pipeline.papers.autotos.loop.opening import Opening
from pddl_pipeline.papers.autotos.loop.published_log import PublishedLog
from pddl_pipeline.planners.functions.guarded import Category


class Difference(NamedTuple):
    """A reply after which the two sides say different things."""

    call: int
    """The number of the call, from 1."""
    published: str
    """The category of the feedback in the log, or how the log ends."""
    ours: str
    """The category of the failure that the checks find, or how the loop ends."""
    reason: str
    """One line about our failure; empty without one."""


class Replayed(NamedTuple):
    """The loop after the replies of a log."""

    end: End | None
    """How the loop ended; None if it would ask for something that the log does not have."""
    calls: dict[str, int]
    """The number of replies that the loop took, by function."""
    failures: tuple[Category, ...]
    differences: tuple[Difference, ...]


def replay(log: PublishedLog, opening: Opening, checks: Checks, max_calls: int) -> Replayed:
    """Drive the loop with the replies of a log, as long as both ask for the same function.

    Args:
        log: the log.
        opening: the initial prompts of its domain.
        checks: the checks of its domain.
        max_calls: the maximum number of calls for a function.
    """
    loop = Loop(opening, max_calls)
    failures, differences = list[Category](), list[Difference]()
    for number, call in enumerate(log.calls, start=1):
        if loop.request is None or loop.request.function != call.function:
            break
        outcome = checks.check(call.reply, call.function, loop.sources)
        loop.receive(call.reply, outcome)
        failure = outcome.failure
        if failure is not None:
            failures.append(failure.category)
        ours = str(loop.end or (failure.category if failure else "no failure"))
        # At the end, the log does not say which check failed.
        published = _published(log, number)
        if ours != published:
            reason = failure.reason if failure else ""
            differences.append(Difference(number, published, ours, reason))
    return Replayed(loop.end, dict(loop.calls), tuple(failures), tuple(differences))


def published_end(log: PublishedLog) -> End | None:
    """Return how the run of a log ended; None if it does not say."""
    if log.accepted is None:
        return None
    return End.ACCEPTED if log.accepted else End.CALLS_USED


def _published(log: PublishedLog, number: int) -> str:
    """Return what follows a reply in a log: the category of its feedback, or the end."""
    if number == len(log.calls):
        return str(published_end(log) or "no end")
    return str(log.calls[number].category or "no failure")
