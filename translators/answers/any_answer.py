"""Reads answers in domains without words: steps as in PDDL."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.translators.answers.sentence_answer import sentence_reader
from pddl_pipeline.translators.answers.sentences import Words, own_names
from pddl_pipeline.translators.text import Reader

read_any_answer: Final[Reader] = sentence_reader(Words({}, own_names()))
