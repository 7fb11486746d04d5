"""``pddl-pipeline domains``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain

import click

from pddl_pipeline.cli.options import JSON
from pddl_pipeline.generators.registry import generators
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.planners.registry import choose_planner, planners
from pddl_pipeline.translators.formats.registry import formats
from pddl_pipeline.translators.registry import translator


@click.command("domains", epilog="Example: pddl-pipeline domains")
@JSON
def command(*, as_json: bool) -> None:
    """List installed domains, planners, dataset formats and generators."""
    for kind, name, about, entry in chain(_domains(), _planners(), _formats(), _generators()):
        if as_json:
            click.echo(json.dumps({kind: name, **entry}))
        else:
            title = name if kind in ("domain", "planner") else f"{kind} {name}"
            click.echo(f"{title:<24} {about}")


_Entry = tuple[str, str, str, dict[str, object]]
"""Kind, name, description as text, and description as JSON fields."""


def _domains() -> Iterator[_Entry]:
    for name in domain_names():
        features = sorted(translator(name).features)
        variants = sorted(path.stem for path in domain_folder(name).glob("variants/*.pddl"))
        default = choose_planner(frozenset(features)).name
        extra = f", variants: {', '.join(variants)}" if variants else ""
        about = f"{', '.join(features) or 'classical'}; default planner {default}{extra}"
        entry: dict[str, object] = {"features": features, "variants": variants, "planner": default}
        yield "domain", name, about, entry


def _planners() -> Iterator[_Entry]:
    for name, each in planners().items():
        entry = {"features": sorted(each.features), "anytime": each.anytime}
        yield "planner", name, each.about, {"about": each.about, **entry}


def _formats() -> Iterator[_Entry]:
    for name, form in formats().items():
        yield "format", name, form.about, {"about": form.about}


def _generators() -> Iterator[_Entry]:
    for name, methods in generators().items():
        for method, each in methods.items():
            entry: dict[str, object] = {"method": method, "about": each.about}
            yield "generator", name, f"{method}: {each.about}", entry
