"""Kairos' validator as a second opinion. It accepts some plans that are invalid."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from pddl_pipeline.endpoints.settings import public_environment
from pddl_pipeline.model.verdict import Opinion, Status
from pddl_pipeline.planners.engines import kairos_program
from pddl_pipeline.validation.opinions import Validator
from pddl_pipeline.validation.task import Task

_FILES: Final = ("domain.pddl", "problem.pddl", "plan")
# By the exit status and the file of the first error.
_SAYS: Final = {
    (0, None): Status.VALID, (1, "plan"): Status.INVALID, (2, "plan"): Status.MALFORMED,
}  # fmt: skip
_ERROR: Final = re.compile(r"^([^:\n]+):(?:\d+:)* error: (.*?)(?: \[[\w.]+\])?$", re.MULTILINE)


class Kairos:
    """A validator that runs Kairos, one process per plan."""

    def __init__(self, domain: str, problem: str, _: Task) -> None:
        """Find Kairos, for a domain and problem given as text.

        Raises:
            EngineError: Kairos is not installed.
        """
        self._command, self._texts = (kairos_program(), "validate", *_FILES), (domain, problem)

    def judge(self, plan: str) -> Opinion:
        """Return Kairos' opinion on the text of a plan; ``undecided`` if it gives none."""
        with TemporaryDirectory(prefix="pddl-pipeline-") as folder:
            for name, text in zip(_FILES, (*self._texts, plan), strict=True):
                Path(folder, name).write_text(text, encoding="utf-8", newline="")
            try:
                done = subprocess.run(
                    self._command, stdin=subprocess.DEVNULL, capture_output=True, check=False,
                    timeout=300, cwd=folder, text=True, errors="replace",
                    env=public_environment(),
                )  # fmt: skip
            except (OSError, subprocess.TimeoutExpired) as error:
                return Opinion(Status.UNDECIDED, f"cannot be run: {error}")
        wrong = _ERROR.search(done.stderr)
        file, reason = wrong.groups() if wrong else (None, None)
        return Opinion(_SAYS.get((done.returncode, file), Status.UNDECIDED), reason)


VALIDATORS: Final = (Validator("kairos", Kairos),)
