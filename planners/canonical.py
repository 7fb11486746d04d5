"""Canonical PDDL: the text of a task in the forms that every planner's reader accepts.

This project's reader accepts more forms than planners do: sections in any order, ``-room``, ``()``
as a condition, needless requirements, names such as ``1b``. `general` and `classical` write a text
that has such forms again, with the same meaning, in the forms of Kovacs' BNF of PDDL 3.1 (2011).
Each rule is for a form that an installed planner refuses or misreads. A text without such forms
stays as it is.

The rules work on the nested lists of the text, since `Task` has no durative actions or preferences
as they were written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain, count
from math import lcm
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.errors import PddlError
from pddl_pipeline.model.number import decimal_text, parse_decimal
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.validation.definition import IMPLIED
from pddl_pipeline.validation.features import task_features
from pddl_pipeline.validation.formula_reader import COMPARISONS, UPDATES
from pddl_pipeline.validation.language import DURATION, TOTAL_COST, TOTAL_TIME
from pddl_pipeline.validation.sexpr import COMMENT, Source
from pddl_pipeline.validation.task import Task, task_of
from pddl_pipeline.validation.vocabulary import OBJECT, changing_predicates

Tree = Any
"""A word, or a list of trees."""

_EVERYWHERE: Final = frozenset({
    ":strips", ":typing", ":adl", ":equality", ":negative-preconditions",
    ":disjunctive-preconditions", ":existential-preconditions", ":universal-preconditions",
    ":quantified-preconditions", ":conditional-effects", ":action-costs",
})  # fmt: skip
"""The requirements that all planners accept, also where nothing needs them."""
_BEYOND: Final = _EVERYWHERE | {
    ":fluents", ":numeric-fluents", ":durative-actions", ":duration-inequalities",
    ":timed-initial-literals", ":time", ":continuous-effects", ":preferences",
}  # fmt: skip
"""Likewise, those of planners that do more than classical planning."""
_DOMAIN: Final = (
    ":requirements", ":types", ":constants", ":predicates", ":functions", ":constraints"
)  # fmt: skip
_PARTS: Final = (":parameters", ":precondition", ":duration", ":condition", ":effect")
_PLAIN: Final = re.compile(r"\??[a-z][a-z0-9_-]*")
_RESERVED: Final = frozenset({
    "define", "domain", "problem", "and", "or", "not", "imply", "exists", "forall", "when",
    "either", "number", "start", "end", "all", "over", "increase", "decrease", "assign", "scale-up",
    "scale-down", "minimize", "maximize", "total-time", "always", "sometime", "within", "undefined",
    "at-most-once", "sometime-after", "sometime-before", "always-within", "hold-during",
    "hold-after", "preference", "is-violated", DURATION,
})  # fmt: skip
"""Words that some planner does not take as a name; all of them take ``at``."""
_NUMBER: Final = re.compile(r"\d+(\.\d+)?")
_WORD: Final = re.compile(r"[^\s()]+")
_OPERATORS: Final = frozenset("+-*/")
_NUMERIC: Final = COMPARISONS | {*UPDATES} | _OPERATORS
_EMPTY: Final[Tree] = ["and"]


class Prepared(NamedTuple):
    """A problem and its texts for a planner."""

    problem: Problem
    texts: Problem
    """The problem itself if the planner reads it as it is."""
    names: Mapping[str, str] = {}
    """The user's names, by other names in the texts."""
    factor: int = 1
    """What the costs are multiplied by, so that they are integers."""


def unchanged(problem: Problem) -> Prepared:
    """Return the texts as they are, for planners that use this project's reader."""
    return Prepared(problem, problem)


def _prepared(problem: Problem, *, is_classical: bool) -> Prepared:
    try:
        task = task_of(problem)
    except PddlError:
        return unchanged(problem)  # the planner says what it cannot read
    if task.vocabulary.value_types:  # object fluents, which the writer does not know
        return unchanged(problem)
    writer = _Writer(task, problem, is_classical=is_classical)
    written = [writer.domain(), writer.problem()]
    factor = writer.scale(written) if is_classical else 1
    if written == writer.given and not writer.is_odd:
        return unchanged(problem)
    domain, facts = map(_text, written)
    texts = replace(problem, domain_pddl=domain, problem_pddl=facts)
    return Prepared(problem, texts, writer.names, factor)


general: Final = partial(_prepared, is_classical=False)
"""Return the texts for planners that need plain names and accept no empty conditions."""
classical: Final = partial(_prepared, is_classical=True)
"""Return the texts for Fast Downward and similar planners: any names, integers, no total-time."""


def _text(tree: Tree) -> str:
    """Return a definition as text: a line for each section, part of an action, and fact."""
    lines = [f"(define {_show(tree[1])}"]
    for section in tree[2:]:
        inner = ("\n  " if section[0] == ":init" else " ").join(map(_show, section))
        # Each part of an action gets a line. Requirements are words with a colon, too.
        parts = inner if section[0] == ":requirements" else inner.replace(" :", "\n  :")
        lines.append(f" ({parts})")
    return "\n".join([*lines, ")\n"])


def _show(tree: Tree) -> str:
    return tree if isinstance(tree, str) else f"({' '.join([_show(part) for part in tree])})"


def _lists(tree: Tree) -> Iterator[Tree]:
    """Yield a tree's lists, and it itself."""
    queue: list[Tree] = [tree]
    while queue:
        part = queue.pop()
        yield part
        queue += [inner for inner in part if not isinstance(inner, str)]


def _words(tree: Tree) -> Iterator[str]:
    return (word for part in _lists(tree) for word in part if isinstance(word, str))


def _conjuncts(tree: Tree) -> Sequence[Tree]:
    return tree[1:] if tree[:1] == _EMPTY else [tree]


def _binds(variables: Tree, tree: Tree) -> bool:
    """Return whether a typed list has a variable that a tree has, too."""
    return not {word for word in _words(variables) if word[0] == "?"}.isdisjoint(_words(tree))


def _contents(tree: Tree, keyword: str, *, is_typed: bool = False) -> list[Tree]:
    """Return the contents of all sections with a keyword."""
    lists = [section[1:] for section in tree[2:] if section[0] == keyword]
    return _chained(lists) if is_typed else [*chain(*lists)]


def _chained(lists: Sequence[Tree]) -> list[Tree]:
    """Return typed lists as one, in which no type counts for the names of another list."""
    filled = [part for part in lists if part]
    closed = [[*p, "-", OBJECT] if p[-2:-1] != ["-"] else p for p in filled[:-1]]
    return [*chain(*closed, *filled[-1:])]


def _has_odd_letters(problem: Problem) -> bool:
    """Return whether the case of letters matters to ENHSP.

    It reads keywords in lower case only, and claims that a goal in other letters than the effects
    cannot be reached.
    """
    words = set(_WORD.findall(COMMENT.sub("", f"{problem.domain_pddl} {problem.problem_pddl}")))
    lower = {word.lower() for word in words}
    keywords = {word for word in lower if word[0] == ":" or word in _RESERVED}
    return len(lower) < len(words) or not keywords <= words


def _groups(words: Iterable[Tree]) -> Iterator[tuple[list[str], Tree]]:
    """Yield the names of a typed list with their type, which is empty for names without one."""
    names: list[str] = []
    rest = iter(words)
    for word in rest:
        if word != "-":
            names.append(word)
        else:
            yield names, next(rest)
            names = []
    yield names, ""


def _choices(words: Iterable[Tree]) -> list[list[Tree]]:
    """Return a typed list once for each choice of a type for each variable with alternatives."""
    found: list[list[Tree]] = [[]]
    for names, given in _groups(words):
        if isinstance(given, str):
            typed = [*names, "-", given] if given else names
            found = [[*chosen, *typed] for chosen in found]
            continue
        # Each name chooses by itself: two names with two types each give four lists.
        for name in names:
            found = [[*chosen, name, "-", one] for chosen in found for one in given[1:]]
    return found


class _Writer:
    """Writer of one task. Its methods take and return trees."""

    def __init__(self, task: Task, problem: Problem, *, is_classical: bool) -> None:
        sources = [Source(text, "") for text in (problem.domain_pddl, problem.problem_pddl)]
        self.given: list[Tree] = [source.read() for source in sources]
        is_odd = any(source.glued for source in sources)
        self.is_odd = is_odd or (not is_classical and _has_odd_letters(problem))
        self._task, self._vocabulary, self._is_classical = task, task.vocabulary, is_classical
        self._features = task_features(task)
        self._declared = set[str]()
        self._in_effect = False
        self._taken = {*_words(self.given)}
        self._new = self._new_names()
        self.names = {new: old for (_, old), new in self._new.items()}
        facts = task.facts
        # LPG needs a fact in (:init).
        is_bare = not (is_classical or facts.facts or facts.values)
        self._filler: list[Tree] = [[self._fresh("started")]]
        """A fact that always holds; empty if nothing needs it."""
        self._goal = self._reached(_contents(self.given[1], ":goal")[0])
        if not (is_bare or self._goal in self._filler):
            self._filler = []

    def _new_names(self) -> dict[tuple[str, str], str]:
        """Return another name for each kind and name that planners do not take.

        One name of two kinds confuses Tamer and Aries, so the second kind gets another name.
        """
        known, first = self._vocabulary, dict[str, str]()
        kinds: Mapping[str, Iterable[str]] = {
            "type": known.types.parents,
            "predicate": known.predicates,
            "function": known.functions,
            "action": known.actions,
            "object": known.objects,
            "variable": sorted(word for word in self._taken if word[0] == "?"),
            "title": [tree[1][1] for tree in self.given],
        }
        found = dict[tuple[str, str], str]()
        for kind, word in ((kind, word) for kind, words in kinds.items() for word in words):
            is_plain = _PLAIN.fullmatch(word) is not None and word not in _RESERVED
            # No planner looks up a title, so it may be the name of something else.
            is_own = kind == "title" or first.setdefault(word, kind) == kind
            is_taken = (
                kind != "type" or word != "number" if self._is_classical else is_plain and is_own
            )
            # `?duration` has its meaning only where there are durative actions.
            if is_taken or word == OBJECT or (word == DURATION and known.snaps):
                continue
            found[kind, word] = self._fresh(word)
        return found

    def _fresh(self, word: str) -> str:
        """Return a name that the texts do not have, such as ``n1b`` for ``1b``."""
        mark = "?" if word[0] == "?" else ""
        base = re.sub(r"[^a-z0-9_-]", "-", word.removeprefix(mark))
        base = mark + ("" if "a" <= base[0] <= "z" else "n") + base
        names = chain([base], (f"{base}-{number}" for number in count(2)))
        new = next(name for name in names if name not in self._taken | _RESERVED)
        self._taken.add(new)
        return new

    def _name(self, kind: str, word: str) -> str:
        return self._new.get((kind, word), word)

    def scale(self, trees: Tree) -> int:
        """Make all costs integers, in place; return their factor. Fast Downward reads no ``2.0``.

        Costs are left as they are if one is an expression, or would be too large (``numeric``).
        """
        cells = [
            part
            for part in _lists(trees)
            if part[:1] in (["increase"], ["="]) and len(part) == 3 and not isinstance(part[1], str)
        ]
        values = [part[2] for part in cells]
        # Scaled numbers must not be compared with, or be part of, others.
        if "numeric" in self._features or any(value[0] in _OPERATORS for value in values):
            return 1
        numbers = [Fraction(parse_decimal(x)) if isinstance(x, str) else None for x in values]
        factor = lcm(*(number.denominator for number in numbers if number is not None))
        for part, number in zip(cells, numbers, strict=True):
            part[2] = part[2] if number is None else str(int(number * factor))
        return factor

    # Sections

    def domain(self) -> Tree:
        """Return the domain."""
        contents = partial(_contents, self.given[0])
        functions = [
            word if isinstance(word, str) else self._declaration(word, "function")
            for word in contents(":functions")
        ]
        sections = [
            [":requirements", *self._requirements()],
            [":types", *self._typed("type", contents(":types", is_typed=True))],
            [":constants", *self._typed("object", contents(":constants", is_typed=True))],
            [":predicates", *map(self._declaration, contents(":predicates")), *self._filler],
            [":functions", *functions],
            [":constraints", *map(self._formula, contents(":constraints"))],
        ]
        filled = [section for section in sections if len(section) > 1]
        given = [section for section in self.given[0][2:] if section[0] not in _DOMAIN]
        structures = [self._structure(each) for each in chain(*map(self._variants, given))]
        # LPG and Tamer crash on an action without effects, which no plan needs.
        return self._definition(
            0, [*filled, *(s for s in structures if self._is_classical or s[-1] != _EMPTY)]
        )

    def problem(self) -> Tree:
        """Return the problem; the requirements are those of the domain."""
        contents = partial(_contents, self.given[1])
        objects = self._typed("object", contents(":objects", is_typed=True))
        has_objects = any(part[0] == ":objects" for part in self.given[1][2:])
        facts = [self._formula(part) for part in contents(":init") if part[0] != "not"]
        return self._definition(
            1,
            [
                [":domain", self._name("title", self.given[0][1][1])],
                *([[":objects", *objects]] if has_objects else []),
                [":init", *self._filler, *self._costs(), *facts],
                [":goal", self._goal],
                *([":constraints", self._formula(part)] for part in contents(":constraints")),
                *self._metric(contents(":metric")),
            ],
        )

    def _definition(self, index: int, sections: Sequence[Tree]) -> Tree:
        kind, title = self.given[index][1]
        return ["define", [kind, self._name("title", title)], *sections]

    def _requirements(self) -> list[str]:
        """Return the declared requirements, or, if a planner refuses one, what the task needs."""
        declared = dict.fromkeys(chain(*(_contents(tree, ":requirements") for tree in self.given)))
        is_beyond = "numeric" in self._features or self._task.facts.unsupported
        needed = self._vocabulary.needed
        accepted = needed | (_BEYOND if is_beyond else _EVERYWHERE)
        kept = [word for word in declared if word in accepted]
        if len(kept) < len(declared):
            kept += sorted(needed.difference(kept, *(IMPLIED.get(word, ()) for word in kept)))
        # A list of requirements without a word is not PDDL.
        return kept or [":strips"] * bool(declared)

    def _typed(self, kind: str, words: Iterable[Tree]) -> list[Tree]:
        """Return a typed list, with no type or object declared again."""
        return [part for group in _groups(words) for part in self._group(kind, *group)]

    def _group(self, kind: str, names: list[str], given: Tree) -> list[Tree]:
        """Return names with their type, without types where the domain declares none."""
        if kind == "type" and given in names and given != OBJECT:  # a type as its own parent
            others = [name for name in names if name != given]
            return [*self._group(kind, others, given), *self._group(kind, [given], OBJECT)]
        if kind in ("type", "object"):
            marks = {name: f"{kind} {name} - {_show(given or OBJECT)}" for name in names}
            names = [name for name, mark in marks.items() if mark not in self._declared]
            self._declared.update(marks.values())
        is_typed = names and given and self._vocabulary.types.declared
        kinds = ["-", self._type(given, kind)] if is_typed else []
        return [*(self._name("variable" if kind == "argument" else kind, n) for n in names), *kinds]

    def _type(self, tree: Tree, kind: str) -> Tree:
        """Return a type; in a declaration, alternatives become their nearest common ancestor."""
        names = [tree] if isinstance(tree, str) else [*dict.fromkeys(tree[1:])]
        if kind == "argument" and len(names) > 1:
            ancestors = self._vocabulary.types.with_ancestors
            shared = frozenset.intersection(*(ancestors([name]) for name in names))
            names = [max(sorted(shared), key=lambda name: len(ancestors([name])))]
        written = [self._name("type", name) for name in names]
        return written[0] if len(written) == 1 else ["either", *written]

    def _declaration(self, where: Tree, kind: str = "predicate") -> Tree:
        return [self._name(kind, where[0]), *self._typed("argument", where[1:])]

    def _variants(self, section: Tree) -> Iterator[Tree]:
        """Yield an action once for each choice of its types: no planner reads ``either`` there."""
        if ":parameters" not in section:
            yield section
            return
        place = section.index(":parameters") + 1
        for index, chosen in enumerate(_choices(section[place])):
            variant = [*section[:place], chosen, *section[place + 1 :]]
            # The first variant keeps the action's name. `names` gives it back to the steps of the
            # others.
            if index:
                variant[1] = self._fresh(section[1])
                self.names[variant[1]] = section[1]
            yield variant

    def _structure(self, section: Tree) -> Tree:
        """Return an action or a rule."""
        if section[0] == ":derived":
            return [":derived", self._declaration(section[1]), self._formula(section[2])]
        given = dict(zip(section[2::2], section[3::2], strict=True))
        # Fast Downward and pyperplan read (and); LPG needs the part to be missing.
        parts: dict[str, Tree] = {":parameters": [], ":effect": []} | given
        if self._is_classical and section[0] == ":action":
            parts.setdefault(":precondition", [])
        written = [section[0], self._name("action", section[1])]
        for keyword in filter(parts.__contains__, _PARTS):
            self._in_effect = keyword == ":effect"
            is_list = keyword == ":parameters"
            value = (
                self._typed("variable", parts[keyword])
                if is_list
                else self._formula(parts[keyword])
            )
            # `(and (= ?duration 2))` and `(at start (= ?duration 2))` are the bound inside.
            while keyword == ":duration" and (value[0], len(value)) in (("and", 2), ("at", 3)):
                value = value[-1]
            if self._is_classical or self._in_effect or value != _EMPTY:
                written += [keyword, value]
        self._in_effect = False
        return written

    def _costs(self) -> Iterator[Tree]:
        """Yield the cost of no step, 0, if it is not given: engines of Unified Planning need it."""
        cost = (TOTAL_COST.function,)
        is_missing = cost not in self._task.facts.values and "costs" in self._features
        if is_missing and cost[0] in self._vocabulary.functions and not self._is_classical:
            yield ["=", [*cost], "0"]

    def _reached(self, where: Tree) -> Tree:
        """Return the goal; if it is empty, a fact of the initial state.

        LPG, Tamer and K* end without a plan if there is nothing to reach. The empty plan reaches a
        fact that can change, and each plan that does is a plan for the empty goal. With costs, the
        cheapest plan may not be one of them. The optimal searches of Fast Downward refuse a goal
        without a fact.
        """
        facts, goal = self._task.facts, self._formula(where)
        if goal != _EMPTY:
            return goal
        changing = changing_predicates(self._vocabulary)
        initial = sorted(fact for fact in facts.facts if fact[0] in changing)
        is_free = not (facts.constraints or facts.timed or "costs" in self._features)
        return self._formula([*initial[0]]) if is_free and initial else self._filler[0]

    def _metric(self, contents: Sequence[Tree]) -> Iterator[Tree]:
        """Yield the metric; for classical planners, total-time says nothing."""
        if contents:
            value = self._formula(contents[1])
            is_makespan = contents[0] == "minimize" and value == [TOTAL_TIME.function]
            if not (is_makespan and self._is_classical):
                yield [":metric", contents[0], value]

    # Formulas

    def _word(self, word: str) -> Tree:
        """Return a term or number, or a function that is written without parentheses."""
        is_function = word in self._vocabulary.functions or word == TOTAL_TIME.function
        if is_function and word not in self._vocabulary.objects:
            return [self._name("function", word)]
        return self._name("variable" if word[0] == "?" else "object", word)

    def _formula(self, where: Tree) -> Tree:
        """Return a condition, effect, expression or fact."""
        if isinstance(where, str):
            return self._word(where)
        head, *inner = where or _EMPTY
        kind = "predicate" if head in self._vocabulary.predicates else "function"
        is_known = kind == "predicate" or head in self._vocabulary.functions
        if is_known and all(isinstance(part, str) for part in inner):
            terms = [self._name("variable" if w[0] == "?" else "object", w) for w in inner]
            return [self._name(kind, head), *terms]
        if head == "when":
            # The condition of an effect is simplified as a condition.
            in_effect, self._in_effect = self._in_effect, False
            condition = self._formula(inner[0])
            self._in_effect = in_effect
            inner = [condition, self._formula(inner[1])]
        elif head in ("exists", "forall") and len(choices := _choices(inner[0])) > 1:
            # An `exists` over alternatives is an `or` over their types, a `forall` an `and`.
            parts = [[head, chosen, inner[1]] for chosen in choices]
            return self._formula(["or" if head == "exists" else "and", *parts])
        elif head in ("exists", "forall"):
            inner = [self._typed("variable", inner[0]), self._formula(inner[1])]
        else:
            # Other words are names of preferences, moments of durative actions, or times.
            is_numeric = head in _NUMERIC
            inner = [
                p if isinstance(p, str) and not is_numeric else self._formula(p) for p in inner
            ]
        return self._simplified([head, *inner])

    def _simplified(self, tree: Tree) -> Tree:
        """Return a formula, whose parts are simple already, without forms that planners refuse."""
        match tree:
            case ["and", *parts]:
                return ["and", *chain(*map(_conjuncts, parts))]
            # Nothing holds at a time, or happens under a condition.
            case ["at" | "over" | "when", _, ["and"]]:
                return _EMPTY
            case [("exists" | "forall"), [], part] | ["when", ["and"], part]:
                return part
            case ["when", condition, effect] if any(
                part[0] in ("forall", "when") for part in _conjuncts(effect)
            ):
                parts = [self._conditional(condition, part) for part in _conjuncts(effect)]
                return tree if None in parts else self._simplified(["and", *parts])
            case ["forall", variables, effect] if self._in_effect:
                return self._universal(tree, variables, effect)
            case ["+" | "-" | "*" as sign, str(first), str(second)] if self._is_classical and (
                _NUMBER.fullmatch(first) and _NUMBER.fullmatch(second)
            ):
                x, y = Fraction(first), Fraction(second)
                return decimal_text({"+": x + y, "-": x - y, "*": x * y}[sign]) or tree
            # Some planners read two operands only.
            case ["+" | "*" as sign, first, second, third, *rest]:
                return self._simplified([sign, [sign, first, second], third, *rest])
            case ["-", operand]:
                return ["-", "0", operand]  # ENHSP stops at a minus with one operand
        return tree

    def _conditional(self, condition: Tree, effect: Tree) -> Tree | None:
        """Return a part of a conditional effect; Fast Downward takes no ``forall`` inside."""
        match effect:
            case ["when", inner, part]:
                return ["when", ["and", *_conjuncts(condition), *_conjuncts(inner)], part]
            case ["forall", variables, part]:
                inside = ["forall", variables, self._simplified(["when", condition, part])]
                return None if _binds(variables, condition) else self._simplified(inside)
        return ["when", condition, effect]

    def _universal(self, tree: Tree, variables: Tree, effect: Tree) -> Tree:
        """Return an effect for every object; ENHSP takes one atom or ``when`` inside."""
        inner = [part for part in _conjuncts(effect) if part[0] == "forall"]
        is_simple = effect[0] != "and" and not inner
        if is_simple or any(_binds(part[1], variables) for part in inner):
            return tree
        return ["and", *(
            ["forall", _chained([variables, part[1]]), part[2]] if part in inner
            else ["forall", variables, part] for part in _conjuncts(effect)
        )]  # fmt: skip
