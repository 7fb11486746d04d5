"""Log-probabilities from a JSONL file, for example recorded from a model.

A line is ``{"state": ["(clear b1)", …], "action": "(pick-up b1)", "logprob": -0.7}``. The state
lists the changeable facts that hold, in any order. ``good`` is the log-probability that the action
is judged good; its default is 0. ``cost`` and ``budget`` restrict the entry to a cost so far and a
budget; without them, it applies to any. ``"backward": true`` marks entries of backward search,
where the state lists the facts that must hold after the action.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import Number, number_from_json, number_text
from pddl_pipeline.papers.rewards.reward import Option, Reward, RewardSettings, Score, Situation
from pddl_pipeline.search.baseline import SearchInput


class _Entry(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One line of the file."""

    state: tuple[str, ...]
    action: str
    logprob: float
    good: float = 0.0
    cost: int | str | None = None
    budget: int | str | None = None
    backward: bool = False


class _Key(NamedTuple):
    """The key of a score."""

    state: frozenset[str]
    action: str
    backward: bool
    cost: Number | None
    budget: Number | None


class _FromFile:
    def __init__(self, settings: RewardSettings, given: SearchInput) -> None:
        self._file = settings.file
        self._budget = given.budget
        self._scores = _read(Path(settings.file))

    def scores(self, situation: Situation, options: Sequence[Option]) -> list[Score]:
        state = frozenset(situation.state())
        return [self._score(state, str(each.step), situation) for each in options]

    def _score(self, state: frozenset[str], action: str, situation: Situation) -> Score:
        """Return the score of an action from the most specific entry."""
        for cost in (situation.spent, None):
            for budget in (self._budget, None):
                found = self._scores.get(_Key(state, action, situation.backward, cost, budget))
                if found is not None:
                    return found
        way = " (backward)" if situation.backward else ""
        raise InputError(
            f"found no log-probability of {action} at cost {number_text(situation.spent)}{way}"
            f" in the state {' '.join(sorted(state))}",
            file=self._file,
        )


def _read(file: Path) -> dict[_Key, Score]:
    found: dict[_Key, Score] = {}
    decode = msgspec.json.Decoder(_Entry).decode
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(file)) from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            key, score = _parsed(decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError, ValueError, ZeroDivisionError) as error:
            raise InputError(str(error), file=str(file), line=number) from error
        if found.setdefault(key, score) != score:
            raise InputError(
                "another log-probability for the same state and action", file=str(file), line=number
            )
    return found


def _parsed(entry: _Entry) -> tuple[_Key, Score]:
    """Return the key and the score of an entry.

    Raises:
        ValueError: a number is invalid, or a log-probability is positive.
    """
    for name, value in (("logprob", entry.logprob), ("good", entry.good)):
        if not -inf < value <= 0:
            raise ValueError(f"{name}: found {value}, expected a natural logarithm, 0 or less")
    state = frozenset(" ".join(each.lower().split()) for each in entry.state)
    action = " ".join(entry.action.lower().split())
    cost, budget = number_from_json(entry.cost), number_from_json(entry.budget)
    key = _Key(state, action, entry.backward, cost, budget)
    return key, Score(entry.logprob, entry.good)


REWARDS: Final = (
    Reward("file", "log-probabilities from a JSONL file, see docs/search.md", _FromFile),
)
