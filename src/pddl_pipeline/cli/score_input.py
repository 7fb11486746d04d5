"""What ``pddl-pipeline score`` reads: the data and the files of answers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.answers.readers import readers_of
from pddl_pipeline.cli.options import is_given
from pddl_pipeline.cli.progress import note, progress
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.scoring.answer_fields import OWN_FIELDS
from pddl_pipeline.scoring.answer_files import AnswerFile, answer_file
from pddl_pipeline.scoring.grouping import (
    GROUPING_NAMES,
    GROUPINGS,
    LENGTH,
    NO_BUDGET,
    fields_of,
    plan_length,
)
from pddl_pipeline.scoring.judging import OWN
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.scoring.tally import Tally
from pddl_pipeline.translators.datasets import load_records
from pddl_pipeline.translators.formats.format import ReadOptions

MANY: Final = "--answers"
_PLANBENCH: Final = "planbench"
_OF_QUESTIONS: Final = "actions"
"""A grouping that only questions have: the number of actions in a question."""


def read_data(data: tuple[str, ...], how: ReadOptions) -> list[Instance[Any]]:
    """Return the instances. If a file of answers was given as data, the error says so."""
    try:
        return list(progress(load_records(*data, source=how), "reading"))
    except InputError as error:
        if error.file in data and _has_answers(Path(error.file)):
            advice = f"; if this is a file of answers, name it after {MANY}"
            error.message += advice
        raise


def _has_answers(path: Path) -> bool:
    try:
        answer_file(path)
    except InputError:
        return False
    return True


def answer_files(
    files: Sequence[Path], form: str | None, id_field: str | None, answer_field: str | None
) -> list[AnswerFile]:
    """Return how each file is read, and print which fields are used if that is not obvious.

    Raises:
        InputError: a file cannot be read, or ``--text`` is given and no file is PlanBench's.
    """
    found = [answer_file(path, form=form, id_field=id_field, answer_field=answer_field)
             for path in files]  # fmt: skip
    for each in found:
        others = " and ".join(f"'{name}'" for name in each.others)
        if each.fields != OWN_FIELDS or others:
            line = f"{each.path}: ids are in '{each.fields.id}', answers in '{each.fields.answer}'"
            note(f"{line}, not in {others}" if others else line)
    if is_given("text") and not any(_PLANBENCH in each.form.name for each in found):
        names = ", ".join(sorted({each.form.name for each in found}))
        raise InputError(f"--text is for results of PlanBench, found answers in format {names}")
    return found


def check_applicable(
    judge: Judge, reading: str, by: Sequence[str], *, lenient_values: bool
) -> None:
    """Check that the options apply to the data.

    Raises:
        InputError: no instance has the reading, or the property to group by.
    """
    first = {instance.domain: instance for instance in reversed(judge.instances.values())}
    if reading != OWN and not any(
        reading in readers_of(each, judge.task(each.id)).others for each in first.values()
    ):
        domains = ", ".join(sorted(first))
        raise InputError(f"--reading {reading} is for blocksworld and Mystery, found {domains}")
    if lenient_values and not any(
        readers_of(each, judge.task(each.id)).has_rules for each in first.values()
    ):
        raise InputError(f"--lenient-values is for countdown, found {', '.join(sorted(first))}")
    instances = judge.instances.values()
    for name in ("horizon", LENGTH):
        if name in by and all(plan_length(each) is None for each in instances):
            fields = "field 'optimal_cost' or 'witness'"
            raise InputError(f"--by {name}: no instance has a known plan length ({fields})")
    if "budget" in by and all(GROUPINGS["budget"](each) == NO_BUDGET for each in instances):
        raise InputError("--by budget: no instance has a budget")


def check_groupings(tally: Tally, files: Sequence[AnswerFile]) -> None:
    """Check that each field to group by occurs in the data or in a row of the answers.

    Raises:
        InputError: a field occurs in neither.
    """
    for name in tally.answer_fields:
        rows = chain.from_iterable(each.form.rows(each.path) for each in files)
        if not any(isinstance(row.value, dict) and name in row.value for row in rows):
            known = sorted({*GROUPING_NAMES}.union(*map(fields_of, tally.instances.values())))
            missing = f"--by: '{name}' is not one of the fields of the data or the answers"
            other = "; questions --score has it" if name == _OF_QUESTIONS else hint(name, known)
            raise InputError(f"{missing}{other}")
