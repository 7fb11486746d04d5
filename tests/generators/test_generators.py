"""What holds for the instances of every generator."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli
from msgspec.json import encode

from pddl_pipeline import load_records
from pddl_pipeline.generators.generating import (
    generate_one,
    generate_preset,
    generate_sizes,
    generators,
)
from pddl_pipeline.generators.generator import Generator
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.records import to_record

EACH = [
    pytest.param(generator, id=f"{domain}-{method}")
    for domain, methods in generators().items()
    for method, generator in methods.items()
]
PRESETS = [
    pytest.param(generator, name, id=f"{domain}-{method}-{name}")
    for domain, methods in generators().items()
    for method, generator in methods.items()
    for name in generator.presets
]


def records(generator: Generator[Any], seed: int) -> list[dict[str, Any]]:
    settings, sizes = generator.settings(), generator.sizes[:2]
    made = generate_sizes(generator, settings, sizes=sizes, number=3, seed=seed)
    return [to_record(instance) for instance in made]


@pytest.mark.parametrize("generator", EACH)
def test_the_seed_decides_all(generator: Generator[Any]) -> None:
    first = records(generator, 1)
    other = records(generator, 2)
    names = set(first[0]) - {"id", "domain", "seed", "source", "split"}
    assert [[r[n] for n in names] for r in first] != [[r[n] for n in names] for r in other]
    assert {r["seed"] for r in first}.isdisjoint(r["seed"] for r in other)


# Prints what `generate` writes, for every generator: one process is enough for all of them.
GENERATE_ALL = """
from pddl_pipeline.cli.group import run_command
from pddl_pipeline.generators.generating import generators
for domain, methods in generators().items():
    for method, generator in methods.items():
        sizes = ",".join(map(str, generator.sizes[:2]))
        options = ["--set", "walks=3000"] if (domain, method) == ("countdown", "cd") else []
        print(domain, method, flush=True)
        assert run_command([
            "generate", domain, "--method", method, "--count", "2", "--size", sizes,
            "--seed", "5", "-o", "-", *options,
        ]) == 0
"""


@pytest.mark.slow("makes every kind of instance in two processes")
def test_same_bytes_whatever_the_hashes() -> None:
    first, second = (
        subprocess.run(
            [sys.executable, "-c", GENERATE_ALL], env={**os.environ, "PYTHONHASHSEED": number},
            capture_output=True, text=True, timeout=300, check=True,
        ).stdout
        for number in ("0", "1")
    )  # fmt: skip
    assert first.count('"id"') >= len(EACH) * 2
    assert first == second


@pytest.mark.parametrize("generator", EACH)
def test_records_are_read_again(generator: Generator[Any], tmp_path: Path) -> None:
    """And say where they come from: the method, and the seed that makes them again."""
    written = records(generator, 1)
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in written))
    instances = list(load_records(path))
    assert [to_record(instance) for instance in instances] == written
    assert len({instance.id for instance in instances}) == len(instances)
    for instance in instances:
        assert (instance.domain, instance.extras["source"]) == (generator.domain, generator.method)
        assert instance.size in generator.sizes[:2]
        again = generate_one(
            generator, generator.settings(), instance.size, instance.extras["seed"]
        )
        assert instance.record in [each.record for each in again]
        # Duplicates are found by these bytes.
        assert encode(instance.record) in {
            encode(draft.task)
            for draft in generator.make(
                generator.settings(), instance.size, instance.extras["seed"]
            )
        }
        assert read_instance(instance).judge("").status == "invalid"


@pytest.mark.parametrize(("generator", "name"), PRESETS)
def test_presets(generator: Generator[Any], name: str) -> None:
    """As many of each split as the paper says, no task twice, the sizes in turn."""
    preset = generator.presets[name]
    made = list(generate_preset(generator, generator.settings(), preset, seed=1))
    splits = [instance.extras["split"] for instance in made]
    assert {split: splits.count(split) for split in preset.splits} == dict(preset.splits)
    assert len(made) == len({each.id for each in made}) == len({repr(e.record) for e in made})
    assert {instance.size for instance in made} <= set(preset.sizes)


def unusable(generator: Generator[Any]) -> Iterator[dict[str, Any]]:
    """Yield settings that no generator can want."""
    for setting in fields(generator.settings):
        if setting.type in {"int", "float"}:
            yield {setting.name: -1}
        elif setting.type == "str":
            yield {setting.name: "no such value"}


@pytest.mark.parametrize("generator", EACH)
def test_bad_settings_are_refused(generator: Generator[Any], cli: Cli) -> None:
    with pytest.raises(InputError):
        list(generate_sizes(generator, generator.settings(), sizes=range(1), number=1))
    for number, settings in enumerate(unusable(generator)):
        with pytest.raises(InputError):
            generator.settings(**settings)
        if number == 0:
            ((name, value),) = settings.items()
            setting = f"{name.replace('_', '-')}={value}"
            done = cli("generate", generator.domain, "--method", generator.method, "--set",
                       setting, "-o", "a.jsonl")  # fmt: skip
            assert (done.status, str(value) in done.err, done.err.count("\n")) == (2, True, 1)


def test_help_names_every_generator(cli: Cli) -> None:
    whole = cli("generate", "-h").out
    for domain, methods in generators().items():
        for method, generator in methods.items():
            (own,) = (each for each in whole.split("\n\n") if f"{domain}, method {method}:" in each)
            for setting in fields(generator.settings):
                assert f"{setting.name.replace('_', '-')} " in own
            for name in generator.presets:
                assert name in own
