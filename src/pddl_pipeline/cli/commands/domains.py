"""``pddl-pipeline domains``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import click

from pddl_pipeline.cli.options import cli_command
from pddl_pipeline.generators.generating import generators
from pddl_pipeline.model.discovery import OWN, provider
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.planners.own_process import baselines
from pddl_pipeline.planners.registry import choose_planner, planners
from pddl_pipeline.translators.formats.registry import formats
from pddl_pipeline.translators.translator import translator


@cli_command("domains", "domains")
def command() -> None:
    """List installed domains, planners, formats and generators."""
    for group, name, about, item in chain(_domains(), _others()):
        source = provider(f"pddl_pipeline.{group}", item)
        click.echo(f"{name:<24} {about}{f' (from {source})' if source != OWN else ''}")


_Entry = tuple[str, str, str, object]
"""The group of entry points, the name, the description, and the item."""


def _domains() -> Iterator[_Entry]:
    for name in domain_names():
        features = sorted(translator(name).features)
        variants = sorted(path.stem for path in domain_folder(name).glob("variants/*.pddl"))
        default = choose_planner(frozenset(features)).name
        extra = f", variants: {', '.join(variants)}" if variants else ""
        about = f"{', '.join(features) or 'classical'}; default planner {default}{extra}"
        yield "domains", name, about, translator(name)


def _others() -> Iterator[_Entry]:
    for name, planner in planners().items():
        found = baselines().get(name)
        yield "baselines" if found else "planners", name, planner.about, found or planner
    for name, form in formats().items():
        yield "formats", f"format {name}", form.about, form
    for name, methods in generators().items():
        for each in methods.values():
            yield "generators", f"generator {name}", f"{each.method}: {each.about}", each
