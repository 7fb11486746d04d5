"""Random damage to texts, for tests of readers on malformed input."""

from __future__ import annotations

import random
import re
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
        at, more = rng.randint(0, len(text)), rng.randint(1, 30)
        before, behind, space = text[:at], text[at:], rng.choice(("", " "))
        inserted = f"{before}{space}{rng.choice(WORDS)}{space}{behind}"
        others = re.findall(r"[^\s()]+", text) or [""]
        text = rng.choice(
            [
                before + behind[more:],
                before,
                before + behind[: 7 * more] * 2 + behind,
                inserted,
                inserted,
                _with_word(text, rng.choice(WORDS), rng),
                _with_word(text, rng.choice(others), rng),
                _with_word(text, f"({rng.choice(others)})", rng),
                _with_word(text, f"({rng.choice(WORDS)} {rng.choice(others)})", rng),
                _damage_byte(text, rng),
            ]
        )
    return text


def _with_word(text: str, word: str, rng: random.Random) -> str:
    places = [found.span() for found in re.finditer(r"[^\s()]+", text)]
    begin, end = rng.choice(places or [(0, 0)])
    return f"{text[:begin]}{word}{text[end:]}"


def _damage_byte(text: str, rng: random.Random) -> str:
    content = bytearray(text.encode("utf-8")) or bytearray(1)
    content[rng.randrange(len(content))] = rng.randrange(256)
    return content.decode("utf-8", errors="replace")
