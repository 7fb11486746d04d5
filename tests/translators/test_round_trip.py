"""Record -> PDDL -> record for every domain, with the same text in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from record_strategies import STRATEGIES, records

from pddl_pipeline import load_records, translate
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.translators.records import from_record, to_record
from pddl_pipeline.translators.translator import translator
from pddl_pipeline.validation.task import task_of

DOMAINS = domain_names()


def test_every_domain_has_a_strategy() -> None:
    assert set(STRATEGIES) == set(DOMAINS), "tests/record_strategies.py lacks a domain"


def task_fields(record: dict[str, Any]) -> Any:
    task = from_record(record).record
    # A budget is not part of the PDDL.
    return replace(task, budget=None) if hasattr(task, "budget") else task


@pytest.mark.parametrize("domain", DOMAINS)
@given(data=st.data())
def test_problem_gives_the_record_back(domain: str, data: st.DataObject) -> None:
    record = data.draw(records(domain))
    instance = from_record(record)
    texts = translate(instance)
    recovered = translator(domain).recover(task_of(texts), texts.problem_pddl)
    assert recovered == task_fields(record)


@pytest.mark.parametrize("domain", DOMAINS)
@given(data=st.data())
def test_instance_gives_the_record_back(domain: str, data: st.DataObject) -> None:
    extras = {"source": "test", "seed": 7, "split": "dev", "witness": ["(a b)"], "size": 3}
    record = data.draw(records(domain)) | extras
    again = to_record(from_record(record))
    assert from_record(again) == from_record(record)
    assert set(again) == set(record)


PRINT_ALL = """
import sys
from pddl_pipeline import load_records, translate
for file in sys.argv[1:]:
    for instance in load_records(file):
        print(translate(instance).problem_pddl)
"""


def test_text_does_not_depend_on_the_hash_seed() -> None:
    files = [str(domain_folder(name) / "examples.jsonl") for name in DOMAINS]
    texts = {
        subprocess.run(
            [sys.executable, "-c", PRINT_ALL, *files],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(texts) == 1
    assert texts != {b""}


@pytest.mark.parametrize("domain", DOMAINS)
def test_sample_is_the_first_example(domain: str) -> None:
    folder = domain_folder(domain)
    first = next(load_records(folder / "examples.jsonl"))
    assert translate(first).problem_pddl == (folder / "p01.pddl").read_text(encoding="utf-8")
