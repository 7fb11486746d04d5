"""pandas: the scores of the answers in a frame; extra ``pandas``."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.integrations.extras import missing
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.scoring.answer import column_answers, misfit, recognised
from pddl_pipeline.scoring.judging import score_json
from pddl_pipeline.scoring.score import score
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
    df: pd.DataFrame, data: Data, *, lenient_values: bool = False,
    id: str | None = None, answer: str | None = None,  # noqa: A002 -- as in files of answers
) -> pd.DataFrame:  # fmt: skip
    """Return the frame with the columns of `score`, and ``correct``: missing without a verdict.

    Args:
        df: one answer per row; a missing answer is an empty one, a list of chat messages is one.
        data: a dataset in any supported format, its instances, or a frame or list of records.
        id: name of the column of ids; recognised as in `score` if None.
        answer: likewise, of the answers.
        lenient_values: as in `score`.

    Raises:
        InputError: a column or the dataset is wrong, or a row has several answers.
    """
    fields = recognised(list(df.columns), id, answer, options=("id=", "answer="))
    if fields is None:
        raise InputError(misfit(list(map(str, df.columns)), id, answer))
    for name in fields:
        if list(df.columns).count(name) > 1:
            raise InputError(f"several columns are named '{name}'")
    if taken := set(_NEW).intersection(df.columns):
        raise InputError(f"column '{min(taken)}' already exists")
    ids, cells = (map(_plain, df[name]) for name in fields)
    judged = score(data, column_answers(ids, cells, fields.answer), lenient_values=lenient_values)
    rows = [{**score_json(j), "correct": j.correct if j.judged else None} for j in judged]
    new = pd.DataFrame(rows, columns=_NEW).convert_dtypes()
    return df.assign(**{name: new[name].array for name in new})


def _plain(cell: object) -> object:
    if pd.api.types.is_integer(cell):
        return str(cell)
    return None if pd.api.types.is_scalar(cell) and pd.isna(cell) else cell
