"""Kairos' validator as a second opinion. It accepts some plans that are invalid."""

from __future__ import annotations

import re
from subprocess import CompletedProcess
from typing import Final

from pddl_pipeline.integrations.val_opinion import run_validator
from pddl_pipeline.model.verdict import Opinion, Status
from pddl_pipeline.planners.other_engines import kairos_program
from pddl_pipeline.validation.opinions import Validator
from pddl_pipeline.validation.task import Task

# By the exit status and the file of the first error.
_SAYS: Final = {
    (0, None): Status.VALID,
    (1, "plan"): Status.INVALID,
    (2, "plan"): Status.MALFORMED,
}
_ERROR: Final = re.compile(r"^([^:\n]+):(?:\d+:)* error: (.*?)(?: \[[\w.]+\])?$", re.MULTILINE)


class Kairos:
    """A validator that runs Kairos, one process per plan."""

    def __init__(self, domain: str, problem: str, _: Task) -> None:
        """Find Kairos, for a domain and problem given as text.

        Raises:
            EngineError: Kairos is not installed.
        """
        self._command, self._texts = (kairos_program(), "validate"), (domain, problem)

    def judge(self, plan: str) -> Opinion:
        """Return Kairos' opinion on the text of a plan; ``undecided`` if it gives none."""
        return run_validator(self._command, (*self._texts, plan), _read)


def _read(done: CompletedProcess[str]) -> Opinion:
    wrong = _ERROR.search(done.stderr)
    file, reason = wrong.groups() if wrong else (None, None)
    return Opinion(_SAYS.get((done.returncode, file), Status.UNDECIDED), reason)


VALIDATORS: Final = (Validator("kairos", Kairos),)
