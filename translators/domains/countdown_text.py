"""Countdown's statements."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.arithmetic.operations import CHECK, SIGNS
from pddl_pipeline.translators.statements.countdown import STATEMENTS
from pddl_pipeline.translators.text import Text

TEXT: Final = Text(STATEMENTS, frozenset({*SIGNS, CHECK}))
