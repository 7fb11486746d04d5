"""Read every dataset below a folder, solve a sample of each, and validate the plans.

The script reads the public datasets as their repositories publish them. Lists of instances
(llm-reasoners, RAP) name problem files by folders; --folder states where these folders are.

    python benchmarks/public_data.py DIR --folder generated_basic=DIR/... --sample 20
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from pddl_pipeline import load_records, translate
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.planners.registry import choose_planner, planner_named
from pddl_pipeline.runs.solving import solve_task
from pddl_pipeline.translators import features_of
from pddl_pipeline.translators.datasets import ReadOptions
from pddl_pipeline.translators.formats.pddl import ARCHIVES
from pddl_pipeline.translators.formats.registry import guess_format
from pddl_pipeline.validation.task import task_of


def main() -> None:
    """Print one line per dataset."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--folder", action="append", default=[], metavar="NAME=DIR")
    parser.add_argument(
        "--sample", type=int, default=20, help="Number of instances to solve per dataset."
    )
    parser.add_argument("--planner", default=None, help="Default: the domain's planner.")
    parser.add_argument("--time-limit", type=float, default=60.0)
    chosen = parser.parse_args()
    folders = {name: Path(place) for name, place in (f.split("=", 1) for f in chosen.folder)}
    limits = Limits(chosen.time_limit)
    for path in datasets(chosen.data):
        try:
            instances = list(load_records(path, source=ReadOptions(folders=folders)))
        except InputError as error:
            print(f"{path.relative_to(chosen.data)}: not a dataset ({error.message[:70]})")
            continue
        domains = ", ".join(sorted({instance.domain for instance in instances}))
        sample = Random(0).sample(instances, min(chosen.sample, len(instances)))
        planner = [chosen.planner] if chosen.planner else []
        outcomes = Counter(outcome(instance, planner, limits) for instance in sample)
        results = ", ".join(f"{count} {what}" for what, count in sorted(outcomes.items()))
        form = guess_format(path).name
        print(f"{path.relative_to(chosen.data)}: {form}, {len(instances)} of {domains}; {results}")


def datasets(folder: Path) -> list[Path]:
    """Return the dataset files below a folder; PDDL files are represented by their folders."""
    found: dict[Path, None] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".pddl":
            found[path.parent] = None
        elif path.is_file() and path.name.endswith((".csv", ".json", ".jsonl", ".gz", *ARCHIVES)):
            found[path] = None
    # A folder that contains only the domain of the folders below it is not a dataset.
    return [p for p in found if not p.is_dir() or sum(1 for _ in p.glob("*.pddl")) > 1]


def outcome(instance: Instance[Any], names: list[str], limits: Limits) -> str:
    """Run a planner on an instance; return its outcome and the plan's status."""
    texts = translate(instance)
    planner = planner_named(names[0]) if names else choose_planner(features_of(instance))
    task = task_of(texts)
    solution = solve_task(planner, task, texts, limits, instance=instance)
    verdict = solution.verdict
    return f"{solution.attempt.outcome} {verdict.status}" if verdict else solution.attempt.outcome


if __name__ == "__main__":
    main()
