"""``pddl-pipeline list``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Final

import click

from pddl_pipeline.cli.options import cli_command
from pddl_pipeline.generators.generating import generators
from pddl_pipeline.model.discovery import OWN, groups, items_of, provider
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.planners.own_process import baselines
from pddl_pipeline.planners.registry import choose_planner, missing_note, planners
from pddl_pipeline.translators.formats.registry import formats
from pddl_pipeline.translators.translator import translator

_Entry = tuple[str, str, str, object]
"""The group of entry points, the name, the description, and the item."""
_STUDIES: Final = "pddl_pipeline.studies"


def _domains() -> Iterator[_Entry]:
    for name in domain_names():
        features = sorted(translator(name).features)
        variants = sorted(path.stem for path in domain_folder(name).glob("variants/*.pddl"))
        default = choose_planner(frozenset(features)).name
        extra = f", variants: {', '.join(variants)}" if variants else ""
        about = f"{', '.join(features) or 'classical'}; default planner {default}{extra}"
        yield "domains", name, about, translator(name)


_LISTS: Final[dict[str, Callable[[], Iterator[_Entry]]]] = {
    "planners": lambda: (
        ("baselines" if name in baselines() else "planners", name,
         planner.about + missing_note(planner), baselines().get(name, planner))
        for name, planner in planners().items()
    ),
    "domains": _domains,
    "formats": lambda: (("formats", name, form.about, form) for name, form in formats().items()),
    "generators": lambda: (
        ("generators", name, f"{method.method}: {method.about}", method)
        for name, methods in generators().items() for method in methods.values()
    ),
    # The papers may not be installed.
    "studies": lambda: (
        ("studies", name, study.title, study)
        for name, study in (items_of(_STUDIES) if _STUDIES in groups() else {}).items()
    ),
}  # fmt: skip


@cli_command("list", "list planners")
def command(
    kind: Annotated[
        str | None, click.argument("kind", type=click.Choice(list(_LISTS)), required=False)
    ],
) -> None:
    """List installed planners, domains, formats, generators and studies."""
    lines = []
    for each in _LISTS if kind is None else [kind]:
        if kind is None:
            lines.append(f"{each.capitalize()}:")
        for group, name, about, item in _LISTS[each]():
            source = provider(f"pddl_pipeline.{group}", item)
            lines.append(f"  {name:<24} {about}{f' (from {source})' if source != OWN else ''}")
    click.echo("\n".join(lines))
