"""``pddl-pipeline doctor``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Final

import click

from pddl_pipeline.cli.options import cli_command
from pddl_pipeline.model.discovery import (
    OWN,
    Plugin,
    conflicts,
    discover,
    groups,
    plugged_items,
    plugins,
    unknown_plugins,
)

_OWN_CHECKS: Final = (
    "pddl_pipeline.planners.checks",
    "pddl_pipeline.integrations.val_opinion",
)


@cli_command("doctor", "doctor")
def command() -> None:
    """Check the installation and print how to fix each problem.

    Nothing that is called optional is required by the commands in README.

    Exit status: 0, even if something is missing or fails; the output states what.
    """
    faults = conflicts()
    own = (check for module in _OWN_CHECKS for check in discover(module, "CHECKS"))
    plugged = (check for _, check in plugged_items("pddl_pipeline.checks"))
    rows = chain.from_iterable(map(_rows, chain(own, plugged)))
    for name, state in chain(rows, _plugins()):
        if not any(fault in state for fault in faults.values()):
            click.echo(f"{name + ':':<25} {state}")
    for group, fault in faults.items():
        click.echo(f"{_kind(group) + ':':<25} fails, {fault}; fix: uninstall one of them")


def _rows(check: Callable[[], Iterator[tuple[str, str]]]) -> Iterator[tuple[str, str]]:
    """Yield the rows of a check. A check that fails must not hide the others."""
    try:
        yield from check()
    except Exception as error:  # noqa: BLE001 -- a plug-in may raise anything
        yield check.__name__, f"fails, {error}"


def _plugins() -> Iterator[tuple[str, str]]:
    for plugin in chain(*map(plugins, groups()), unknown_plugins()):
        if plugin.distribution != OWN or plugin.fault:
            yield f"plug-in {plugin.name}", _state(plugin)


def _state(plugin: Plugin) -> str:
    state = f"fails, {plugin.fault}" if plugin.fault else "ok"
    said = f", prints when imported: {plugin.printed}" if plugin.printed else ""
    return f"{state}, {_kind(plugin.group)} from {plugin.distribution}{said}"


def _kind(group: str) -> str:
    return group.removeprefix("pddl_pipeline.")
