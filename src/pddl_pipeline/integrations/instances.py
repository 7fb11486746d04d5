"""The instances of a task of an evaluation library."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.translators.datasets import load_records


def instances_of(
    domain: str | None = None, data: str | Path | None = None, limit: int | None = None
) -> list[Instance[Any]]:
    """Return the first instances of a dataset.

    Args:
        domain: the domain of all instances; None accepts any domain.
        data: a dataset in any supported format; None selects the examples of the domain.
        limit: maximum number of instances; None returns all.

    Raises:
        InputError: the dataset cannot be read, or has an instance of another domain.
    """
    folders = map(domain_folder, domain_names() if domain is None else (domain,))
    paths = [folder / "examples.jsonl" for folder in folders] if data is None else [Path(data)]
    found = list(islice(load_records(*paths), limit))
    for instance in found:
        if domain not in (None, instance.domain):
            message = f"'{instance.id}' is of {instance.domain}, expected {domain}"
            raise InputError(message, file=str(data))
    return found
