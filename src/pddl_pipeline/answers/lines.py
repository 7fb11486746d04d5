"""The lines of an answer, without invisible characters."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from pddl_pipeline.model.answer import TraceLine, Treatment
from pddl_pipeline.model.plan import Step

LONGEST: Final = 1_000_000
"""Maximum number of characters of an answer. Longer answers are not read, not even in part, since
a part of a plan is a different plan."""
SHOWN: Final = 200
"""Maximum number of characters of a line in the trace."""
# Terminal colour codes.
_ESCAPE: Final = re.compile("\x1b\\[[0-9;]{0,20}m")
# Control characters, direction marks, zero-width spaces, the byte order mark.
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
# Only visible line ends: `str.splitlines` splits at further characters.
END_OF_LINE: Final = re.compile(r"\r\n|\r|\n")


# Marks of a model's tokens: `<|im_end|>`, `<end_of_turn>`, `</s>` at the end.
_TOKENS: Final = re.compile(
    r"<\|\w[^|<>\n]{0,40}\|>|<(?:end|start)_of_turn>|</s>(?=(?:\s|</s>){0,9}\Z)"
)


def visible(text: str) -> str:
    """Return a text without invisible characters and the marks of a model's tokens."""
    text = _UNSEEN.sub("", _ESCAPE.sub("", text))
    return _TOKENS.sub("", text) if "<" in text else text


class AnswerLine(NamedTuple):
    """A line of an answer that is not blank."""

    number: int
    """1-based."""
    text: str
    """The line without invisible characters and without blanks at its ends."""

    @property
    def shown(self) -> str:
        """The text, truncated if it is long."""
        return self.text if len(self.text) <= SHOWN else f"{self.text[:SHOWN]}…"

    def used(self, step: int | None = None) -> TraceLine:
        """Return the entry of a line that is used unchanged."""
        return TraceLine(self.number, self.shown, Treatment.USED, step)

    def read_as(self, step: Step, number: int) -> TraceLine:
        """Return the entry of a line that was read as a step."""
        return TraceLine(self.number, self.shown, Treatment.CHANGED, number, f"read as {step}")

    def dropped(self, note: str) -> TraceLine:
        """Return the entry of a line that is not a step."""
        return TraceLine(self.number, self.shown, Treatment.DROPPED, None, note)


def lines_of(text: str) -> list[AnswerLine]:
    """Return the lines of an answer that are not blank."""
    lines = map(str.strip, END_OF_LINE.split(visible(text)))
    return [AnswerLine(number, line) for number, line in enumerate(lines, start=1) if line]
