"""Inspect AI: a task for each domain, found by the entry point; extra ``inspect``.

``pddl_pipeline/countdown`` and so on; ``pddl_pipeline/plans`` accepts instances of any domain.
"""

from __future__ import annotations

from collections.abc import Iterable

from pddl_pipeline.integrations.extras import missing
from pddl_pipeline.integrations.inspect_scorer import plan_scorer, question_scorer
from pddl_pipeline.integrations.rows import plan_rows, question_rows
from pddl_pipeline.pddl_domains import domain_names

try:
    from inspect_ai import Task, task
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import Scorer
    from inspect_ai.solver import generate
except ImportError as error:
    raise missing(error, "inspect") from None


def _task(rows: Iterable[dict[str, str]], scorer: Scorer) -> Task:
    return Task(
        dataset=[Sample(row.pop("prompt"), id=row["id"], metadata={**row}) for row in rows],
        solver=generate(),
        scorer=scorer,
    )


def _register(name: str, domain: str | None) -> None:
    @task(name=name)
    def plans(data: str | None = None, style: str = "io", limit: int | None = None) -> Task:
        return _task(plan_rows(domain, data, style, limit), plan_scorer())


for _domain in domain_names():
    _register(_domain.replace("-", "_"), _domain)
_register("plans", None)


@task
def questions(data: str, kind: str | None = None, limit: int | None = None) -> Task:
    """Return the questions of a file, or of a file of ACPBench, all or those of one kind."""
    return _task(question_rows(data, kind, limit), question_scorer())
