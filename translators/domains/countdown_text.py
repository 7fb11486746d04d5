"""Countdown's statements, and the reader of answers to them."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.arithmetic.operations import CHECK, SIGNS
from pddl_pipeline.translators.answers.countdown.reader import read_countdown_answer
from pddl_pipeline.translators.statements.countdown import STATEMENTS
from pddl_pipeline.translators.text import Text

TEXT: Final = Text(
    has_rules=True,
    parse_answer=read_countdown_answer,
    actions=frozenset({*SIGNS, CHECK}),
    statements=STATEMENTS,
)
