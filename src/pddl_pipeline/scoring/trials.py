"""The judged answers of one model to one instance, counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, repeat
from operator import attrgetter
from typing import NamedTuple, Self

from pddl_pipeline.model.number import Number
from pddl_pipeline.scoring.outcome import Trial


class _Attempt(NamedTuple):
    """A trial with the number of its attempt; these are in the order of the numbers."""

    number: int
    trial: Trial


class Trials:
    """The trials of one model at one instance.

    The first attempts are stored one by one, since accuracy@k takes them in their order; of the
    others only the number of equal ones, so that the memory does not grow with the answers.
    Iteration yields the first attempts in order, then the others in any order.
    """

    __slots__ = ("_counts", "_first", "_kept")

    def __init__(self, kept: int) -> None:
        """Start without trials.

        Args:
            kept: how many first attempts to store one by one.
        """
        self._kept = kept
        self._first: list[_Attempt] = []
        """In the order of their numbers."""
        self._counts: dict[Trial, int] = {}
        """The number of all other trials."""

    def __len__(self) -> int:
        return len(self._first) + sum(self._counts.values())

    def __iter__(self) -> Iterator[Trial]:
        others = (repeat(trial, count) for trial, count in self._counts.items())
        return chain((each.trial for each in self._first), *others)

    def add(self, number: int, trial: Trial) -> None:
        """Add the trial of an attempt with this number."""
        first = self._first
        if len(first) < self._kept or number < first[-1].number:
            at = len(first)
            while at and first[at - 1].number > number:
                at -= 1
            first.insert(at, _Attempt(number, trial))
            if len(first) <= self._kept:
                return
            trial = first.pop().trial
        self._counts[trial] = self._counts.get(trial, 0) + 1

    def distinct(self) -> Iterator[tuple[Trial, int]]:
        """Yield trials, each with how many are equal; a trial may occur twice."""
        for each in self._first:
            yield each.trial, 1
        yield from self._counts.items()

    def values(self, metric: int) -> list[Number]:
        """Return the known values of a metric, given by its index; the first attempts in order."""
        found = [value for each in self._first if (value := each.trial.values[metric]) is not None]
        for trial, count in self._counts.items():
            value = trial.values[metric]
            if value is not None:
                found += [value] * count
        return found

    @classmethod
    def together(cls, parts: Iterable[Self]) -> Self:
        """Return the trials of all parts, which hold different attempts."""
        every = list(parts)
        if len(every) == 1:
            return every[0]
        found = cls(max((part._kept for part in every), default=0))  # noqa: SLF001 -- its own class
        found._first = sorted(
            chain.from_iterable(part._first for part in every),  # noqa: SLF001
            key=attrgetter("number"),
        )
        for part in every:
            for trial, count in part._counts.items():  # noqa: SLF001
                found._counts[trial] = found._counts.get(trial, 0) + count
        return found
