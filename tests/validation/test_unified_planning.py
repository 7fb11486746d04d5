"""Unified Planning is imported without packages that it needs for one method only."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys
from pddl_pipeline.planners.unified_planning import environment
engines = [environment().factory.engine(name) for name in ("fast-downward", "pyperplan", "tamer")]
print(sorted({"ConfigSpace", "scipy"} & sys.modules.keys()))
spaces = [engine.get_configuration_space() for engine in engines]
import ConfigSpace
print({type(space) is ConfigSpace.ConfigurationSpace for space in spaces}, *map(len, spaces))
"""


@pytest.mark.slow("imports Unified Planning in a separate process")
def test_configuration_spaces_are_imported_when_one_is_asked_for() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "[]\n{True} 0 2 2\n", done.stderr
