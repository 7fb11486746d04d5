"""What is said about a planner that is not installed."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError

import pytest

from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.planners import planner as installed
from pddl_pipeline.planners.planner import check_installed, package_folder

DECLARED = [
    "click>=8.1",
    "no-such-planner-two>=1; python_version < '3.11' and extra == 'engines'",
    'no-such-planner>=0.1.3; python_version < "3.13" and extra == "engines"',
]
FIX = "no-such-planner is not installed; fix: pip install no-such-planner"


@pytest.mark.parametrize(
    ("python", "said"),
    [
        ((3, 12, 9), FIX),
        (
            (3, 13, 0),
            "no-such-planner is not installed: it requires Python < 3.13, and this is Python 3.13",
        ),
        ((3, 14, 1), "it requires Python < 3.13, and this is Python 3.14"),
    ],
)
def test_the_advice_depends_on_the_python(
    python: tuple[int, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installed, "requires", lambda _: DECLARED)
    monkeypatch.setattr(sys, "version_info", python)
    with pytest.raises(EngineError) as error:
        check_installed("no-such-planner")
    assert str(error.value).endswith(said)
    with pytest.raises(EngineError) as error:
        package_folder("no-such-planner", "no_such_planner")
    assert str(error.value).endswith(said)


def test_the_advice_without_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(installed, "requires", missing)
    with pytest.raises(EngineError) as error:
        package_folder("no-such-planner", "no_such_planner")
    assert str(error.value) == FIX
