"""Logs of Tree of Thoughts on the 24 game: a row has the answers to a puzzle and their verdicts.

``idx`` counts the rows of 24.csv from 0. Verdicts are in ``infos`` as ``{"r": 0 or 1}``, or in
``accs``, in the order of the answers in ``ys``.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any, Final

from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_formats.answer_format import AnswerFormat, AnswerReading
from pddl_pipeline.scoring.answer_rows import answer_rows
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.rows import field_of


def _answers(value: Any, reading: AnswerReading) -> list[Answer]:
    del reading
    index, texts = field_of(value, "idx", int), field_of(value, "ys", list)
    verdicts = _verdicts(value)
    if len(verdicts) > len(texts):
        raise FieldFault("ys", f"found {len(texts)} answers for {len(verdicts)} verdicts")
    name = f"24game-{index + 1}"
    return [
        Answer(name, text, published=right, row=value)
        if isinstance(text, str)
        else Answer(name, fault=f"field 'ys': found {type(text).__name__}, expected a text")
        for text, right in zip_longest(texts, verdicts)
    ]


def _verdicts(value: dict[str, Any]) -> list[bool | None]:
    infos = value.get("infos", value.get("accs"))
    if not isinstance(infos, list):
        return []
    found = (info.get("r") if isinstance(info, dict) else info for info in infos)
    return [bool(right) if right in (0, 1) else None for right in found]


FORMATS: Final = (
    AnswerFormat(
        "tree-of-thoughts", "log of Tree of Thoughts on 24.csv: idx, ys, infos or accs",
        lambda shape: shape.has("idx", "ys"), answer_rows, _answers,
    ),
)  # fmt: skip
