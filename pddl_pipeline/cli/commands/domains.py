"""``pddl-pipeline domains``."""

from __future__ import annotations

import json

import click

from pddl_pipeline.cli.options import JSON
from pddl_pipeline.generators.registry import generators
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.planners.registry import choose_planner, planners
from pddl_pipeline.translators.registry import translator


@click.command("domains", epilog="Example: pddl-pipeline domains")
@JSON
def command(*, as_json: bool) -> None:
    """List the installed domains, planners and generators."""
    for name in domain_names():
        features = sorted(translator(name).features)
        variants = sorted(path.stem for path in domain_folder(name).glob("variants/*.pddl"))
        default = choose_planner(frozenset(features)).name
        if as_json:
            entry = {"features": features, "variants": variants, "planner": default}
            click.echo(json.dumps({"domain": name, **entry}))
        else:
            extra = f", variants: {', '.join(variants)}" if variants else ""
            kind = ", ".join(features) or "classical"
            click.echo(f"{name:<18} {kind}; default planner {default}{extra}")
    for name, planner in planners().items():
        if as_json:
            entry = {"about": planner.about, "features": sorted(planner.features)}
            click.echo(json.dumps({"planner": name, **entry, "anytime": planner.anytime}))
        else:
            click.echo(f"{name:<18} {planner.about}")
    for name, methods in generators().items():
        for method, generator in methods.items():
            if as_json:
                entry = {"method": method, "about": generator.about}
                click.echo(json.dumps({"generator": name, **entry}))
            else:
                click.echo(f"{f'generate {name}':<27} {method}: {generator.about}")
