"""A place among the tokens of a line, and what stands around it."""

from __future__ import annotations

import re
from typing import Final

from pddl_pipeline.translators.answers.countdown.tokens import Kind, Token, Tokens

OPERANDS: Final = frozenset((Kind.NUMBER, Kind.OPEN, Kind.RESULT))
"""Tokens with which an operand begins."""
GOING_ON: Final = frozenset((Kind.SIGN, Kind.EQUAL, Kind.NEAR))
"""Tokens behind an operand that go on with a statement."""
BINARY: Final = frozenset((Kind.SIGN, Kind.TIMES))
_VALUE: Final = re.compile(r"-?\d+(?:[/.]\d+)?|\d{1,3}(?:,\d{3})+|\(-?\d+(?:[/.]\d+)?\)", re.ASCII)
_LABELS: Final = frozenset(
    ("step", "line", "move", "option", "operation", "attempt", "round", "part", "case", "method",
     "solution", "way", "example", "number", "approach", "try", "answer", "equation")
)  # fmt: skip
_VALUE_TOKENS: Final = 6


class Cursor:
    """The token that is being read."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens.tokens
        self.at = 0
        self._partner, self._clean = tokens.partner, tokens.clean

    def near(self, steps: int = 1) -> Token | None:
        """Return the next token, or one further away; a negative number looks back."""
        at = self.at + steps
        return self.tokens[at] if 0 <= at < len(self.tokens) else None

    @property
    def has_partner(self) -> bool:
        """Whether the parenthesis has a partner."""
        return self.at in self._partner

    @property
    def is_clean(self) -> bool:
        """Whether only arithmetic stands between the parenthesis and its partner."""
        return self.at in self._clean

    def calls(self) -> bool:
        """Return whether arithmetic in parentheses stands directly behind a word."""
        follows = self.near()
        return follows is not None and not follows.spaced and self.at + 1 in self._clean

    def goes_on_behind(self) -> bool:
        """Return whether an operator or ``=`` stands behind the partner of the parenthesis."""
        behind = self._partner[self.at] + 1
        return behind < len(self.tokens) and self.tokens[behind].kind in GOING_ON

    def is_label(self) -> bool:
        """Return whether a number is that of ``Step 1``."""
        before, follows = self.near(-1), self.near()
        if before is None or before.kind is not Kind.WORD or not self.tokens[self.at].spaced:
            return False
        if before.text.lower() not in _LABELS:
            return False
        if follows is None or follows.kind not in BINARY:
            return True
        return follows.text == "-" and follows.spaced

    def is_sign(self) -> bool:
        """Return whether a dash is a minus: not behind a word, and before an operand."""
        before, follows = self.near(-1), self.near()
        if follows is None or follows.kind not in OPERANDS:
            return False
        return before is None or before.kind is not Kind.WORD or not self.tokens[self.at].spaced

    def is_value_ahead(self) -> bool:
        """Return whether a number such as 8, (-3) or 8/3 follows, and no more arithmetic."""
        ahead = self.tokens[self.at + 1 : self.at + 1 + _VALUE_TOKENS]
        for count in range(len(ahead), 0, -1):
            if _VALUE.fullmatch("".join(token.text for token in ahead[:count])):
                behind = ahead[count] if count < len(ahead) else None
                return behind is None or behind.kind not in GOING_ON | {Kind.OPEN, Kind.TIMES}
        return False
