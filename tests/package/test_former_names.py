"""Plug-ins and scripts of version 1.0 import modules under names that have changed since."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module

import pytest

from pddl_pipeline import _FORMER as FORMER


@pytest.mark.parametrize("name", FORMER)
def test_a_former_name_is_the_same_module_with_a_warning(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    present = import_module(f"pddl_pipeline.{FORMER[name]}")
    for each in FORMER:
        monkeypatch.delitem(sys.modules, each, raising=False)
    with warnings.catch_warnings(record=True) as caught:  # the packages around it warn, too
        warnings.simplefilter("always")
        assert import_module(name) is present
    assert f"{name} is now {present.__name__}" in [str(each.message) for each in caught]
