"""The names of a task's objects in answers."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

ARTICLES: Final = frozenset({"the", "a", "an"})
"""Words before a name that have no meaning."""
NUMBERED: Final = re.compile(r"[a-z_-]{1,30}\d[\w-]{0,30}")
"""A word that seems to be a name: letters and a number."""
LINKS: Final = frozenset({
    "at", "by", "for", "from", "in", "into", "its", "of", "off", "on", "onto", "over",
    "position", "s", "to", "top", "upon", "using", "via", "with",
})  # fmt: skip
"""Words between two names that have no meaning beyond that of the verb."""
_LETTERS_NUMBER: Final = re.compile(r"([a-z]{2,30})\d{1,9}")
# Words that follow a name, but not an article: `stack a on b`, `put a down`, `pick up a and …`.
_FOLLOWS: Final = LINKS | {
    "and", "as", "because", "beside", "down", "is", "since", "then", "was", "which",
}  # fmt: skip
_PROSE: Final = frozenset({
    "we", "you", "i", "it", "they", "that", "this", "or", "now", "are", "so", "together", "will",
    "can", "also", "both", "while", "where", "when", "if", "but", "not", "has", "have",
})  # fmt: skip
"""Words that are no names, even beside a noun such as ``block``."""
_ROLES: Final = frozenset({
    "goal", "target", "destination", "final", "position", "location", "cell", "square", "spot",
    "tile",
})  # fmt: skip
"""Words for what an object is in a task, between its article and its name: ``the goal pos-5-2``."""
_PLACED: Final = frozenset({"at", "in"})
_WHOSE: Final = ARTICLES | {"s", "its", "his", "her", "their"}
"""Words before a description such as ``left`` in ``robot1's left gripper lgripper1``."""
_MOST_ROLES: Final = 3
WORD: Final = re.compile(r"[^\W_](?:[\w.-]*[^\W_])?")
"""A word of an answer, with hyphens and points inside, but without surrounding punctuation."""


class Mention(NamedTuple):
    """A name in a sentence."""

    object: str
    end: int
    """Index of the word after the name."""


class Names:
    """The names of a task's objects in sentences, for writing and reading."""

    def __init__(
        self,
        object_phrases: Mapping[str, str],
        nouns: Collection[str],
        prefixes: Sequence[str] = (),
    ) -> None:
        """Create the names of objects.

        Args:
            object_phrases: the phrase for each object, such as ``red block``. Its own name is read,
                too.
            nouns: words without meaning that may stand before or after a name, such as ``block``.
            prefixes: beginnings of names that may be left out, such as ``dir-``.
        """
        self.object_phrases = object_phrases
        self.nouns = frozenset(nouns)
        self._objects: dict[tuple[str, ...], str] = {}
        for name, phrase in object_phrases.items():
            words = tuple(word for word in WORD.findall(phrase.lower()) if word not in nouns)
            self._objects[words] = name
        for prefix in prefixes:
            for name in object_phrases:
                if name.startswith(prefix):
                    self._objects[tuple(WORD.findall(name.removeprefix(prefix)))] = name
        # An object's own name takes precedence if it is another object's colour.
        self._objects |= {tuple(WORD.findall(name)): name for name in object_phrases}
        self._longest = max(map(len, self._objects), default=0)
        self._firsts = frozenset(words[0] for words in self._objects if words)
        numbered = (_LETTERS_NUMBER.fullmatch(name) for name in object_phrases)
        self._before_numbers = {each[1] for each in numbered if each}

    def at(self, words: Sequence[str], start: int) -> Mention | None:
        """Return the name at a word, skipping articles and nouns before it, or None."""
        for index in range(start, len(words)):
            mention = self._exactly(words, index)
            if mention is not None:
                return mention
            if words[index] not in ARTICLES and words[index] not in self.nouns:
                return None
        return None

    def _exactly(self, words: Sequence[str], index: int) -> Mention | None:
        if words[index] in self._before_numbers and index + 1 < len(words):
            name = self._objects.get((words[index] + words[index + 1],))
            if name is not None and words[index + 1].isdecimal():  # `robot 1`
                return Mention(name, self._behind_noun(words, index + 2))
        if words[index] not in self._firsts:
            return None
        for length in range(min(self._longest, len(words) - index), 0, -1):
            name = self._objects.get(tuple(words[index : index + length]))
            if name is not None and not self._is_article(words, index):
                return Mention(name, self._behind_noun(words, index + length))
        return None

    def _behind_noun(self, words: Sequence[str], end: int) -> int:
        return end + (end < len(words) and words[end] in self.nouns)

    def _is_article(self, words: Sequence[str], index: int) -> bool:
        """Return whether ``a`` is an article of the next word here, and not an object's name."""
        if words[index] not in ARTICLES or index + 1 == len(words):
            return False
        after = words[index + 1]
        named = index > 0 and words[index - 1] in self.nouns
        other = len(after) == 1 and (after,) in self._objects
        return not named and not other and after not in _FOLLOWS

    def exact(self, word: str) -> bool:
        """Return whether a word is the name of an object, without an article or a noun."""
        return (word,) in self._objects

    def behind_description(self, words: Sequence[str], start: int) -> int:
        """Return the index of the name, or of the noun before it, that a description stands before.

        Without such a name, this is the index itself. A description is ``goal`` in ``the goal
        pos-5-2``, and any word between an article or ``robot1's`` and a noun, unless the word may
        mean another object: ``the right gripper lgripper1``.
        """
        at = start
        while at < min(start + _MOST_ROLES, len(words)) and words[at] in _ROLES:
            at += 1
        if at > start:
            named = at + (at < len(words) and words[at] in _PLACED)
            return at if self.at(words, named) else start
        if not start or start + 2 >= len(words) or words[start + 1] not in self.nouns:
            return start
        mention = self._exactly(words, start + 2)
        if mention is None or words[start - 1] not in _WHOSE:
            return start
        initial = words[start][0]
        others = any(name[0] == initial and len(name) > 1 for name in self.object_phrases)
        return start if others and mention.object[0] != initial else start + 1

    def ends_with_any(self, words: Sequence[str]) -> bool:
        """Return whether the last words name an object."""
        starts = range(max(len(words) - self._longest - 1, 0), len(words))
        mentions = (self._exactly(words, index) for index in starts)
        return any(each is not None and each.end == len(words) for each in mentions)

    def others(self, words: Sequence[str], start: int, known: Collection[str]) -> str | None:
        """Return an object named from an index on that is not among the known ones, or None."""
        index = start
        while index < len(words):
            mention = self._exactly(words, index)
            if mention is not None and mention.object not in known:
                return mention.object
            index = mention.end if mention else index + 1
        return None

    def ends_with(self, words: Sequence[str], name: str) -> bool:
        """Return whether the last words name this object: ``the blue block``."""
        starts = range(max(len(words) - self._longest - 1, 0), len(words))
        mentions = [self._exactly(words, index) for index in starts]
        return any(each == (name, len(words)) for each in mentions)

    def unknown(self, words: Sequence[str], index: int) -> str | None:
        """Return the word at an index if it seems to be a name: it has a noun or a number."""
        while index < len(words) and words[index] in ARTICLES:
            index += 1
        if index < len(words) - 1 and words[index] in self.nouns:
            index += 1
        if index >= len(words):
            return None
        word = words[index]
        if word in _FOLLOWS or word in _PROSE:
            return None
        beside = {*words[max(index - 1, 0) : index], *words[index + 1 : index + 2]}
        numbered = NUMBERED.fullmatch(word) is not None
        if beside & self.nouns or numbered or (len(word) == 1 and word.isalpha()):
            return word
        return None
