"""VAL's program as an oracle for tests. It is not part of the project; see `needs_val`."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final, NamedTuple

import pytest

PROGRAM: Final = os.environ.get("PDDL_PIPELINE_VAL", "")
needs_val = pytest.mark.skipif(
    not PROGRAM, reason="the variable PDDL_PIPELINE_VAL does not name VAL's program Validate"
)
SECONDS: Final = 60
_PLAN_FAULTS: Final = ("Bad plan", "Error in type-checking", "Bad operator in plan")
_INPUT_FAULTS: Final = (
    "Bad domain file", "Bad problem file", "Problem in domain definition", "Type problem in",
    "Parser failed", "Problem in problem", "A derived predicate appears as an effect",
)  # fmt: skip


class ValAnswer(NamedTuple):
    """What VAL says of a plan."""

    status: str
    """``valid``, ``invalid``, ``malformed``, ``input-error``, ``crash`` or ``none``."""
    value: Fraction | None = None
    """The value of a valid plan, with ten digits; None if VAL prints several or none."""
    printed: str = ""


def val_on_files(*arguments: str | Path) -> ValAnswer:
    """Return VAL's answer on a domain, a problem and a plan, which may follow options.

    Its exit status says only whether it crashed.
    """
    try:
        done = subprocess.run(
            [PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
            timeout=SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return ValAnswer("none")
    if done.returncode < 0:
        return ValAnswer("crash")
    out, err = (text.decode("utf-8", errors="replace") for text in (done.stdout, done.stderr))
    if any(fault in out + err for fault in _INPUT_FAULTS):
        return ValAnswer("input-error")
    if "Plan valid" in out:
        return ValAnswer("valid", _value(out), out)
    if "Plan failed to execute" in out or "Goal not satisfied" in out:
        return ValAnswer("invalid", printed=out)
    return ValAnswer("malformed" if any(fault in out + err for fault in _PLAN_FAULTS) else "none")


def _value(out: str) -> Fraction | None:
    _, _, rest = out.partition("Final value: ")
    try:
        (value,) = rest.partition("\n")[0].split()
        return Fraction(value)
    except ValueError:
        return None


def val_on_texts(texts: Sequence[str], *options: str) -> ValAnswer:
    """Return VAL's answer on a domain, a problem and a plan, given as texts."""
    with tempfile.TemporaryDirectory(prefix="pddl-pipeline-") as name:
        files = [Path(name) / kind for kind in ("domain.pddl", "problem.pddl", "plan")]
        for file, text in zip(files, texts, strict=True):
            file.write_text(text, encoding="utf-8", newline="")
        return val_on_files(*options, *files)
