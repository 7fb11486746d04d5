"""The datasets of SimPlan's five domains (Appendix D, Tables 8 and 9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pddl_pipeline.generators.generator import Preset
from pddl_pipeline.model.errors import InputError

METHOD: Final = "simplan"


def presets(simple: range, complex_: range) -> dict[str, Preset]:
    """Return both datasets; only the sizes differ between domains."""
    return {
        "simple": Preset(simple, {"train": 100, "dev": 30, "test": 30}),
        "complex": Preset(complex_, {"test": 50}),
    }


def check_at_least(least: int, values: Mapping[str, int]) -> None:
    """Check that options are large enough.

    Raises:
        InputError: a value is less than ``least``.
    """
    for name, value in values.items():
        if value < least:
            raise InputError(f"--{name} {value}: expected at least {least}")
