"""pandas: the scores of the answers in a frame; extra ``pandas``."""

from __future__ import annotations

from typing import Any, Final

from pddl_pipeline.integrations.extras import missing
from pddl_pipeline.model.errors import InputError, check_type
from pddl_pipeline.model.text import counted
from pddl_pipeline.scoring.answer import NamedFields
from pddl_pipeline.scoring.score import scores
from pddl_pipeline.tables.columns import columns_of, frame_of
from pddl_pipeline.translators.datasets import Data, is_frame, plain_rows

try:
    import pandas as pd
except ImportError as error:
    raise missing(error, "pandas") from None

_NEW: Final = (
    "correct", "status", "strict_status", "steps", "cost", "cost_float", "failed_step", "errors",
    "reason", "plan",
)  # fmt: skip


def score_frame(
    df: Any,
    data: Data | None = None,
    *,
    lenient_values: bool = False,
    id: str | None = None,  # noqa: A002 -- as in files of answers
    answer: str | None = None,
) -> pd.DataFrame:
    """Return the frame with the columns of `score`, and ``correct``: missing without a verdict.

    Args:
        df: one answer per row, also as records, a frame of Polars or a table of Arrow; a missing
            answer is empty, a list of messages is one.
        data: a dataset in any supported format, its instances, or a frame or list of records. If it
            is missing or the frame itself, each row has its problem and its answer.
        id: name of the column of ids; recognised as in `score` if None.
        answer: likewise, of the answers.
        lenient_values: as in `score`.

    Raises:
        InputError: a column or the dataset is wrong, or a row has several answers.
        TypeError: ``df`` is neither a frame nor a list.
    """
    data = None if data is df else data
    if is_frame(df) and not isinstance(df, pd.DataFrame):
        df = list(plain_rows(df))
    check_type("df", df, pd.DataFrame | list, "a data frame or a list of records")
    df = pd.DataFrame(df) if isinstance(df, list) else df
    if taken := set(_NEW).intersection(df.columns):
        raise InputError(f"column '{min(taken)}' already exists")
    named = NamedFields(id, answer, ("id=", "answer="))
    found = scores(df if data is None else data, df, named, lenient_values=lenient_values)
    rows = [{**j.to_json(), "correct": j.correct} for j in found]
    if len(rows) > len(df):
        raise InputError(
            f"found {len(rows)} answers in {counted(len(df), 'row')}, expected one in each; "
            "df.explode(COLUMN) makes a row of each answer in a list"
        )
    new = frame_of(columns_of(rows, _NEW))
    return df.assign(**{name: new[name].array for name in new})
