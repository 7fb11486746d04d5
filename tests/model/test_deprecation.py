"""Old names of public attributes work, and say what to write instead."""

from __future__ import annotations

from typing import Any

import pytest

from pddl_pipeline import Instance, Problem


@pytest.mark.parametrize(
    ("owner", "old", "new"),
    [
        (Problem("(domain)", "(problem)"), "domain", "domain_pddl"),
        (Problem("(domain)", "(problem)"), "problem", "problem_pddl"),
        (Instance("a", "ferry", 1, {"cars": 1}), "task", "record"),
    ],
)
def test_the_old_name_warns_and_gives_the_same(owner: Any, old: str, new: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"use {type(owner).__name__}.{new}; ") as caught:
        assert getattr(owner, old) is getattr(owner, new)
    assert caught[0].filename == __file__
