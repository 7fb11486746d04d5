"""Store the runs of the stored result of a study: ``python studies/store_runs.py STUDY``.

``pddl-pipeline reproduce STUDY … -o studies/PAPER/results`` makes both first.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import msgspec

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.papers.reproduction import workbench_of
from pddl_pipeline.papers.section import stored_section
from pddl_pipeline.papers.stored_runs import StoredRun, StoredRuns
from pddl_pipeline.papers.study import Workbench, studies
from pddl_pipeline.translators.translator import PAPER


@dataclass(frozen=True)
class Storing(Workbench):
    """A workbench that appends the result of each run to the stored runs."""

    target: Path = Path()
    machine: str = ""

    def solve(
        self,
        store: str,
        instances: Sequence[Instance[Any]],
        planners: Sequence[str],
        limits: Limits,
        *,
        encoding: str = PAPER,
    ) -> list[RunResult]:
        """Return the results, which the command has made, and store them."""
        results = Workbench.solve(self, store, instances, planners, limits, encoding=encoding)
        records = {each.id: msgspec.to_builtins(each.record) for each in instances}
        with StoredRuns(self.target / f"{store}.jsonl.gz") as stored:
            for result in results:
                run = StoredRun(result, encoding, records[result.id], self.machine)
                if run.identity not in stored.known:
                    stored.append(run)
        return results


def store_runs(name: str) -> None:
    """Store the runs of a study."""
    study = studies()[name]
    section = stored_section(study)
    if section is None:
        raise SystemExit(f"{name}: found no stored result")
    folder = Path(__file__).parent / study.paper
    (target := folder / "runs" / name).mkdir(parents=True, exist_ok=True)
    bench = workbench_of(section, folder / "results" / name)
    values = {field.name: getattr(bench, field.name) for field in fields(bench)}
    study.run(Storing(**values, target=target, machine=section.machine))


if __name__ == "__main__":
    store_runs(sys.argv[1])
