"""``pddl-pipeline domains``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain

import click

from pddl_pipeline.cli.options import Json, cli_command
from pddl_pipeline.generators.generating import generators
from pddl_pipeline.model.discovery import OWN, provider
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.planners.own_process import baselines
from pddl_pipeline.planners.registry import choose_planner, planners
from pddl_pipeline.translators.formats.registry import formats
from pddl_pipeline.translators.translator import translator


@cli_command("domains", "domains")
def command(*, as_json: Json) -> None:
    """List installed domains, planners, formats and generators."""
    found = chain(_domains(), _planners(), _formats(), _generators())
    for kind, name, about, item, entry in found:
        source = provider(f"pddl_pipeline.{kind}s", item)
        if kind == "planner" and name in baselines():
            source = provider("pddl_pipeline.baselines", baselines()[name])
        plugged = source != OWN
        if as_json:
            click.echo(json.dumps({kind: name, **entry, **({"from": source} if plugged else {})}))
        else:
            title = name if kind in ("domain", "planner") else f"{kind} {name}"
            click.echo(f"{title:<24} {about}{f' (from {source})' if plugged else ''}")


_Entry = tuple[str, str, str, object, dict[str, object]]
"""Kind, name, description as text, the item, and its description as JSON fields."""


def _domains() -> Iterator[_Entry]:
    for name in domain_names():
        features = sorted(translator(name).features)
        variants = sorted(path.stem for path in domain_folder(name).glob("variants/*.pddl"))
        default = choose_planner(frozenset(features)).name
        extra = f", variants: {', '.join(variants)}" if variants else ""
        about = f"{', '.join(features) or 'classical'}; default planner {default}{extra}"
        entry: dict[str, object] = {"features": features, "variants": variants, "planner": default}
        yield "domain", name, about, translator(name), entry


def _planners() -> Iterator[_Entry]:
    for name, each in planners().items():
        entry = {"features": sorted(each.features), "anytime": each.anytime}
        yield "planner", name, each.about, each, {"about": each.about, **entry}


def _formats() -> Iterator[_Entry]:
    for name, form in formats().items():
        yield "format", name, form.about, form, {"about": form.about}


def _generators() -> Iterator[_Entry]:
    for name, methods in generators().items():
        for method, each in methods.items():
            entry: dict[str, object] = {"method": method, "about": each.about}
            yield "generator", name, f"{method}: {each.about}", each, entry
