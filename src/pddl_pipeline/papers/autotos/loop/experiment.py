"""Repeated conversations with a model, stored and resumable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, Protocol

from pddl_pipeline.endpoints.settings import ChatModel, Message, Reply
from pddl_pipeline.model.errors import StoreError
from pddl_pipeline.papers.autotos.loop.call_store import CALLS, CallStore, StoredCall
from pddl_pipeline.papers.autotos.loop.loop import End, Loop, Request
from pddl_pipeline.papers.autotos.loop.opening import Opening
from pddl_pipeline.papers.autotos.loop.outcome import Outcome
from pddl_pipeline.planners.functions.process import CodeSource

REPETITIONS: Final = 5
"""The number of conversations in the paper (section 5)."""


class Call(NamedTuple):
    """A call of the model with the outcome of the checks of its reply."""

    request: Request
    reply: Reply
    outcome: Outcome


class Conversation(NamedTuple):
    """A conversation that ended."""

    repetition: int
    """Its number, from 1."""
    end: End
    calls: tuple[Call, ...]
    sources: Mapping[str, CodeSource]
    """The last functions by role; both are there unless the calls were used up before."""

    def count(self, function: str) -> int:
        """Return the number of calls for a function."""
        return sum(call.request.function == function for call in self.calls)


class Checks(Protocol):
    """What checks a reply; see `Checker.check`."""

    def check(self, reply: str, function: str, others: Mapping[str, CodeSource]) -> Outcome:
        """Return the outcome of the checks of a reply."""
        ...


def unwatched(repetition: int, call: Call) -> None:
    """Do nothing with a new call."""
    del repetition, call


class Conditions(NamedTuple):
    """What all conversations of an experiment have in common."""

    opening: Opening
    checks: Checks
    max_calls: int
    watch: Callable[[int, Call], None] = unwatched
    """Called with the number of the repetition after each new call."""


def converse(
    repetition: int, conditions: Conditions, model: ChatModel, store: CallStore
) -> Conversation:
    """Hold a conversation to its end. Stored calls are not repeated.

    Args:
        repetition: the number of the conversation, from 1.
        conditions: the prompts and checks.
        model: the model; it is asked only what is not stored.
        store: the store, which gets each reply before it is checked.

    Raises:
        StoreError: a stored call is not the one that follows from those before it, or the file
            cannot be written. Errors of the model pass, too; what was stored remains.
    """
    loop, done = Loop(conditions.opening, conditions.max_calls), list[Call]()
    stored = iter(tuple(store.calls(repetition)))  # without those that are added
    while loop.request is not None:
        known = next(stored, None)
        call = _call(loop, loop.request, known, (repetition, conditions, model, store))
        loop.receive(call.reply.text, call.outcome)
        done.append(call)
        if known is None:
            conditions.watch(repetition, call)
    if loop.end is None:
        raise AssertionError
    return Conversation(repetition, loop.end, tuple(done), loop.sources)


def _call(
    loop: Loop,
    request: Request,
    known: StoredCall | None,
    rest: tuple[int, Conditions, ChatModel, CallStore],
) -> Call:
    """Return the next call: the stored one, or one of the model."""
    repetition, conditions, model, store = rest
    if known is None:
        reply = model.reply([*loop.messages, Message("user", request.prompt)])
        store.add_reply(repetition, request, reply)
    elif known.request != request:
        place = (
            f"{store.folder / CALLS}: repetition {repetition}, call {sum(loop.calls.values()) + 1}"
        )
        raise StoreError(f"{place}: the stored request does not follow from the calls before it")
    else:
        reply = known.reply
    outcome = None if known is None else known.outcome
    if outcome is None:
        outcome = conditions.checks.check(reply.text, request.function, loop.sources)
        store.add_outcome(repetition, outcome)
    return Call(request, reply, outcome)
