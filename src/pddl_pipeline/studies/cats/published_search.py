"""The numbers that CATS publishes on searches: section 5, Tables 2 and 3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

BUDGETS: Final = ("tight", "loose", "unlimited")
NODES: Final = 500
"""The limit on expanded nodes."""


class Cells(NamedTuple):
    """A value for each horizon and the average over all tasks; None if no run succeeded."""

    short: float | None
    mid: float | None
    long: float | None
    average: float | None


class SearchRow(NamedTuple):
    """A method under a budget."""

    success: Cells
    optimality: Cells


TREES: Final = ("ToT", "RAP", "CATS")
"""The tree searches with Qwen3-8B."""

TABLE2: Final[Mapping[str, Mapping[str, SearchRow]]] = {
    "tight": {
        "CoT, Qwen3-8B": SearchRow(Cells(0.04, 0, 0, 0.01), Cells(0.04, 0, 0, 0.01)),
        "CoT, GPT-4.1": SearchRow(Cells(0.04, 0.01, 0, 0.01), Cells(0.04, 0.01, 0, 0.01)),
        "CoT, Claude-Opus-4.1": SearchRow(Cells(0.19, 0.01, 0, 0.02), Cells(0.16, 0.01, 0, 0.02)),
        "ToT": SearchRow(Cells(0.08, 0, 0, 0.01), Cells(0.04, 0, 0, 0.01)),
        "RAP": SearchRow(Cells(0.34, 0.01, 0, 0.04), Cells(0.16, 0.01, 0, 0.02)),
        "CATS": SearchRow(Cells(0.34, 0.08, 0.01, 0.08), Cells(0.16, 0.04, 0.01, 0.04)),
    },
    "loose": {
        "CoT, Qwen3-8B": SearchRow(Cells(0.04, 0, 0, 0.01), Cells(0.04, 0, 0, 0.01)),
        "CoT, GPT-4.1": SearchRow(Cells(0.21, 0.15, 0.05, 0.11), Cells(0.05, 0.05, 0.02, 0.04)),
        "CoT, Claude-Opus-4.1": SearchRow(
            Cells(0.58, 0.25, 0.14, 0.24), Cells(0.20, 0.09, 0.05, 0.08)
        ),
        "ToT": SearchRow(Cells(0.14, 0, 0, 0.02), Cells(0.06, 0, 0, 0.02)),
        "RAP": SearchRow(Cells(0.61, 0.04, 0.01, 0.09), Cells(0.21, 0.01, 0.01, 0.03)),
        "CATS": SearchRow(Cells(0.96, 0.84, 0.36, 0.65), Cells(0.31, 0.29, 0.24, 0.27)),
    },
    "unlimited": {
        "CoT, Qwen3-8B": SearchRow(Cells(0.04, 0, 0, 0.01), Cells(0.04, 0.01, 0.01, 0.01)),
        "CoT, GPT-4.1": SearchRow(Cells(0.27, 0.19, 0.10, 0.16), Cells(0.07, 0.06, 0.03, 0.05)),
        "CoT, Claude-Opus-4.1": SearchRow(
            Cells(0.55, 0.32, 0.23, 0.31), Cells(0.18, 0.10, 0.07, 0.10)
        ),
        "ToT": SearchRow(Cells(0.15, 0.02, 0, 0.02), Cells(0.06, 0.01, 0, 0.01)),
        "RAP": SearchRow(Cells(0.69, 0.04, 0.01, 0.10), Cells(0.25, 0.01, 0, 0.03)),
        "CATS": SearchRow(Cells(1, 1, 1, 1), Cells(0.29, 0.32, 0.34, 0.33)),
    },
}

TABLE3: Final[Mapping[str, Mapping[str, Cells]]] = {
    "tight": {
        "ToT": Cells(0.92, None, None, 0.92),
        "RAP": Cells(0.90, 0.50, None, 0.85),
        "CATS": Cells(0.99, 0.97, 0.97, 0.98),
    },
    "loose": {
        "ToT": Cells(0.92, None, None, 0.92),
        "RAP": Cells(0.77, 0.48, 0.71, 0.71),
        "CATS": Cells(0.97, 0.94, 0.92, 0.93),
    },
    "unlimited": {
        "ToT": Cells(0.92, 0.93, None, 0.92),
        "RAP": Cells(0.76, 0.74, None, 0.70),
        "CATS": Cells(0.97, 0.93, 0.91, 0.93),
    },
}
"""The efficiency over the solved tasks."""
