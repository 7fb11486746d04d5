"""What plans pass through, and the protocol of the study of it."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from itertools import takewhile

import pytest
from transition_cases import STUDIES, in_checkout, made, ran

from pddl_pipeline.model.number import Number
from pddl_pipeline.papers.countdown.transition_data import (
    ENHSP,
    EXACT,
    ROUNDS,
    Case,
    Solver,
    read_runs,
    round_of,
    store_file,
)
from pddl_pipeline.papers.countdown.transition_data import read_cases as read_first_cases
from pddl_pipeline.papers.countdown.zeros import (
    CARD,
    ENOUGH,
    SIZES,
    STORE,
    ended,
    exact_plans,
    false_plans,
    is_tiny,
    kind_of,
    kind_table,
    planned_runs,
    read_cases,
    report,
    steps_on_the_way,
    values_on_the_way,
)
from pddl_pipeline.papers.data import read_card
from pddl_pipeline.papers.stored_runs import StoredRun
from pddl_pipeline.translators import translate
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import task_of

ZERO = ("(subtract n1 n2)", "(multiply n1 n3)", "(add n4 n1)", "(checkgoal n4)")
TINY = ("(divide n1 n2)", "(divide n1 n3)", "(add n4 n1)", "(checkgoal n4)")
NEITHER = ("(add n1 n2)", "(add n1 n3)", "(add n1 n4)", "(checkgoal n1)")


def through(run: StoredRun, plan: tuple[str, ...], *numbers: int) -> StoredRun:
    """Return a run with another plan on other numbers."""
    return replace(run, result=replace(run.result, plan=plan), record={"numbers": numbers})


(CASE,) = made("zeros", {4: 1})
RUN = ran(CASE, ENHSP, valid=False)


@pytest.mark.parametrize(
    ("plan", "numbers", "values", "kind"),
    [
        (ZERO, (5, 5, 7, 9), [0, 0], "zero"),
        (TINY, (1, 99, 98, 97), [Fraction(1, 99), Fraction(1, 9702)], "neither"),
        (TINY, (1, 99, 102, 97), [Fraction(1, 99), Fraction(1, 10098)], "tiny"),
        (TINY, (1, 100, 100, 97), [Fraction(1, 100), Fraction(1, 10000)], "neither"),
        (NEITHER, (1, 2, 3, 4), [3, 6], "neither"),
        # The last operation is not on the way.
        (("(subtract n1 n2)", "(checkgoal n1)"), (5, 5), [], "neither"),
        # An inapplicable step, and the end at a division by 0.
        (("(subtract n1 n2)", "(add n1 n3)", "(add n1 n4)"), (1, 5, 7, 9), [-4, 3], "neither"),
        (("(subtract n1 n2)", "(divide n3 n1)", "(add n3 n4)"), (5, 5, 7, 9), [0], "zero"),
        (("0.0: (subtract n1 n2)", "1.0: (add n1 n3)"), (5, 5, 7), [0], "zero"),
    ],
)
def test_values_on_the_way(
    plan: tuple[str, ...], numbers: tuple[int, ...], values: list[Number], kind: str
) -> None:
    run = through(RUN, plan, *numbers)
    assert (values_on_the_way(run), kind_of(run)) == (values, kind)


@in_checkout
def test_the_validator_has_the_values_of_stored_plans() -> None:
    runs = read_runs(read_first_cases(), store_file(), 354)
    for run in (each for each in runs if each.result.claimed):
        record = {**run.record, "id": run.result.id, "domain": "countdown"}
        plan = "\n".join((run.result.plan or ())[:-1])
        states = list(task_of(translate(from_record(record))).trace(plan))
        boards = [
            {state.values["value", fact[1]] for fact in state.facts if fact[0] == "active"}
            for state in states[1:-1]
        ]
        values = values_on_the_way(run)
        assert all(value in board for value, board in zip(values, boards, strict=True))
        assert (0 in values) == any(0 in board for board in boards)


@in_checkout
def test_the_first_study_by_what_plans_pass_through() -> None:
    table = kind_table(read_runs(read_first_cases(), store_file(), 354))
    rows = {row[:2]: row[2:] for row in table.rows}
    assert rows["ENHSP", "valid"] == ("1 zero, 15 neither", "-")
    assert rows["ENHSP", "false"] == ("7 tiny", "15 tiny")
    assert rows["DFS, exact", "valid"] == ("29 neither", "21 neither")
    assert rows["ENHSP, checked", "valid"] == ("2 zero, 15 neither", "3 zero")


@in_checkout
def test_the_last_steps_of_false_plans_and_the_first_ones_of_exact_search() -> None:
    """False plans add an approximate zero at the end; depth-first search tries sums first."""
    runs = read_runs(read_first_cases(), store_file(), 354)
    false = false_plans(runs)
    assert all(run.result.plan[-2].startswith("(add ") for run in false if run.result.plan)
    missed_by = [
        Fraction(run.measures["miss"]) in map(abs, filter(is_tiny, values_on_the_way(run)))
        for run in false
    ]
    assert (len(false), sum(missed_by)) == (22, 18)
    late = [run for run in exact_plans(runs) if run.result.size >= 16]
    plans = [[step[0] for step in steps_on_the_way(run)] for run in late]
    sums = [len(list(takewhile(lambda name: name == "add", plan))) for plan in plans]
    rest = [run.result.size - 1 - number for run, number in zip(late, sums, strict=True)]
    assert (len(late), min(sums), max(sums), min(rest), max(rest)) == (28, 10, 24, 3, 6)


@in_checkout
def test_the_protocol_in_words_is_that_of_the_code() -> None:
    text = (STUDIES / "countdown" / "protocol-zeros.md").read_text()
    found = re.findall(
        r"^\| (\d+) \| (\d+) \| (\d+) s \| (yes|no) \| (yes|no) \|", text, re.MULTILINE
    )
    card = read_card(STUDIES / "countdown" / CARD)
    assert {int(size): int(number) for size, number, *_ in found} == card.sizes
    assert str(card.seed) in text
    cases = read_cases()
    planned = planned_runs(cases)
    assert f"{len(planned)} planned runs" in text
    for size, number, limit_s, *solvers in found:
        own = [run for run in planned if run.instance.size == int(size)]
        assert {run.limits.cpu_s for run in own} == {float(limit_s)}
        assert len(own) == int(number) * solvers.count("yes")
        assert [int(size) in sizes for sizes in SIZES.values()] == [s == "yes" for s in solvers]
    rounds = [planned_runs(round_of(cases, number)) for number in range(ROUNDS)]
    assert sum(map(len, rounds)) == len(planned)
    assert max(sum(run.limits.cpu_s or 0 for run in each) for each in rounds) == 32 * 60


@in_checkout
def test_the_page_has_the_result_of_the_stored_runs() -> None:
    cases = read_cases()
    runs = read_runs(cases, store_file(STORE))
    assert ended(cases, runs) == "both numbers reached 72 in round 14"
    page = STUDIES.parent / "docs" / "reproduction" / "countdown-transition.md"
    text = " ".join(page.read_text().split())
    (false,), (exact,) = (each.ours for each in report(cases, runs).comparisons)
    assert f"{false.value:g} of {false.of} false plans of ENHSP pass through" in text
    assert f"{exact.value:g} of {exact.of} valid plans of exact DFS" in text
    assert f"{len(runs)} runs" in text


def tried(case: Case, solver: Solver, *, valid: bool | None, cpu_s: float = 1) -> StoredRun:
    run = ran(case, solver, valid=valid)
    return replace(run, result=replace(run.result, cpu_s=cpu_s))


def test_the_study_ends_by_its_rule_after_a_complete_round() -> None:
    cases = made("cd-to-999", {18: 100})
    last = [max(case.round for case in cases[:number]) for number in (71, 72)]
    assert last == [14, 14]  # five instances of a round

    def runs(*, enhsp: bool | None, exact: bool | None, cpu_s: float = 1) -> list[StoredRun]:
        return [
            tried(case, solver, valid=valid, cpu_s=cpu_s)
            for case in sorted(cases, key=lambda each: each.round)
            for solver, valid in ((ENHSP, enhsp), (EXACT, exact))
        ]

    enough = runs(enhsp=False, exact=True)
    ends = [ended(cases, enough[: 10 * number]) for number in (14, 15, 20)]
    assert ends == ["", *["both numbers reached 72 in round 15"] * 2]
    assert not ended(cases, enough[:149])  # the round is not complete
    for few in (
        runs(enhsp=True, exact=True),
        runs(enhsp=None, exact=True),
        runs(enhsp=False, exact=None),
    ):
        assert ended(cases, few) == "all instances were run"
    assert ended(cases, runs(enhsp=True, exact=True, cpu_s=136)).startswith(
        "the CPU time reached 3.4"
    )
    assert ended(cases, runs(enhsp=True, exact=True, cpu_s=61.1)) == "all instances were run"


@pytest.mark.parametrize(
    ("tiny", "other", "verdict", "share"),
    [
        (ENOUGH, 0, "agrees", "72 of 72 (95.0 to 100.0 %)"),
        (ENOUGH - 1, 0, "undecided", "71 of 71 (94.9 to 100.0 %)"),
        (ENOUGH, 1, "differs", "72 of 73 (92.6 to 100.0 %)"),
        (0, 0, "not compared", "0 of 0"),
    ],
)
def test_a_hypothesis_takes_72_plans_and_no_exception(
    tiny: int, other: int, verdict: str, share: str
) -> None:
    cases = made("cd-to-999", {18: 80})
    plans = [(TINY, (1, 99, 102, 97))] * tiny + [(ZERO, (5, 5, 7, 9))] * other
    for at, (solver, valid) in enumerate(((ENHSP, False), (EXACT, True))):
        runs = [
            through(ran(case, solver, valid=valid), plan, *numbers)
            for case, (plan, numbers) in zip(cases, plans, strict=False)
        ]
        found = report(cases, runs).comparisons[at]
        assert (found.verdict, found.our_text) == (verdict, share)
        assert found.remark.startswith(("", "dfs tries sums first")[at])


@in_checkout
def test_the_runs_are_those_that_the_protocol_plans() -> None:
    planned = {run.key for run in planned_runs(read_cases())}
    runs = read_runs(read_cases(), store_file(STORE))
    assert all(run.identity in planned for run in runs)
    assert all(run.result.started >= "2026-11-26T20:40" for run in runs)
