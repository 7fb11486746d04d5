"""All example problems that come with Unified Planning: translated, judged, and back."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any, Final

import pytest
from places import ROOT
from up_plans import mutated, up_verdict

from pddl_pipeline.integrations.unified_planning import Translation, from_up, to_up
from pddl_pipeline.model.errors import InputError

# The feature for which each example is refused; docs/integrations.md lists them.
REFUSED: Final = {
    **dict.fromkeys(
        (
            "basic_tils", "temporal_conditional", "temporal_counter", "matchcellar", "logistic",
            "basic_numeric_with_timed_effect", "durative_continuous_example", "robot_continuous",
            "timed_connected_locations", "robot_with_static_fluents_duration",
            "robot_with_static_fluents_duration_timed_goals", "matchcellar_static_duration",
            "robot_conditional_effects", "robot_non_linear_continuous_1",
        ),
        "CONTINUOUS_TIME",
    ),
    **dict.fromkeys(("1d_movement", "boiling_water"), "PROCESSES"),
    **dict.fromkeys(("htn-go", "htn-go-temporal"), "HIERARCHICAL"),
    **dict.fromkeys(
        ("sched:basic", "sched:resource_set", "sched:symbolic", "sched:jobshop-ft06-operators"),
        "SCHEDULING",
    ),
    "basic_oversubscription": "OVERSUBSCRIPTION",
    "locations_connected_visited_oversubscription": "OVERSUBSCRIPTION",
    "basic_undef_bool": "UNDEFINED_INITIAL_SYMBOLIC",
    "basic_bool_fluent_param": "BOOL_FLUENT_PARAMETERS",
    "basic_int_fluent_param": "BOUNDED_INT_FLUENT_PARAMETERS",
    "basic_bounded_int_action_param": "BOUNDED_INT_ACTION_PARAMETERS",
    "basic_unbounded_int_action_param": "UNBOUNDED_INT_ACTION_PARAMETERS",
    "robot_fluent_of_user_type_with_int_id": "BOUNDED_INT_ACTION_PARAMETERS",
}  # fmt: skip
# Its plan counts from 1 to 2, and its goal is 1: both validators say so.
WRONGLY_SHIPPED: Final = ("basic_undef_numeric",)
# A step that leaves the bounds or an invariant fails there; here, the next step or the goal does.
GUARDS: Final = {"BOUNDED_TYPES", "STATE_INVARIANTS"}
_ASSIGNED: Final = "CONDITIONAL_EFFECTS NEGATIVE_CONDITIONS"
_PREDICATES: Final = f"{_ASSIGNED} EXISTENTIAL_CONDITIONS EQUALITIES"
# The features of the PDDL that replaces a feature.
WRITTEN: Final = {
    "FLUENTS_IN_BOOLEAN_ASSIGNMENTS": _ASSIGNED,
    "STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS": _ASSIGNED,
    "OBJECT_FLUENTS": _PREDICATES,
    "FLUENTS_IN_OBJECT_ASSIGNMENTS": _PREDICATES,
    "STATIC_FLUENTS_IN_OBJECT_ASSIGNMENTS": _PREDICATES,
    "BOUNDED_TYPES": "SIMPLE_NUMERIC_PLANNING",
    # The features of a problem do not say what its invariants contain.
    "STATE_INVARIANTS": "NEGATIVE_CONDITIONS DISJUNCTIVE_CONDITIONS EQUALITIES "
    "EXISTENTIAL_CONDITIONS UNIVERSAL_CONDITIONS",
}
# What an example loses and gains on the way to PDDL and back, besides what has other words there.
OTHER_KIND: Final = {
    # `iff` becomes two implications.
    "counter": (set(), {"DISJUNCTIVE_CONDITIONS"}),
    # Only changes of fluents whose values are objects would need more than a predicate.
    "basic_with_default_values": (
        {"CONDITIONAL_EFFECTS", "EQUALITIES", "EXISTENTIAL_CONDITIONS", "NEGATIVE_CONDITIONS"},
        set(),
    ),
    "robot_fluent_of_user_type": ({"EXISTENTIAL_CONDITIONS"}, set()),
    # Unified Planning's reader adds costs of 0.
    "locations_connected_cost_minimize": (set(), {"INT_NUMBERS_IN_ACTIONS_COST"}),
    "robot_loader_weak_bridge": (
        {"DISJUNCTIVE_CONDITIONS", "EXISTENTIAL_CONDITIONS", "UNIVERSAL_CONDITIONS"},
        set(),
    ),
}


@pytest.fixture(scope="module")
def translations(examples: dict[str, Any]) -> dict[str, Translation]:
    return {name: from_up(each.problem) for name, each in examples.items() if name not in REFUSED}


def test_what_is_refused_is_named(examples: dict[str, Any]) -> None:
    docs = (ROOT / "docs" / "integrations.md").read_text()
    for name, feature in REFUSED.items():
        with pytest.raises(InputError, match=rf"\A.*{feature}\b.* which is not supported\Z"):
            from_up(examples[name].problem)
        assert f"`{feature}`" in docs


def test_the_translation_leaves_the_problem_alone(examples: dict[str, Any]) -> None:
    for name in ("robot_fluent_of_user_type", "robot_loader_weak_bridge", "counter"):
        problem = examples[name].problem
        before = problem.clone(), dict(problem.explicit_initial_values)
        from_up(problem)
        assert (problem, dict(problem.explicit_initial_values)) == before


def plans_of(example: Any, count: int) -> list[Any]:
    shipped = [*example.valid_plans, *example.invalid_plans]
    return [*shipped, *(each for plan in shipped for each in mutated(plan, count))]


@pytest.mark.parametrize(
    ("count", "plans", "valid"),
    [(1, 78, 51), pytest.param(100, 3939, 807, marks=pytest.mark.long)],
)
def test_verdicts_are_those_of_unified_planning(
    examples: dict[str, Any], translations: dict[str, Translation],
    count: int, plans: int, valid: int,
) -> None:  # fmt: skip
    """Compare verdict, failing step and metric with Unified Planning's."""
    assert len(examples) == len(REFUSED) + len(translations) == 66
    assert len(translations) == 36
    seen = Counter[str]()
    for name, translation in translations.items():
        example = examples[name]
        for plan in plans_of(example, count):
            verdict = translation.judge(plan)
            status, step, metric = up_verdict(example.problem, plan)
            assert verdict.status == status, (name, plan, verdict)
            if not GUARDS & example.problem.kind.features:
                assert verdict.failed_step == step, (name, plan, verdict)
            assert metric in {None, verdict.cost}, (name, plan)
            seen[status] += 1
        if name not in WRONGLY_SHIPPED:
            assert all(translation.judge(plan).status == "valid" for plan in example.valid_plans)
        assert not any(translation.judge(plan).status == "valid" for plan in example.invalid_plans)
    assert (seen.total(), seen["valid"]) == (plans, valid)


def test_plans_go_both_ways(examples: dict[str, Any], translations: dict[str, Translation]) -> None:
    for name, translation in translations.items():
        for plan in examples[name].valid_plans:
            ours = translation.plan(plan)
            assert translation.up_plan(ours) == translation.up_plan(str(ours).upper()) == plan


@pytest.mark.parametrize(
    "names",
    [
        {"basic_conditional", "hierarchical_blocks_world_with_object", "safe_road", *OTHER_KIND},
        # Unified Planning reads slowly.
        pytest.param({"every"}, marks=pytest.mark.long),
    ],
)
def test_problems_go_both_ways(
    examples: dict[str, Any], translations: dict[str, Translation], names: set[str]
) -> None:
    """A problem that went to PDDL and back is of the same kind, and its plans get one verdict."""
    for name in translations.keys() if names == {"every"} else names:
        translation = translations[name]
        back = to_up(translation.problem)
        again = from_up(back.up_problem)
        for plan in plans_of(examples[name], 2):
            copy = back.up_plan(translation.plan(plan))
            verdicts = (translation.judge(plan), back.judge(copy), again.judge(copy))
            assert len({each.status for each in verdicts}) == 1, (name, plan)
        lost, gained = OTHER_KIND.get(name, (set(), set()))
        had = examples[name].problem.kind.features
        words = chain.from_iterable(WRITTEN.get(each, each).split() for each in had)
        before = {*words} - lost | gained
        # The reader takes every number for a real one.
        if "GENERAL_NUMERIC_PLANNING" in before:
            before.discard("SIMPLE_NUMERIC_PLANNING")
        reals = {feature.replace("INT_FLUENTS", "REAL_FLUENTS") for feature in before}
        assert back.up_problem.kind.features == reals, name
