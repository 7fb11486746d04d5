"""Instances of countdown, seen from outside: by their records and through the command line."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from command_line import Cli

from pddl_pipeline import translate
from pddl_pipeline.countdown.frequencies import Frequencies, plain_frequencies
from pddl_pipeline.generators.countdown import (
    ChainSettings,
    ReachSettings,
    WalkSettings,
    least_frequent,
)
from pddl_pipeline.generators.dataset import generator_named, settings_of
from pddl_pipeline.generators.generating import generate_one, generate_sizes, generators
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.translators.records import to_record
from pddl_pipeline.validation.task import task_of

FEW = WalkSettings(walks=2000)
METHODS = [("cd", FEW), ("rg", ChainSettings()), ("sos", ReachSettings())]


def generate_dataset(
    method: str, settings: Any, sizes: range, number: int = 3, seed: int = 0
) -> list[Any]:
    generator = generators()["countdown"][method]
    return list(generate_sizes(generator, settings, sizes=sizes, number=number, seed=seed))


def replay(instance: Instance[Any]) -> list[tuple[str, Fraction, Fraction]]:
    """Play the witness by the paper's rules, without PDDL; return the operations."""
    board = {f"n{n}": Fraction(x) for n, x in enumerate(instance.record.numbers, start=1)}
    played = []
    *steps, last = [step.strip("()").split() for step in instance.extras["witness"]]
    for action, first, second in steps:
        x, y = board[first], board.pop(second)
        assert first != second
        assert action != "subtract" or x >= y
        board[first] = {
            "add": lambda x, y: x + y,
            "subtract": lambda x, y: x - y,
            "multiply": lambda x, y: x * y,
            "divide": lambda x, y: x / y,
        }[action](x, y)
        played.append((action, x, y))
    assert last == ["checkgoal", *board]
    assert list(board.values()) == [instance.record.target]
    return played


@pytest.mark.parametrize(
    ("method", "settings", "sizes"),
    [
        ("cd", FEW, range(1, 4)),
        ("cd", FEW, range(4, 11)),
        ("cd", FEW, range(50, 51)),
        ("cd", FEW, range(100, 101)),
        ("rg", ChainSettings(), range(2, 11)),
        ("rg", ChainSettings(), range(50, 51)),
        ("sos", ReachSettings(), range(1, 11)),
    ],
)
def test_witnesses_are_plans(method: str, settings: Any, sizes: range) -> None:
    instances = generate_dataset(method, settings, sizes)
    assert [instance.size for instance in instances] == [size for size in sizes for _ in range(3)]
    for instance in instances:
        texts = translate(instance)
        verdict = task_of(texts).judge("\n".join(instance.extras["witness"]))
        assert verdict.status is Status.VALID
        assert len(replay(instance)) == instance.size - 1


def test_ids_say_the_method() -> None:
    for method, settings in METHODS:
        (instance,) = generate_dataset(method, settings, range(5, 6), 1)
        assert instance.id == f"{method}-5-0"
        assert instance.extras["source"] == method


def test_numbers_and_targets_are_those_asked_for() -> None:
    own = {"numbers": range(3, 10), "targets": "20-30"}
    walks = WalkSettings(walks=2000, **own)
    for method, settings in (
        ("cd", walks),
        ("rg", ChainSettings(**own)),
        ("sos", ReachSettings(**own)),
    ):
        for instance in generate_dataset(method, settings, range(4, 7), 5):
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


def whole_ends(found: Frequencies) -> dict[int, int]:
    """Return how often walks end with each whole number."""
    ends = {found.whole(position): count for position, count in enumerate(found.counts)}
    return {value: count for value, count in ends.items() if value is not None}


@pytest.mark.parametrize("seed", range(12))
def test_target_is_of_the_least_frequent_whole_end_values(seed: int) -> None:
    settings = WalkSettings(numbers=range(1, 12), walks=1500)
    (instance,) = generate_dataset("cd", settings, range(3 + seed % 4, 4 + seed % 4), 1, seed)
    counts = plain_frequencies(instance.record.numbers, 1500, instance.extras["seed"])
    whole = whole_ends(counts)
    assert whole[instance.record.target] == min(whole.values())


def test_target_is_the_least_frequent_in_the_range_asked_for() -> None:
    settings = WalkSettings(numbers=range(1, 12), walks=1500, targets="10-20")
    for instance in generate_dataset("cd", settings, range(3, 6), 4):
        counts = plain_frequencies(instance.record.numbers, 1500, instance.extras["seed"])
        known = {value: n for value, n in whole_ends(counts).items() if value in range(10, 21)}
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
    module = "pddl_pipeline.countdown.frequencies"
    monkeypatch.setattr(f"{module}.has_numba", lambda: False)
    monkeypatch.setattr(f"{module}.compiled_frequencies", None)
    assert generate_dataset("cd", FEW, range(3, 8), 1, 5) == compiled


@pytest.mark.parametrize("method", ["cd", "rg", "sos"])
def test_a_seed_gives_the_same_instance_alone(cli: Cli, tmp_path: Path, method: str) -> None:
    """That all processes write the same bytes is tested for all generators together."""
    walks = ["--set", "walks=3000"] if method == "cd" else []
    done = cli(
        "generate", "countdown", "--method", method, "--size", "4-7", "--count", "3",
        "--seed", "9", *walks, "-o", "made.jsonl",
    )  # fmt: skip
    assert done.status == 0, done.err
    record = json.loads((tmp_path / "made.jsonl").read_text().splitlines()[5])
    generator = generator_named("countdown", method)
    settings = settings_of(generator, {"walks": 3000} if walks else {})
    (again,) = generate_one(generator, settings, len(record["numbers"]), record["seed"])
    assert json.loads(json.dumps({**to_record(again), "id": record["id"]})) == record


def test_seeds_differ() -> None:
    for method, settings in METHODS:
        tasks = {
            generate_dataset(method, settings, range(5, 6), 1, seed)[0].record for seed in range(10)
        }
        assert len(tasks) == 10


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--set", "walks=0"], "walks=0: expected 1 to 10000000"),
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
    done = cli("generate", "countdown", *options, "-o", "made.jsonl")
    assert done.status == 2
    assert said in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("numbers", [range(0), range(-3, 4), range(5, -9, -2)])
def test_ranges_of_numbers_begin_at_0(numbers: range) -> None:
    for _, settings in METHODS:
        with pytest.raises(InputError, match="range of numbers from 0 on"):
            type(settings)(numbers=numbers)


def test_targets_may_have_any_length_that_records_hold() -> None:
    settings = WalkSettings(walks=50, numbers=range(10**180, 10**180 + 9))
    made = generate_dataset("cd", settings, range(3, 4), 5)
    assert max(instance.record.target for instance in made) > 10**350
    for instance in made:
        replay(instance)
