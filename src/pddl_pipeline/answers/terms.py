"""The terms of a line: objects, verbs and other words of a task, found in one pass."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pddl_pipeline.answers.english import (
    ARTICLES,
    BE,
    BETWEEN,
    LINKS,
    NEGATIVE,
    OPENING,
    PRONOUNS,
    listed,
)

OBJECT, UNKNOWN, NOUN, PRONOUN = "object", "unknown", "noun", "pronoun"
"""Kinds of terms that point to an object: by name, by a name that no object has, by a type's noun,
by a pronoun."""
VERB, WORD, SIGN = "verb", "word", "sign"
POINTING: Final = frozenset({OBJECT, UNKNOWN, NOUN, PRONOUN})
# An arrow is tried from its start only, or the time would be quadratic in its length.
_TOKEN: Final = re.compile(r"[^\W_](?:[\w-]*[^\W_])?|(?<![-=])[-=]+>|\S")
_NUMBERED: Final = re.compile(r"([a-z][a-z_-]*?)-?\d[\w-]*")
_NO_NAMES: Final = listed("part") | listed("plan") | listed("other") | {"action"}
"""Nouns with which a number names no object: ``step 1``, ``plan 2``."""
_LETTERS_NUMBER: Final = re.compile(r"([a-z]+)(\d+)")
_SHORT: Final = re.compile(
    r"(?<![\w-])([\w-]{1,40})((?:[ \t]{1,3}[a-zA-Z]{1,20})?)[*_`]{0,3}[ \t]{0,3}"
    r"\([*_`]{0,3}([A-Z][A-Z0-9]{0,2})[*_`]{0,3}\)"
)
"""A name, perhaps a noun, and a short name in parentheses: ``the red block (R)``."""
# Neither A nor I, which are words.
_INITIAL: Final = re.compile(r"(?<![\w'-])[B-HJ-Z](?![\w'-])")
_SILENT: Final = frozenset({"the", "a", "an"})
_BEFORE_NOUN: Final = ARTICLES | (BETWEEN - {"now"}) | {"each", "one"}
"""Words behind which a verb is a noun: ``the stack``."""
_AFTER_NAME: Final = LINKS | OPENING | BE | NEGATIVE | {"up", "down", "or"}


class Term(NamedTuple):
    """A term of a line."""

    kind: str
    text: str
    """The word or sign; of an object its name, of a verb its form."""
    start: int
    end: int


class Naming(NamedTuple):
    """The words for the objects of a task."""

    phrases: Mapping[str, str]
    """By object, its phrase, such as ``red block``. Its own name is read, too."""
    nouns: Mapping[str, Collection[str]]
    """Words such as ``block``, each with the objects that it may mean."""
    prefixes: Sequence[str] = ()
    """Beginnings of names that may be left out, such as ``dir-``."""
    strange: Collection[str] = ()
    """Words such as ``green`` that name an object in other tasks, and none here."""
    adjectives: Collection[str] = ()
    """Words that may stand between an article and a name, such as ``clear``."""
    roles: Collection[str] = ()
    """Words before a name that say what the object is, such as ``goal``."""


class Terms:
    """Finds the terms of lines about tasks with the same objects, types and actions."""

    def __init__(self, naming: Naming, verbs: Collection[str]) -> None:
        """Create the terms of a task; `verbs` are all forms of the verbs of the domain."""
        phrases, nouns = naming.phrases, naming.nouns
        self._verbs, self._nouns = frozenset(verbs), nouns
        self._strange, self._roles = frozenset(naming.strange), frozenset(naming.roles)
        self._adjectives = frozenset(naming.adjectives)
        self._names: dict[tuple[str, ...], str] = {}
        for name, phrase in phrases.items():
            words = tuple(word for word in _words(phrase) if word not in nouns)
            self._names[words] = name
            for prefix in naming.prefixes:
                if name.startswith(prefix):
                    self._names[tuple(_words(name.removeprefix(prefix)))] = name
        for name in phrases:  # an object's own name takes precedence over another one's colour
            for own in (name, name.replace("_", "-"), name.replace("-", "_")):
                self._names[tuple(_words(own))] = name
            split = _LETTERS_NUMBER.fullmatch(name)
            if split is not None:
                self._names.setdefault((split[1], split[2]), name)
        # A phrase of nouns alone, such as `the ball`, has no words left.
        self._names.pop((), None)
        self._longest = max(map(len, self._names), default=0)
        self._firsts = frozenset(words[0] for words in self._names)

    def in_full(self, text: str) -> str:
        """Return an answer with objects' names for the short names that it introduces.

        Behind ``the red block (R)``, ``R`` is the red block, also in the lines before.
        """
        short: dict[str, set[str]] = {}
        for name, noun, letters in _SHORT.findall(text) if "(" in text else ():
            own = self._names.get((name.lower(),))
            if own and (not noun.strip() or noun.strip().lower() in self._nouns):
                short.setdefault(letters, set()).add(own)
        known = {
            letters: own.pop() for letters, own in short.items()
            if len(own) == 1 and letters != "I" and (letters.lower(),) not in self._names
        }  # fmt: skip
        known = known or self._initials(text)
        if not known:
            return text
        words = "|".join(map(re.escape, known))
        text = re.sub(rf"[ \t]{{0,3}}\([*_`]{{0,3}}(?:{words})[*_`]{{0,3}}\)", "", text)
        return re.sub(rf"(?<![\w'-])(?:{words})(?![\w'-])", lambda match: known[match[0]], text)

    def _initials(self, text: str) -> dict[str, str]:
        """Return the objects of letters that stand for the first letters of their phrases.

        All letters must do so, as in ``Unstack(O, B)`` for orange and blue; else there are none.
        """
        used = set(_INITIAL.findall(text))
        if len(used) < 2 or all((letter.lower(),) in self._names for letter in used):
            return {}
        found: dict[str, set[str]] = {}
        for words, name in self._names.items():
            if len(words) == 1 and len(words[0]) > 1:
                found.setdefault(words[0][0].upper(), set()).add(name)
        known = dict[str, str]()
        for letter in used:
            named = found.get(letter, set())
            if len(named) != 1 or self._names.get((letter.lower(),)) not in (None, *named):
                return {}
            known[letter] = next(iter(named))
        return known

    def of(self, line: str, offset: int = 0) -> list[Term]:
        """Return the terms of a line. Articles, and nouns beside a name, are left out."""
        # Each replacement keeps the length, so that the places of the terms are those of the line.
        # "İ" is the only letter whose lower case is longer.
        text = line.replace("İ", "I").lower().replace("\u2019", "'").replace("n't", " no")
        tokens = [
            (match[0], match.start() + offset, match.end() + offset)
            for match in _TOKEN.finditer(text)
        ]
        return list(self._terms(tokens))

    def _terms(self, tokens: Sequence[tuple[str, int, int]]) -> Iterator[Term]:
        words = [token[0] for token in tokens]
        at = 0
        while at < len(words):
            first = at
            while first < min(at + 8, len(words)) and self._leads(words, at, first):
                first += 1
            noun = first < len(words) and words[first] in self._nouns
            found = self._named(words, first + noun) or self._named(words, first)
            if found is not None:
                name, end = found
                end += end < len(words) and words[end] in self._nouns
                yield Term(OBJECT, name, tokens[at][1], tokens[end - 1][2])
                at = end
            elif noun:
                yield self._noun(words[first], words[at:first], tokens[at][1], tokens[first][2])
                at = first + 1
            else:
                if words[at] not in _SILENT:
                    noun = at > 0 and words[at - 1] in _BEFORE_NOUN and words[at] in self._verbs
                    yield Term(WORD, *tokens[at]) if noun else self._other(*tokens[at])
                at += 1

    def _leads(self, words: Sequence[str], start: int, at: int) -> bool:
        """Return whether a word is an article, or an adjective behind one."""
        if words[at] in ARTICLES:
            return self._named(words, at) is None
        described = at > start and (words[at] == "now" or words[at] in self._adjectives)
        return words[at] in self._roles or described

    def _noun(self, noun: str, articles: Sequence[str], start: int, end: int) -> Term:
        """Return the term of a noun without a name; ``the car`` is the task's only car."""
        objects = self._nouns[noun]
        plural = noun.endswith("s") and noun[:-1] in self._nouns
        if plural or not articles or not _SILENT.difference(["the"]).isdisjoint(articles):
            return Term(WORD, noun, start, end)
        if len(objects) == 1:
            return Term(OBJECT, next(iter(objects)), start, end)
        return Term(NOUN, noun, start, end)

    def _other(self, word: str, start: int, end: int) -> Term:
        if word in self._verbs:
            kind = VERB
        elif word in PRONOUNS:
            kind = PRONOUN
        elif not word[0].isalnum():
            kind = SIGN
        elif word in self._strange or _is_numbered(word):
            kind = UNKNOWN
        else:
            kind = WORD
        return Term(kind, word, start, end)

    def _named(self, words: Sequence[str], at: int) -> tuple[str, int] | None:
        """Return the object whose name begins at an index, and the index behind it."""
        if at >= len(words) or words[at] not in self._firsts:
            return None
        for length in range(min(self._longest, len(words) - at), 0, -1):
            name = self._names.get(tuple(words[at : at + length]))
            if name is not None and not self._is_article(words, at):
                return name, at + length
        return None

    def _is_article(self, words: Sequence[str], at: int) -> bool:
        """Return whether ``a`` is an article of the next word, and not an object's name."""
        if words[at] not in ARTICLES or at + 1 == len(words):
            return False
        after = words[at + 1]
        if at and (words[at - 1] in self._nouns or words[at - 1] == "the"):
            return False
        return after[0].isalnum() and after not in _AFTER_NAME and (after,) not in self._names


def _is_numbered(word: str) -> bool:
    """Return whether a word seems to be the name of an object: letters and a number."""
    match = _NUMBERED.fullmatch(word)
    return match is not None and match[1] not in _NO_NAMES


def _words(text: str) -> list[str]:
    return [match[0] for match in _TOKEN.finditer(text.lower())]
