"""Rewards: their parts, their order, and that no text raises."""

from __future__ import annotations

import pickle
import re
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

from pddl_pipeline import reward, rewards
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.scoring.reward import WEIGHTS, RewardWeights
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.records import from_record

DOMAIN = """(define (domain lamps) (:requirements :strips) (:predicates (on ?l) (off ?l))
 (:action light :parameters (?l) :precondition (off ?l) :effect (and (on ?l) (not (off ?l))))
 (:action quench :parameters (?l) :precondition (on ?l) :effect (and (off ?l) (not (on ?l)))))"""
PROBLEM = """(define (problem p) (:domain lamps) (:objects a b c d)
 (:init (off a) (off b) (off c) (on d)) (:goal (and (on a) (on b) (on c) (on d))))"""
LAMPS = given_instance("lamps", DOMAIN, PROBLEM, {})
COUNTDOWN = from_record({"id": "c", "domain": "countdown", "numbers": [3, 4, 5, 6], "target": 24})
PLANS = {name: domain_folder(name) / "p01.plan" for name in domain_names()}


def example(domain: str) -> Instance[Any]:
    folder = domain_folder(domain)
    texts = [(folder / file).read_text() for file in ("domain.pddl", "p01.pddl")]
    return given_instance(domain, *texts, {})


EXAMPLES = {name: example(name) for name in PLANS if PLANS[name].exists()}


@pytest.mark.parametrize("domain", EXAMPLES)
def test_valid_plans_of_every_domain(domain: str) -> None:
    found = reward(EXAMPLES[domain], PLANS[domain].read_text())
    assert (found.executes, found.goals, found.solves) == (1, 1, True)
    assert found.verdict.status == "valid"
    assert found.value == 1


def unknown(step: str) -> str:
    """Return a step with the same objects whose action does not exist."""
    return f"(no-such-action {' '.join(step.strip('()').split()[1:])})"


@pytest.mark.parametrize("domain", EXAMPLES)
def test_a_longer_executing_prefix_is_never_worse(domain: str) -> None:
    steps = [line for line in PLANS[domain].read_text().splitlines() if line.startswith("(")]
    cut = [reward(EXAMPLES[domain], "\n".join(steps[:end])) for end in range(1, len(steps) + 1)]
    assert [each.value for each in cut] == sorted(each.value for each in cut)
    bad = [
        reward(EXAMPLES[domain], "\n".join([*steps[:at], unknown(steps[at]), *steps[at + 1 :]]))
        for at in range(len(steps))
    ]
    assert [each.executes for each in bad] == [at / len(steps) for at in range(len(steps))]
    assert [each.value for each in bad] == sorted(each.value for each in bad)
    assert all(each.value <= 0.6 for each in bad)


@pytest.mark.parametrize(
    ("instance", "text", "value", "executes", "goals"),
    [
        (LAMPS, "(light a)(light b)(light c)", 1, 1, 1),
        (LAMPS, "(light a)(light b)", 0.5, 1, 2 / 3),
        (LAMPS, "(light a)(light a)", 0.1 + 0.1 + 0.1, 0.5, 1 / 3),
        (LAMPS, "(light a)(quench a)", 0.1 + 0.2 + 0.1, 1, 1 / 3),
        (LAMPS, "(light a)(light b)(light c)(quench c)", 0.6, 1, 1),
        (LAMPS, "(quench d)(light a)", 0.3, 1, 0),
        (LAMPS, "(lamp a)", 0.1, 0, 0),
        (LAMPS, "Let me think about it.", 0, 0, 0),
        (LAMPS, "", 0, 0, 0),
        (LAMPS, "<think>(light a)(light b)(light c)", 0, 0, 0),
        (COUNTDOWN, "(3+5-4)*6", 1, 1, 1),
        (COUNTDOWN, "Answer: (3+5-4)*6 = 24", 1, 1, 1),
        (COUNTDOWN, "(3+5-4)*6 = 25", 0.1 + 0.2 * 3 / 4, 3 / 4, 0),
        (COUNTDOWN, "3*4+5+6", 0.1 + 0.2 * 3 / 4, 3 / 4, 0),
        (COUNTDOWN, "3-4+5*6", 0.1, 0, 0),
        (COUNTDOWN, "3+5 = 8", 0.1 + 0.2 / 2, 1 / 2, 0),
        (COUNTDOWN, "7*8", 0.1, 0, 0),
        (COUNTDOWN, "None", 0, 0, 0),
        (COUNTDOWN, "__import__('os').abort()", 0, 0, 0),
    ],
)
def test_values_by_hand(
    instance: Instance[Any], text: str, value: float, executes: float, goals: float
) -> None:
    found = reward(instance, text)
    assert (found.value, found.executes, found.goals) == pytest.approx((value, executes, goals))
    assert (found.readable, found.solves) == (value > 0, value == 1)


@given(
    st.permutations(["3", "4", "5", "6"]),
    st.lists(st.sampled_from("+-*/"), min_size=3, max_size=3),
    st.sampled_from(
        ["{}{}{}{}{}{}{}", "({}{}{}){}{}{}{}", "({}{}{}){}({}{}{})", "{}{}({}{}({}{}{}))"]
    ),
    st.sampled_from(["", " = 24", " = 5"]),
    st.sampled_from([None, {"negatives": True, "division": "nonzero", "tolerance": "0.01"}]),
)
def test_a_bare_expression_and_a_marked_one_are_the_same(
    numbers: list[str], signs: list[str], form: str, claim: str, rules: object
) -> None:
    signs = [*signs, ""]
    parts = [part for pair in zip(numbers, signs, strict=True) for part in pair][:7]
    fields = {"numbers": [3, 4, 5, 6], "target": 24} | ({"rules": rules} if rules else {})
    instance = from_record({"id": "c", "domain": "countdown", **fields})
    text = form.format(*parts) + claim
    bare, marked = reward(instance, text), reward(instance, f"I tried it.\nAnswer: {text}")
    for name in ("value", "executes", "solves"):
        assert getattr(bare, name) == getattr(marked, name)
    assert bare.solves == (bare.verdict.status == "valid")


def test_a_plan_that_costs_more_than_the_optimum_is_worth_less() -> None:
    known = given_instance("lamps", DOMAIN, PROBLEM, {"optimal_cost": 3})
    plans = ["(light a)(light b)(light c)" + "(quench d)(light d)" * extra for extra in range(4)]
    found = [reward(known, plan) for plan in plans]
    ratios = [1 + 2 * extra / 3 for extra in range(4)]
    assert [each.cost_ratio for each in found] == pytest.approx(ratios)
    values = [each.value for each in found]
    assert values == sorted(values, reverse=True)
    assert values[0] == 1
    assert min(values) > 0.8
    assert reward(LAMPS, "(light a)(light b)(light c)").cost_ratio is None


def test_over_the_budget_is_not_solved() -> None:
    record = {
        "id": "b", "domain": "budget-blocksworld", "init": [["a"], ["b"]], "holding": None,
        "goal": [["on", "a", "b"]],
        "costs": {"pick-up": 1, "unstack": 1, "put-down": 20, "stack": 1},
    }  # fmt: skip
    plan = "(pick-up a)(put-down a)(pick-up a)(stack a b)"
    high, low = (reward(from_record({**record, "budget": b}), plan) for b in (30, 5))
    assert (high.value, high.solves) == (1, True)
    assert (low.value, low.solves, low.verdict.within_budget) == (pytest.approx(0.6), False, False)


@pytest.mark.parametrize("domain", [*EXAMPLES, "lamps", "numbers"])
def test_no_text_raises(domain: str) -> None:
    instance = {**EXAMPLES, "lamps": LAMPS, "numbers": COUNTDOWN}[domain]
    pieces = st.sampled_from(
        ["(", ")", "a", "b", "light", " ", "\n", "3", "+", "/", "=", "```", "Answer:", "pick up",
         "[PLAN]", "<think>", "</think>", "\\boxed{", "\x00", "\ud800", ";", "0:", "{", "|"]
    )  # fmt: skip

    @given(st.text() | st.lists(pieces, max_size=40).map("".join))
    def check(text: str) -> None:
        found = reward(instance, text)
        assert 0 <= found.value <= 1
        assert (found.value > 0.8) == found.solves
        assert found.solves == (found.verdict.status == "valid")

    check()


@pytest.mark.parametrize(
    "text", ["(" * 1_500_000, "(light a)" * 200_000, "3+" * 90_000, "x" * 3_000_000, "[" * 150_000]
)
def test_huge_texts(text: str) -> None:
    for instance in (LAMPS, COUNTDOWN):
        assert 0 <= reward(instance, text).value <= 0.6


def test_a_task_that_is_not_judged_raises() -> None:
    timed = DOMAIN.replace("(:action light", "(:durative-action light").replace(
        ":precondition (off ?l) :effect (and (on ?l) (not (off ?l)))",
        ":duration (= ?duration 1) :condition (at start (off ?l)) :effect (at end (on ?l))",
    )
    with pytest.raises(InputError, match="durative"):
        reward(given_instance("timed", timed, PROBLEM, {}), "(light a)")


def test_weights() -> None:
    assert reward(LAMPS, "(light a)", RewardWeights(0, 0, 1, 0, 0)).value == pytest.approx(1 / 3)
    for bad in (RewardWeights(1, 1, 0, 0, 0), RewardWeights(-0.5, 0.5, 0.5, 0.5, 0)):
        with pytest.raises(ValueError, match="sum of 1"):
            reward(LAMPS, "", bad)
    text = (ROOT / "docs" / "train-with-rewards.md").read_text()
    _, rows = text.split("| part | weight | value |", 1)
    found = re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", rows, re.MULTILINE)
    assert [(name, float(weight)) for name, weight in found] == [*WEIGHTS._asdict().items()]


def test_batches_and_the_type() -> None:
    texts = ["(light a)(light b)(light c)", None, "(light a)"]
    found = rewards([LAMPS] * 3, texts)
    assert found == [reward(LAMPS, text) for text in texts]
    assert [each.value for each in found] == pytest.approx([1, 0, 0.4])
    with pytest.raises(ValueError, match="found 3, expected 1 answer"):
        rewards([LAMPS], texts)
    with pytest.raises(FrozenInstanceError):
        found[0].value = 0.0  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 -- our own bytes
    assert repr(found[2]) == "<Reward 0.400: 100% executed, 33% of the goal>"


def test_processes_give_the_same_rewards() -> None:
    texts = ["(3 + 5 - 4) * 6", "3 + 4 + 5 + 6", "no", "(3 + 5) * 6 - 4"] * 60
    rows = [{"numbers": [3, 4, 5, 6], "target": 24, "answer": text} for text in texts]
    for arguments in ((rows,), ([COUNTDOWN] * len(texts), texts)):
        one, two = (rewards(*arguments, processes=count) for count in (1, 2))
        assert [vars(a) | {"_source": None} for a in one] == [
            vars(b) | {"_source": None} for b in two
        ]
        assert [a.verdict for a in one[-4:]] == [b.verdict for b in two[-4:]]
    with pytest.raises(InputError, match="field 'numbers' is missing"):
        rewards([{"id": "x", "answer": "3"}] * 500, processes=2)
