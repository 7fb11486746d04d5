"""Given PDDL: which files are read, the domain of each, and the unchanged texts."""

from __future__ import annotations

from pathlib import Path

import pytest
from dataset_checks import as_json, pddl_folder

from pddl_pipeline import load_records, translate
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.translators.datasets import ReadOptions
from pddl_pipeline.translators.judging import judge_plan
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import task_of


def test_pddl_stays_as_it_is_and_is_recognised(tmp_path: Path) -> None:
    folder = pddl_folder(tmp_path / "bw")
    instances = list(load_records(folder))
    assert [instance.id for instance in instances] == ["p2", "p10"]
    good = "(unstack b2 b1)(putdown b2)(pickup b1)(stack b1 b2)"
    for instance in instances:
        texts = translate(instance)
        files = [folder / "domain.pddl", folder / f"{instance.id}.pddl"]
        assert [texts.domain_pddl, texts.problem_pddl] == [file.read_text() for file in files]
        assert (instance.domain, instance.size) == ("blocksworld", 3)
        for plan, status in ((good, "valid"), ("(pickup b1)", "invalid")):
            verdict = judge_plan(plan, task_of(texts), instance)
            assert (verdict.status, verdict.opinions["referee"].status) == (status, status)
        assert from_record(as_json(instance)) == instance


# "²" is a digit that is no number.
@pytest.mark.parametrize(
    "name", ["domain.pddl", "p2-domain.pddl", "domain_p2.pddl", "other.pddl", "1\u00b22.pddl"]
)
def test_domain_file_is_found(tmp_path: Path, name: str) -> None:
    folder = pddl_folder(tmp_path / "bw", name)
    (folder / "p10.pddl").unlink()
    assert [i.id for i in load_records(folder)] == ["p2"]
    assert [i.id for i in load_records(folder / "p2.pddl")] == ["p2"]


def test_domain_that_the_problem_names_comes_first(tmp_path: Path) -> None:
    folder = pddl_folder(tmp_path / "bw", "blocks.pddl")
    ferry = domain_folder("ferry")
    (folder / "domain.pddl").write_text((ferry / "domain.pddl").read_text())
    (folder / "f1.pddl").write_text((ferry / "p01.pddl").read_text())
    domains = {instance.id: instance.domain for instance in load_records(folder)}
    assert domains == {"f1": "ferry", "p2": "blocksworld", "p10": "blocksworld"}


def test_domain_file_above_the_folder_and_given(tmp_path: Path) -> None:
    folder = pddl_folder(tmp_path / "set" / "instances")
    above = (folder / "domain.pddl").rename(tmp_path / "set" / "blocks.pddl")
    assert len(list(load_records(folder))) == 2
    away = above.rename(tmp_path / "d.pddl")
    assert len(list(load_records(folder, source=ReadOptions(domain=away)))) == 2


def test_domain_with_the_problem_s_number_in_the_folder_of_domains(tmp_path: Path) -> None:
    folder = pddl_folder(tmp_path / "set" / "instances")
    domain = (folder / "domain.pddl").read_text()
    (folder / "domain.pddl").unlink()
    (tmp_path / "set" / "domains").mkdir()
    for number in (1, 2, 10):
        file = tmp_path / "set" / "domains" / f"domain-{number}.pddl"
        file.write_text(f"; {number}\n{domain}")
    for given in (folder, tmp_path / "set", tmp_path):
        found = {i.id: translate(i).domain_pddl.split("\n")[0] for i in load_records(given)}
        assert found == {"p2": "; 2", "p10": "; 10"}


def test_domain_of_the_same_name_is_ours_where_none_lies_there(tmp_path: Path) -> None:
    folder = pddl_folder(tmp_path / "bw")
    (folder / "domain.pddl").unlink()
    (instance, _) = load_records(folder)
    pickup = domain_folder("blocksworld") / "variants" / "pickup.pddl"
    assert translate(instance).domain_pddl == pickup.read_text()
