"""What is said about a planner that is not installed."""

from __future__ import annotations

import pytest

from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.planners.planner import check_installed, package_folder

FIX = "no-such-planner is not installed; fix: pip install no-such-planner"


def test_the_advice_is_how_to_install_it() -> None:
    with pytest.raises(EngineError) as error:
        check_installed("no-such-planner")
    assert str(error.value) == FIX


def test_the_advice_is_the_same_for_a_folder() -> None:
    with pytest.raises(EngineError) as error:
        package_folder("no-such-planner", "no_such_planner")
    assert str(error.value) == FIX
