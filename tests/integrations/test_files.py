"""The files of integrations: thin, and clear about what they need."""

from __future__ import annotations

import subprocess
import sys

WITHOUT = """
import sys
from importlib import import_module
for line in sys.argv[1:]:
    package, module = line.split()
    sys.modules[package] = None
    try:
        import_module(f"pddl_pipeline.integrations.{module}")
    except ImportError as error:
        print(error)
"""


def test_a_missing_package_is_named_with_its_extra() -> None:
    cases = {
        "inspect_ai inspect_tasks": "inspect",
        "inspect_ai inspect_scorer": "inspect",
        "datasets lm_eval_tasks.functions": "lm-eval",
        "pandas pandas": "pandas",
        "reasoning_gym reasoning_gym_dataset": "reasoning-gym",
    }
    command = [sys.executable, "-c", WITHOUT, *cases, "reasoning_gym reasoning_gym"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    fixes = [f'fix: pip install "pddl-pipeline[{extra}]"' for extra in cases.values()]
    for line, package, fix in zip(done.stdout.splitlines(), cases, fixes, strict=True):
        assert package.split()[0] in line
        assert line.endswith(fix)
