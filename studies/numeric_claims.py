"""Write the table of ENHSP's claims on numeric IPC domains; see countdown/protocol-numeric.md.

Usage: python studies/numeric_claims.py STORE... > studies/countdown/results/numeric-ipc/claims.csv
"""

from __future__ import annotations

import csv
import re
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np

from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.runs.rejudging import JudgedProblem, problem_of
from pddl_pipeline.runs.store import iterate_store
from pddl_pipeline.validation.task import task_from_texts

COLUMNS = ["domain", "instance", "outcome", "verdict", "cause", "reason", "steps", "cpu_s"]
_DECIMAL = re.compile(r"(?<![\w.-])-?\d*\.\d+(?![\w.])")
_TOLERANCE = Fraction(1, 10**5)


def cause(result: RunResult, folder: Path) -> str:
    """Return why ENHSP claims a plan that is not valid; empty for all other runs."""
    if result.status is not Status.INVALID or result.plan is None:
        return ""
    problem = problem_of(result, folder)
    if not isinstance(problem, JudgedProblem):
        raise SystemExit(problem)
    text = "\n".join(result.plan)
    texts = problem.instance.record
    floats = task_from_texts(
        (_as_floats(texts.domain), "domain"), (_as_floats(texts.problem), "problem")
    )
    exact = problem.task.judge(text)
    if _is_later(floats.judge(text), exact):
        return "decimals"
    return "tolerance" if _is_later(floats.judge(text, tolerance=_TOLERANCE), exact) else "neither"


def _as_floats(pddl: str) -> str:
    """Return PDDL with each decimal replaced by its nearest 32-bit float."""
    return _DECIMAL.sub(lambda found: f"{Decimal(float(np.float32(found[0]))):f}", pddl)


def _is_later(verdict: Verdict, exact: Verdict) -> bool:
    """Return whether the condition that fails in exact arithmetic holds."""
    ends = [each.failed_step or float("inf") for each in (verdict, exact)]
    return verdict.status is Status.VALID or ends[0] > ends[1]


def main() -> None:
    """Print a row for each run of the stores."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    for folder in map(Path, sys.argv[1:]):
        for run in sorted(iterate_store(folder), key=lambda run: (len(run.id), run.id)):
            writer.writerow([
                folder.name, run.id, run.outcome, run.status or "", cause(run, folder),
                run.reason or "", run.steps or "", run.cpu_s,
            ])  # fmt: skip


if __name__ == "__main__":
    main()
