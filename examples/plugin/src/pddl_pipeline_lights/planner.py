"""A planner that switches on every lamp of the goal."""

from __future__ import annotations

import sys

from pddl_pipeline.planners.planner import PLAN, PROBLEM, Planner

_PROGRAM = r"""
import re, sys
goal = open(sys.argv[1]).read().partition(":goal")[2]
steps = [f"(switch {lamp})" for lamp in re.findall(r"\(on (\w+)\)", goal)]
open(sys.argv[2], "w").write("\n".join(steps) + "\n")
"""

PLANNERS = (
    Planner(
        name="lights-switcher",
        about="switches on every lamp of the goal",
        distribution="pddl-pipeline-lights",
        command=lambda: (sys.executable, "-c", _PROGRAM, PROBLEM, PLAN),
    ),
)
