"""The other engines, a row each: how to start one, and the signs in its log of how it ended.

- Aries (Bit-Monnot 2023): lifted planning by constraint solving, without a command line for PDDL.
  Some of its plans are wrong, for minigrid for example; the validator rejects them.
- Tamer (Valentini et al. 2020): heuristic search for classical, numeric and temporal planning,
  without a command line.
- pyperplan (Alkhazraji et al. 2020): a STRIPS planner in Python for teaching.
- LPG (Gerevini et al. 2003): stochastic local search in planning graphs, with numbers.
- Kairos (Martín Rico 2026): temporal and numeric planning, PDDL+, in C++. It checks its plans by a
  validator that accepts some that are invalid.
- SymK (Speck et al. 2020, 2025): symbolic search, built on Fast Downward. Its decision diagrams
  allocate half a gigabyte at the start.
- K* (Katz and Lee 2023): forward search for the k best plans or all plans of a quality.
- ForbidIterative (Katz and Sohrabi 2020): diverse planning.
- The baselines, which need no other distribution, as processes within limits.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace
from functools import partial
from importlib.metadata import files
from typing import Any, Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.discovery import provider
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.planners.canonical import classical, unchanged
from pddl_pipeline.planners.fast_downward import (
    OVERLOOK,
    STATISTICS,
    UNSUPPORTED_NUMBERS,
    driver_command,
    driver_ending,
    is_complete,
    memory_mb,
    with_memory_limit,
)
from pddl_pipeline.planners.fast_downward import PLANNERS as DOWNWARD
from pddl_pipeline.planners.own_process import CALLS, baselines, ending, own_command
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
    Words,
    check_installed,
    first_sign,
    package_folder,
    read_settings,
    setting_key,
    settings_json,
)
from pddl_pipeline.search.baseline import Baseline
from pddl_pipeline.validation.features import FEATURES, NUMERIC, UNTIMED
from pddl_pipeline.validation.plan_formats import AUTO

_UNSOLVABLE: Final = Outcome.CLAIMS_UNSOLVABLE
_ARIES: Final = (
    ("not supported", Outcome.UNSUPPORTED, "Aries does not support a part of the problem"),
)
_TAMER: Final = (
    (
        "TamerError|NotImplementedError",
        Outcome.UNSUPPORTED,
        "Tamer does not support a part of the problem",
    ),
)
_PYPERPLAN: Final = (
    ("MemoryError", Outcome.MEMOUT, "pyperplan ran out of memory"),
    (
        "Found unknown keyword|SemanticError",
        Outcome.UNSUPPORTED,
        "pyperplan does not support a part of the problem",
    ),
    (
        "ParseError|FileNotFoundError",
        Outcome.INPUT_ERROR,
        "pyperplan could not read the problem",
    ),
    (
        r"(?s)\Aexit status 0\n.*Task unsolvable",
        _UNSOLVABLE,
        "pyperplan claims that there is no plan",
    ),
)
_LPG: Final = (
    (
        "proven unsolvable|The problem is unsolvable",
        _UNSOLVABLE,
        "LPG claims that there is no plan",
    ),
    (
        "not supported by this (?:exp )?version",
        Outcome.UNSUPPORTED,
        "LPG does not support a part of the problem",
    ),
    (
        "can be simplified to TRUE",
        Outcome.GAVE_UP,
        "the goal holds, and LPG writes no plan",
    ),
    # It did not try actions with the same object twice.
    ("can not be reached", Outcome.GAVE_UP, "LPG could not reach the goals"),
    ("out of dynamic memory", Outcome.MEMOUT, "LPG ran out of memory"),
    (
        "syntax error|Can't find|undeclared",
        Outcome.INPUT_ERROR,
        "LPG could not read the problem",
    ),
    (r"\Aexit status 0\n", Outcome.GAVE_UP, "LPG ended without a plan"),
)
# Without a fixed seed, every run of LPG is different.
_LPG_FIRST: Final = "-n 1 -seed {}"
# Its limits of CPU time, 20 and 30 minutes by default, must not end it.
_LPG_ANYTIME: Final = "-n 1000 -cputime 1000000 -cputime_localsearch 1000000 -seed {}"
_LPG_SEED: Final = 2003
# Its exit statuses, as `kairos --help` lists them; 1 is an internal error, which is a crash.
_KAIROS: Final = (
    (2, Outcome.INPUT_ERROR, "Kairos could not read the problem"),
    (10, _UNSOLVABLE, "Kairos claims that there is no plan"),
    (11, Outcome.TIMEOUT, "Kairos reached its time limit"),
    (12, Outcome.MEMOUT, "Kairos ran out of memory"),
    (13, Outcome.UNSUPPORTED, "Kairos does not support a part of the problem"),
    (14, Outcome.GAVE_UP, "Kairos ended an incomplete search without a plan"),
)
_KSTAR: Final = (
    (UNSUPPORTED_NUMBERS, Outcome.UNSUPPORTED, "K*'s translator does not accept the problem"),
    (
        r"(?s)\A(?=.*no solution!).*Completely explored state space",
        _UNSOLVABLE,
        "K* claims that there is no plan",
    ),
)
_SYMMETRIES: Final = (
    "sym=structural_symmetries(time_bound=0,search_symmetries=oss,"
    "stabilize_initial_state=false,keep_operator_symmetries=true)"
)
_FORBID: Final = (
    (UNSUPPORTED_NUMBERS, Outcome.UNSUPPORTED, "ForbidIterative does not accept the problem"),
    (
        "unsupported feature",
        Outcome.UNSUPPORTED,
        "ForbidIterative does not support a part of the problem",
    ),
    ("MemoryError|search exit code: 22", Outcome.MEMOUT, "ForbidIterative ran out of memory"),
    (
        "Could not parse|Could not read",
        Outcome.INPUT_ERROR,
        "ForbidIterative could not read the problem",
    ),
    (
        "Completely explored state space|Unsolvable task",
        _UNSOLVABLE,
        "ForbidIterative claims that there is no plan",
    ),
    (
        "search exit code: 12",
        Outcome.GAVE_UP,
        "ForbidIterative ended an incomplete search without a plan",
    ),
)
# By default, it works in one system folder that all runs share, or in its own package.
_FORBID_SCRIPT: Final = """
import os, runpy
from forbiditerative import copy_plans
def here(*_, **__):
    folder = os.path.join(os.getcwd(), "iterations")
    os.makedirs(folder, exist_ok=True)
    return folder
copy_plans.create_local_folder = here
runpy.run_path(os.path.join(os.path.dirname(copy_plans.__file__), "plan.py"), run_name="__main__")
"""


def _pyperplan() -> Words:
    package_folder("up-pyperplan", "pyperplan")
    return (sys.executable, "-m", "pyperplan", "-s", "gbf", "-H", "hff", DOMAIN, PROBLEM)


def _lpg(options: str) -> Words:
    # Run the program directly: its package cannot be imported with a current setuptools.
    program = package_folder("up-lpg", "up_lpg") / "lpg"
    return (str(program), "-o", DOMAIN, "-f", PROBLEM, *options.split(), "-out", f"{PLAN}.SOL")


def kairos_program() -> str:
    """Return the path of Kairos, a planner and validator.

    Raises:
        EngineError: it is not installed; the message says how to install it.
    """
    check_installed("kairos-planner")
    # Where pip put it; Python's own folder is another one after `pip install --user`.
    return next(
        (str(file.locate()) for file in files("kairos-planner") or () if file.name == "kairos"),
        "kairos",
    )


def _kairos(option: str) -> Words:
    # One thread: searches of several depend on their order, and a run may have one core.
    return (
        kairos_program(), DOMAIN, PROBLEM, "--output", PLAN, "--threads", "1", "-v", option,
    )  # fmt: skip


def _with_kairos_limits(command: Words, limits: Limits) -> Words:
    # Without them, it stops after 30 s, or at half of the machine's free memory.
    return (*command, "--timeout", str(limits.time_s), "--memory", str(memory_mb(limits)))


def _kstar(which: str) -> Words:
    build = package_folder("kstar-planner", "kstar_planner") / "builds" / "release" / "bin"
    search = (
        f"kstar(lmcut(transform=undo_to_origin()),{which},find_unordered_plans=false,"
        "dump_plan_files=true,json_file_to_dump=plans.json,symmetries=sym)"
    )
    return (
        sys.executable, "-m", "kstar_planner.driver.main", "--build", str(build),
        DOMAIN, PROBLEM, "--symmetries", _SYMMETRIES, "--search", search,
    )  # fmt: skip


def _forbiditerative() -> Words:
    package_folder("forbiditerative", "forbiditerative")
    return (
        sys.executable, "-c", _FORBID_SCRIPT, "--planner", "diverse",
        "--domain", DOMAIN, "--problem", PROBLEM, "--number-of-plans", "5",
        "--symmetries", "--use-local-folder", "--plans-as-json", "--results-file", "results.json",
    )  # fmt: skip


_MARKED: Final = Plans(is_complete=is_complete)
_OPTIMAL: Final = Claims(optimal=True)
_KAIROS_LOG: Final = Log(
    partial(first_sign, _KAIROS, wrong=".*: error: .*"),
    {
        "expanded": (r"(?<!\d)(\d+) expanded,", 1),
        "evaluated": (r"(?<!\d)(\d+) evaluated,", 1),
        "search_s": (r"search (\d+\.?\d*) ms", 1e-3),
        "planner_memory_mb": (r"(?<!\d)(\d+) MB peak", 1),
        "claimed_cost": (r"solved .*, cost (-?\d+\.?\d*)", 1),
    },
)
_LPG_LOG: Final = Log(
    partial(first_sign, _LPG),
    {
        "search_s": (r"Search time:\s+(\d+\.\d+)", 1),
        "claimed_cost": (r"Plan quality:\s+(\d+\.?\d*)", 1),
    },
)
_classical = partial(Planner, features=frozenset({"costs"}), prepare=classical)
_symk = partial(
    _classical,
    distribution="up-symk",
    claims=_OPTIMAL,
    # SymK's search is complete if the cost of plans is not bounded, as here.
    log=Log(partial(driver_ending, "SymK", is_proof=True), STATISTICS),
)
_k_star = partial(
    _classical,
    distribution="kstar-planner",
    plans=Plans(("found_plans/sas_plan.*",), several=True),
    claims=_OPTIMAL,
    log=Log(
        partial(driver_ending, "K*", signs=_KSTAR),
        {**STATISTICS, "claimed_cost": (r"Optimal cost:(\d+)", 1)},
    ),
)


def _kairos_planner(name: str, about: str, option: str) -> Planner:
    return Planner(
        name=name,
        about=f"Kairos: {about}",
        distribution="kairos-planner",
        command=Command(partial(_kairos, option), _with_kairos_limits, configuration=option),
        features=FEATURES - {"processes"},
        # Instantaneous actions in temporal tasks have the duration [0.000].
        plans=Plans(format=AUTO, anytime=option == "--anytime"),
        log=_KAIROS_LOG,
    )


def _symk_command(search: str, engine: UpEngine) -> Command:
    words = partial(driver_command, "up-symk", "up_symk/symk", "", search)
    return Command(words, with_memory_limit, configuration=engine)


def _planner(baseline: Baseline[Any], text: str = "", repetition: int = 1) -> Planner:
    settings = read_settings(baseline.name, baseline.settings, text)
    seed = getattr(settings, "seed", None)
    if seed is not None:
        seed += repetition - 1
        settings = replace(settings, seed=seed)
    return Planner(
        name=f"{baseline.name}:{text}" if text else baseline.name,
        about=baseline.about,
        distribution=provider("pddl_pipeline.baselines", baseline),
        command=Command(
            partial(_command, baseline, settings),
            # Stored runs of a planner of one domain have no settings and no record in their keys.
            configuration="" if baseline.complete_for else setting_key(settings),
        ),
        features=baseline.features,
        prepare=unchanged,
        needs=Needs(record=not baseline.complete_for, secrets=baseline.secrets),
        claims=Claims(optimal=baseline.optimal, complete_for=baseline.complete_for),
        log=Log(
            partial(ending, baseline.name),
            {
                "expanded": (r"Expanded: (\d+)", 1),
                "generated": (r"Generated: (\d+)", 1),
                "claimed_cost": (r"Plan cost: (\d+)", 1),
                **CALLS,
            },
        ),
        seed=seed,
        with_seed=None if seed is None else partial(_planner, baseline, text),
        configure=partial(_planner, baseline),
    )


def _command(baseline: Baseline[Any], settings: Any) -> Words:
    values = settings_json(asdict(settings))
    used = [each for each in DOWNWARD if each.name in baseline.uses]
    uses = {each.name: each.start.words() for each in used if isinstance(each.start, Command)}
    return own_command("own_process", baseline.name, values, json.dumps(uses))


def _lpg_planner(name: str, about: str, form: str, repetition: int = 1) -> Planner:
    seed = _LPG_SEED + repetition - 1
    options = form.format(seed)
    return Planner(
        name=name,
        about=f"LPG: local search {about}",
        distribution="up-lpg",
        command=Command(partial(_lpg, options), configuration=options),
        features=UNTIMED | {"temporal"},
        plans=Plans((f"{PLAN}.SOL_*.SOL",), AUTO, none="no solution", anytime=form == _LPG_ANYTIME),
        log=_LPG_LOG,
        seed=seed,
        with_seed=partial(_lpg_planner, name, about, form),
    )


PLANNERS: Final = (
    *map(_planner, baselines().values()),
    Planner(
        name="pyperplan",
        about="pyperplan: greedy best-first search with hff; STRIPS without costs",
        distribution="up-pyperplan",
        command=Command(_pyperplan, configuration="-s gbf -H hff"),
        prepare=classical,
        plans=Plans((f"{PROBLEM}.soln",)),
        log=Log(
            partial(first_sign, _PYPERPLAN),
            {
                "expanded": (r"(?<!\d)(\d+) Nodes expanded", 1),
                "search_s": (r"Search time: (\d+\.?\d*(?:e-?\d+)?)", 1),
                "claimed_cost": (r"Plan length: (\d+)", 1),
            },
        ),
    ),
    _kairos_planner(
        "kairos",
        "the first plan; supports numbers, time and preferences, ignores costs",
        "--no-anytime",
    ),
    _kairos_planner(
        "kairos-anytime",
        "improves its plan until the time limit; otherwise like kairos",
        "--anytime",
    ),
    _lpg_planner(
        "lpg", "for the first plan; supports numbers and time, does not minimise costs", _LPG_FIRST
    ),
    _lpg_planner(
        "lpg-anytime",
        "that improves its plan until the time limit; supports numbers and time",
        _LPG_ANYTIME,
    ),
    Planner(
        name="tamer",
        about="Tamer: A* with hadd; supports numbers and time, but no costs and no type hierarchy",
        distribution="up-tamer",
        command=UpEngine("tamer", {"weight": 0.5, "heuristic": "hadd"}),
        features=NUMERIC | {"temporal"},
        log=Log(partial(first_sign, _TAMER)),
    ),
    Planner(
        name="aries",
        about="Aries: constraint solving with increasing depth; supports time",
        distribution="up-aries",
        command=UpEngine("aries"),
        features=frozenset({"temporal"}),
        log=Log(partial(first_sign, _ARIES)),
    ),
    _symk(
        name="symk-opt",
        about="SymK: bidirectional symbolic search, cost-optimal plans",
        command=_symk_command("sym_bd(bound=infinity)", UpEngine("symk-opt", overlook=OVERLOOK)),
        plans=_MARKED,
    ),
    _symk(
        name="symk-topk",
        about="SymK: the 5 best plans",
        command=_symk_command(
            "symk_bd(simple=False,plan_selection=top_k(num_plans=5,dump_plans=true),bound=infinity)",
            UpEngine("symk", {"number_of_plans": 5}, anytime=True, overlook=OVERLOOK),
        ),
        plans=replace(_MARKED, several=True),
    ),
    _k_star(
        name="kstar-topk",
        about="K*: the 5 best plans",
        command=Command(partial(_kstar, "k=5"), configuration="k=5"),
    ),
    _k_star(
        name="kstar-topq",
        about="K*: all cost-optimal plans, in every order of their steps",
        command=Command(partial(_kstar, "q=1.0"), configuration="q=1.0"),
    ),
    _classical(
        name="forbiditerative-diverse",
        about="ForbidIterative: 5 diverse plans",
        distribution="forbiditerative",
        command=Command(_forbiditerative, configuration="diverse, 5 plans"),
        plans=Plans(("found_plans/sas_plan.*",), several=True),
        log=Log(partial(first_sign, _FORBID), {"claimed_cost": (r"Plan cost: (\d+)", 1)}),
    ),
)
