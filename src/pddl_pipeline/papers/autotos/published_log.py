"""Conversations in the format of the logs that IBM/AutoToS publishes (``src/clean_logs``).

A log alternates prompts, below a line ``AutoToS prompt:``, and replies, below ``Model response:``.
Lines below ``System message:``, and lines such as ``Successor Iteration 3``, are the authors'
program's own. The last of them say how the run ended.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

from pddl_pipeline.endpoints.settings import Message, Reply
from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.planners.foreign_code.guarded import ISGOAL, SUCC, Category

_MARK: Final = re.compile(
    r"^(?P<mark>AutoToS prompt|Model response|System message):[ \t]*(?:\n|\Z)", re.MULTILINE
)
_PROMPT, _REPLY, _SYSTEM = "AutoToS prompt", "Model response", "System message"
_OWN_LINES: Final = re.compile(
    r"(?:\n(?:Goal Iteration \d+ - Goal Soundness Test"
    r"|Successor Iteration \d+(?: - Restarting function extraction)?)[ \t]*)+\s*\Z"
)
"""Lines of the authors' program at the end of a reply."""
_SOUND: Final = "Successor States Soundness Test Passed"
_ACCEPTED: Final = "Successor Completeness Test Passed"
_STOPPED: Final = "Process stopped."
_SCORE: Final = re.compile(r"(?:Total s|S)uccess: (\d+), failure: (\d+), total expansions (\d+)")
_KINDS: Final = tuple(
    (re.compile(pattern, re.DOTALL), function, category)
    for pattern, function, category in (
        (r"Successor function execution took too long", SUCC, Category.SUCC_TIMEOUT),
        (r"Goal test function execution took too long", ISGOAL, Category.ISGOAL_TIMEOUT),
        (r"Timeout occurred during search", SUCC, Category.SEARCH_TIMEOUT),
        (r"Input state should not .* the successor function", SUCC, Category.INPUT_CHANGED),
        (r"Input state should not .* the goal test", ISGOAL, Category.INPUT_CHANGED),
        (r"Successor function when run on the state", SUCC, Category.SUCC_COMPLETENESS),
        (r"The goal test function failed to execute", ISGOAL, Category.ISGOAL_EXCEPTION),
        (r"The goal test function failed on", ISGOAL, Category.ISGOAL_SOUNDNESS),
        (r"exception was produced when testing the succ", SUCC, Category.SUCC_EXCEPTION),
        (r"exception was produced when testing the goal", ISGOAL, Category.ISGOAL_EXCEPTION),
        (r"(Could not extract|syntax error).*successor states", SUCC, Category.UNPARSABLE),
        (r"(Could not extract|syntax error).*a goal state", ISGOAL, Category.UNPARSABLE),
        (
            r"Invalid trans|Each tower has|holding a block|different successors",
            SUCC,
            Category.SUCC_SOUNDNESS,
        ),
    )
)
"""Texts in feedback, with the function that it asks for and its category."""


class Asked(NamedTuple):
    """A prompt of a log, and the reply to it."""

    prompt: str
    reply: str
    function: str
    """The function that the prompt asks for, ``succ`` or ``isgoal``."""
    category: Category | None
    """The category of the feedback; None for an initial prompt."""
    line: int
    """The 1-based line of the reply's mark."""
    is_sound: bool
    """Whether the functions passed the soundness tests after the reply."""


class LogScore(NamedTuple):
    """The authors' evaluation of the functions on their dataset."""

    solved: int
    failed: int
    expanded: int


class PublishedLog(NamedTuple):
    """A conversation."""

    file: str
    calls: tuple[Asked, ...]
    accepted: bool | None
    """Whether the functions passed; None if the log does not say how the run ended."""
    score: LogScore | None
    """None if the functions were not evaluated."""


def log_text(calls: Iterable[tuple[str, str]], *, accepted: bool) -> str:
    """Return a conversation in the format of the published logs.

    Args:
        calls: the prompts, each with its reply.
        accepted: whether the functions passed all checks.
    """
    parts = [
        f"{_PROMPT}:\n{prompt.strip()}\n\n{_REPLY}:\n{reply.strip()}\n\n" for prompt, reply in calls
    ]
    end = _ACCEPTED if accepted else f"Maximum number of calls reached. {_STOPPED}"
    return f"{''.join(parts)}{_SYSTEM}:\n{end}\n"


class _Part(NamedTuple):
    mark: str
    body: str
    line: int


def read_log(file: Path) -> PublishedLog:
    """Read a conversation.

    Raises:
        InputError: the file cannot be read, or it is no complete log.
    """
    name = str(file)
    parts = _parts(read_file(file))
    if not parts:
        message = f"found no log of AutoToS, expected lines '{_PROMPT}:' and '{_REPLY}:'"
        raise InputError(message, file=name)
    calls = tuple(_calls(parts, name))
    said = [part.body for part in parts if part.mark == _SYSTEM]
    found = _SCORE.search("\n".join(said))
    return PublishedLog(
        name, calls, _accepted(said), None if found is None else LogScore(*map(int, found.groups()))
    )


def _parts(text: str) -> list[_Part]:
    """Return the marked parts of a log."""
    marks = list(_MARK.finditer(text))
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return [
        _Part(mark["mark"], text[mark.end() : end], text.count("\n", 0, mark.start()) + 1)
        for mark, end in zip(marks, ends, strict=bool(marks))
    ]


def _accepted(said: Sequence[str]) -> bool | None:
    if any(_ACCEPTED in each for each in said):
        return True
    return False if any(_STOPPED in each for each in said) else None


def _calls(parts: Sequence[_Part], file: str) -> Iterator[Asked]:
    talk = [part for part in parts if part.mark != _SYSTEM]
    openings = iter((SUCC, ISGOAL))
    # The line of the last reply before each part: a message is about that reply.
    replies = accumulate((part.line if part.mark == _REPLY else 0 for part in parts), max)
    sound = {
        reply
        for reply, part in zip(replies, parts, strict=True)
        if part.mark == _SYSTEM and _SOUND in part.body
    }
    for number, part in enumerate(talk):
        expected = (_PROMPT, _REPLY)[number % 2]
        if part.mark != expected:
            raise InputError(f"expected '{expected}:'", file=file, line=part.line)
        if expected == _PROMPT:
            continue
        prompt = talk[number - 1].body.strip("\n")
        # The first prompt is never feedback, whatever its words are.
        function, category = asked_for(prompt) if number > 1 else (None, None)
        function = function or next(openings, None)
        if function is None:
            message = "found a prompt that is no feedback of AutoToS"
            raise InputError(message, file=file, line=talk[number - 1].line)
        # The program printed its own progress below the reply.
        reply = _OWN_LINES.sub("", f"\n{part.body}").strip("\n")
        yield Asked(prompt, reply, function, category, part.line, part.line in sound)
    if len(talk) % 2:
        raise InputError("found a prompt without a reply", file=file, line=talk[-1].line)


def asked_for(prompt: str) -> tuple[str | None, Category | None]:
    """Return the function and the category of feedback; None for an initial prompt."""
    for pattern, function, category in _KINDS:
        if pattern.search(prompt):
            return function, category
    return None, None


class ReplayedModel:
    """Replies with the replies of a log, in their order; a `ChatModel`."""

    def __init__(self, log: PublishedLog) -> None:
        self._log = log

    def reply(self, messages: Sequence[Message]) -> Reply:
        """Return the reply that the log has after as many replies as the conversation has.

        Raises:
            InputError: the log has no further reply, or its next one is for the other function.
        """
        # The loop is resumable, so the place in the log follows from the messages, not from a
        # counter.
        number = sum(message.role == "assistant" for message in messages)
        prompt = messages[-1].text
        function = asked_for(prompt)[0] or (ISGOAL if number else SUCC)
        if number >= len(self._log.calls):
            raise InputError(
                f"found no reply {number + 1}, but the loop asks for {function}: "
                f"{prompt.strip().splitlines()[0][:80]}",
                file=self._log.file,
            )
        call = self._log.calls[number]
        if call.function != function:
            raise InputError(
                f"found a reply to a prompt for {call.function}, but the loop asks for {function}: "
                f"{prompt.strip().splitlines()[0][:80]}",
                file=self._log.file,
                line=call.line,
            )
        return Reply(call.reply, "stop")
