"""Unified Planning with our validator; and no tests of reasoning-gym where it is not installed.

One of its packages must be compiled.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

collect_ignore = [] if find_spec("reasoning_gym") else ["test_reasoning_gym.py"]


@pytest.fixture(scope="module")
def registered() -> list[str]:
    """Register our validator with Unified Planning, and return the names of engines."""
    from unified_planning.environment import get_environment  # slow to import

    from pddl_pipeline.integrations.unified_planning import register  # as above

    get_environment().credits_stream = None
    return register()


@pytest.fixture(scope="module")
def examples() -> dict[str, Any]:
    """Return the example problems of Unified Planning."""
    from unified_planning.test.examples import get_example_problems  # as above

    found: dict[str, Any] = get_example_problems()
    return found
