"""Helpers of the tests of datasets: a folder of PDDL, records as JSON, the verdict on a witness."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pddl_pipeline import translate
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.translators.judging import judge_plan
from pddl_pipeline.translators.records import to_record
from pddl_pipeline.validation.task import task_of


def as_json(instance: Instance[Any]) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(json.dumps(to_record(instance)))
    return record


def pddl_folder(folder: Path, domain_file: str = "domain.pddl") -> Path:
    """Create a folder of two blocksworld problems, with the names of pddl-generators."""
    folder.mkdir(parents=True)
    variant = domain_folder("blocksworld") / "variants" / "pickup.pddl"
    (folder / domain_file).write_text(variant.read_text())
    for name in ("p2", "p10"):
        (folder / f"{name}.pddl").write_text(
            "(define (problem BW-rand-3) ; (define (domain no))\n(:domain blocksworld-4ops)\n"
            "(:objects b1 b2 b3)\n(:init (arm-empty) (on-table b1) (on b2 b1) (on-table b3)\n"
            "(clear b2) (clear b3))\n(:goal (and (on b1 b2))))\n"
        )
    return folder


def verdict_on_witness(instance: Instance[Any]) -> Status:
    texts = translate(instance)
    plan = "\n".join(instance.extras["witness"])
    return judge_plan(plan, task_of(texts), instance).status
