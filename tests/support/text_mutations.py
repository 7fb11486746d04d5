"""Random damage to texts, for tests of readers on malformed input."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Final

WORDS: Final = (
    "(", ")", "()", "((", "))", "?x", "?", "-", "- object", "and", "or", "not", "imply", "forall",
    "exists", "when", "either", "=", "<", ">=", "+", "*", "/", "(/ 1 0)", "increase", "assign",
    "scale-up", "0", "1e5", "0.1", "-3", "99999999999999999999", "1/3", ";", "; x\n", "\r", "\x00",
    "\t", "\ufeff", "é", "İ", "\u212a", "💥", '"', ",", "`", "[", "]", "[1]", "0:", "1.5:", ":",
    ":action", ":derived", ":durative-action", ":init", ":goal", ":metric", ":constants", ":types",
    ":objects", ":functions", ":predicates", ":parameters", ":precondition", ":effect", "define",
    "domain", "problem", "object", "number", "total-cost", "(total-time)", "minimize", "nan", "inf",
)  # fmt: skip
"""The insertions: words of PDDL, and characters that may confuse readers."""


def damaged(text: str, rng: random.Random) -> str:
    """Return the text with one to four random faults."""
    for _ in range(rng.randint(1, 4)):
        text = rng.choice(_FAULTS)(text, rng)
    return text


def _cut(text: str, rng: random.Random) -> str:
    start = rng.randint(0, len(text))
    return text[:start] + text[start + rng.randint(1, 30) :]


def _shorten(text: str, rng: random.Random) -> str:
    return text[: rng.randint(0, len(text))]


def _repeat(text: str, rng: random.Random) -> str:
    start = rng.randint(0, len(text))
    return text[:start] + text[start : start + rng.randint(1, 200)] * 2 + text[start:]


def _insert(text: str, rng: random.Random) -> str:
    at = rng.randint(0, len(text))
    space = rng.choice(("", " "))
    return f"{text[:at]}{space}{rng.choice(WORDS)}{space}{text[at:]}"


def _replace_word(text: str, rng: random.Random) -> str:
    return _with_word(text, rng, lambda _: rng.choice(WORDS))


def _swap_words(text: str, rng: random.Random) -> str:
    others = re.findall(r"[^\s()]+", text) or [""]
    return _with_word(text, rng, lambda _: rng.choice(others))


def _damage_byte(text: str, rng: random.Random) -> str:
    content = bytearray(text.encode("utf-8"))
    if content:
        content[rng.randrange(len(content))] = rng.randrange(256)
    return content.decode("utf-8", errors="replace")


def _with_word(text: str, rng: random.Random, new: Callable[[re.Match[str]], str]) -> str:
    words = list(re.finditer(r"[^\s()]+", text))
    if not words:
        return text
    word = rng.choice(words)
    return f"{text[: word.start()]}{new(word)}{text[word.end() :]}"


_FAULTS: Final = (
    _cut, _shorten, _repeat, _insert, _insert, _replace_word, _swap_words, _damage_byte
)  # fmt: skip
