"""The public name sets: problems and plans in the form that public generators print."""

from __future__ import annotations

from pathlib import Path

import pytest

from pddl_pipeline import read_task
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder, domain_names

PUBLIC = Path(__file__).parent / "public"
CASES = sorted(path.parent for path in PUBLIC.glob("*/problem.pddl"))
VARIANTS = [path for name in domain_names() for path in domain_folder(name).glob("variants/*.pddl")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_public_problem_and_plan_are_accepted_unchanged(case: Path) -> None:
    domain, _, variant = case.name.partition("--")
    file = f"variants/{variant}.pddl" if variant else "domain.pddl"
    task = read_task(domain_folder(domain) / file, case / "problem.pddl")
    assert task.judge((case / "plan").read_text()).status is Status.VALID
    assert task.judge("").status is Status.INVALID


def test_every_variant_has_a_public_problem() -> None:
    tested = {case.name for case in CASES}
    assert {f"{path.parent.parent.name}--{path.stem}" for path in VARIANTS} <= tested
