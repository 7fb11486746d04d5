"""Measure scoring: against reasoning-gym's `score_answer`, against rewards, and in two processes.

    python benchmarks/scoring.py [--answers GAME24_FOLDER] [--count N]

All values of a line are measured in one run, on the same texts. ``bare`` only decides whether an
expression is right, as the peer does: once on new texts, and again on the same texts. ``reader``
also finds the plan and checks the rules. ``score`` also reads the text strictly, validates the plan
as PDDL, and replays it without PDDL: each plan of an instance once, as in one run of the command.
``reward`` is `pddl_pipeline.reward`.

The second table compares rewards and scores of plans of all domains, in PDDL and in sentences; the
sentences were read before. The third has the times of the command on N answers, 20,000 by default,
with ``-j 1`` and ``-j 2``.

The package ``reasoning-gym`` is required. Given the folder of the 24 game (24.csv and the logs of
GPT-4), the script also scores the published answers: their last lines, since the peer reads only
bare expressions.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from clock import cpu_of
from reasoning_gym.games.countdown import CountdownConfig, CountdownDataset
from rich.console import Console
from rich.table import Table
from scoring_command import command_table

from pddl_pipeline import load_records, reward
from pddl_pipeline.answers.countdown.expression import program_of, reaches
from pddl_pipeline.answers.readers import parse_answer
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.prompts.texts import described_by
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.records import from_record

ROUNDS = 5
RULES = {"negatives": True, "division": "nonzero"}


class Given(NamedTuple):
    """The answers of a measurement, with their instances."""

    name: str
    instances: list[Instance[Any]]
    answers: list[Answer]


def right_answers(size: int, count: int = 300) -> Given:
    """Return reasoning-gym's answers to its own tasks."""
    config = CountdownConfig(min_numbers=size, max_numbers=size, size=count, seed=1)
    dataset, instances, answers = CountdownDataset(config), [], []
    for number in range(count):
        try:
            item = dataset[number]
        except ValueError:  # reasoning-gym fails for some seeds
            continue
        metadata = item["metadata"]
        fields = {"numbers": metadata["numbers"], "target": metadata["target"], "rules": RULES}
        name = f"rg-{number}"
        instances.append(from_record({"id": name, "domain": "countdown", **fields}))
        answers.append(Answer(name, item["answer"]))
    return Given(f"reasoning-gym, {size} numbers", instances, answers)


def any_answers(size: int, count: int = 1000) -> Given:
    """Return expressions over the numbers of one task, few of which are right."""
    rng = random.Random(size)
    numbers = [rng.randint(1, 99) for _ in range(size)]
    fields = {"numbers": numbers, "target": 24, "rules": RULES}
    texts = dict.fromkeys(_expression(numbers, rng) for _ in range(count))
    instances = [from_record({"id": "any", "domain": "countdown", **fields})]
    answers = [Answer("any", text) for text in texts]
    return Given(f"any expression, {size} numbers", instances, answers)


def _expression(numbers: list[int], rng: random.Random) -> str:
    parts = rng.sample([str(number) for number in numbers], len(numbers))
    while len(parts) > 1:
        at = rng.randrange(len(parts) - 1)
        parts[at : at + 2] = [f"({parts[at]} {rng.choice('+-*/')} {parts[at + 1]})"]
    return parts[0][1:-1]


def published(folder: Path) -> list[Given]:
    """Return the last lines of the published answers to the 24 game, without ``Answer:``."""
    instances = list(load_records(folder / "24.csv"))[900:1000]
    found = []
    for file in sorted(folder.glob("*naive*.json.gz")):
        answers = [
            Answer(f"24game-{item['idx'] + 1}", _last_expression(text))
            for item in json.loads(gzip.decompress(file.read_bytes()))
            for text in item["ys"]
        ]
        kind = "CoT" if "cot" in file.name else "IO"
        found.append(Given(f"24 game, GPT-4 {kind}", instances, answers))
    return found


def _last_expression(text: str) -> str:
    last = text.strip().rpartition("\n")[2]
    return last.removeprefix("Answer: ").partition("=")[0].strip()


def measured(given: Given) -> list[str]:
    """Return the table's line for a set of answers."""
    judge = Judge(given.instances)
    entries = {name: _entry(instance) for name, instance in judge.instances.items()}
    tasks = {name: judge.task(name) for name in judge.instances}
    peer = CountdownDataset(CountdownConfig(size=1, seed=1))

    def peer_score() -> None:
        for answer in given.answers:
            peer.score_answer(answer.text, entries[answer.id])

    def bare() -> None:
        for answer in given.answers:
            metadata = entries[answer.id]["metadata"]
            reaches(answer.text, metadata["numbers"], metadata["target"])

    def reader() -> None:
        for answer in given.answers:
            instance, task = judge.instances[answer.id], tasks[answer.id]
            parse_answer(answer.text, instance, task)

    score, rewarded = _score_and_reward(given, judge)
    program_of.cache_clear()
    first = cpu_of(bare) / len(given.answers)
    works = (peer_score, bare, reader, rewarded, score)
    peers, *ours = _each(works, len(given.answers))
    return [
        given.name,
        f"{len(given.answers):,}",
        *(f"{time * 1e6:.1f}" for time in (peers, first, *ours)),
        *(f"{peers / time:.1f}" for time in (first, *ours)),
        f"{ours[-1] / ours[-2]:.1f}",
        f"{60 / ours[-1]:,.0f}",
    ]


def _score_and_reward(given: Given, judge: Judge) -> tuple[Callable[[], None], Callable[[], None]]:
    """Return the scoring of all answers, and the computation of all rewards."""

    def score() -> None:
        judge.verdicts.forget()  # else, every plan would be known from the pass before
        for answer in given.answers:
            judge.score(answer)

    def rewarded() -> None:
        for answer in given.answers:
            reward(judge.instances[answer.id or ""], answer.text)

    return score, rewarded


def plan_answers(*, in_words: bool) -> Given:
    """Return parts of a plan for the first problem of each domain but countdown: 1 step to all."""
    instances, answers = [], []
    for name in domain_names():
        folder = domain_folder(name)
        plan_file, texts = folder / "p01.plan", [folder / "domain.pddl", folder / "p01.pddl"]
        if name == "countdown" or not plan_file.exists():
            continue
        instance = given_instance(name, *(text.read_text() for text in texts), {})
        task = read_instance(instance)
        statements = described_by(instance, task)
        plan = task.read_plan(plan_file.read_text())
        for part in (Plan(plan[:end]) for end in range(1, len(plan) + 1)):
            if not in_words:
                answers.append(Answer(name, str(part)))
            elif statements:
                answers.append(
                    Answer(name, next(iter(statements.values())).write(part, instance, task))
                )
        instances.append(instance)
    return Given("plans in sentences" if in_words else "plans in PDDL", instances, answers)


def compared(given: Given) -> list[str]:
    """Return the line of the second table for a set of answers."""
    count = len(given.answers)
    works = _score_and_reward(given, Judge(given.instances))
    scored, rewarded = _each(works, count)
    values = (f"{scored * 1e6:.1f}", f"{rewarded * 1e6:.1f}", f"{scored / rewarded:.1f}")
    return [given.name, f"{count:,}", *values]


def _each(works: Sequence[Callable[[], object]], count: int) -> list[float]:
    """Return the CPU time an answer of each work, the smallest of rounds that alternate."""
    for work in works:
        work()
    rounds = [[cpu_of(work) for work in works] for _ in range(ROUNDS if count < 5000 else 1)]
    return [min(times) / count for times in zip(*rounds, strict=True)]


def _entry(instance: Instance[Any]) -> dict[str, Any]:
    task = instance.record
    return {"metadata": {"numbers": list(task.numbers), "target": task.target}}


def main() -> None:
    """Print the tables."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--answers", type=Path)
    arguments.add_argument("--count", type=int, default=20_000)
    given = arguments.parse_args()
    console = Console(width=180)
    table = Table(title="Scoring a countdown answer, CPU µs; how many times faster than the peer")
    for column in (
        "answers", "count", "peer", "bare, new", "bare", "reader", "reward", "score",
        "bare, new x", "bare x", "reader x", "reward x", "score x", "reward/score",
        "scores a minute",
    ):  # fmt: skip
        table.add_column(column, justify="left" if column == "answers" else "right")
    inputs = [*map(right_answers, (4, 6, 10)), *map(any_answers, (4, 10, 30))]
    for each in [*inputs, *(published(given.answers) if given.answers else [])]:
        table.add_row(*measured(each))
    console.print(table)
    table = Table(title="Rewards and scores, CPU µs an answer")
    for column in ("answers", "count", "score", "reward", "times as fast"):
        table.add_column(column, justify="left" if column == "answers" else "right")
    for in_words in (False, True):
        table.add_row(*compared(plan_answers(in_words=in_words)))
    console.print(table)
    console.print(command_table(given.count))


if __name__ == "__main__":
    main()
