"""Appendices C.2 and D.2 of SimPlan: questions about the order of goals, by LAMA's landmarks.

Orders are also computed exactly, without landmarks, for comparison.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from math import inf
from random import Random
from typing import Any, Final, NamedTuple

from pddl_pipeline.io.files import write_file
from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.papers.comparison import Always, Comparison, Quantity, decide, share
from pddl_pipeline.papers.simplan.landmark_graph import (
    REASONABLE,
    SOUND,
    LandmarkGraph,
    landmark_graph,
)
from pddl_pipeline.papers.simplan.test_sets import MARGINS, PUBLISHED, SIMPLE, TEST_SETS, TestSet
from pddl_pipeline.papers.study import NamedTable, Study, StudyResult, Workbench
from pddl_pipeline.questions.fluents import fluents_of
from pddl_pipeline.questions.goal_orders import goal_orders
from pddl_pipeline.questions.kind import Draft, Scene, Stage
from pddl_pipeline.questions.kinds.goals import goal_draft
from pddl_pipeline.questions.making import MOST_STATES, ask
from pddl_pipeline.questions.question import Question
from pddl_pipeline.questions.walk import Walk
from pddl_pipeline.search.effort import Effort
from pddl_pipeline.search.state_graph import StateGraph, distances
from pddl_pipeline.search.world import StripsWorld, World
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded
from pddl_pipeline.translators import read_instance, translate
from pddl_pipeline.validation.language import Ground

Orders = Mapping[frozenset[Ground], Ground]
"""The first fact of each pair that has an order."""
_OPEN: Final = "open"


def orders_of_task(graph: StateGraph, goals: Sequence[Ground], whole: Iterable[Ground]) -> Orders:
    """Return the orders of pairs of goals on paths to the complete goal.

    Goal A comes first if some path reaches the complete goal from a state with A and without B
    while A stays true, but no path does so from a state with B and without A while B stays true.
    This is a reasonable order as Hoffmann and Koehler (2000) define it: B would have to be undone.

    Args:
        graph: all states.
        goals: the goals to compare.
        whole: all goals of the task.
    """
    holds = {goal: graph.holding(goal) for goal in goals}
    ends = graph.holding(*whole)
    found: dict[frozenset[Ground], Ground] = {}
    for one, other in combinations(goals, 2):
        ways = [
            # Whether the first goal can be kept until the end, while the second one is reached.
            not ends.isdisjoint(
                graph.reached(holds[first] - holds[second], holds[first].__contains__)
            )
            for first, second in ((one, other), (other, one))
        ]
        # Where both ways or none of them is possible, neither goal comes first.
        if ways[0] != ways[1]:
            found[frozenset((one, other))] = one if ways[0] else other
    return found


def orders_of_doors(world: World[Any], goal: Ground) -> Orders:
    """Return the orders of pairs of doors of Minigrid among the doors that all plans open.

    A task without a plan has no orders. A door comes first if the other one cannot be opened while
    it stays locked. What can be reached is computed without deletes, which is exact here: the robot
    can undo every step, no key is used up, and doors stay open.

    Args:
        world: the state space.
        goal: the goal.

    Raises:
        NotJudged: the task has too many actions for plain STRIPS.
    """
    if not isinstance(world, StripsWorld):
        raise NotJudged("too many actions")
    doors = sorted((_OPEN, atom[1]) for atom in world.atoms(world.start) if atom[0] == "locked")
    locked = {door: world.avoiding(door) for door in doors if _is_reached(world, goal)}
    needed = [door for door, left in locked.items() if not _is_reached(left, goal)]
    return {
        frozenset((first, second)): first
        for first, second in permutations(needed, 2)
        if not _is_reached(locked[first], second)
    }


def _is_reached(world: StripsWorld, atom: Ground) -> bool:
    found = world.partial([(atom, True)])
    return found is not None and not found.needed & ~world.relaxed()


MOST_A_TASK: Final = 5
"""The largest number of pairs per instance; if there are more, this many are drawn."""
_EDGES: Final = 2
_STEPS: Final = range(1)


class Pair(NamedTuple):
    """Two goals, of which the first must be achieved first or is nearer."""

    first: Ground
    second: Ground
    detail: dict[str, object]
    """Data about the pair: the number of orders that link it, or the numbers of actions needed."""


def goals_to_achieve(stage: Stage) -> list[Ground]:
    """Return the goals that do not hold in the initial state."""
    world = stage.world
    return [goal for goal in stage.goals if not world.holds(goal, world.start)]


def reasonable_pairs(graph: LandmarkGraph, goals: Sequence[Ground]) -> Iterator[Pair]:
    """Yield the pairs of goals that reasonable orders link in one direction."""
    return _pairs(graph, goals, frozenset({REASONABLE}), "reasonable")


def door_pairs(graph: LandmarkGraph) -> Iterator[Pair]:
    """Yield the pairs of doors of which every plan must open one before the other."""
    doors = sorted(fact for fact in graph.facts() if fact[0] == _OPEN)
    return _pairs(graph, doors, SOUND, "necessary")


def _pairs(
    graph: LandmarkGraph, facts: Sequence[Ground], kinds: frozenset[str], order: str
) -> Iterator[Pair]:
    numbers = graph.facts()
    known = [fact for fact in facts if fact in numbers]
    edges = {
        (one, other): graph.distance(numbers[one], numbers[other], kinds)
        for one, other in permutations(known, 2)
    }
    for (one, other), number in edges.items():
        # Goals that orders link in both directions have no order.
        if number is not None and edges[other, one] is None:
            yield Pair(one, other, {"order": order, "edges": number})


def is_selected(pair: Pair) -> bool:
    """Return whether D.2 selects two goals of Blocksworld: at least two edges, no common block.

    "Linked by a minimum of two edges" is read as: the shortest path from one to the other has at
    least two edges.
    """
    edges = pair.detail["edges"]
    return isinstance(edges, int) and edges >= _EDGES and not share_an_object(pair)


def share_an_object(pair: Pair) -> bool:
    """Return whether the two goals share an object."""
    return not set(pair.first[1:]).isdisjoint(pair.second[1:])


def nearer_pairs(stage: Stage) -> Iterator[Pair]:
    """Yield the pairs of goals of which one needs fewer actions from the initial state."""
    world = stage.prepared_world
    found = distances(world, world.start, goals_to_achieve(stage), stage.most_states)
    for one, other in combinations(sorted(found), 2):
        if found[one] != found[other]:
            near, far = sorted((one, other), key=found.__getitem__)
            needed = {atom_text(goal): found[goal] for goal in (near, far)}
            yield Pair(near, far, {"actions_needed": needed})


def questions(instance: Instance[object], pairs: Iterable[Pair], *, nearer: bool) -> list[Question]:
    """Return a question about the initial state for each pair, at most `MOST_A_TASK`.

    Raises:
        NoQuestion: the instance allows no question.
        NotJudged: the task exceeds the limits of the computation.
    """
    kind = "nearer-goal" if nearer else "first-goal"

    def drafts(stage: Stage, random: Random) -> Iterator[Draft]:
        scene, walk = Scene(stage, _STEPS, random), Walk((), (stage.world.start,))
        known = list(pairs)
        for pair in random.sample(known, min(MOST_A_TASK, len(known))):
            yield goal_draft(scene, walk, kind, pair[:2], pair.detail)

    return ask(instance, kind, drafts, seed=0)


def answer_stands_first(question: Question) -> bool:
    """Return whether the right answer is the first of the two options."""
    return bool(question.details["options"][0][0] == question.answer)


SAME: Final = "the same order"
OTHER: Final = "the opposite order"
ORDER: Final = "an order"
NONE: Final = "no order"
NOT_ASKED: Final = "-"


class Case(NamedTuple):
    """The orders of a pair of goals by each method; equal cases are counted."""

    group: str
    """The group of the pair: the domain, and what the goals have in common."""
    landmarks: str
    """Whether landmarks order the goals: `ORDER` or `NONE`."""
    task: str
    """The exact order for the complete task, relative to the landmarks' order if there is one."""
    alone: str
    """The exact order for the two goals alone; `NOT_ASKED` if it was not computed."""


def order_cases(
    group: str,
    pairs: Iterable[Pair],
    compared: Iterable[frozenset[Ground]],
    task: Orders,
    alone: Orders | None,
) -> Counter[Case]:
    """Return the number of pairs of each case.

    Args:
        group: the group of the pairs.
        pairs: the pairs that landmarks order.
        compared: all pairs to count.
        task: the exact orders in the complete task.
        alone: the exact orders of two goals alone; None if they are unknown.
    """
    said = {frozenset(pair[:2]): pair.first for pair in pairs}
    found = Counter[Case]()
    for both in compared:
        first = said.get(both)
        of_two = NOT_ASKED if alone is None else _beside(first, alone.get(both))
        found[
            Case(group, "an order" if first else NONE, _beside(first, task.get(both)), of_two)
        ] += 1
    return found


def _beside(said: Ground | None, exact: Ground | None) -> str:
    if exact is None:
        return NONE
    if said is None:
        return ORDER
    return SAME if said == exact else OTHER


def confirmed(cases: Counter[Case], group: str, *, alone: bool) -> tuple[int, int]:
    """Return the number of landmark orders that are exact, and of all landmark orders.

    Args:
        cases: the number of pairs of each case.
        group: the group of pairs.
        alone: whether to compare with the orders of two goals alone, not of the complete task.
    """
    ordered = {
        case: number
        for case, number in cases.items()
        if case.group == group and case.landmarks != NONE and (not alone or case.alone != NOT_ASKED)
    }
    right = sum(
        number for case, number in ordered.items() if (case.alone if alone else case.task) == SAME
    )
    return right, sum(ordered.values())


def agreement_table(cases: Counter[Case], groups: Sequence[str]) -> TextTable:
    """Return the cases of each group as a table."""
    rows = tuple(
        (*case, str(number))
        for case, number in sorted(
            cases.items(), key=lambda item: (groups.index(item[0].group), item[0])
        )
    )
    headings = ("goals", "landmarks say", "exact, whole task", "exact, the two alone", "pairs")
    return TextTable(headings, rows, names=4)


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
    sets = [test_set for test_set in TEST_SETS if test_set.title in _DOMAINS]
    found = {
        each: [_made(x, each, limits) for x in each.instances(bench, quick=20)] for each in sets
    }
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
            NamedTable(
                "Orders by landmarks and exact ones, pairs of goals",
                agreement_table(cases, _GROUPS),
            ),
        ),
        notes=(_LABELS, _EDGES_NOTE, _EXACT, _NUMBERS),
    )


_LABELS: Final = (
    'The paper reads the label "n" as necessary. Fast Downward 26.6 prints nec for necessary, gn '
    "for greedy-necessary, n for natural and r for reasonable orders; all but r hold in every "
    "plan. Here the order of doors is a way of any of these three."
)
_EDGES_NOTE: Final = (
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
    return Stage(task, fluents_of(task), None, MOST_STATES)


def _linked(instance: Instance[object], limits: Limits) -> list[Pair]:
    graph = landmark_graph(translate(instance), limits)
    return list(reasonable_pairs(graph, goals_to_achieve(_stage(instance))))


def _block_cases(stage: Stage, linked: Sequence[Pair]) -> Counter[Case]:
    goals, effort = goals_to_achieve(stage), Effort(inf, stage.most_states)
    graph = StateGraph(stage.prepared_world, effort).whole()
    task = orders_of_task(graph, goals, stage.goals)
    alone = {frozenset(order[:2]): order.first for order in goal_orders(graph, 0, goals)}
    cases = Counter[Case]()
    for one, other in combinations(goals, 2):
        both = frozenset((one, other))
        group = _SHARING if share_an_object(Pair(one, other, {})) else _APART
        cases += order_cases(group, linked, [both], task, alone)
    return cases


def _door_cases(stage: Stage, pairs: Sequence[Pair]) -> Counter[Case]:
    exact = orders_of_doors(stage.prepared_world, stage.goals[0])
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
            said="all, by their selection, reasonably or necessarily",
            ours=(share(alone, selected),),
            decision=decide(Always(alone, selected, MARGINS.exceptions)),
            remark="the order results from a third goal, which the question (figure 11) does not "
            "show; without that goal, no order of the two is reasonable",
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
