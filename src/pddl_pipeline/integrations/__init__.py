"""Integrations with Unified Planning, Inspect AI, lm-evaluation-harness, reasoning-gym and pandas.

Each file that needs an extra names the extra in its error if the package is missing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

LM_EVAL_TASKS: Final = Path(__file__).with_name("lm_eval_tasks")
"""The folder for ``lm_eval --include_path``."""
