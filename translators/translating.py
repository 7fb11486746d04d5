"""`translate` as users of the library call it: with instances, records, tables or data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, overload

from pddl_pipeline import translators
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.translators.datasets import Data, as_instances, is_frame
from pddl_pipeline.translators.translator import PAPER


@overload
def translate(data: Instance[Any] | Mapping[str, Any], *, encoding: str = PAPER) -> Problem: ...


@overload
def translate(data: str | Path | Iterable[Any], *, encoding: str = PAPER) -> list[Problem]: ...


def translate(data: Data, *, encoding: str = PAPER) -> Problem | list[Problem]:
    """Return the PDDL texts of an instance, or a list with those of each instance of a dataset.

        >>> translate({"numbers": [3, 4, 5, 6], "target": 24})
        <Problem: domain 1195, problem 237 characters>

    Args:
        data: an instance, a record, a problem of another library, or a dataset as for
            `load_records`: a list of records, a data frame, a file. A record of countdown needs no
            more than its numbers and its target.
        encoding: ``paper``, or another encoding of the domain. All encodings of an instance have
            the same plans.

    Raises:
        RecordError: a record is invalid; with row and field.
        InputError: the domain does not have the encoding, or a file cannot be read.
    """
    problems = [
        translators.translate(instance, encoding=encoding) for instance in as_instances(data)
    ]
    is_several = isinstance(data, Path | Iterable) or is_frame(data)
    is_one = isinstance(data, Mapping) or not is_several
    return problems[0] if is_one else problems
