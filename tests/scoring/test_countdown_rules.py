"""Which rules accept a countdown answer, and the verdict if the rules differ."""

from __future__ import annotations

from typing import Any

import pytest

from pddl_pipeline import score
from pddl_pipeline.model.answer import ReadAnswer, Ruling
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.scoring.judging import Score, by_the_rules
from pddl_pipeline.translators.records import from_record

THREE = {"numbers": [5, 8, 10], "target": 7}
EIGHTS = {"numbers": [3, 3, 8, 8], "target": 24}
SEARCH = {"fractions": False, "division": "exact"}


def scored(fields: dict[str, Any], answer: str) -> Score:
    instance = from_record({"id": "a", "domain": "countdown", **fields})
    (found,) = score([instance], [{"id": "a", "answer": answer}])
    return found


def test_negative_numbers_break_the_papers_rules_only() -> None:
    found = scored(THREE, "5 - 8 + 10")
    assert (found.rules, found.verdict.status) == ("paper", "invalid")
    assert (found.errors, found.verdict.failed_step) == (("precondition",), 1)
    assert {name: ruling.right for name, ruling in found.rulings.items()} == {
        "paper": False,
        "negatives": True,
    }
    assert found.verdict.reason == (
        "5 - 8 is negative, which the paper's rules do not allow; "
        "right under rules with negative numbers"
    )


def test_the_sources_rules_count_where_the_record_has_them() -> None:
    found = scored({**THREE, "rules": {"negatives": True}}, "5 - 8 + 10")
    assert (found.rules, found.verdict.status, found.errors) == ("source", "valid", ())
    assert (found.verdict.steps, found.verdict.cost, found.verdict.failed_step) == (3, 3, None)
    assert not found.rulings["paper"].right
    assert "right under the source's rules" in (found.verdict.reason or "")


@pytest.mark.parametrize(
    ("fields", "rules", "answer", "right"),
    [
        (EIGHTS, SEARCH, "8 / (3 - 8 / 3)", False),
        (EIGHTS, {"division": "exact"}, "8 / (3 - 8 / 3)", False),
        (EIGHTS, {"fractions": False}, "8 / (3 - 8 / 3)", False),
        (EIGHTS, {"division": "nonzero"}, "8 / (3 - 8 / 3)", True),
        ({"numbers": [5, 8, 10], "target": 4}, SEARCH, "10 / 5 + 8", False),
        ({"numbers": [5, 8, 10], "target": 10}, SEARCH, "10 / 5 + 8", True),
        ({"numbers": [3, 5, 4], "target": 2}, {"negatives": True}, "4 / (3 - 5)", False),
        ({"numbers": [4, 8, 2], "target": 2}, {"negatives": True}, "8 / (2 - 4) / -2", False),
        ({"numbers": [6, 5, 8], "target": 2}, {"negatives": True, "division": "nonzero"},
         "6 / (5 - 8)", False),
        ({"numbers": [6, 5, 8, 4], "target": 2}, {"negatives": True, "division": "nonzero"},
         "6 / (5 - 8) + 4", True),
        ({"numbers": [6, 5, 8, 4], "target": 2}, {"negatives": True}, "6 / (5 - 8) + 4", False),
        (THREE, {"all_used": False}, "5 + 8", False),
        ({"numbers": [5, 8, 10], "target": 13}, {"all_used": False}, "5 + 8", True),
        ({"numbers": [5, 8, 10], "target": 13}, {"all_used": True}, "5 + 8", False),
        ({"numbers": [1, 9, 8], "target": 8}, {"tolerance": "0.2"}, "8 + 1 / 9", True),
        ({"numbers": [1, 9, 8], "target": 8}, {"tolerance": "0.1"}, "8 + 1 / 9", False),
    ],
)  # fmt: skip
def test_rules_of_sources(
    fields: dict[str, Any], rules: dict[str, Any], answer: str, *, right: bool
) -> None:
    found = scored({**fields, "rules": rules}, answer)
    assert (found.correct, found.rulings["source"].right) == (right, right)
    assert bool(found.errors) != right


def test_what_only_the_paper_allows_is_invalid_by_the_source() -> None:
    found = scored({**EIGHTS, "rules": SEARCH}, "8 / (3 - 8 / 3)")
    assert (found.verdict.status, found.verdict.failed_step) == ("invalid", 1)
    assert (found.verdict.cost, found.errors) == (None, ("precondition",))
    assert found.rulings["paper"].right
    assert "8 / 3 leaves a remainder, which the source's rules do not" in found.verdict.reason


@pytest.mark.parametrize("rules", ["paper", "source"])
@pytest.mark.parametrize("right", [True, False])
def test_a_reader_that_contradicts_pddl_is_disputed(rules: str, *, right: bool) -> None:
    ruling = Ruling(right=right, reason=None if right else "because")
    read = ReadAnswer(Plan(), rules=rules, rulings={"paper": ruling, rules: ruling})
    status = Status.INVALID if right else Status.VALID
    found = by_the_rules(Verdict(status, 0, reason="so"), read)
    assert found.status is Status.DISPUTED
    assert found.opinions["reader"].status is (Status.VALID if right else Status.INVALID)


def test_tolerances_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="tolerance"):
        scored({**THREE, "rules": {"tolerance": "a little"}}, "5 + 8")
