"""Result files of PlanBench's repository, and tables of their rows.

A row has ``instance_id``, the model's text in ``llm_raw_response``, the plan that PlanBench's
parser extracted from it in ``extracted_llm_plan``, and VAL's verdict on that in ``llm_correct``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.io.text_lines import open_binary
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_formats.answer_format import AnswerFormat, AnswerReading, Shape
from pddl_pipeline.scoring.answer_rows import AnswerRow, answer_rows, open_stream
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.rows import field_of

_LIST: Final = "instances"
_TEXTS: Final = ("extracted_llm_plan", "llm_raw_response")


def _claims_results(shape: Shape) -> bool:
    return _LIST in shape.fields and not shape.in_list


def _claims_rows(shape: Shape) -> bool:
    return "instance_id" in shape.fields and not shape.fields.isdisjoint(_TEXTS)


def _results(path: Path) -> Iterator[AnswerRow]:
    """Yield the instances of a result file, with the engine as the model of each."""
    number = 0
    try:
        with open_binary(path) as file:
            stream = open_stream(path, file)
            model = None
            for name in stream.fields():
                if name != _LIST:
                    value = stream.value()
                    model = value if name == "engine" else model
                    continue
                for number, value in enumerate(stream.elements(), start=1):
                    named = {"model": model, **value} if isinstance(value, dict) else value
                    yield AnswerRow(f"{path}: instance {number}", named)
            stream.end("object")
    except InputError as error:
        message = f"{error.message}, after {number} instances"
        yield AnswerRow(str(path), fault=message)


def _rows(path: Path) -> Iterator[AnswerRow]:
    """Yield rows. Rows of a second domain are faults: its instances have the same numbers."""
    first = None
    for row in answer_rows(path):
        domain = row.value.get("domain") if isinstance(row.value, dict) else None
        first = first or domain
        if domain == first or row.fault is not None:
            yield row
        else:
            message = f"found a row of {domain} after rows of {first}; score each domain separately"
            yield AnswerRow(row.place, fault=message)


def _answers(value: Any, reading: AnswerReading) -> list[Answer]:
    number = field_of(value, "instance_id", int)
    published = value.get("llm_correct")
    return [
        Answer(
            reading.numbers.id_of(number, f"instance-{number}"),
            _text(value, _TEXTS[reading.raw]),
            model=_model(value),
            published=published if isinstance(published, bool) else None,
            published_strict=not reading.raw,
            row=value,
        )
    ]


def _model(value: dict[str, Any]) -> str | None:
    """Return the model; in a table of rows, which has several tasks, also the name of the task."""
    parts = [value.get(name) for name in ("model", "task")]
    return " ".join(part for part in parts if isinstance(part, str)) or None


def _text(value: dict[str, Any], name: str) -> str:
    """Return the text to judge; PlanBench stores extracted plans as a text or a list of steps.

    Raises:
        FieldFault: the row has no such text.
    """
    found = value.get(name, 0)
    if found is None:
        return ""
    if isinstance(found, list) and all(isinstance(step, str) for step in found):
        return "\n".join(found)
    if not isinstance(found, str):
        advice = ", see --text" if name not in value else ""
        raise FieldFault(name, f"found no text{advice}")
    return found


FORMATS: Final = (
    AnswerFormat(
        "planbench", "unchanged result file of PlanBench", _claims_results, _results, _answers
    ),
    AnswerFormat(
        "planbench-rows", "rows of PlanBench's results, one per line or in a list",
        _claims_rows, _rows, _answers,
    ),
)  # fmt: skip
