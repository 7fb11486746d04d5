"""Prompts: what they tell of a task, which examples they show, and for whom they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from places import TESTS

from pddl_pipeline import load_records
from pddl_pipeline.answers.readers import parse_answer
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.prompts.prompting import prompt_for, prompts
from pddl_pipeline.prompts.statements.choice import statements_of
from pddl_pipeline.prompts.statements.solved import own_examples
from pddl_pipeline.scoring.score import score
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.translators.records import from_record

COSTS = {"pick-up": 2, "unstack": 3, "put-down": 7, "stack": 5}
CHOICES = [
    pytest.param(domain, name, style, id=f"{domain}-{name}-{style}")
    for domain in domain_names()
    for example in own_examples(domain)[:1]
    for name, statement in statements_of(example.instance, example.task).items()
    for style in statement.styles
]
SHOWN = [each for each in CHOICES if each.id and each.id.endswith(("-io", "countdown-cot"))]


def first(domain: str) -> Instance[Any]:
    return next(load_records(domain_folder(domain) / "examples.jsonl"))


def budget_instance(budget: int | None, **fields: Any) -> Instance[Any]:
    record = {
        "id": "t", "domain": "budget-blocksworld", "init": [["b1", "b2", "b3"]], "holding": None,
        "goal": [["on", "b1", "b3"]], "costs": COSTS, "budget": budget,
    }  # fmt: skip
    return from_record(record | fields)


@pytest.mark.parametrize(("domain", "name", "style"), CHOICES)
def test_everything_is_told(domain: str, name: str, style: str) -> None:
    instance = first(domain)
    task = read_instance(instance)
    statement = statements_of(instance, task)[name]
    prompt = prompt_for(instance, statement=name, style=style)
    asked = prompt[prompt.rindex(statement.task(instance, task)) :]
    words = [*task.vocabulary.objects]
    if name == "countdown":
        words = [*map(str, instance.record.numbers), "24"]
    elif "blocks" in domain and name in ("planbench", "cats"):
        words = ["red ", "blue ", "orange "]
    missing = [word for word in (*words, str(instance.budget or "")) if word not in asked]
    assert missing == []
    assert prompt.endswith(statement.styles[style].opening)
    assert statement.styles[style].ask in prompt


@pytest.mark.parametrize(("domain", "name", "style"), SHOWN)
def test_an_example_that_is_cut_out_is_a_valid_plan(domain: str, name: str, style: str) -> None:
    *known, last = own_examples(domain)[:4]
    instance = last.instance
    statement = statements_of(instance, last.task)[name]
    prompt = prompt_for(instance, statement=name, style=style, shots=2)
    shown = [each for each in known if statement.task(each.instance, each.task) in prompt]
    assert len(shown) == 2
    places = [prompt.index(statement.task(e.instance, e.task)) for e in shown]
    ends = [*places[1:], prompt.rindex(statement.task(instance, last.task))]
    assert places == sorted(places)
    for example, start, end in zip(shown, places, ends, strict=True):
        head = statement.task(example.instance, example.task)
        answer = prompt[start + len(head) : end]
        (result,) = score([example.instance], [{"id": example.instance.id, "answer": answer}])
        steps = len(result.plan or ())
        assert (result.verdict.status, steps) == ("valid", len(example.plan)), answer


@pytest.mark.parametrize("domain", [*domain_names(), "mystery"])
def test_an_instance_is_never_its_own_example(domain: str) -> None:
    for example in own_examples(domain):
        instance = replace(example.instance, id="under-another-name", extras={})
        prompt = prompt_for(instance, shots=2)
        statement = next(iter(statements_of(instance, example.task).values()))
        assert prompt.count(statement.task(instance, example.task)) == 1


def test_another_budget_makes_no_other_task() -> None:
    solved = own_examples("budget-blocksworld")[0]
    form = replace(solved.instance.record, costs=COSTS, budget=99)
    prompt = prompt_for(replace(solved.instance, id="t", record=form, budget=99), shots=2)
    goal = "My goal is to have that the blue block is on top of the orange block.\n"
    assert prompt.count(goal) == 1


def test_examples_have_the_costs_of_the_task() -> None:
    """CATS's examples cost 2 and 25 with 20 minutes to spare; now 2 + 5 and 3 + 7 + 3 * 7 ..."""
    told = prompt_for(budget_instance(60))
    assert "Put down a block, 7 min\n" in told
    limits = [line for line in told.splitlines() if line.startswith("The time limit is ")]
    assert limits == [f"The time limit is {n} min" for n in (7 + 20, 24 + 20, 60)]


def test_without_a_budget_there_is_no_limit() -> None:
    for name in ("cats", "planbench"):
        assert "time limit" not in prompt_for(budget_instance(None), statement=name)
        assert "The time limit is 0 min" in prompt_for(budget_instance(0), statement=name)


def test_minutes_are_told_as_planbench_does() -> None:
    told = prompt_for(budget_instance(9, costs=COSTS | {"stack": 1}), statement="planbench")
    for words in ("Put down a block. It takes 7 minutes to put down a block.\n",
                  "another block. It takes 1 minute to stack a block on top of"):  # fmt: skip
        assert words in told


def test_actions_are_called_as_the_instance_calls_them() -> None:
    folder = domain_folder("blocksworld")
    problem = (
        "(define (problem p) (:domain blocksworld-4ops) (:objects x y) (:init (arm-empty)"
        " (on-table x) (on-table y) (clear x) (clear y)) (:goal (on x y)))"
    )
    variant = (folder / "variants" / "pickup.pddl").read_text()
    instance = given_instance("t", variant, problem, {})
    with pytest.raises(InputError, match="found 0 solved examples for 't', expected 1"):
        prompt_for(instance, statement="simplan", shots=1)
    told = prompt_for(instance, statement="simplan")
    assert "1. pickup - (?ob - object)" in told
    assert "pick-up" not in told
    assert "x is on-table and is clear" in told


def test_pddl_of_another_domain_is_told_as_pddl() -> None:
    domain = "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x) :effect (p ?x)))"
    problem = "(define (problem q) (:domain d) (:objects o) (:init) (:goal (p o)))"
    instance = given_instance("t", domain, problem, {})
    told = prompt_for(instance)
    assert (domain in told, problem in told) == (True, True)
    assert parse_answer("(a o)", instance, read_instance(instance)).plan
    with pytest.raises(InputError, match="no statement 'simplan' for 't' of d, known: pddl"):
        prompt_for(instance, statement="simplan")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(at ?car ?loc) (at-ferry ?loc) (empty-ferry)", "(at ?car ?loc) (at-ferry ?loc)"),
        ("(:goal (and ", "(:goal (and (not (empty-ferry)) "),
        ("(:init (at c0 l1) (at c1 l2) (at-ferry l1) (empty-ferry))", "(:init)"),
    ],
)
def test_what_the_words_do_not_fit_is_told_as_pddl(old: str, new: str) -> None:
    folder = domain_folder("ferry")
    domain, problem = ((folder / name).read_text() for name in ("domain.pddl", "p01.pddl"))
    instance = given_instance("t", domain.replace(old, new, 1), problem.replace(old, new, 1), {})
    assert next(iter(statements_of(instance, read_instance(instance)))) == "pddl"
    assert instance.record.problem in prompt_for(instance)


def test_given_examples_are_used_in_their_order_and_once_at_least() -> None:
    given = [each.instance for each in own_examples("ferry")[2:]]
    told = prompt_for(first("ferry"), examples=given)
    assert told.count("Answer:\n(") == 1
    assert "c0 is on the ferry" in told
    assert prompt_for(first("ferry"), examples=given, shots=0) == prompt_for(first("ferry"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"style": "tot"}, "unknown style 'tot'; did you mean 'cot'"),
        ({"statement": "simplam"}, "did you mean 'simplan'"),
        ({"style": "cot", "shots": 1}, "the style 'cot' has no examples here; use --shots 0"),
        ({"style": "pddl", "statement": "pddl"}, "the style 'pddl' needs a statement in words"),
        ({"shots": 99}, "found 4 solved examples for 'ferry-2-0', expected 99"),
    ],
)
def test_what_cannot_be_made_is_said(options: dict[str, Any], message: str) -> None:
    instance = replace(first("ferry"), record=replace(first("ferry").record, ferry="l0"))
    with pytest.raises(InputError, match=message):
        prompt_for(instance, **options)


def test_a_witness_that_is_no_plan_is_no_example() -> None:
    wrong = replace(first("ferry"), extras={"witness": ["(sail l0 l1)"]})
    with pytest.raises(InputError, match="example 'ferry-2-0': its witness is not a valid plan: "):
        prompt_for(first("ferry"), examples=[wrong])


def test_prompts_are_made_one_by_one() -> None:
    def instances() -> Iterator[Instance[Any]]:
        yield first("ferry")
        raise AssertionError("read before it was needed")

    assert next(prompts(instances(), style="cot")) == {
        "id": "ferry-2-0", "domain": "ferry", "style": "cot", "statement": "simplan",
        "prompt": prompt_for(first("ferry"), style="cot"),
    }  # fmt: skip


def test_ferry_as_printed_has_no_kinds_of_objects() -> None:
    domain = domain_folder("ferry") / "variants" / "printed.pddl"
    problem = TESTS / "pddl_domains" / "public" / "ferry--printed" / "problem.pddl"
    printed = given_instance("t", domain.read_text(), problem.read_text(), {})
    assert "\nand these objects: c0, c1, l0, l1, l2\n" in prompt_for(printed)


def test_only_the_variant_of_ferry_forbids_to_sail_to_the_same_location() -> None:
    domain = domain_folder("ferry") / "variants" / "untyped.pddl"
    problem = TESTS / "pddl_domains" / "public" / "ferry--untyped" / "problem.pddl"
    variant = given_instance("t", domain.read_text(), problem.read_text(), {})
    forbids = "(?to) must be another location"
    assert forbids in prompt_for(variant, statement="simplan")
    assert forbids not in prompt_for(first("ferry"), statement="simplan")


BLOCKS = (domain_folder("blocksworld") / "variants" / "pickup.pddl").read_text()
FIGURE_15 = """\
Q:
(:objects b1 b2 - object)
(:init (arm-empty) (on b1 b2) (on-table b2) (clear b1))
(:goal (on b2 b1))
A:
(unstack b1 b2) (putdown b1) (pickup b2) (stack b2 b1)

Q:
(:objects b1 b2 b3 b4 b5 - object)
(:init (arm-empty) (on b1 b4) (on-table b2) (on b3 b1) (on-table b4) (on b5 b3) (clear b2) (clear\
 b5))
(:goal (on b1 b2) (on b2 b3) (on b3 b5) (on b4 b1))
A:"""
FIGURE_14 = """\
<GOAL> on b2 b1
<INIT> arm-empty, clear b1, on b1 b2, on-table b2
<ACTION> pickup
  <PRE> clear x, on-table x, arm-empty
  <EFFECT> holding x, not clear x, not on-table x, not arm-empty
<ACTION> putdown
  <PRE> holding x
  <EFFECT> clear x, on-table x, arm-empty, not holding x
<ACTION> stack
"""


def figure_15() -> list[Instance[Any]]:
    """Return the first two tasks of the figure, the solved one first."""
    found = []
    for part in FIGURE_15.split("\n\n"):
        _, objects, init, goal, _, *plan = part.splitlines()
        problem = (
            f"(define (problem p) (:domain blocksworld-4ops) {objects.replace(' - object', '')}"
            f" {init} {goal.replace('(:goal ', '(:goal (and ')}))"
        )
        solved = {"witness": plan[0].replace(") (", ")\n(").splitlines()} if plan else {}
        found.append(given_instance(f"t{len(found)}", BLOCKS, problem, solved))
    return found


def test_baselines_have_the_form_of_figures_14_and_15() -> None:
    solved, asked = figure_15()
    assert prompt_for(asked, statement="llm4pddl", shots=1, examples=[solved]) == FIGURE_15
    renamed = BLOCKS.replace("?underob", "?y").replace("?ob", "?x")
    record = replace(solved.record, domain=renamed)
    (line,) = prompts([replace(solved, record=record)], statement="plansformer")
    assert line["prompt"].startswith(FIGURE_14)
    assert line["completion"] == "(unstack b1 b2),(putdown b1),(pickup b2),(stack b2 b1)"
    assert "completion" not in next(prompts([asked], statement="plansformer"))
    with pytest.raises(InputError, match="found 1 solved examples for 't1', expected 2"):
        prompt_for(asked, statement="llm4pddl", examples=[solved])
