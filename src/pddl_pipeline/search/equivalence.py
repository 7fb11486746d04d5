"""Whether two problems of a domain are the same task up to names and implied goal facts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import chain, product
from math import prod
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.search.effort import Effort
from pddl_pipeline.search.isomorphism import Matching, Related, Structure, related
from pddl_pipeline.search.reachability import Reachability
from pddl_pipeline.search.world import Literal, value_text, world_of
from pddl_pipeline.validation.domain_reader import read_domain
from pddl_pipeline.validation.language import (
    TOTAL_COST,
    And,
    Atom,
    Condition,
    Not,
    Quantified,
    ground,
)
from pddl_pipeline.validation.shapes import effects_shape, shape
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import OBJECT, Signature, Vocabulary

_MOST_OPERATORS: Final = 20_000
_MOST_TRIED: Final = 30
"""The number of facts for each of which it is tried whether it is the only difference."""
_NO_COST: Final = ((TOTAL_COST.function,), 0)
"""The cost before the first step, which problems may leave out."""
_UNSATISFIED: Final = "no reachable state satisfies the goal of the {} problem"
_OBJECT, _FACT, _VALUE = "an object", "a fact", "a value"


class Sameness(StrEnum):
    """The result of a comparison."""

    EQUIVALENT = "equivalent"
    DIFFERENT = "different"
    UNREADABLE = "unreadable"
    UNDECIDED = "undecided"


class TaskComparison(NamedTuple):
    """The result of a comparison."""

    verdict: Sameness
    reason: str | None = None
    """The first difference, or why there is no other verdict."""


def compare_problems(
    first: Task, second: Task, effort: Effort | None = None, *, is_solvable: bool = False
) -> TaskComparison:
    """Return whether the second problem is the first one up to names and implied goal facts.

    A goal fact is implied if it holds in every reachable state that satisfies the goal, so two
    goals that no reachable state satisfies are the same. Domain, types, constants, values and
    metric must be the same.

    Args:
        first: the first problem.
        second: the second problem.
        effort: the limits of all searches together.
        is_solvable: whether the first problem is known to have a plan. Then a goal that
            contradicts its goal differs, without a search.
    """
    sides = _Side(first), _Side(second)
    try:
        reason = _difference(*sides, effort or Effort(), is_solvable=is_solvable)
    except (NotJudged, RecursionError) as error:
        return TaskComparison(Sameness.UNDECIDED, str(error))
    # Parts that are not judged may differ, too: equality needs the semantics of all parts.
    unjudged = first.vocabulary.not_judged or second.vocabulary.not_judged
    same = Sameness.UNDECIDED if unjudged else Sameness.EQUIVALENT
    return TaskComparison(
        Sameness.DIFFERENT if reason else same, reason or (str(unjudged) if unjudged else None)
    )


def why_unsolvable(task: Task, effort: Effort) -> str | None:
    """Return why a task has no plan; None if it has one.

    Raises:
        NotJudged: it is not known within the limits.
    """
    search = Reachability(world_of(task, _MOST_OPERATORS, effort), effort)
    return None if search.path_to_goal() else "no reachable state satisfies the goal"


def _named_difference(first: Vocabulary, second: Vocabulary) -> str | None:
    """Return the first difference of two domains by name, in words; None if there is none."""
    mine, theirs = _declared(first), _declared(second)
    for name in (*mine, *theirs):
        if name not in mine or name not in theirs:
            return f"{name} is {'missing' if name in mine else 'too many'}"
        for what in mine[name]:
            if mine[name][what] != theirs[name][what]:
                return f"the {what} of {name} differ"
    return None


def _declared(vocabulary: Vocabulary) -> dict[str, dict[str, Any]]:
    """Return the declarations of a domain as keys, by their kinds with their names."""
    types = vocabulary.types.parents
    found: dict[str, dict[str, Any]] = {
        f"type {each}": {"parents": frozenset(types[each] - {OBJECT})} for each in types
    }
    for kind in ("predicate", "function"):
        signatures: dict[str, Signature] = getattr(vocabulary, f"{kind}s")
        for name, signature in signatures.items():
            found[f"{kind} {name}"] = {"types": tuple(map(frozenset, signature))}
    for name, kinds in vocabulary.objects.items():
        found[f"constant {name}"] = {"types": kinds - {OBJECT}}
    for action in (*vocabulary.actions.values(), *vocabulary.snaps.values()):
        names = {each.name: f"?{number}" for number, each in enumerate(action.parameters)}
        found[f"action {action.name}"] = {
            "parameters": tuple(shape(parameter, names) for parameter in action.parameters),
            "preconditions": shape((action.precondition, action.bounds), names),
            "effects": effects_shape(action.effects, names),
        }
    axioms = frozenset(
        shape(each, {variable.name: f"?{number}" for number, variable in enumerate(each.variables)})
        for each in chain(*vocabulary.strata)
    )
    return found | {"axioms": {"rules": axioms}}


class _Kind(NamedTuple):
    """A relation of objects in a problem."""

    what: str
    """An object of some types, a fact of a predicate, or a value of a function."""
    name: str
    value: Number | None = None
    constant: str = ""
    """The name of an object that is a constant of the domain."""

    def text(self, names: Sequence[str]) -> str:
        """Return an element of the relation as PDDL."""
        if self.what == _OBJECT:
            return " - ".join([*names, self.name])
        atom = (self.name, *names)
        return atom_text(atom) if self.value is None else value_text(atom, self.value)


class _Side:
    """A problem as a structure: all that relates its objects, except for the goal."""

    def __init__(self, task: Task) -> None:
        facts, objects = task.facts, task.vocabulary.objects
        self.task, self.goal = task, _literals(facts.goal, {}, task)
        self.domain = read_domain(task.texts[0], "domain") if task.texts else task.vocabulary
        kinds = {
            name: _Kind(
                _OBJECT, " ".join(sorted(types)), None, name * (name in self.domain.objects)
            )
            for name, types in objects.items()
        }
        values = {
            fluent: number
            for fluent, number in facts.values.items()
            if (fluent, number) != _NO_COST
        }
        rest = (facts.metric, facts.timed, facts.preferences, facts.constraints)
        self.structure: Structure = frozenset(
            chain(
                (Related(kind, (name,)) for name, kind in kinds.items()),
                (Related(_Kind(_FACT, fact[0]), fact[1:]) for fact in facts.facts),
                (Related(_Kind(_VALUE, value[0], values[value]), value[1:]) for value in values),
                related("/rest", shape(rest), self._symbol),
            )
        )

    def _symbol(self, text: str) -> str | None:
        return text if text in self.task.vocabulary.objects else None

    def with_goal(self, literals: Iterable[Literal] | None) -> Structure:
        """Return the structure with a goal, or with that of the problem as it is written."""
        if literals is None:
            goal = shape(self.task.facts.goal)
            return self.structure.union(related("/goal", goal, self._symbol))
        return self.structure | {Related((atom[0], holds), atom[1:]) for atom, holds in literals}


def _literals(goal: Condition, binding: Mapping[str, str], task: Task) -> set[Literal] | None:
    """Return a conjunction, with its quantifiers expanded, as literals; None for other goals."""
    match goal:
        case Atom(name, terms) | Not(Atom(name, terms)):
            return {(ground(name, terms, binding), isinstance(goal, Atom))}
        case And(parts):
            found = [_literals(each, binding, task) for each in parts]
        case Quantified(True, variables, part):
            names = [variable.name for variable in variables]
            choices = [task.vocabulary.candidates(variable.types) for variable in variables]
            # Then the goal is compared as it is written.
            if prod(map(len, choices)) > _MOST_OPERATORS:
                return None
            objects = product(*choices)
            found = [
                _literals(part, {**binding, **dict(zip(names, each, strict=True))}, task)
                for each in objects
            ]
        case _:
            return None
    return None if None in found else {each for part in found for each in part or ()}


def _difference(first: _Side, second: _Side, effort: Effort, *, is_solvable: bool) -> str | None:
    """Return the first difference of two problems in words; None if they are equivalent.

    Raises:
        NotJudged: it is not known within the limits.
    """
    # Domains with equal texts are usually read once, and are the same object.
    if first.domain is not second.domain:
        other = _named_difference(first.domain, second.domain)
        if other:
            return f"another domain: {other}"
    # First without the goals: they may differ and mean the same.
    base = Matching(first.structure, second.structure, effort)
    names = base.isomorphism()
    if names is None:
        try:
            return _unrelated(first.structure, second.structure, effort)
        except NotJudged:
            return "the initial states differ"
    goals = [side.with_goal(side.goal) for side in (first, second)]
    if Matching(goals[0], goals[1], effort).isomorphism() is not None:
        return None
    return _goal_difference(first, second, base, names, effort, is_solvable=is_solvable)


def _goal_difference(  # noqa: PLR0913 -- two problems and how they are related
    first: _Side,
    second: _Side,
    base: Matching,
    names: dict[str, str],
    effort: Effort,
    *,
    is_solvable: bool,
) -> str | None:
    """Return the difference of two goals, with the objects of the first problem in both."""
    facts = first.task.facts._replace(goal=And(()))
    world = world_of(Task(first.task.vocabulary, facts), _MOST_OPERATORS, effort)
    if first.goal is None or second.goal is None:
        raise NotJudged("the goals differ as written, and are no conjunctions of literals")
    search = Reachability(world, effort)
    goals = first.goal, _renamed(second.goal, {new: old for old, new in names.items()})
    # Only literals that a symmetry maps to a literal of a goal can make a difference.
    cells = base.alike()
    orbits = {
        (name, tuple([cells[term] for term in terms]), holds)
        for goal in goals
        for (name, *terms), holds in goal
    }
    if sum(prod(map(len, among)) for _, among, _ in orbits) > _MOST_OPERATORS:
        raise NotJudged("the facts of the goals have too many symmetric ones")
    compared = {
        ((name, *terms), holds) for name, among, holds in orbits for terms in product(*among)
    }

    def same(mine: set[Literal] | None, theirs: set[Literal] | None) -> bool:
        if mine is None or theirs is None:
            return mine is theirs
        sides = [first.with_goal(each & compared) for each in (mine, theirs)]
        return Matching(sides[0], sides[1], effort).isomorphism() is not None

    # Invariants are fast. What they leave open is decided by a search for each literal.
    closed = [search.consequences(each) for each in goals]
    if same(*closed):
        return None
    reason = _contradiction(goals[1], closed, cells, names) if is_solvable else None
    if reason:
        return reason
    implied = _implied(search, goals, sorted(compared), is_solvable=is_solvable)
    return None if same(*implied) else _difference_of(goals, implied, names)


def _implied(
    search: Reachability,
    goals: Sequence[set[Literal]],
    compared: Sequence[Literal],
    *,
    is_solvable: bool,
) -> list[set[Literal] | None]:
    """Return what each of two goals implies among the compared literals; None for everything.

    If one goal alone shows that they differ, what the other implies is not computed.
    """
    # The second goal comes first: that it cannot be reached may follow from invariants. To assume
    # that it can be reached is right: if it cannot, it does not imply the same as one that can.
    theirs = search.implied(goals[1], compared, is_reachable=is_solvable)
    if is_solvable and theirs is None:
        return [set(), None]
    mine = search.implied(goals[0], compared, is_reachable=is_solvable)
    return [mine, search.implied(goals[1], compared) if is_solvable and mine is None else theirs]


def _difference_of(
    goals: Sequence[set[Literal]],
    implied: Sequence[set[Literal] | None],
    names: Mapping[str, str],
) -> str:
    """Return how two goals differ, from what they imply; None implies everything."""
    # Both None would be the same, so one goal can be reached and the other cannot.
    for problem, each in zip(("first", "second"), implied, strict=True):
        if each is None:
            return _UNSATISFIED.format(problem)
    stronger, weaker = (
        sorted(_renamed(goals[one] - (implied[other] or set()), names))
        for one, other in ((1, 0), (0, 1))
    )
    how = "strong" if stronger else "weak"
    return _of_goal(how, (stronger or weaker)[0])


def _of_goal(how: str, literal: Literal) -> str:
    atom, holds = literal
    return f"a goal too {how}: {atom_text(atom) if holds else f'(not {atom_text(atom)})'}"


def _contradiction(
    goal: set[Literal],
    closed: Sequence[set[Literal] | None],
    cells: Mapping[str, Sequence[str]],
    names: Mapping[str, str],
) -> str | None:
    """Return why no state satisfies a goal and another one, whatever objects are renamed.

    A renaming keeps the cells of objects. So if more literals of a goal are alike than a state with
    the other goal can have, one of them contradicts it.

    Args:
        goal: the goal.
        closed: what follows from the other goal, and from this one.
        cells: the objects that a renaming may exchange with each one.
        names: the names of the objects in the problem of the goal.
    """
    known, own = closed
    if own is None:
        return _UNSATISFIED.format("second")
    alike = defaultdict[Any, list[Literal]](list)
    for literal in sorted(goal):
        (name, *terms), holds = literal
        alike[name, tuple([tuple(cells[term]) for term in terms]), holds].append(literal)
    for (name, among, holds), found in alike.items():
        atoms = {(name, *each) for each in product(*among)}
        excluded = {atom for atom in atoms if (atom, not holds) in (known or ())}
        if len(found) > len(atoms - excluded):
            (rival,) = _renamed([each for each in found if each[0] in excluded][:1], names)
            return _of_goal("strong", rival)
    return None


def _unrelated(first: Structure, second: Structure, effort: Effort) -> str:
    """Return the first difference of two structures that are not isomorphic."""
    one, two = (
        frozenset(each for each in side if isinstance(each.relation, _Kind))
        for side in (first, second)
    )
    if Matching(one, two, effort).isomorphism() is not None:
        return "another metric, or other constraints"
    sides = ((one, two, "missing"), (two, one, "too many"))
    for what, (more, less, how) in product((_OBJECT, _FACT, _VALUE), sides):
        surplus = Counter(each.relation for each in more)
        # Of the relations, not of their objects, since objects may have other names.
        surplus -= Counter(each.relation for each in less)
        for kind in sorted((each for each in surplus if each.what == what), key=str)[:1]:
            found = sorted(each for each in more if each.relation == kind)
            new = [each for each in found if each not in less]
            if len(new) > surplus[kind]:  # the objects have other names
                tried = found[:_MOST_TRIED] if len(more) == len(less) + 1 else []
                rest = [Matching(more - {each}, less, effort).isomorphism() for each in tried]
                new = [each for each, names in zip(tried, rest, strict=True) if names is not None]
            count = f"found {len(found)} of {kind.name}, expected {len(found) - surplus[kind]}"
            return f"{what} {how}: {kind.text(new[0].elements) if new else count}"
    if any(each.relation.what == _OBJECT for each in one ^ two):
        return "no renaming of the objects makes the facts equal"
    changes = [(min(more - less, key=str), how) for more, less, how in sides]
    return "; ".join(
        f"{kind.what} {how}: {kind.text(elements)}" for (kind, elements), how in changes
    )


def _renamed(literals: Iterable[Literal], names: Mapping[str, str]) -> set[Literal]:
    return {((name, *[names[term] for term in terms]), holds) for (name, *terms), holds in literals}
