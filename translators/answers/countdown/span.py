"""The statement that is being read: its texts so far."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from pddl_pipeline.arithmetic.operations import operand_text
from pddl_pipeline.translators.answers.countdown.statement import Claim, value_of_text
from pddl_pipeline.translators.answers.countdown.tokens import Token

_NUMBER: Final = re.compile(r"\d+(?:\.\d+)*", re.ASCII)


class Found(NamedTuple):
    """A statement in a line, and where it stands there."""

    text: str
    claims: tuple[Claim, ...]
    start: int
    end: int
    denied: bool
    """Whether ``≠`` follows."""


class Variables:
    """The names and the last result of an answer so far, as texts of expressions."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.result: str | None = None
        """The expression of the last step."""

    def value(self, text: str) -> str | None:
        """Return the value of an expression as an operand; None if it has none."""
        value = value_of_text(text)
        if value is None:
            return None
        return operand_text(value) if value >= 0 else f"({value})"


class Span:
    """The tokens of a statement so far."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        """The texts of the segment that is being read."""
        self.segments: list[Claim] = []
        """The parts of the chain between equals signs."""
        self.operations: list[Claim] = []
        """Those that have an operation."""
        self.rounded = False
        """Whether the sign before the segment is ``≈``."""
        self.start = self.end = 0
        self.operand = False
        """Whether the last token of the segment is an operand."""
        self.operator = False
        """Whether an operator stands behind an operand, and nothing behind it yet."""
        self.binary = False
        """Whether the segment has an operation."""
        self.name: str | None = None
        """The name that the statement assigns."""

    def add(self, token: Token, text: str | None = None, *, operand: bool) -> None:
        """Add a token to the segment, as another text if one is given."""
        if not self.parts and not self.segments:
            self.start = token.start
        if token.spaced and self.parts:
            self.parts.append(" ")
        self.parts.append(token.text if text is None else text)
        if operand and self.operator:
            self.binary, self.operator = True, False
        self.end, self.operand = token.end, operand

    def end_segment(self, *, rounded: bool = False) -> None:
        """End the segment; the next one stands behind ``=``, or behind ``≈`` if `rounded`."""
        text = "".join(self.parts).strip()
        if text:
            self.segments.append(Claim(text, self.rounded))
            if self.binary:
                self.operations.append(self.segments[-1])
        self.parts, self.rounded = [], rounded
        self.operand = self.operator = self.binary = False

    def expression(self, wanted: tuple[str, ...]) -> Claim | None:
        """Return the expression of a chain: of the wanted numbers, else the first one."""
        if len(self.operations) > 1:
            for claim in self.operations:
                if tuple(sorted(_NUMBER.findall(claim.text))) == wanted:
                    return claim
        return self.operations[0] if self.operations else None
