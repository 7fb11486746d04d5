"""Instances of mixing, and runs of ENHSP on them; see mixing/protocol.md.

``--generate`` writes the instances; ``--continue TIME`` makes the runs that are missing, by rounds
of which none begins after this time, such as ``2026-11-29T23:50Z``. ``--judge`` prints the verdicts
of validators on each false plan; without an option, print a row for each stored run.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, TextIO

import numpy as np

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.papers.stored_runs import (
    PlannedRun,
    StoredRun,
    StoredRuns,
    read_stored_runs,
    run_planned,
)
from pddl_pipeline.runs.stored_commands import machine
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.validation.opinions import open_validators
from pddl_pipeline.validation.task import task_from_texts

FOLDER: Final = Path(__file__).parent / "mixing"
DOMAIN: Final = FOLDER / "domain.pddl"
DATA: Final = FOLDER / "data" / "mixing.jsonl.gz"
STORE: Final = FOLDER / "runs" / "mixing.jsonl.gz"
CLAIMS: Final = FOLDER / "results" / "claims.csv"
VERDICTS: Final = FOLDER / "results" / "verdicts.csv"
PLANNERS: Final = ("enhsp", "enhsp-strict")
TARGETS: Final = ("sample", "constant")
"""What the goal compares the mixture with: a sample that an action weighs, or constants."""
SEED: Final = 20261129
SIZES: Final = range(4, 17, 2)
ROUNDS: Final = 20
LARGEST: Final = 99
"""The largest mass of a portion, in grams."""
WATER: Final = 9
"""The water at hand, in grams."""
LIMITS: Final = Limits(time_s=300, cpu_s=30)
TOLERANCE: Final = 1e-5
STRICT: Final = 1e-9
VALIDATORS: Final = ("val", "kairos", "up")


class Mixture(NamedTuple):
    """An instance, and a solution by which it was made."""

    id: str
    portions: list[list[int]]
    """The mass and the solute of each portion."""
    mixed: list[int]
    """The portions that the solution mixes."""
    added: int
    """The units of water that it adds."""

    @property
    def target(self) -> tuple[int, int]:
        """The mass and the solute of the mixture."""
        mass, solute = (sum(self.portions[at][part] for at in self.mixed) for part in (0, 1))
        return 1 + mass + self.added, solute

    def problem(self, target: str) -> str:
        """Return the PDDL of the instance; a gram of water is in the beaker."""
        names = [f"p{at}" for at in range(1, len(self.portions) + 1)]
        mass, solute = self.target
        facts = [
            "(= (mixedmass) 1) (= (mixedsolute) 0) (= (samplemass) 1) (= (samplesolute) 0)",
            f"(= (water) {WATER}) (= (neededmass) {mass})",
            f"(= (givenmass) {mass}) (= (givensolute) {solute})",
        ]
        facts += [
            f"(left {name}) (= (mass {name}) {of}) (= (solute {name}) {part})"
            for name, (of, part) in zip(names, self.portions, strict=True)
        ]
        init = "\n    ".join(facts)
        wanted = {"sample": "sample", "constant": "given"}[target]
        return (
            f"(define (problem {self.id})\n  (:domain mixing)\n"
            f"  (:objects {' '.join(names)} - portion)\n  (:init\n    {init})\n"
            "  (:goal (and (weighed) (>= (mixedmass) (neededmass))\n"
            f"    (= (/ (mixedsolute) (mixedmass)) (/ ({wanted}solute) ({wanted}mass))))))\n"
        )

    @property
    def solution(self) -> list[str]:
        """A valid plan."""
        poured = [f"(pour p{at + 1})" for at in self.mixed]
        return ["(weigh)", *poured, *["(dilute)"] * self.added]


def generate(seed: int = SEED) -> Iterator[Mixture]:
    """Yield all instances, round by round, each round by size."""
    random = Random(seed)
    for number in range(ROUNDS):
        for size in SIZES:
            masses = [random.randint(1, LARGEST) for _ in range(size)]
            portions = [[mass, random.randint(0, mass)] for mass in masses]
            mixed = sorted(random.sample(range(size), size // 2))
            yield Mixture(f"mixing-{size}-{number}", portions, mixed, random.randint(0, WATER))


def read_instances() -> list[Mixture]:
    """Return the stored instances in their order."""
    lines = gzip.decompress(DATA.read_bytes()).splitlines()
    return [Mixture(**json.loads(line)) for line in lines]


def _mixtures(mixture: Mixture) -> tuple[Any, Any]:
    """Return the mass and the solute of each mixture with enough mass.

    A mixture is a set of portions and an amount of water.
    """
    sums = np.array([[1, 0]], dtype=np.int64)
    for portion in mixture.portions:
        sums = np.concatenate([sums, sums + np.array(portion)])
    every = np.concatenate([sums + np.array([water, 0]) for water in range(WATER + 1)])
    mass, solute = every[every[:, 0] >= mixture.target[0]].T
    return mass, solute


def accepted(mixture: Mixture) -> dict[str, int]:
    """Return the number of mixtures that reach the goal, and of those that miss it by at most 1e-5.

    Those within 1e-9 of the target's nearest 32-bit float are a third number.
    """
    mass, solute = _mixtures(mixture)
    wanted, part = mixture.target
    apart = np.abs(solute * wanted - part * mass)
    near = (apart > 0) & (apart <= TOLERANCE * mass * wanted)
    single = np.abs(solute / mass - float(np.float32(part / wanted))) <= STRICT
    return {
        "reaching": int((apart == 0).sum()), "near": int(near.sum()), "single": int(single.sum())
    }  # fmt: skip


def planned_runs(mixtures: list[Mixture]) -> list[PlannedRun]:
    """Return the runs on instances in their order."""
    domain = DOMAIN.read_text(encoding="utf-8")
    return [
        PlannedRun(
            given_instance(f"{mixture.id}-{target}", domain, mixture.problem(target), {}),
            planner,
            LIMITS,
        )
        for mixture in mixtures
        for target in TARGETS
        for planner in PLANNERS
    ]


class _WithoutTexts(StoredRuns):
    """Stored runs without the texts of their instances, which the dataset has."""

    def append(self, run: StoredRun) -> Any:
        return super().append(replace(run, record={}))


def make_runs(until: str) -> None:
    """Make the missing runs; begin no round after a time."""
    end = datetime.fromisoformat(until)
    mixtures = read_instances()
    with _WithoutTexts(STORE) as store:
        for number in range(ROUNDS):
            if datetime.now(UTC) > end:
                return
            own = mixtures[number * len(SIZES) : (number + 1) * len(SIZES)]
            for _ in run_planned(store, planned_runs(own), lambda *_: {}, machine()):
                pass


def read_runs() -> list[StoredRun]:
    """Return the stored runs."""
    return read_stored_runs(STORE)


def identity(run: StoredRun) -> tuple[str, str]:
    """Return the instance of a run and its kind of target."""
    name, _, target = run.result.id.rpartition("-")
    return name, target


def table() -> list[dict[str, Any]]:
    """Return a row for each stored run."""
    counts = {
        mixture.id: {"size": len(mixture.portions), **accepted(mixture)}
        for mixture in read_instances()
    }
    return [
        {
            "instance": name, "target": target, "planner": run.result.planner,
            "outcome": run.result.outcome,
            "verdict": run.result.status if run.result.claimed else "",
            "steps": run.result.steps or "", "cpu_s": run.result.cpu_s, **counts[name],
        }
        for run in read_runs()
        for name, target in [identity(run)]
    ]  # fmt: skip


def verdicts() -> list[dict[str, Any]]:
    """Return the verdicts of validators on each false plan; VAL's Validate is on the PATH."""
    mixtures = {mixture.id: mixture for mixture in read_instances()}
    domain, rows = DOMAIN.read_text(encoding="utf-8"), []
    for run in read_runs():
        if run.is_false:
            name, target = identity(run)
            texts, plan = (domain, mixtures[name].problem(target)), "\n".join(run.result.plan or ())
            task = task_from_texts((texts[0], "domain"), (texts[1], name))
            judges = open_validators(VALIDATORS, *texts, task)
            rows.append(
                {"instance": name, "target": target, "planner": run.result.planner,
                 "exact": task.judge(plan).status}
                | {name: judge.judge(plan).status for name, judge in judges.items()}
            )  # fmt: skip
    return rows


def verdicts_file() -> list[dict[str, str]]:
    """Return the stored verdicts of validators."""
    with VERDICTS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(rows: list[dict[str, Any]], file: TextIO) -> None:
    """Write rows as CSV."""
    writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--generate"]:
            lines = "".join(json.dumps(mixture._asdict()) + "\n" for mixture in generate())
            DATA.write_bytes(gzip.compress(lines.encode(), mtime=0))
        case ["--continue", until]:
            make_runs(until)
        case ["--judge"]:
            write(verdicts(), sys.stdout)
        case _:
            write(table(), sys.stdout)
