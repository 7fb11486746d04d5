"""The studies by name. Each paper has a folder, whose files list their studies in STUDIES."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from pddl_pipeline.model.discovery import registry
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.papers.study import PAPERS, Study

ALL: Final = "all"


@cache
def studies() -> dict[str, Study]:
    """Return every study by name, in the order of the papers."""
    order = list(PAPERS)
    packages = [f"{__package__}.{paper}" for paper in order]
    found = registry(packages, "pddl_pipeline.studies")

    def position(study: Study) -> tuple[int, str]:
        known = study.paper in PAPERS
        return (order.index(study.paper) if known else len(order), study.name)

    return {study.name: study for study in sorted(found.values(), key=position)}


def studies_named(names: Sequence[str]) -> list[Study]:
    """Return the studies with certain names.

    A name is that of a study, that of a paper for all of its studies, or ``all``.

    Raises:
        InputError: no study or paper has that name.
    """
    chosen = dict[str, Study]()
    for name in names:
        of_name = {
            each.name: each for each in studies().values() if name in (each.name, each.paper, ALL)
        }
        if not of_name:
            known = [ALL, *PAPERS, *studies()]
            raise InputError(f"unknown study '{name}'{hint(name, known)}")
        chosen |= of_name
    return list(chosen.values())
