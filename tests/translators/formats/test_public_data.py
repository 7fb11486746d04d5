"""The public datasets themselves, if they are beside the project."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
from places import DATA, public_data

from pddl_pipeline import load_records, translate
from pddl_pipeline.translators.datasets import ReadOptions
from pddl_pipeline.validation.task import task_of

FOLDERS = {
    "generated_basic": DATA / "autotos/blocksworld/blocks_instances",
    "generated_basic_3": DATA / "planbench/blocksworld_3_instances",
}
COUNTS = {
    "game24/24.csv": {"countdown": 1362},
    "autotos/24game/model_test.csv": {"countdown": 1352},
    "autotos/24game/unittests.csv": {"countdown": 10},
    "autotos/blocksworld/blocks_instances": {"blocksworld": 502},
    # The fifth file was edited: its moves do not match its stones.
    "autotos/sokoban/test_instances": {"sokoban": 10, "sokoban-sequential": 1},
    "autotos/sokoban/unittests_instances": {"sokoban": 3},
    "planbench/blocksworld_3_instances": {"blocksworld": 101},
    "planbench/blocksworld_generated_3to12_blocks.tar.gz": {"blocksworld": 501},
    "planbench/blocksworld_hard_110.tar.gz": {"blocksworld": 110},
    "planbench/mystery_generated_basic.tar.gz": {"mystery-4ops": 603},
    "planbench/depots_generated_basic.tar.gz": {"depots": 501},
    "llm_reasoners_blocksworld/bw_basic.json": {"blocksworld": 501},
    "llm_reasoners_blocksworld/bw_basic_sup.json": {"blocksworld": 101},
    "rap_blocksworld/step_4.json": {"blocksworld": 57},
    "reasoning_gym/countdown_default_seed42_size100.jsonl": {"countdown": 100},
    "reasoning_gym/puzzle24_seed42_size50.jsonl": {"countdown": 50},
    "stream_of_search/sample_train_b4_t100_20rows.json": {"countdown": 20},
    "simplan_samples": {
        "blocksworld": 6, "depots": 5, "ferry": 5, "grid": 4, "gripper-strips": 5,
    },
}  # fmt: skip

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the public datasets are not here")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] if sum(counts.values()) > 200 else [])
     for name, counts in COUNTS.items()],
)  # fmt: skip
def test_every_instance_is_read(name: str) -> None:
    instances = list(load_records(public_data(name), source=ReadOptions(folders=FOLDERS)))
    assert Counter(instance.domain for instance in instances) == COUNTS[name]


def test_numbers_are_those_of_the_file() -> None:
    lines = (DATA / "game24" / "24.csv").read_text().splitlines()[1:]
    expected = [[int(number) for number in line.split(",")[1].split()] for line in lines]
    found = [list(instance.record.numbers) for instance in load_records(DATA / "game24" / "24.csv")]
    assert found == expected


@pytest.mark.long
def test_pddl_is_that_of_the_file() -> None:
    folder = FOLDERS["generated_basic"]
    for instance in load_records(folder):
        text = (folder / f"{instance.id}.pddl").read_text()
        assert translate(instance).problem_pddl == text
        goal = set(re.findall(r"\(on (\w+) (\w+)\)", text.split(":goal")[1]))
        known = instance.record.known
        assert {atom[1:] for atom in known.form.goal} == goal


def test_acpbench_says_which_step_is_the_first_inapplicable() -> None:
    file = DATA / "acpbench" / "val" / "dev.gen.json"
    items = json.loads(file.read_text())
    for item, instance in zip(items, load_records(file), strict=True):
        (plan,) = re.findall(r'"([^"]*)"', item["question"])
        texts = translate(instance)
        verdict = task_of(texts).judge(plan)
        assert verdict.failed_step == int(item["answer"]) + 1
