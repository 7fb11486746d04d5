"""``pddl-pipeline generate``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import Field, dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import click

from pddl_pipeline.cli.console import print_beside, progress
from pddl_pipeline.cli.options import OUTPUT, RANGE, Command, cli_command, offering, pairs
from pddl_pipeline.cli.status import warn
from pddl_pipeline.generators.dataset import generator_named, settings_of
from pddl_pipeline.generators.generating import generate_preset, generate_sizes, generators
from pddl_pipeline.generators.generator import COUNT, Generator
from pddl_pipeline.io.files import check_writable, writing
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import range_text
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.model.text import counted
from pddl_pipeline.translators.records import to_record


class _GenerateCommand(Command):
    """A command whose help lists the methods and settings of every domain."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the methods and settings; see `click.Command.format_epilog`."""
        for domain, methods in generators().items():
            for method, each in methods.items():
                with formatter.section(f"{domain}, method {method}"):
                    presets = f"; presets: {', '.join(each.presets)}" if each.presets else ""
                    sizes = range_text(each.sizes)
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
    size: Annotated[range | None, click.option(
        "--size", type=RANGE, help="Sizes, such as 4-10. Defaults to those of the method."
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

    def instances(self, generator: Generator[Any]) -> tuple[Iterable[Instance[Any]], int]:
        """Return the instances that the options request, and their number.

        Raises:
            InputError: the options cannot be combined.
        """
        settings = settings_of(generator, self.settings)
        each = generator.per_seed(settings)
        if self.preset is not None:
            if self.size is not None or self.count is not None:
                raise InputError("--preset cannot be combined with --size or --count")
            if self.preset not in generator.presets:
                near = hint(self.preset, generator.presets)
                raise InputError(f"no preset '{self.preset}'{near}")
            chosen = generator.presets[self.preset]
            instances = generate_preset(generator, settings, chosen, seed=self.seed)
            return instances, each * sum(chosen.splits.values())
        number, sizes = self.count or COUNT, self.size or generator.sizes
        instances = generate_sizes(
            generator, settings, sizes=sizes, number=number, seed=self.seed, on_short=warn
        )
        return instances, each * number * len(sizes)


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
    """Generate instances of a domain."""
    generator = generator_named(domain, how.method)
    check_writable(output)
    instances, total = how.instances(generator)
    count = 0
    with writing(output) as stream:
        for instance in progress(instances, "generating", total):
            stream.write(json.dumps(to_record(instance)) + "\n")
            count += 1
    print_beside(f"{counted(count, 'instance')} in {output}")
