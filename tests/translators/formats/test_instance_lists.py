"""Lists of instances, as llm-reasoners and RAP publish them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from dataset_checks import pddl_folder, verdict_on_witness

from pddl_pipeline import load_records
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.translators.datasets import ReadOptions


def test_list_of_instances(tmp_path: Path) -> None:
    folder = pddl_folder(tmp_path / "problems")
    plan = "(unstack b2 b1)\n(putdown b2)\n(pickup b1)\n(stack b1 b2)\n"
    rows = [["LLMs/instances/generated_basic/p2.pddl", plan, 4]]
    (tmp_path / "step_4.json").write_text(json.dumps(rows))
    source = ReadOptions(folders={"generated_basic": folder})
    (instance,) = load_records(tmp_path / "step_4.json", source=source)
    assert instance.id == "generated_basic-p2"
    assert instance.extras["optimal_cost"] == 4
    assert verdict_on_witness(instance) is Status.VALID


@pytest.mark.parametrize(
    ("plan", "length", "message"),
    [
        ("(unstack b2 b1)(putdown b2)(pickup b1)(stack b1 b2)", 5, "the plan has 4 steps"),
        ("(unstack b2 b1)(stack b2 b1)", 2, "is not a valid plan of"),
    ],
)
def test_list_with_a_plan_that_is_none(
    tmp_path: Path, plan: str, length: int, message: str
) -> None:
    folder = pddl_folder(tmp_path / "problems")
    (tmp_path / "l.json").write_text(json.dumps([["generated_basic/p2.pddl", plan, length]]))
    options = ReadOptions(folders={"": tmp_path, "generated_basic": folder})
    with pytest.raises(InputError, match=message):
        list(load_records(tmp_path / "l.json", source=options))


@pytest.mark.parametrize("names", [["red", "blue"], ["a", "b"]])
def test_colours_of_a_list_are_letters_unless_they_are_objects(
    tmp_path: Path, names: list[str]
) -> None:
    """RAP writes red for a. A problem whose objects are colours keeps them."""
    folder = pddl_folder(tmp_path / "step")
    one, two = names
    text = (folder / "p2.pddl").read_text()
    for old, new in (("b1", one), ("b2", two), ("b3", "x")):
        text = text.replace(old, new)
    (folder / "p2.pddl").write_text(text)
    plan = "(unstack blue red)(putdown blue)(pickup red)(stack red blue)"
    (tmp_path / "l.json").write_text(json.dumps([["step/p2.pddl", plan, 4]]))
    (instance,) = load_records(tmp_path / "l.json")
    assert instance.extras["witness"][0] == f"(unstack {two} {one})"
