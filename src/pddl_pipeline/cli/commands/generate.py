"""``pddl-pipeline generate``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import Field, dataclass, fields
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

import click

from pddl_pipeline.cli.console import note, print_beside, progress
from pddl_pipeline.cli.options import NUMBERS, OUTPUT, Command, cli_command, offering, pairs
from pddl_pipeline.cli.status import warn
from pddl_pipeline.generators.dataset import generator_named, settings_of
from pddl_pipeline.generators.generating import (
    generate_preset,
    generate_sizes,
    generators,
    prepared,
)
from pddl_pipeline.generators.generator import COUNT, Generator, Preset
from pddl_pipeline.io.synced_lines import continuing
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.limits import numbers_text, range_text
from pddl_pipeline.model.package_version import VERSION
from pddl_pipeline.model.suggestion import item_named
from pddl_pipeline.model.text import counted
from pddl_pipeline.translators.datasets import load_records
from pddl_pipeline.translators.records import to_record

LONG_S = 10.0
"""Seconds from which an estimate is printed."""


class _GenerateCommand(Command):
    """A command whose help lists the methods and settings of every domain."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the methods and settings; see `click.Command.format_epilog`."""
        for domain, methods in generators().items():
            for method, each in methods.items():
                with formatter.section(f"{domain}, method {method}"):
                    presets = f"; presets: {', '.join(each.presets)}" if each.presets else ""
                    sizes = numbers_text(each.sizes)
                    formatter.write_text(f"{each.about}; sizes: {sizes}{presets}")
                    settings = [
                        (one.name.replace("_", "-"), _about(one)) for one in fields(each.settings)
                    ]
                    if settings:
                        formatter.write_dl(settings)
        super().format_epilog(ctx, formatter)


def _about(setting: Field[Any]) -> str:
    default = setting.default
    shown = range_text(default) if isinstance(default, range) else default
    return f"{setting.metadata['help']} [{shown}]"


@dataclass(frozen=True)
class _GenerateOptions:
    """Which instances to generate."""

    method: Annotated[str | None, click.option(
        "--method", metavar="NAME", help="Generation method. Defaults to the domain's first one."
    ), "Instances"]  # fmt: skip
    size: Annotated[tuple[int, ...] | None, click.option(
        "--size", type=NUMBERS,
        help="Sizes, such as 4-10 or 6,9,12. Defaults to those of the method.",
    ), "Instances"]  # fmt: skip
    count: Annotated[int | None, click.option(
        "--count", type=click.IntRange(min=1), metavar="N",
        help=f"Number of instances of each size. Defaults to {COUNT}.",
    ), "Instances"]  # fmt: skip
    seed: Annotated[int, click.option(
        "--seed", type=click.IntRange(min=0), metavar="N", default=0, show_default=True,
        help="Random seed. The same seed and options generate the same file.",
    ), "Instances"]  # fmt: skip
    preset: Annotated[str | None, click.option(
        "--preset", metavar="NAME", help="Generate a paper's dataset, with its sizes and splits."
    ), "Instances"]  # fmt: skip
    settings: Annotated[dict[str, str], click.option(
        "--set", multiple=True, metavar="NAME=VALUE", callback=pairs,
        help="A setting of the method; may be repeated. The settings are listed below.",
    ), "Instances"]  # fmt: skip

    def extent(self, generator: Generator[Any]) -> tuple[Preset | None, Sequence[int], int]:
        """Return the preset or None, the sizes, and the number of tasks.

        Raises:
            InputError: the options cannot be combined.
        """
        if self.preset is None:
            sizes = self.size or generator.sizes
            return None, sizes, len(sizes) * (self.count or COUNT)
        if self.size is not None or self.count is not None:
            raise InputError("--preset cannot be combined with --size or --count")
        preset = item_named(generator.presets, self.preset, "no preset")
        return preset, preset.sizes, sum(preset.splits.values())


@cli_command(
    "generate",
    "generate ferry --size 4-10 --count 20 --seed 7 -o ferry-new.jsonl",
    kind=_GenerateCommand,
)
def command(
    domain: Annotated[str, click.argument("domain", shell_complete=offering(generators))],
    output: Annotated[Path, click.option(
        "-o", "output", type=OUTPUT, required=True, metavar="FILE", help="JSON Lines file to write."
    ), "Output"],
    how: _GenerateOptions,
) -> None:  # fmt: skip
    """Generate instances of a domain. After an interruption, the same command continues."""
    generator = generator_named(domain, how.method)
    settings = settings_of(generator, how.settings)
    preset, sizes, tasks = how.extent(generator)
    number, total = tasks // len(sizes), tasks * generator.per_seed(settings)
    # All that determines the file: a draft of anything else is not continued.
    work = (VERSION, domain, generator.method, settings, preset, sizes, tasks, how.seed)
    with continuing(output, repr(work)) as (draft, stream):
        made = list(load_records(draft)) if draft and draft.stat().st_size else []
        generator, each_s = prepared(
            generator, settings, sizes, number=number, seed=how.seed, made=made
        )
        seconds = each_s * (total - len(made))
        if made or seconds >= LONG_S:
            already = f", {len(made):,} already made" if made else ""
            again = "; if interrupted, the same command continues" if draft else ""
            faster = f"; faster: {generator.faster()}" if generator.faster() else ""
            note(
                f"{counted(total, 'instance')}{already}, method {generator.method}: about "
                f"{timedelta(seconds=round(seconds))} (h:mm:ss){again}{faster}"
            )
        instances = (
            generate_preset(generator, settings, preset, seed=how.seed)
            if preset
            else generate_sizes(
                generator, settings, sizes=sizes, number=number, seed=how.seed, on_short=warn
            )
        )
        for count, instance in enumerate(progress(instances, "generating", total), start=1):
            # The first are in the draft, and come again so that no later task repeats one.
            if count > len(made):
                stream.write(json.dumps(to_record(instance)) + "\n")
    print_beside(f"{counted(count, 'instance')} in {output}")
