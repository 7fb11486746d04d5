"""The instance that a sample carries in its own fields, so that no dataset is required."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.formats.json_rows import parse_json
from pddl_pipeline.translators.formats.rows import plain
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.records import from_record


def instance_in(fields: Mapping[str, Any]) -> Instance[Any]:
    """Return the instance that fields of a sample hold.

    Args:
        fields: ``record``, this project's record as an object or as JSON; or ``domain_pddl`` and
            ``problem_pddl``. Others do not matter.

    Raises:
        InputError: the fields hold no instance, or an invalid one.
    """
    record, domain, problem = map(fields.get, ("record", "domain_pddl", "problem_pddl"))
    if isinstance(record, dict):
        record = json.dumps(record, default=plain)
    if isinstance(record, str) and record.lstrip().startswith("{"):
        return _of_record(record)
    if isinstance(domain, str) and isinstance(problem, str):
        return _of_pddl(domain, problem)
    raise InputError("the fields have no 'record', or 'domain_pddl' and 'problem_pddl'")


# The same instances come again and again, and reading one takes longer than judging an answer.
@lru_cache(maxsize=1_000)
def _of_record(text: str) -> Instance[Any]:
    try:
        return from_record(parse_json(text))
    except (FieldFault, ValueError) as fault:
        raise InputError(f"record: {fault}") from fault


@lru_cache(maxsize=1_000)
def _of_pddl(domain: str, problem: str) -> Instance[Any]:
    return given_instance("sample", domain, problem, {})
