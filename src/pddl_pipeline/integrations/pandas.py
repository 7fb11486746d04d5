"""pandas: a frame of answers, and what they are worth; extra ``pandas``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.integrations.extras import missing
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.scoring.score import score
from pddl_pipeline.scoring.score_line import score_json
from pddl_pipeline.translators.datasets import load_records

try:
    import pandas as pd
except ImportError as error:
    raise missing(error, "pandas") from None

_NEW: Final = (
    "correct", "status", "strict_status", "steps", "cost", "failed_step", "errors", "reason", "plan"
)  # fmt: skip


def score_frame(
    df: pd.DataFrame, data: str | Path | Iterable[Instance[Any]],
    *, id: str = "id", answer: str = "answer",  # noqa: A002 -- as in files of answers
) -> pd.DataFrame:  # fmt: skip
    """Return the frame with `score`'s columns, and ``correct``, which no verdict leaves missing.

    Args:
        df: an answer a row; where it is missing, it is an empty one.
        data: a dataset in any format that is read, or its instances.
        id: name of the column of ids; whole numbers are read as text.
        answer: name of the column of answers.

    Raises:
        InputError: a column is missing, there twice or taken; the dataset cannot be read.
    """
    for name in (id, answer):
        if name not in df.columns:
            raise InputError(f"no column '{name}'{hint(name, list(map(str, df.columns)))}")
        if list(df.columns).count(name) > 1:
            raise InputError(f"several columns are named '{name}'")
    if taken := set(_NEW).intersection(df.columns):
        raise InputError(f"column '{min(taken)}' is there already")
    instances = load_records(data) if isinstance(data, str | Path) else data
    cells = zip(map(_plain, df[id]), map(_plain, df[answer]), strict=True)
    judged = score(instances, ({"id": cell[0], "answer": cell[1]} for cell in cells))
    rows = [{**score_json(j), "correct": j.correct if j.judged else None} for j in judged]
    new = pd.DataFrame(rows, columns=_NEW).convert_dtypes()
    return df.assign(**{name: new[name].array for name in new})


def _plain(cell: object) -> object:
    if pd.api.types.is_integer(cell):
        return str(cell)
    return None if pd.api.types.is_scalar(cell) and pd.isna(cell) else cell
