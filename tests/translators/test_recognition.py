"""PDDL that is almost one of this project's domains is not recognised."""

from __future__ import annotations

from pathlib import Path

import pytest
from dataset_checks import pddl_folder

from pddl_pipeline import load_records, read_task
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.judging import judge_plan

COST = "(increase (total-cost) (pick-up-cost))"


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        # With one condition removed it is another domain, whose plans need another referee.
        ("(and (clear ?ob) (on-table ?ob) (arm-empty))", "(on-table ?ob)", "valid"),
        # With an unused `ontable` beside `on-table`, renaming would merge the two.
        ("(arm-empty)", "(arm-empty) (ontable ?x)", "invalid"),
    ],
)
def test_another_domain_has_no_referee(tmp_path: Path, old: str, new: str, status: str) -> None:
    folder = pddl_folder(tmp_path / "bw")
    text = (folder / "domain.pddl").read_text()
    assert old in text
    (folder / "domain.pddl").write_text(text.replace(old, new, 1))
    task = read_task(folder / "domain.pddl", folder / "p2.pddl")
    for instance in load_records(folder):
        assert (instance.domain, instance.size) == ("blocksworld-4ops", 3)
        verdict = judge_plan("(pickup b1)(stack b1 b2)", task, instance)
        assert (verdict.status, dict(verdict.opinions)) == (status, {})


@pytest.mark.parametrize(
    ("old", "new", "known"),
    [
        ("(define", "(define ", True),
        # A cost that counts twice.
        (COST, f"{COST} {COST}", False),
        # No effect corresponds to `^`, as `increase` does to `+`.
        (COST, "(assign (total-cost) (^ (total-cost) 2))", False),
        ("(:metric minimize (total-cost))", "", False),
        ("minimize", "maximize", False),
        ("(:predicates", "(:derived (free) (handempty)) (:predicates (free)", False),
        ("(:goal", "(:constraints (and)) (:goal", False),
    ],
)
def test_what_does_not_fit_is_not_recognised(old: str, new: str, known: bool) -> None:  # noqa: FBT001
    folder = domain_folder("budget-blocksworld")
    texts = [(folder / name).read_text() for name in ("domain.pddl", "p01.pddl")]
    changed = [text.replace(old, new) for text in texts]
    assert changed != texts
    assert (given_instance("t", *changed, {}).record.known is not None) is known
