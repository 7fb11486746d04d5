"""The numbers of the attempts of each model at each instance."""

from __future__ import annotations


class AttemptNumbers:
    """Numbers attempts in the order of the answers, and finds numbers that are given twice.

    The memory grows with the instances and the models, not with the answers: numbers from 1 on are
    stored as their end. Only numbers that are given out of order are stored one by one, until
    those before them were given as well.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str | None], _Seen] = {}

    def number(self, name: str, model: str | None, given: int | None) -> int | None:
        """Return the number of the next attempt, or None if its number was given before.

        Args:
            name: id of the instance.
            model: name of the model.
            given: the number that the answer states, from 1 on; None to count the answers.
        """
        key = name, model
        seen = self._seen.get(key)
        if seen is None:
            seen = self._seen[key] = _Seen()
        if given is not None and not seen.add(given):
            return None
        seen.answers += 1
        return given or seen.answers


class _Seen:
    """The attempts of one model at one instance."""

    __slots__ = ("_beyond", "_until", "answers")

    def __init__(self) -> None:
        self.answers = 0
        self._until = 0
        """All numbers from 1 to this one were given."""
        self._beyond: set[int] | None = None
        """The numbers that were given beyond."""

    def add(self, number: int) -> bool:
        """Add a number; return False if it was added before."""
        if number <= self._until:
            return False
        if number == self._until + 1:
            self._until = number
            self._join()
            return True
        if self._beyond is None:
            self._beyond = set()
        if number in self._beyond:
            return False
        self._beyond.add(number)
        return True

    def _join(self) -> None:
        while self._beyond and self._until + 1 in self._beyond:
            self._until += 1
            self._beyond.remove(self._until)
