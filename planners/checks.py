"""What ``pddl-pipeline doctor`` reports of planners, of the code of models, and of the extras."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pddl_pipeline.endpoints.settings import KEY, api_key
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.discovery import OWN
from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.pddl_domains import domain_folder, domain_text
from pddl_pipeline.planners.attempting import attempt, check_engine
from pddl_pipeline.planners.foreign_code.process import CodeSource, Functions
from pddl_pipeline.planners.java import find_java, java_release
from pddl_pipeline.planners.own_process import baselines
from pddl_pipeline.planners.planner import Planner, check_installed
from pddl_pipeline.planners.registry import planner_version, planners
from pddl_pipeline.planners.sandbox.confinement import protections

Row = tuple[str, str]
REQUIRED: Final = frozenset({OWN, "kairos-planner", "up-enhsp", "up-fast-downward"})
"""The distributions of planners that this project requires."""
_TIME: Final = Limits(time_s=60)
_EXTRAS: Final = {
    "cluster": ("distributed", "run --scheduler"),
    "countdown": ("numba", "fast generation of countdown"),
    "inspect": ("inspect-ai", "tasks and a scorer for Inspect AI"),
    "lm-eval": ("lm-eval", "tasks for lm-evaluation-harness"),
    "models": ("openai", "ask, autotos --model, and the planner llm"),
    "pandas": ("pandas", "score_frame"),
    "parquet": ("pyarrow", "datasets in Parquet"),
    "reasoning-gym": ("reasoning-gym", "a dataset for reasoning-gym"),
    "report": ("matplotlib", "plots in reports and scores"),
    "statistics": ("scipy", "score --compare"),
}
"""Package and purpose of the extras that do not install an engine."""


def check_java() -> Iterator[Row]:
    """Yield whether there is a Java for ENHSP."""
    try:
        yield "Java", f"ok, release {java_release()} at {find_java()}"
    except (EngineError, ImportError) as error:
        yield "Java", f"missing, {error}"


def check_engines() -> Iterator[Row]:
    """Yield whether each engine solves a sample: an installed engine does not always run."""
    found: dict[str, Planner] = {}
    # Of this project's planners a baseline, since `llm` does not run without a model.
    for planner in sorted(planners().values(), key=lambda each: each.name not in baselines()):
        # A baseline of a plug-in needs no engine, and may not be made for the samples.
        if planner.name not in baselines() or planner.distribution == OWN:
            found.setdefault(planner.distribution or planner.name, planner)
    for distribution, planner in found.items():
        yield distribution, _engine(planner)


def _engine(planner: Planner) -> str:
    domain = planner.claims.complete_for or planner.sample
    sample = (domain_folder(domain) / "p01.pddl").read_text(encoding="utf-8")
    try:
        check_engine(planner)
        done = attempt(planner, Problem(domain_text(domain), sample), _TIME)
    except EngineError as error:
        return f"{'missing' if planner.distribution in REQUIRED else 'optional'}, {error}"
    if done.outcome is Outcome.PLAN_FOUND:
        return f"ok, {planner_version(planner)}, solved a sample in {done.wall_s:.1f} s"
    fix = f"; fix: pip install --force-reinstall {planner.distribution}"
    return f"fails, {done.reason}{fix if planner.distribution else ''}"


def check_sandbox() -> Iterator[Row]:
    """Yield the state of the sandbox of models' code, after code ran in it."""
    found = protections()
    with Functions((CodeSource("def succ(state):\n    return []", {"succ": "succ"}),)) as code:
        code.call("succ", 0)
    state = f"ok, Landlock {found.landlock} and seccomp confine a model's code"
    if found.missing():
        state = f"incomplete, a model's code is not confined: {'; '.join(found.missing())}"
    yield "sandbox", state


def check_extras() -> Iterator[Row]:
    """Yield which extras are installed."""
    for extra, (package, what) in _EXTRAS.items():
        try:
            yield extra, f"ok, {package} {check_installed(package)}, for {what}"
        except EngineError:
            fix = install_command(extra)
            yield extra, f"optional, not installed, for {what}; to install: {fix}"


def check_key() -> Iterator[Row]:
    """Yield whether there is a key for models behind an endpoint."""
    where = f"in the environment variable {KEY}"
    none = f"none {where}; only local models work without one"
    yield "key of models", f"ok, {where}" if api_key() else none


CHECKS: Final = (check_java, check_engines, check_sandbox, check_extras, check_key)
