"""Rows that hold a problem and an answer to it, as the rows of a Hugging Face dataset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.scoring.answer import UNNAMED, Answer, AnswerFields, NamedFields, memory_answers
from pddl_pipeline.scoring.answer_rows import AnswerRow
from pddl_pipeline.translators.datasets import Data, load_records
from pddl_pipeline.translators.formats.format import ReadOptions

_ID: Final = AnswerFields().id


class Pairing:
    """Reads rows with a problem and an answer.

    Rows with the same id and the same problem are attempts at one instance, and so are rows
    without ids that have the same problem. A second problem with the id ``a`` gets the id ``a#2``.
    """

    def __init__(self, named: NamedFields = UNNAMED) -> None:
        named.check()
        self.named = named._replace(id=_ID, alone=True)
        """How the answer is named in `rows`."""
        self.rows: list[AnswerRow] = []
        """The fields of each row that are not of its problem, and the id of its instance."""
        self._columns = {} if named.id is None else {_ID: named.id}
        self._ids: dict[tuple[str, str], str] = {}
        self._used: set[str] = set()
        self._times: Counter[str] = Counter()

    def options(self, how: ReadOptions = ReadOptions()) -> ReadOptions:  # noqa: B008 -- frozen
        """Return options with which `load_records` reads the problems; this keeps the answers."""
        return replace(how, on_row=self._keep, columns={**how.columns, **self._columns})

    def _keep(self, instance: Instance[Any], place: str, has_id: bool) -> Instance[Any]:  # noqa: FBT001
        """Return the instance of a row without its other fields, which are kept."""
        problem = repr((instance.domain, instance.record, instance.extras.get("rules")))
        key = instance.id if has_id else "", problem
        # The same problem under the same id has several attempts. Another problem under that id is
        # another instance, such as `a#2`.
        if key not in self._ids:
            new = instance.id
            while new in self._used:
                self._times[instance.id] += 1
                new = f"{instance.id}#{self._times[instance.id] + 1}"
            self._used.add(new)
            self._ids[key] = new
        others = {name: None if cell == "" else cell for name, cell in instance.extra.items()}
        self.rows.append(AnswerRow(place, {**others, _ID: self._ids[key]}))
        return replace(instance, id=self._ids[key], extra={})


def paired(
    data: Data, named: NamedFields = UNNAMED
) -> tuple[list[Instance[Any]], Iterator[Answer]]:
    """Return the instances of rows, and their answers in order.

    Args:
        data: rows with a problem and an answer.
        named: the fields that the user named.

    Raises:
        InputError: a row has no valid problem, no row has an answer, or several fields may hold it.
    """
    pairs = Pairing(named)
    instances = list(load_records(data, source=pairs.options()))
    return instances, memory_answers([row.value for row in pairs.rows], pairs.named)
