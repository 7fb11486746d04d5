"""Instances of countdown, seen from outside: by their records and through the command line."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from command_line import Cli, check_mistake

from pddl_pipeline.countdown import frequencies
from pddl_pipeline.countdown.frequencies import Frequencies, plain_frequencies
from pddl_pipeline.generators.countdown import (
    ChainSettings,
    ReachSettings,
    WalkSettings,
    least_frequent,
)
from pddl_pipeline.generators.generating import generate_sizes, generators
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.judging import judge_plan

FEW = WalkSettings(walks=2000)
METHODS = [("cd", FEW), ("rg", ChainSettings()), ("sos", ReachSettings())]


def generate_dataset(
    method: str, settings: Any, sizes: range, number: int = 3, seed: int = 0
) -> list[Any]:
    generator = generators()["countdown"][method]
    return list(generate_sizes(generator, settings, sizes=sizes, number=number, seed=seed))


@pytest.mark.parametrize(
    ("method", "settings", "sizes"),
    [
        ("cd", FEW, range(1, 11)),
        ("cd", FEW, range(50, 51)),
        ("cd", FEW, range(100, 101)),
        ("rg", ChainSettings(), range(2, 11)),
        ("rg", ChainSettings(), range(50, 51)),
        ("sos", ReachSettings(), range(1, 11)),
        # Targets may have any length that records hold.
        ("cd", WalkSettings(walks=50, numbers=range(10**180, 10**180 + 9)), range(3, 4)),
    ],
)
def test_witnesses_are_plans(method: str, settings: Any, sizes: range) -> None:
    """By the validator, and by the referee, which does not use PDDL."""
    instances = generate_dataset(method, settings, sizes)
    ids = [f"{method}-{size}-{number}" for size in sizes for number in range(3)]
    assert [instance.id for instance in instances] == ids
    for instance in instances:
        verdict = judge_plan(
            "\n".join(instance.extras["witness"]), read_instance(instance), instance
        )
        assert (verdict.status, verdict.opinions["referee"].status) == ("valid", "valid")
        assert (instance.size, verdict.steps) == (len(instance.record.numbers), instance.size)


def test_numbers_and_targets_are_those_asked_for() -> None:
    for method, settings in METHODS:
        own = replace(settings, numbers=range(3, 10), targets="20-30")
        for instance in generate_dataset(method, own, range(4, 7), 5):
            assert set(instance.record.numbers) <= set(range(3, 10))
            assert 20 <= instance.record.target <= 30


def test_defaults_are_the_papers() -> None:
    chains = generate_dataset("rg", ChainSettings(), range(4, 7), 30)
    assert all(100 <= instance.record.target <= 999 for instance in chains)
    assert max(max(instance.record.numbers) for instance in chains) == 100
    reached = generate_dataset("sos", ReachSettings(), range(4, 7), 30)
    assert all(10 <= instance.record.target <= 100 for instance in reached)
    assert max(max(instance.record.numbers) for instance in reached) == 99
    assert WalkSettings().walks == 100_000


@pytest.mark.parametrize("targets", ["any", "10-20"])
def test_target_is_of_the_least_frequent_whole_end_values(targets: str) -> None:
    settings = WalkSettings(numbers=range(1, 12), walks=1500, targets=targets)
    for instance in generate_dataset("cd", settings, range(3, 7)):
        counts = plain_frequencies(instance.record.numbers, 1500, instance.extras["seed"])
        ends = {counts.whole(position): count for position, count in enumerate(counts.counts)}
        asked = set(range(10, 21)) if targets != "any" else ends.keys() - {None}
        known = {value: count for value, count in ends.items() if value in asked}
        assert known[instance.record.target] == min(known.values())


def test_ties_are_broken_uniformly() -> None:
    counts = [1, 2, 1, 1, 1, 7, 1]
    values = [None, *range(1, 7)]
    found = Frequencies(counts, list(range(7)), values.__getitem__)
    chosen = Counter(least_frequent(found, range(100), Random(seed)) for seed in range(5000))
    assert set(chosen) == {2, 3, 4, 6}
    assert sum((count - 1250) ** 2 / 1250 for count in chosen.values()) < 16


def test_rarer_fractions_do_not_hide_whole_numbers() -> None:
    values = [None, None, 4, 6]
    found = Frequencies([1, 1, 3, 2], [0, 1, 2, 3], values.__getitem__)
    assert least_frequent(found, range(100), Random(0)) == 3
    assert least_frequent(found, range(5), Random(0)) == 2
    assert least_frequent(found, range(3), Random(0)) is None


def test_plain_python_makes_the_same_instances(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = generate_dataset("cd", FEW, range(3, 8), 1, 5)
    monkeypatch.setattr(frequencies, "has_numba", lambda: False)
    monkeypatch.setattr(frequencies, "compiled_frequencies", None)
    assert generate_dataset("cd", FEW, range(3, 8), 1, 5) == compiled


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--set", "walks=0"], "walks=0: Expected `int` >= 1"),
        (["--set", "targets=x"], "'x' is not a range"),
        (["--set", "targets=9-3"], "'9-3' is not a range"),
        (["--size", "0"], "size 0: countdown requires 1 to 1000 numbers"),
        (["--size", "1001"], "size 1001: countdown requires 1 to 1000 numbers"),
        (["--method", "rg", "--set", "walks=5"], "method rg has no setting 'walks'"),
        (["--method", "rg", "--size", "2", "--set", "targets=100000"], "have no result in 100000"),
        (["--method", "sos", "--set", "targets=any"], "sos draws targets, expected a range"),
        (["--method", "sos", "--size", "2", "--set", "targets=99999"], "do not reach 99999"),
    ],
)
def test_mistakes_are_one_line(cli: Cli, options: list[str], said: str) -> None:
    check_mistake(cli("generate", "countdown", *options, "-o", "made.jsonl"), said)


@pytest.mark.parametrize("numbers", [range(0), range(-3, 4), range(5, -9, -2)])
def test_ranges_of_numbers_begin_at_0(numbers: range) -> None:
    for _, settings in METHODS:
        with pytest.raises(InputError, match="range of numbers from 0 on"):
            type(settings)(numbers=numbers)
