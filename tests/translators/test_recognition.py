"""PDDL that is almost one of this project's domains is not recognised."""

from __future__ import annotations

from pathlib import Path

from dataset_checks import pddl_folder

from pddl_pipeline import load_records, read_task
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.translators.judging import judge_plan


def test_another_domain_is_not_recognised(tmp_path: Path) -> None:
    """With one condition removed it is another domain, whose plans need another referee."""
    folder = pddl_folder(tmp_path / "bw")
    text = (folder / "domain.pddl").read_text()
    changed = text.replace("(and (clear ?ob) (on-table ?ob) (arm-empty))", "(on-table ?ob)")
    assert changed != text
    (folder / "domain.pddl").write_text(changed)
    for instance in load_records(folder):
        assert (instance.domain, instance.size) == ("blocksworld-4ops", 3)
        task = read_task(*(folder / name for name in ("domain.pddl", "p2.pddl")))
        verdict = judge_plan("(pickup b1)(stack b1 b2)", task, instance)
        assert (verdict.status, dict(verdict.opinions)) == (Status.VALID, {})


def test_both_names_of_one_thing_are_not_recognised(tmp_path: Path) -> None:
    """With an unused `ontable` beside `on-table`, renaming would merge the two."""
    folder = pddl_folder(tmp_path / "bw")
    text = (folder / "domain.pddl").read_text()
    (folder / "domain.pddl").write_text(text.replace("(arm-empty)", "(arm-empty) (ontable ?x)", 1))
    assert [i.domain for i in load_records(folder)] == ["blocksworld-4ops"] * 2


def test_a_cost_that_counts_twice_is_not_recognised(tmp_path: Path) -> None:
    folder = domain_folder("budget-blocksworld")
    text = (folder / "domain.pddl").read_text()
    cost = "(increase (total-cost) (pick-up-cost))"
    (tmp_path / "domain.pddl").write_text(text.replace(cost, f"{cost} {cost}"))
    (tmp_path / "p.pddl").write_text((folder / "p01.pddl").read_text())
    (instance,) = load_records(tmp_path)
    assert instance.record.known is None


def test_what_does_not_fit_is_not_recognised(tmp_path: Path) -> None:
    """A missing metric, a derived predicate or a constraint makes it another task."""
    folder = domain_folder("budget-blocksworld")
    domain, problem = ((folder / name).read_text() for name in ("domain.pddl", "p01.pddl"))
    given = {
        "same": (domain, problem),
        "metric": (domain, problem.replace("(:metric minimize (total-cost))", "")),
        "maximised": (domain, problem.replace("minimize", "maximize")),
        "derived": (
            domain.replace("(:predicates", "(:predicates (free)").rstrip()[:-1]
            + "(:derived (free) (handempty)))",
            problem,
        ),
        "constraint": (domain, problem.rstrip()[:-1] + "(:constraints (and)))"),
    }
    known = {}
    for name, (d, p) in given.items():
        place = tmp_path / name
        place.mkdir()
        (place / "domain.pddl").write_text(d)
        (place / "p.pddl").write_text(p)
        (instance,) = load_records(place)
        known[name] = instance.record.known is not None
    assert known == {name: name == "same" for name in given}
