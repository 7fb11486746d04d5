"""The protocol of the study of the second phase transition: its rounds and its end."""

from __future__ import annotations

import re
from collections import Counter
from itertools import accumulate

from transition_cases import STUDIES, in_checkout, made, ran

from pddl_pipeline.papers.countdown.transition_data import (
    ARMS,
    ENHSP,
    EXACT,
    PHASES,
    PRIMARY,
    ROUNDS,
    SECONDARY,
    has_enough,
    is_complete,
    limits_of,
    primary_runs,
    read_cases,
    round_of,
    secondary_runs,
)
from pddl_pipeline.papers.data import read_card


@in_checkout
def test_the_protocol_in_words_is_that_of_the_code() -> None:
    text = (STUDIES / "countdown" / "protocol.md").read_text()
    sizes = {
        int(s): (int(n), int(t)) for s, n, t in re.findall(r"\| (\d+) \| (\d+) \| (\d+) s", text)
    }
    for arm in ARMS:
        card = read_card(STUDIES / "countdown" / "data" / f"{arm}.toml")
        assert card.sizes == {size: number for size, (number, _) in sizes.items()}
        assert f"`{arm}`" in text
        assert str(card.seed) in text
    for size, (_, seconds) in sizes.items():
        limits = limits_of(size)
        assert (limits.cpu_s, limits.memory_bytes) == (seconds, 3.5 * 2**30)
        assert limits.time_s >= 10 * seconds
    phases = re.findall(
        r"^\| (?:easy|hard|easy again) \| [^|]+ \| ([\d, ]+) \|$", text, re.MULTILINE
    )
    for phase, listed in zip(PHASES, phases, strict=True):
        assert [size for size in sizes if size in phase.sizes] == list(map(int, listed.split(",")))
    table = text.split("## Solvers")[1].split("## Measures")[0]
    listed = re.findall(r"^\| `([^`]+)`", table, re.MULTILINE)
    assert Counter(listed) == Counter(solver.planner for solver in (*PRIMARY, *SECONDARY))


@in_checkout
def test_every_instance_is_run_in_one_round_and_all_have_a_solution() -> None:
    cases = read_cases()
    planned = [run.key for number in range(ROUNDS) for run in primary_runs(round_of(cases, number))]
    assert len(planned) == len(set(planned)) == 2 * 232 + 2 * 24
    assert len({case.instance.id for case in cases}) == 232
    assert all(case.instance.extras["witness"] for case in cases)


def test_each_stop_leaves_nearly_the_same_share_of_every_size_and_arm() -> None:
    sizes = {6: 8, 16: 20, 24: 10, 30: 6}
    cases = [case for arm in ARMS for case in made(arm, sizes)]
    rounds = [Counter((c.arm, c.size) for c in round_of(cases, n)) for n in range(ROUNDS)]
    for number, done in enumerate(accumulate(rounds), start=1):
        for arm in ARMS:
            for size, of in sizes.items():
                assert abs(done[arm, size] - of * number / ROUNDS) <= 0.5
    arms = [case.arm for case in round_of(cases, 1)]
    assert arms == list(ARMS) * (len(arms) // 2)


def test_secondary_runs_are_made_where_enhsp_claims_a_plan() -> None:
    cases = made("cd", {18: 3})
    runs = [
        ran(case, ENHSP, valid=valid)
        for case, valid in zip(cases, (True, False, None), strict=True)
    ]
    planned = secondary_runs(cases, runs)
    assert Counter(run.instance.id for run in planned) == {"cd-18-0": 5, "cd-18-1": 5}
    assert {run.planner for run in planned} == {each.planner for each in SECONDARY}


def test_the_study_ends_by_the_number_of_claims_in_both_arms_only() -> None:
    cases = [case for arm in ARMS for case in made(arm, {14: 40, 18: 30})]
    large = [case for case in cases if case.size == 18]
    for valid in (True, False):
        runs = [ran(case, ENHSP, valid=valid) for case in cases]
        large_ones, small_ones = (
            [run for run in runs if run.result.size == size] for size in (18, 14)
        )
        subsets = (runs, large_ones, small_ones, runs[:-1])
        assert [has_enough(cases, each, ROUNDS) for each in subsets] == [True, True, False, False]
    assert not has_enough(cases, [ran(case, EXACT, valid=True) for case in large], ROUNDS)


def test_the_study_ends_after_a_complete_round_with_enough_claims() -> None:
    cases = [case for arm in ARMS for case in made(arm, {18: 40})]
    solvers = (ENHSP, EXACT, *SECONDARY)
    runs = [ran(case, solver, valid=False) for case in cases for solver in solvers]
    ends = {case.instance.id: case.round for case in cases}
    # Two instances of each arm in each round: the 30th claim is made in the round with number 14.
    assert [has_enough(cases, runs, number) for number in (13, 14)] == [False, True]
    few, enough = ([run for run in runs if ends[run.result.id] <= number] for number in (13, 14))
    subsets = (few, enough, enough[1:], runs)
    assert [is_complete(cases, each) for each in subsets] == [False, True, False, True]
