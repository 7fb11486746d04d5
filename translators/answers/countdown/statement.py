"""A statement of an answer: an expression, with the values that are stated for it."""

from __future__ import annotations

from typing import Final, NamedTuple

from pddl_pipeline.model.number import Number
from pddl_pipeline.translators.answers.countdown.bare import value_of
from pddl_pipeline.translators.answers.countdown.expression import Flaw, read_expression
from pddl_pipeline.translators.answers.lines import AnswerLine

_LONGEST: Final = 2_000
"""Maximum length of an expression whose value is computed without the numbers of a task."""


class Claim(NamedTuple):
    """What stands behind an equals sign."""

    text: str
    rounded: bool = False
    """Whether the sign is ``≈``."""


class Statement(NamedTuple):
    """An expression in an answer, with the values that the answer states for it."""

    piece: AnswerLine
    text: str
    """The expression."""
    claims: tuple[Claim, ...] = ()
    plain: bool = True
    """Whether its line holds only statements and their labels, no prose."""
    denied: bool = False
    """Whether the answer says that it is wrong."""
    verbal: bool = False
    """Whether it was written in words."""
    group: int = 0
    """Number of the attempt that it belongs to: a retraction begins a new one."""
    checks: bool = False
    """Whether it stands below a heading such as ``Check:``."""


def value_of_text(text: str) -> Number | None:
    """Return the exact value of an expression; None if it has none or is no expression."""
    if len(text) > _LONGEST:
        return None
    expression = read_expression(text)
    return None if isinstance(expression, Flaw) else value_of(expression)
