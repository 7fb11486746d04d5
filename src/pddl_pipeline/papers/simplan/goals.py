"""Appendices C.2 and D.2 of SimPlan: questions about the order of goals, by LAMA's landmarks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple

from pddl_pipeline.io.files import write_file
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.papers.comparison import Comparison, Quantity, share
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import Always
from pddl_pipeline.papers.simplan.exact_orders import orders_of_doors, orders_of_task
from pddl_pipeline.papers.simplan.goal_questions import (
    Pair,
    answer_stands_first,
    door_pairs,
    goals_to_achieve,
    is_selected,
    nearer_pairs,
    questions,
    reasonable_pairs,
    share_an_object,
)
from pddl_pipeline.papers.simplan.landmark_graph import landmark_graph
from pddl_pipeline.papers.simplan.order_agreement import (
    Case,
    agreement_table,
    confirmed,
    order_cases,
)
from pddl_pipeline.papers.simplan.test_sets import MARGINS, PUBLISHED, SIMPLE, TEST_SETS, TestSet
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import NamedTable, StudyResult
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.questions.fluents import fluents_of
from pddl_pipeline.questions.goal_orders import goal_orders
from pddl_pipeline.questions.kind import Stage
from pddl_pipeline.questions.making import MOST_STATES
from pddl_pipeline.questions.question import Question
from pddl_pipeline.questions.state_rendering import StateRenderer
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded
from pddl_pipeline.translators import read_instance, translate
from pddl_pipeline.validation.language import Ground

_FILE: Final = "questions.jsonl"
_APART: Final = "Blocks, no block in common"
_SHARING: Final = "Blocks, a block in common"
_DOORS: Final = "Minigrid, doors"
_GROUPS: Final = (_APART, _SHARING, _DOORS)
_DOMAINS: Final = ("Blocks", "Minigrid", "Ferry", "Grippers")


class _Yield(NamedTuple):
    """The pairs, questions and cases of an instance."""

    pairs: Sequence[Pair]
    """The pairs from which questions are drawn."""
    questions: Sequence[Question]
    cases: Counter[Case]
    """The cases of pairs whose orders were also computed exactly."""


def _run(bench: Workbench) -> StudyResult:
    limits = bench.limits(quick_s=60, paper_s=600)
    sets = [each for each in TEST_SETS if each.title in _DOMAINS]
    found = {each: [_made(x, each, limits) for x in _instances(bench, each)] for each in sets}
    made = {each: [q for one in of_set for q in one.questions] for each, of_set in found.items()}
    cases = sum((one.cases for of_set in found.values() for one in of_set), Counter[Case]())
    sizes = bench.sizes(quick=[5], paper=[5, 6])
    for instance in bench.generated("blocksworld", sizes, bench.count(quick=12, paper=50), seed=1):
        cases += _block_cases(_stage(instance), _linked(instance, limits))
    lines = [json.dumps(q.to_json()) for of_set in made.values() for q in of_set]
    bench.folder.mkdir(parents=True, exist_ok=True)
    write_file(bench.folder / _FILE, "".join(f"{line}\n" for line in lines))
    return StudyResult(
        conditions="Instances of our generators' presets (test splits), orders at their initial "
        "states; landmark graphs as Fast Downward prints them for lama-first, exact orders in all "
        f"of Minigrid, in simple Blocks and further tasks of {', '.join(map(str, sizes))} blocks. "
        f"{len(lines)} questions are in {_FILE}.",
        comparisons=(*_orders_compared(cases), *_table_7(made)),
        tables=(
            NamedTable("Instances, pairs of goals and questions", _yield_table(found)),
            NamedTable("Orders by landmarks and exact ones, pairs of goals",
                       agreement_table(cases, _GROUPS)),
        ),
        notes=(_LABELS, _EDGES, _EXACT, _NUMBERS),
    )  # fmt: skip


_LABELS: Final = (
    'The paper reads the label "n" as necessary. Fast Downward 26.6 prints nec for necessary, gn '
    "for greedy-necessary, n for natural and r for reasonable orders; all but r hold in every "
    "plan. Here the order of doors is a way of any of these three."
)
_EDGES: Final = (
    '"Linked by a minimum of two edges" is read as: the shortest way of reasonable orders from one '
    "goal to the other, through any landmarks, has two or more."
)
_EXACT: Final = (
    "Exact orders: of the whole task, A comes before B where B, once achieved without A, has to be "
    "given up before the whole goal is reached, and A not. Of the two goals alone the same with "
    "nothing but these two as the goal. Doors: B cannot be opened while A stays locked."
)
_NUMBERS: Final = (
    "Table 7's values are multiples of 1/29 for Minigrid and of 1/50 for the other domains, which "
    "suggests 29 and 50 questions."
)


def _instances(bench: Workbench, test_set: TestSet) -> list[Instance[object]]:
    return test_set.instances(bench, quick=20 if test_set.configuration == SIMPLE else 10)


def _made(instance: Instance[object], test_set: TestSet, limits: Limits) -> _Yield:
    stage = _stage(instance)
    cases, nearer = Counter[Case](), False
    if test_set.title == "Blocks":
        linked = _linked(instance, limits)
        pairs = [pair for pair in linked if is_selected(pair)]
        cases = _block_cases(stage, linked) if test_set.configuration == SIMPLE else cases
    elif test_set.title == "Minigrid":
        pairs = list(door_pairs(landmark_graph(translate(instance), limits)))
        cases = _door_cases(stage, pairs)
    else:
        pairs, nearer = list(nearer_pairs(stage)), True
    return _Yield(pairs, questions(instance, pairs, nearer=nearer), cases)


def _stage(instance: Instance[object]) -> Stage:
    task = read_instance(instance)
    return Stage(task, fluents_of(task), StateRenderer(None), MOST_STATES)


def _linked(instance: Instance[object], limits: Limits) -> list[Pair]:
    graph = landmark_graph(translate(instance), limits)
    return list(reasonable_pairs(graph, goals_to_achieve(_stage(instance))))


def _block_cases(stage: Stage, linked: Sequence[Pair]) -> Counter[Case]:
    goals = goals_to_achieve(stage)
    task = orders_of_task(stage.graph, goals, stage.goals)
    alone = {frozenset(each[:2]): each.first for each in goal_orders(stage.graph, 0, goals)}
    cases = Counter[Case]()
    for one, other in combinations(goals, 2):
        both = frozenset((one, other))
        group = _SHARING if share_an_object(Pair(one, other, {})) else _APART
        cases += order_cases(group, linked, [both], task, alone)
    return cases


def _door_cases(stage: Stage, pairs: Sequence[Pair]) -> Counter[Case]:
    place = stage.goals[0][1]
    exact = orders_of_doors(stage.world.atoms(stage.world.start), place)
    compared: set[frozenset[Ground]] = {*exact, *(frozenset(pair[:2]) for pair in pairs)}
    return order_cases(_DOORS, pairs, compared, exact, None)


def _orders_compared(cases: Counter[Case]) -> tuple[Comparison, ...]:
    right, total = (
        sum(x) for x in zip(*(confirmed(cases, g, alone=False) for g in _GROUPS), strict=True)
    )
    alone, selected = confirmed(cases, _APART, alone=True)
    return (
        Comparison(
            what="orders from landmarks that are orders of the task, decided exactly",
            said="taken as the right answers",
            ours=(share(right, total),),
            decision=decide(Always(right, total, MARGINS.exceptions)),
            remark="reasonable orders are approximations in general",
        ),
        Comparison(
            what="Blocks: pairs of goals without a common block, one of which must be achieved "
            "first if there are no other goals",
            said="all, by their selection",
            ours=(share(alone, selected),),
            decision=decide(Always(alone, selected, MARGINS.exceptions)),
            remark="the order results from a third goal, which the question (figure 11) does not "
            "show; without that goal, either of the two may be achieved first",
        ),
    )


def _table_7(made: dict[TestSet, list[Question]]) -> tuple[Comparison, ...]:
    found, published = [], PUBLISHED.goal_questions
    for title in _DOMAINS:
        of_domain = [q for each, asked in made.items() if each.title == title for q in asked]
        worst, best = getattr(published, title)
        found.append(Comparison(
            what=f"Table 7, {title}: success rate on such questions",
            paper=(Quantity(worst, "worst"), Quantity(best, "best"),
                   Quantity(published.chance, "chance")),
            ours=(share(sum(map(answer_stands_first, of_domain)), len(of_domain),
                        "right answer is the first option in"),),
            remark="the paper's values are of seven language models; the questions are in " + _FILE,
        ))  # fmt: skip
    return tuple(found)


def _yield_table(found: dict[TestSet, list[_Yield]]) -> TextTable:
    rows = []
    for each, of_set in found.items():
        asked = [q for one in of_set for q in one.questions]
        first = sum(map(answer_stands_first, asked))
        pairs = [len(one.pairs) for one in of_set]
        rows.append((
            each.title, each.configuration, str(len(pairs)), str(sum(map(bool, pairs))),
            str(sum(pairs)), str(len(asked)),
            rounded(first / len(asked)) if asked else NO_NUMBER,
        ))  # fmt: skip
    headings = ("domain", "configuration", "instances", "with a pair", "pairs", "questions",
                "answer first")  # fmt: skip
    return TextTable(headings, tuple(rows), names=2)


STUDIES: Final = (
    Study(
        "simplan-goal-ordering",
        "C.2, D.2: goal orders from landmarks, and exactly",
        _run,
        ("data/goal-ordering.toml",),
    ),
)
