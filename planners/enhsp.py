"""ENHSP, a heuristic search planner for numeric planning (Scala et al. 2020). Requires Java.

It compares doubles with a tolerance, so its plans may miss their goals; see docs/planners.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Annotated, Any, Final

from msgspec import Meta

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.planners.java import heap_was_full, java_command
from pddl_pipeline.planners.planner import (
    DOMAIN,
    PLAN,
    PROBLEM,
    Claims,
    Command,
    Log,
    Needs,
    Planner,
    Plans,
    UpEngine,
    first_sign,
    package_folder,
    read_settings,
)
from pddl_pipeline.validation.features import UNTIMED

STATISTICS: Final = {
    "expanded": (r"Expanded Nodes:\s*(\d+)", 1),
    "evaluated": (r"(?:States Evaluated|Evaluated States):\s*(\d+)", 1),
    "search_s": (r"Search Time \(msec\):\s*(\d+)", 1e-3),
    "claimed_cost": (r"Metric \(Search\):\s*(\d+\.?\d*(?:E-?\d+)?)", 1),
}
"""Figures in ENHSP's log; see `Log.statistics`."""
_SYNTAX_ERROR: Final = r"(?m)^line \d+:\d+ .*$"
# None where Unified Planning runs ENHSP; see `Log.ending`.
_ENDED: Final = r"(?s)\Aexit status (?:0|None)\n"
_UNREAD: Final = "ENHSP could not read the problem"
_NO_PLAN: Final = "ENHSP claims that there is no plan"
_SIGNS: Final = (
    ("OutOfMemoryError", Outcome.MEMOUT, "ENHSP: the Java heap is full"),
    # After some syntax errors the exit status is 0, after others it is 255.
    ("Some Syntax Error|Grammar is violated", Outcome.INPUT_ERROR, _UNREAD),
    (f"{_ENDED}.*FileNotFoundException", Outcome.INPUT_ERROR, _UNREAD),
    (
        f"{_ENDED}(?!.*Problem parsed)",
        Outcome.CRASH,
        "ENHSP ended before it read the problem",
    ),
    (f"{_ENDED}.*Unsolvable by AIBR", Outcome.CLAIMS_UNSOLVABLE, _NO_PLAN),
    (
        f"{_ENDED}.*Problem Solved",
        Outcome.CRASH,
        "ENHSP found a plan but could not write it",
    ),
    (
        rf"{_ENDED}(?!.*Metric \(Search\))",
        Outcome.CRASH,
        "ENHSP ended in the middle of its search",
    ),
    (f"{_ENDED}.*Problem unsolvable", Outcome.CLAIMS_UNSOLVABLE, _NO_PLAN),
    (_ENDED, Outcome.GAVE_UP, "ENHSP ended without a plan"),
)


ending: Final = partial(first_sign, _SIGNS, wrong=_SYNTAX_ERROR)
"""Return how ENHSP ended: on invalid input it also exits with 0 and prints "unsolvable"."""


def is_complete(plan: str, log: str) -> bool:
    """Return whether the plan file has its end, or as many steps as the log reports."""
    if plan.rstrip().endswith("@PlanEND"):
        return True
    lengths = re.findall(r"Plan-Length:\s*(\d+)", log)
    return bool(lengths) and plan.endswith("\n") and len(plan.splitlines()) == int(lengths[-1])


Word = Annotated[str, Meta(pattern="^[A-Za-z0-9_]+$")]
"""A word of ENHSP's options."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Search settings of ENHSP, such as ``enhsp:search=lazygbfs,tolerance=1e-7``."""

    search: Word = field(default="gbfs", metadata={"help": "search algorithm, ENHSP's option -s"})
    heuristic: Word = field(default="hadd", metadata={"help": "heuristic, ENHSP's option -h"})
    tolerance: Annotated[float, Meta(ge=0, lt=1)] = field(
        default=1e-5, metadata={"help": "largest difference between numbers that count as equal"}
    )
    delta: Annotated[str, Meta(pattern=r"^(?=.*[1-9])\d+(\.\d+)?$")] = field(
        default="1", metadata={"help": "length of a step of time in PDDL+, ENHSP's option -delta"}
    )


def enhsp_command(options: str) -> tuple[str, ...]:
    """Return the command line with options in ENHSP's words."""
    jar = package_folder("up-enhsp", "up_enhsp") / "ENHSP" / "enhsp.jar"
    files = ("-o", DOMAIN, "-f", PROBLEM, "-sp", PLAN)
    return ("java", "-jar", str(jar), *files, *options.split())


def _configured(text: str) -> Planner:
    settings = read_settings("enhsp", SearchSettings, text)
    params = f"-s {settings.search} -h {settings.heuristic} -tolerance {settings.tolerance}"
    if settings.delta != "1":
        params += f" -delta {settings.delta}"
    claims = replace(CLAIMS, delta=Fraction(settings.delta))
    return _enhsp(f"enhsp:{text}", f"ENHSP: {params}", params, features=_PLUS, claims=claims)


PAPERS: Final = "-s gbfs -h hadd"
STRICT: Final = f"{PAPERS} -tolerance 1e-9"


CLAIMS: Final = Claims(largest_number=(2 - 2**-23) * 2.0**127)  # it reads 32-bit floats
_OPTIMAL: Final = replace(CLAIMS, optimal=True)
_PLUS: Final = UNTIMED | {"processes"}
_STEPS: Final = replace(CLAIMS, delta=1)
_PLANS: Final = Plans(is_complete=is_complete)
engine = partial(
    Planner, distribution="up-enhsp", features=UNTIMED, needs=Needs(java=True), claims=CLAIMS
)
_own = partial(engine, plans=_PLANS, log=Log(ending, STATISTICS, heap_was_full))


def _command(options: str, up: UpEngine) -> Command:
    return Command(partial(enhsp_command, options), java_command, configuration=up)


def _enhsp(name: str, about: str, options: str, **others: Any) -> Planner:
    """Return ENHSP with options, which Unified Planning passes on, too."""
    command = _command(options, UpEngine("enhsp", {"params": options}))
    return _own(name=name, about=about, command=command, **others)


PLANNERS: Final = (
    _enhsp(
        "enhsp",
        "ENHSP: greedy best-first search with hadd, the papers' numeric baseline",
        PAPERS,
        sample="countdown",
        configure=_configured,
        features=_PLUS,
        claims=_STEPS,
    ),
    _enhsp(
        "enhsp-strict",
        "like enhsp, but numbers count as equal within 1e-9 instead of 1e-5",
        STRICT,
        features=_PLUS,
        claims=_STEPS,
    ),
    _enhsp(
        "enhsp-hmrp",
        "ENHSP: greedy best-first search with hmrp and helpful actions",
        "-planner sat-hmrp",
    ),
    _own(
        name="enhsp-opt-hrmax",
        about="ENHSP: A* with hrmax, cost-optimal plans for linear numeric problems",
        command=_command("-s WAStar -h hrmax -npm", UpEngine("enhsp-opt")),
        # Where numbers change by more than constants, hrmax may overestimate.
        features=frozenset({"numeric", "costs"}),
        claims=_OPTIMAL,
    ),
    _enhsp(
        "enhsp-opt-blind",
        "ENHSP: A* without a heuristic, cost-optimal plans",
        "-s WAStar -h blind -ties larger_g",
        claims=_OPTIMAL,
    ),
    _own(
        name="enhsp-anytime",
        about="ENHSP: improves its plan until the time limit",
        command=_command(
            f"-anytime -npm {PAPERS}", UpEngine("enhsp-any", {"params": PAPERS}, anytime=True)
        ),
        plans=replace(_PLANS, anytime=True),
    ),
)
