"""What tasks are made of: a dataset's instances, or a domain's examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from pddl_pipeline.integrations.instances import instances_of
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.pddl_domains import domain_folder, domain_names

FERRY = domain_folder("ferry") / "examples.jsonl"


def test_without_data_the_examples_of_the_domain_or_of_all() -> None:
    assert {instance.domain for instance in instances_of("ferry")} == {"ferry"}
    assert {instance.domain for instance in instances_of()} == set(domain_names())


def test_the_first_so_many() -> None:
    found = instances_of("ferry", FERRY)
    assert len(found) > 2
    assert instances_of("ferry", str(FERRY), 2) == found[:2]


def test_data_of_another_domain_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(FERRY.read_text())
    with pytest.raises(InputError, match=r"mine\.jsonl: '\S+' is of ferry, expected countdown"):
        instances_of("countdown", path)
    assert len(instances_of(None, path)) == len(instances_of("ferry"))
