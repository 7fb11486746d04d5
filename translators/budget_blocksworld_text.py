"""Blocksworld with costs in words: as blocksworld, with minutes and a time limit (CATS)."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.translators import blocksworld_text
from pddl_pipeline.translators.text import Text

TEXT: Final = Text(blocksworld_text.TEXT.parse_answer)
