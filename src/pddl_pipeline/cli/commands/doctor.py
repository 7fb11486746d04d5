"""``pddl-pipeline doctor``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Final

import click

from pddl_pipeline.endpoints.settings import KEY, api_key
from pddl_pipeline.integrations.val_opinion import Val, find_val
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.discovery import OWN, Plugin, conflicts, groups, plugins, unknown_plugins
from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder, domain_text
from pddl_pipeline.planners.attempt import attempt, check_engine
from pddl_pipeline.planners.functions.process import CallFault, CodeSource, Functions
from pddl_pipeline.planners.java import find_java, java_release
from pddl_pipeline.planners.own_process import baselines
from pddl_pipeline.planners.planner import Planner, check_installed, is_optional
from pddl_pipeline.planners.registry import planner_version, planners
from pddl_pipeline.planners.sandbox.confinement import protections
from pddl_pipeline.validation.task import read_task

_TIME: Final = Limits(time_s=60)
# Package and purpose of the extras that do not install an engine.
_EXTRAS: Final = {
    "cluster": ("distributed", "run --scheduler"),
    "countdown": ("numba", "exact countdown with more than nine numbers, and fast generation"),
    "inspect": ("inspect-ai", "tasks and a scorer for Inspect AI"),
    "lm-eval": ("lm-eval", "tasks for lm-evaluation-harness"),
    "models": ("openai", "ask, autotos --model, and the planner llm"),
    "pandas": ("pandas", "score_frame"),
    "parquet": ("pyarrow", "datasets in Parquet"),
    "reasoning-gym": ("reasoning-gym", "a dataset for reasoning-gym"),
    "report": ("matplotlib", "plots in reports and scores"),
}
_PLANNERS: Final = "pddl_pipeline.planners"
_DOMAINS: Final = "pddl_pipeline.domains"


@click.command("doctor", epilog="Example: pddl-pipeline doctor")
def command() -> None:
    """Check the installation and print how to fix each problem.

    Nothing that is called optional is required by the commands in README.

    Exit status: 0, even if something is missing or fails; the output states what.
    """
    faults = conflicts()
    checks: dict[str, Callable[[], str]] = {"Java": _java}
    # The samples are problems of domains.
    if not faults.keys() & {_PLANNERS, _DOMAINS}:
        checks |= {name: partial(_engine, planner) for name, planner in _engines().items()}
        checks["VAL"] = _val
    checks["sandbox"] = _sandbox
    checks |= {extra: partial(_extra, extra, *what) for extra, what in _EXTRAS.items()}
    checks["key of models"] = _key
    for name, check in checks.items():
        click.echo(f"{name + ':':<25} {check()}")
    for plugin in chain(*map(plugins, groups()), unknown_plugins()):
        if plugin.distribution != OWN or plugin.fault:
            click.echo(f"{f'plug-in {plugin.name}:':<25} {_state(plugin)}")
    for group, fault in faults.items():
        click.echo(f"{f'{_kind(group)}:':<25} fails, {fault}; fix: uninstall one of them")


def _state(plugin: Plugin) -> str:
    state = f"fails, {plugin.fault}" if plugin.fault else "ok"
    said = f", prints when imported: {plugin.printed}" if plugin.printed else ""
    return f"{state}, {_kind(plugin.group)} from {plugin.distribution}{said}"


def _kind(group: str) -> str:
    return group.removeprefix("pddl_pipeline.")


def _engines() -> dict[str, Planner]:
    """Return one planner of each engine, by the engine's distribution."""
    found: dict[str, Planner] = {}
    for planner in planners().values():
        # A baseline of a plug-in needs no engine, and may not be made for the samples.
        if planner.name not in baselines() or planner.distribution == OWN:
            found.setdefault(planner.distribution, planner)
    return found


def _java() -> str:
    try:
        java = find_java()
    except EngineError as error:
        return f"missing, {error}"
    return f"ok, release {java_release()} at {java}"


def _engine(planner: Planner) -> str:
    """Run the engine on a sample problem: an installed engine does not always run."""
    domain = planner.complete_for or planner.sample
    sample = (domain_folder(domain) / "p01.pddl").read_text(encoding="utf-8")
    try:
        check_engine(planner)
        done = attempt(planner, Problem(domain_text(domain), sample), _TIME)
    except EngineError as error:
        return f"{'optional' if is_optional(planner.distribution) else 'missing'}, {error}"
    if done.outcome is Outcome.PLAN_FOUND:
        return f"ok, {planner_version(planner)}, solved a sample in {done.wall_s:.1f} s"
    return f"fails, {done.reason}; fix: pip install --force-reinstall {planner.distribution}"


def _val() -> str:
    found = find_val()
    if found is None:
        return "not found; required only by validate --cross-check val"
    folder = domain_folder("blocksworld")
    domain, problem = folder / "domain.pddl", folder / "p01.pddl"
    plan = (folder / "p01.plan").read_text(encoding="utf-8")
    opinion = Val(
        domain_text("blocksworld"),
        problem.read_text(encoding="utf-8"),
        read_task(domain, problem),
    ).judge(plan)
    if opinion.status is Status.VALID:
        return f"ok, {found} validated a sample; used by validate --cross-check val"
    return f"fails on a sample, {opinion.reason}; fix: rebuild it ({found})"


def _sandbox() -> str:
    """Report the sandbox of models' code."""
    found = protections()
    try:
        with Functions((CodeSource("def succ(state):\n    return []", {"succ": "succ"}),)) as code:
            code.call("succ", 0)
    except (EngineError, CallFault) as error:
        return f"fails, {error}"
    if found.missing():
        return f"incomplete, a model's code is not confined: {'; '.join(found.missing())}"
    return f"ok, Landlock {found.landlock} and seccomp confine a model's code"


def _extra(extra: str, package: str, what: str) -> str:
    try:
        return f"ok, {package} {check_installed(package)}, for {what}"
    except EngineError:
        return f"optional, not installed, for {what}; to install: {install_command(extra)}"


def _key() -> str:
    try:
        is_set = bool(api_key())
    except InputError as error:
        return f"fails, {error}"
    where = f"in the environment variable {KEY}"
    return f"ok, {where}" if is_set else f"none {where}; only local models work without one"
