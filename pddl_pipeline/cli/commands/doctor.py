"""``pddl-pipeline doctor``."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder, domain_text
from pddl_pipeline.planners.attempt import attempt
from pddl_pipeline.planners.java import find_java, java_release
from pddl_pipeline.planners.registry import planner_named, planner_version
from pddl_pipeline.validation.task import read_task
from pddl_pipeline.validation.val_opinion import Val, find_val

_CGROUP: Final = Path("/sys/fs/cgroup")


@click.command("doctor", epilog="Example: pddl-pipeline doctor")
def command() -> None:
    """Say what works on this machine, one line each, with the mend for what does not."""
    checks: dict[str, Callable[[], str]] = {
        "Java": _java,
        "ENHSP": lambda: _engine("enhsp", "countdown"),
        "Fast Downward": lambda: _engine("lama-first", "blocksworld"),
        "VAL": _val,
        "cgroups": _cgroups,
    }
    for name, check in checks.items():
        click.echo(f"{name + ':':<15} {check()}")


def _java() -> str:
    try:
        java = find_java()
    except EngineError as error:
        return f"missing, {error}"
    return f"ok, release {java_release(java)} at {java}"


def _engine(planner: str, domain: str) -> str:
    """Run the engine on a sample: that it is installed does not mean that it runs."""
    sample = (domain_folder(domain) / "p01.pddl").read_text(encoding="utf-8")
    chosen = planner_named(planner)
    try:
        done = attempt(chosen, Problem(domain_text(domain), sample), Limits(time_s=60))
    except EngineError as error:
        return f"missing, {error}"
    if done.outcome is Outcome.PLAN_FOUND:
        return f"ok, {planner_version(chosen)}, solved a sample in {done.wall_s:.1f} s"
    return f"fails, {done.reason}; mend: pip install --force-reinstall {chosen.distribution}"


def _val() -> str:
    found = find_val()
    if found is None:
        return "not found; needed only for validate --cross-check val"
    folder = domain_folder("blocksworld")
    domain, problem = folder / "domain.pddl", folder / "p01.pddl"
    plan = (folder / "p01.plan").read_text(encoding="utf-8")
    opinion = Val(
        domain_text("blocksworld"),
        problem.read_text(encoding="utf-8"),
        read_task(domain, problem),
    ).judge(plan)
    if opinion.status is Status.VALID:
        return f"ok, {found} judged a sample; for validate --cross-check val"
    return f"fails on a sample, {opinion.reason}; mend: build it anew ({found})"


def _cgroups() -> str:
    if not (_CGROUP / "cgroup.controllers").exists():
        return "no cgroup v2; memory is measured by polling the processes"
    writable = os.access(_CGROUP / "cgroup.subtree_control", os.W_OK)
    state = "writable" if writable else "not delegated to this user"
    return f"v2, {state}; memory is measured by polling the processes"
