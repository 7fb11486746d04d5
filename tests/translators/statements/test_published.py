"""PlanBench's published prompts, byte for byte, if they are beside the project."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from places import DATA, public_data

from pddl_pipeline import load_records
from pddl_pipeline.answers.readers import parse_answer
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.prompts.prompting import prompt_for
from pddl_pipeline.translators import read_instance

FOLDERS = {
    "blocksworld": "autotos/blocksworld/blocks_instances",
    "depots": "planbench/depots_generated_basic.tar.gz",
}

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the public datasets are not here")


@cache
def instances(domain: str) -> dict[int, Instance[Any]]:
    return {
        int(each.id.rpartition("-")[2]): each for each in load_records(public_data(FOLDERS[domain]))
    }


def with_witness(instance: Instance[Any], told: str) -> Instance[Any]:
    task = read_instance(instance)
    plan = parse_answer(told, instance, task).plan
    return replace(instance, extras={"witness": [str(step) for step in plan]})


@pytest.mark.parametrize("step", [10, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("domain", FOLDERS)
def test_published_prompts_are_made_again(domain: str, step: int) -> None:
    file = DATA / "planbench" / f"prompts_{domain}_task_1_plan_generation.json.gz"
    published = json.loads(gzip.decompress(file.read_bytes()))["instances"]
    assert len(published) == 500
    for item in published[::step]:
        told = item["query"].split("[PLAN]")[1].split("[PLAN END]")[0]
        example = with_witness(instances(domain)[item["example_instance_ids"][0]], told)
        instance = instances(domain)[item["instance_id"]]
        assert prompt_for(instance, statement="planbench", examples=[example]) == item["query"]


@pytest.mark.parametrize("domain", FOLDERS)
def test_the_example_that_comes_along_is_the_first_published_one(domain: str) -> None:
    file = DATA / "planbench" / f"prompts_{domain}_task_1_plan_generation.json.gz"
    first = json.loads(gzip.decompress(file.read_bytes()))["instances"][0]
    assert first["example_instance_ids"] == [1]
    assert prompt_for(instances(domain)[first["instance_id"]]) == first["query"]
