"""Places where users already are: Inspect AI, lm-evaluation-harness, reasoning-gym, pandas.

Each file needs the extra of its name, and says so where that is missing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

LM_EVAL_TASKS: Final = Path(__file__).with_name("lm_eval_tasks")
"""What ``lm_eval --include_path`` wants."""
