"""``pddl-pipeline generate``: one subcommand for each domain that has generators."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import Field, fields
from pathlib import Path
from typing import Any, Final

import click

from pddl_pipeline.cli.console import QUIET, print_beside, progress
from pddl_pipeline.cli.options import OUTPUT, RANGE
from pddl_pipeline.cli.status import warn
from pddl_pipeline.generators.generating import (
    generate_one,
    generate_preset,
    generate_sizes,
    generators,
)
from pddl_pipeline.generators.generator import COUNT, Generator
from pddl_pipeline.io.files import check_writable, writing
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import range_text
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.model.text import plural
from pddl_pipeline.translators.records import to_record

_KINDS: Final[dict[str, click.ParamType[Any]]] = {"int": click.INT, "range": RANGE}


class _Domains(click.Group):
    """One subcommand for each domain, with the options of the domain's methods."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(generators())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        known = self.list_commands(ctx)
        if cmd_name not in known:
            if ctx.resilient_parsing:  # the shell asks for completions of it
                return None
            raise click.UsageError(f"no generator for domain '{cmd_name}'{hint(cmd_name, known)}")
        return _command(cmd_name)


@click.group(
    "generate",
    cls=_Domains,
    subcommand_metavar="DOMAIN [OPTIONS]",
    epilog="Example: pddl-pipeline generate ferry --size 4-10 --count 20 --seed 7 -o ferry.jsonl",
)
def command() -> None:
    """Generate instances of a domain.

    Run `pddl-pipeline generate DOMAIN -h` for the generation methods of a domain and their options.
    """


def _command(domain: str) -> click.Command:
    methods = generators()[domain]
    about = "\n\n".join(f"{name}: {each.about}" for name, each in methods.items())
    made = click.Command(
        domain,
        params=[*_shared_options(methods), *_own_options(methods)],
        callback=_callback(domain),
        help=f"Generate instances of {domain}.\n\n{about}",
        epilog=f"Example: pddl-pipeline generate {domain} --count 20 -o {domain}.jsonl",
    )
    return QUIET(made)


def _shared_options(methods: dict[str, Generator[Any]]) -> list[click.Parameter]:
    default = next(iter(methods.values()))
    number = click.IntRange(min=0)
    options: list[click.Parameter] = [
        click.Option(
            ["--method"], type=click.Choice(list(methods)), default=default.method,
            show_default=True, help="Generation method.",
        ),
        click.Option(
            ["--size"], type=RANGE, help=f"Sizes, such as 4-10. Defaults to {_sizes(methods)}."
        ),
        click.Option(
            ["--count"], type=click.IntRange(min=1),
            help=f"Number of instances of each size. Defaults to {COUNT}.",
        ),
        click.Option(
            ["--seed"], type=number,
            help="Random seed. The same seed and options generate the same file. Defaults to 0.",
        ),
        click.Option(
            ["--instance-seed"], type=number,
            help="Regenerate one instance from the seed in its record; requires --size.",
        ),
        click.Option(
            ["-o", "output"], type=OUTPUT, required=True, metavar="FILE",
            help="JSON Lines file to write.",
        ),
    ]  # fmt: skip
    if default.presets:
        about = "Generate a paper's dataset, with its sizes and splits."
        kind = click.Choice(list(default.presets))
        options.append(click.Option(["--preset"], type=kind, help=about))
    return options


def _sizes(methods: dict[str, Generator[Any]]) -> str:
    return ", ".join(dict.fromkeys(range_text(each.sizes) for each in methods.values()))


def _own_options(methods: dict[str, Generator[Any]]) -> list[click.Parameter]:
    """Return an option for each setting of the methods. An option's default is None."""
    found: dict[str, dict[str, Field[Any]]] = {}
    for method, generator in methods.items():
        for setting in fields(generator.settings):
            found.setdefault(setting.name, {})[method] = setting
    return [_option(name, by_method) for name, by_method in found.items()]


def _option(name: str, by_method: dict[str, Field[Any]]) -> click.Option:
    """Return the option for one setting; its help lists each method that has it and the default."""
    first = next(iter(by_method.values()))
    defaults = ", ".join(f"{method}: {_shown(each)}" for method, each in by_method.items())
    kind = _KINDS.get(str(first.type), click.STRING)
    about = f"{first.metadata['help']} [{defaults}]"
    return click.Option([f"--{name.replace('_', '-')}", name], type=kind, help=about)


def _shown(setting: Field[Any]) -> str:
    default = setting.default
    return range_text(default) if isinstance(default, range) else str(default)


def _callback(domain: str) -> Callable[..., None]:
    def make(method: str, output: Path, **values: Any) -> None:
        generator = generators()[domain][method]
        check_writable(output)
        instances, total = _instances(generator, values)
        with writing(output) as stream:
            count = 0
            for instance in progress(instances, "generating", total):
                stream.write(json.dumps(to_record(instance)) + "\n")
                count += 1
        print_beside(f"{count} {plural(count, 'instance')} in {output}")

    return make


def _instances(
    generator: Generator[Any], values: dict[str, Any]
) -> tuple[Iterable[Instance[Any]], int]:
    """Return the instances that the options request, and their number.

    Raises:
        InputError: the options cannot be combined.
    """
    size, number, seed = values.pop("size"), values.pop("count"), values.pop("seed")
    preset, one = values.pop("preset", None), values.pop("instance_seed")
    settings = _settings(generator, values)
    each = generator.per_seed(settings)
    if preset is not None:
        if size is not None or number is not None or one is not None:
            raise InputError("--preset cannot be combined with --size, --count or --instance-seed")
        chosen = generator.presets[preset]
        instances = generate_preset(generator, settings, chosen, seed=seed or 0)
        return instances, each * sum(chosen.splits.values())
    if one is not None:
        if size is None or len(size) > 1 or number is not None or seed is not None:
            raise InputError(
                "--instance-seed requires the single --size of the record, and no --count or --seed"
            )
        return generate_one(generator, settings, size[0], one), each
    number = number or COUNT
    sizes = size or generator.sizes
    instances = generate_sizes(
        generator, settings, sizes=sizes, number=number, seed=seed or 0, on_short=warn
    )
    return instances, each * number * len(sizes)


def _settings(generator: Generator[Any], values: dict[str, Any]) -> Any:
    """Return the settings of a method; the user's values replace the defaults."""
    known = [setting.name for setting in fields(generator.settings)]
    given = {name: value for name, value in values.items() if value is not None}
    for name in given:
        if name not in known:
            raise InputError(
                f"--{name.replace('_', '-')} is not an option of method {generator.method}"
            )
    return generator.settings(**given)
