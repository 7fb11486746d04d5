"""Examples of Unified Planning; and no tests of reasoning-gym where it is not installed.

One of its packages must be compiled.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

collect_ignore = [] if find_spec("reasoning_gym") else ["test_reasoning_gym.py"]


@pytest.fixture(scope="module")
def examples() -> dict[str, Any]:
    """Return the example problems of Unified Planning."""
    from unified_planning.test.examples import get_example_problems  # slow to import

    found: dict[str, Any] = get_example_problems()
    return found
