"""pandas: the scores of the answers in a frame; extra ``pandas``."""

from __future__ import annotations

from typing import Any, Final

from pddl_pipeline.integrations.extras import missing
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.text import counted
from pddl_pipeline.scoring.answer import NamedFields
from pddl_pipeline.scoring.judging import score_json
from pddl_pipeline.scoring.score import scores
from pddl_pipeline.translators.datasets import Data

try:
    import pandas as pd
except ImportError as error:
    raise missing(error, "pandas") from None

_NEW: Final = (
    "correct", "status", "strict_status", "steps", "cost", "cost_float", "failed_step", "errors",
    "reason", "plan",
)  # fmt: skip


def score_frame(
    df: pd.DataFrame | list[Any], data: Data | None = None, *, lenient_values: bool = False,
    id: str | None = None, answer: str | None = None,  # noqa: A002 -- as in files of answers
) -> pd.DataFrame:  # fmt: skip
    """Return the frame with the columns of `score`, and ``correct``: missing without a verdict.

    Args:
        df: one answer per row, also as records; a missing one is empty, a list of messages is one.
        data: a dataset in any supported format, its instances, or a frame or list of records. If it
            is missing or the frame itself, each row has its problem and its answer.
        id: name of the column of ids; recognised as in `score` if None.
        answer: likewise, of the answers.
        lenient_values: as in `score`.

    Raises:
        InputError: a column or the dataset is wrong, or a row has several answers.
        TypeError: ``df`` is neither a frame nor a list.
    """
    if not isinstance(df, pd.DataFrame | list):
        kind = type(df).__name__
        raise TypeError(f"df: found {kind}, expected a data frame or a list of records")
    data = None if data is df else data
    df = pd.DataFrame(df) if isinstance(df, list) else df
    if taken := set(_NEW).intersection(df.columns):
        raise InputError(f"column '{min(taken)}' already exists")
    named = NamedFields(id, answer, ("id=", "answer="))
    found = scores(df if data is None else data, df, named, lenient_values=lenient_values)
    rows = [{**score_json(j), "correct": j.correct if j.judged else None} for j in found]
    if len(rows) > len(df):
        raise InputError(
            f"found {len(rows)} answers in {counted(len(df), 'row')}, expected one in each; "
            "df.explode(COLUMN) makes a row of each answer in a list"
        )
    new = pd.DataFrame(rows, columns=_NEW).convert_dtypes()
    return df.assign(**{name: new[name].array for name in new})
