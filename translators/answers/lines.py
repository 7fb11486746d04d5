"""The lines of an answer, without signs that cannot be seen."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from pddl_pipeline.model.answer import TraceLine, Treatment

LONGEST: Final = 100_000
"""Of a longer answer only so many characters at its end are read: there models put what counts."""
_SHOWN: Final = 200
# Control characters, marks of direction, spaces without width, the byte order mark.
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
# Only what a reader sees as the end of a line: `str.splitlines` knows more.
_END: Final = re.compile(r"\r\n|\r|\n")


def visible(text: str) -> str:
    """Return a text without signs that cannot be seen: control characters, marks of direction."""
    return _UNSEEN.sub("", text)


class AnswerLine(NamedTuple):
    """One line of an answer that is not blank."""

    number: int
    """1-based."""
    text: str
    """Without signs that cannot be seen, and without blanks at its ends."""
    indent: int = 0
    """Number of blanks before it."""

    @property
    def shown(self) -> str:
        """The text, cut where it is long."""
        return self.text if len(self.text) <= _SHOWN else f"{self.text[:_SHOWN]}…"

    def used(self, step: int | None = None) -> TraceLine:
        """Return the entry of a line that is taken as it stands."""
        return TraceLine(self.number, self.shown, Treatment.USED, step)

    def changed(self, note: str, step: int | None = None) -> TraceLine:
        """Return the entry of a line that is a step in other words."""
        return TraceLine(self.number, self.shown, Treatment.CHANGED, step, note)

    def dropped(self, note: str) -> TraceLine:
        """Return the entry of a line that is no step."""
        return TraceLine(self.number, self.shown, Treatment.DROPPED, None, note)


def lines_of(text: str) -> list[AnswerLine]:
    """Return the lines of an answer that are not blank."""
    lines = enumerate(_END.split(visible(text)), start=1)
    return [
        AnswerLine(number, clean, len(line) - len(line.lstrip()))
        for number, line in lines
        if (clean := line.strip())
    ]


def end_of(text: str) -> str:
    """Return what is read of a long answer: its end, the lines numbered as in the whole."""
    lines = len(_END.findall(text, 0, len(text) - LONGEST))
    return "\n" * lines + text[-LONGEST:]


def unread(text: str) -> TraceLine:
    """Return the entry of what is not read of a long answer."""
    note = f"the answer has {len(text):,} characters, only the last {LONGEST:,} are read"
    return AnswerLine(1, text[: _SHOWN + 1].partition("\n")[0]).dropped(note)
