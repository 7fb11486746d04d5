"""Inspect AI: a task for each domain, found by the entry point; extra ``inspect``.

``pddl_pipeline/countdown`` and so on; ``pddl_pipeline/plans`` accepts instances of any domain.
"""

from __future__ import annotations

from pddl_pipeline.integrations.extras import missing
from pddl_pipeline.integrations.inspect_scorer import plan_scorer, question_scorer
from pddl_pipeline.integrations.instances import instances_of, questions_in
from pddl_pipeline.pddl_domains import domain_names
from pddl_pipeline.prompts.prompting import prompt_for
from pddl_pipeline.translators.records import to_record

try:
    from inspect_ai import Task, task
    from inspect_ai.dataset import Sample
    from inspect_ai.solver import generate
except ImportError as error:
    raise missing(error, "inspect") from None


def plan_task(
    domain: str | None = None,
    data: str | None = None,
    style: str = "io",
    limit: int | None = None,
) -> Task:
    """Return a planning task; see `instances_of` and `prompt_for`.

    Raises:
        InputError: the dataset cannot be read, or the style is unknown.
    """
    samples = [
        Sample(
            input=prompt_for(instance, style=style),
            id=instance.id,
            metadata={"record": to_record(instance)},
        )
        for instance in instances_of(domain, data, limit)
    ]
    return Task(dataset=samples, solver=generate(), scorer=plan_scorer(style))


def _register(name: str, domain: str | None) -> None:
    @task(name=name)
    def plans(data: str | None = None, style: str = "io", limit: int | None = None) -> Task:
        return plan_task(domain, data, style, limit)


for _domain in domain_names():
    _register(_domain.replace("-", "_"), _domain)
_register("plans", None)


@task
def questions(data: str, kind: str | None = None, limit: int | None = None) -> Task:
    """Return the questions of a file, or of a file of ACPBench, all or those of one kind."""
    found = [each for each in questions_in(data) if kind in (None, each.kind)]
    samples = [
        Sample(input=each.prompt, id=each.id, metadata={"question": each.to_json()})
        for each in found[:limit]
    ]
    return Task(dataset=samples, solver=generate(), scorer=question_scorer())
