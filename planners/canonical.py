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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from itertools import chain, count
from math import lcm
from operator import add, mul, sub, truediv
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.errors import PddlError
from pddl_pipeline.model.number import decimal_text, normal, parse_decimal
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.validation.definition import IMPLIED, read_typed_list
from pddl_pipeline.validation.features import task_features
from pddl_pipeline.validation.formula_reader import COMPARISONS, UPDATES, is_number
from pddl_pipeline.validation.language import DURATION, TOTAL_COST
from pddl_pipeline.validation.sexpr import COMMENT, Source, slist
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
_TYPED: Final = (":types", ":constants", ":objects")
_LINE: Final = "\n  :"
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
_ODD_SPACE: Final = re.compile(r"[\f\v]")
_WORD: Final = re.compile(r"[^\s()]+")
_OPERATORS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "+": add, "-": sub, "*": mul, "/": truediv
}  # fmt: skip
_LARGEST_COST: Final = 2**31 // 1000
"""Fast Downward adds costs in 32 bits, so a thousand steps may cost as much each."""


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
        return Prepared(problem, problem)  # the planner says what it cannot read
    writer = _Writer(task, problem, is_classical=is_classical)
    written = writer.domain(), writer.problem()
    if is_classical and "numeric" not in writer.features:
        writer.scale(written)
    if not writer.is_odd and written == writer.given:
        return Prepared(problem, problem)
    domain, facts = map(_text, written)
    texts = replace(problem, domain_pddl=domain, problem_pddl=facts)
    return Prepared(problem, texts, writer.renamed(), writer.factor)


general: Final = partial(_prepared, is_classical=False)
"""Return the texts for planners that need plain names and accept no empty conditions."""
classical: Final = partial(_prepared, is_classical=True)
"""Return the texts for Fast Downward and similar planners: any names, integers, no total-time."""


def _text(tree: Tree) -> str:
    """Return a definition as text: a line for each section, part of an action, and fact."""
    lines = [f"(define {_show(tree[1])}"]
    for section in tree[2:]:
        between = "\n  " if section[0] == ":init" else " "
        lines.append(f" ({between.join(map(_show, section)).replace(' :', _LINE)})")
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


def _joined(parts: Sequence[Tree], where: Tree = ()) -> Tree:
    """Return a conjunction of parts; one part alone, unless it was written as a conjunction."""
    return parts[0] if len(parts) == 1 and where[:1] != ["and"] else ["and", *parts]


def _conjuncts(tree: Tree) -> Sequence[Tree]:
    return tree[1:] if tree[:1] == ["and"] else [tree]


def _is_scoped(effect: Tree) -> bool:
    return effect[0] in ("forall", "when") and not isinstance(effect[1], str)


def _replaced(tree: Tree, words: Mapping[str, str]) -> Tree:
    return words.get(tree, tree) if isinstance(tree, str) else [_replaced(x, words) for x in tree]


def _computed(operator: str, left: Tree, right: Tree) -> Tree:
    """Return an operation, or its value as a number if both operands are numbers."""
    with suppress(ValueError, TypeError, ZeroDivisionError):
        value = _OPERATORS[operator](Fraction(parse_decimal(left)), parse_decimal(right))
        return decimal_text(normal(value)) or [operator, left, right]
    return [operator, left, right]


def _contents(tree: Tree, keyword: str) -> list[Tree]:
    """Return the contents of all sections with a keyword."""
    lists = [section[1:] for section in tree[2:] if section[0] == keyword]
    return _chained(lists) if keyword in _TYPED else [*chain(*lists)]


def _chained(lists: Sequence[Tree]) -> list[Tree]:
    """Return typed lists as one, in which no type counts for the names of another list."""
    filled = [part for part in lists if part]
    closed = [[*p, "-", OBJECT] if p[-2:-1] != ["-"] else p for p in filled[:-1]]
    return [*chain(*closed, *filled[-1:])]


def _is_empty(tree: Tree) -> bool:
    """Return whether a condition or effect is empty, also at a time, as in (over all (and))."""
    return tree in ([], ["and"]) or (_is_timed(tree) and _is_empty(tree[2]))


def _is_timed(tree: Tree) -> bool:
    return len(tree) == 3 and tree[0] in ("at", "over") and not isinstance(tree[2], str)


def _has_odd_letters(texts: Sequence[str], *, is_classical: bool) -> bool:
    """Return whether texts have a form feed, or letters in a case that matters to ENHSP.

    It reads keywords in lower case only, and a name in two cases as two names.
    """
    plain = [COMMENT.sub("", text) for text in texts]
    if any(map(_ODD_SPACE.search, plain)):
        return True
    if is_classical or all(text == text.lower() for text in plain):
        return False
    words = {word for text in plain for word in _WORD.findall(text)}
    lower = {word.lower() for word in words}
    keywords = {word for word in lower if word[0] == ":" or word in _RESERVED or word == OBJECT}
    return len(lower) < len(words) or not keywords <= words


class _Writer:
    """Writer of one task. Its methods take and return trees."""

    def __init__(self, task: Task, problem: Problem, *, is_classical: bool) -> None:
        texts = problem.domain_pddl, problem.problem_pddl
        self._sources = [Source(text, "") for text in texts]
        self.given: tuple[Tree, ...] = tuple(source.read() for source in self._sources)
        self.is_odd = any(source.glued for source in self._sources) or _has_odd_letters(
            texts, is_classical=is_classical
        )
        self.features = task_features(task)
        self.factor = 1
        self._task, self._vocabulary, self._is_classical = task, task.vocabulary, is_classical
        self._taken = {*_words(self.given)}
        self._kinds: dict[str, str] = {}
        self._names: dict[tuple[str, str], str] = {}
        self._name_all()
        self._used = self._used_functions()
        self._objects_seen: dict[str, tuple[str, ...]] = {}

    def _used_functions(self) -> set[str]:
        """Return the functions that anything other than ``:init`` has; all if values are timed."""
        if self._task.facts.timed:
            return {*self._vocabulary.functions}
        domain, problem = (tree[2:] for tree in self.given)
        parts = [part for part in (*domain, *problem) if part[0] not in (":functions", ":init")]
        return self._vocabulary.functions.keys() & {*_words(parts)}

    def _name_all(self) -> None:
        """Find another name for each name that planners do not take."""
        known = self._vocabulary
        kinds: Mapping[str, Iterable[str]] = {
            "type": known.types.parents, "predicate": known.predicates,
            "function": known.functions, "action": known.actions, "object": known.objects,
            "variable": sorted(word for word in self._taken if word[0] == "?"),
            "title": [tree[1][1] for tree in self.given],
        }  # fmt: skip
        for kind, words in kinds.items():
            for word in words:
                if not self._fits(kind, word):
                    self._names[kind, word] = self._fresh(word)

    def _fits(self, kind: str, word: str) -> bool:
        """Return whether planners take a name; one name of two kinds confuses Tamer and Aries."""
        is_kept = word == OBJECT or (word == DURATION and self._vocabulary.snaps)
        if self._is_classical or is_kept:
            return word != "number" or kind != "type"
        is_plain = _PLAIN.fullmatch(word) is not None and word not in _RESERVED
        return is_plain and (kind == "title" or self._kinds.setdefault(word, kind) == kind)

    def _fresh(self, word: str) -> str:
        """Return a name that the texts do not have, such as ``n1b`` for ``1b``."""
        mark = "?" if word[0] == "?" else ""
        base = re.sub(r"[^a-z0-9_-]", "-", word.removeprefix(mark))
        base = mark + ("" if "a" <= base[0] <= "z" else "n") + base
        names = (base if number == 1 else f"{base}-{number}" for number in count(1))
        new = next(name for name in names if name not in self._taken and name not in _RESERVED)
        self._taken.add(new)
        return new

    def renamed(self) -> dict[str, str]:
        """Return the user's names by the new names."""
        return {new: old for (_, old), new in self._names.items()}

    def _name(self, kind: str, word: str) -> str:
        return self._names.get((kind, word), word)

    def _term(self, word: str) -> str:
        return self._name("variable" if word[0] == "?" else "object", word)

    def scale(self, trees: Tree) -> None:
        """Make all costs integers, in place: Fast Downward reads no ``2.5``, and not even ``2.0``.

        Costs are left as they are if one is an expression, or would be too large.
        """
        cells = [
            part for part in _lists(trees) if part[:1] in (["increase"], ["="])
            and len(part) == 3 and not isinstance(part[1], str)
        ]  # fmt: skip
        if any(part[2][0] in _OPERATORS for part in cells if not isinstance(part[2], str)):
            return
        numbers = [
            (part, Fraction(parse_decimal(part[2]))) for part in cells if isinstance(part[2], str)
        ]
        factor = lcm(*(number.denominator for _, number in numbers))
        if all(abs(number * factor) <= _LARGEST_COST for _, number in numbers):
            self.factor = factor
            for part, number in numbers:
                part[2] = str(int(number * factor))

    def _definition(self, index: int, sections: Sequence[Tree]) -> Tree:
        kind, title = self.given[index][1]
        return ["define", [kind, self._name("title", title)], *sections]

    def domain(self) -> Tree:
        """Return the domain."""
        contents = partial(_contents, self.given[0])
        sections = [
            [":requirements", *self._requirements()],
            [":types", *self._types(contents(":types"))],
            [":constants", *self._objects(contents(":constants"))],
            [":predicates", *map(self._predicate, contents(":predicates"))],
            [":functions", *self._functions(contents(":functions"))],
            [":constraints", *map(self._condition, contents(":constraints"))],
        ]
        filled = [section for section in sections if len(section) > 1]
        structures = [self._structure(s) for s in self.given[0][2:] if s[0] not in _DOMAIN]
        # LPG and Tamer crash on an action without effects, which no plan needs.
        return self._definition(0, [
            *filled, *(s for s in structures if self._is_classical or s[-1] != ["and"])
        ])  # fmt: skip

    def _requirements(self) -> list[str]:
        """Return the declared requirements, or, if a planner refuses one, what the task needs."""
        sections = [part for tree in self.given for part in tree[2:] if part[0] == ":requirements"]
        declared = {word: None for part in sections for word in part[1:]}
        is_beyond = "numeric" in self.features or self._task.facts.unsupported
        needed = self._vocabulary.needed
        accepted = needed | (_BEYOND if is_beyond else _EVERYWHERE)
        kept = [word for word in declared if word in accepted]
        if len(kept) < len(declared):
            kept += sorted(needed.difference(kept, *(IMPLIED.get(word, ()) for word in kept)))
        return kept or [":strips"] * bool(sections)

    def _types(self, words: Sequence[Tree]) -> Tree:
        """Return the types, each once, with ``object`` as the root, and with all parents."""
        entries = read_typed_list(self._sources[0], slist(0, words), 0)
        names = {entry.name for entry in entries}
        above = {parent for entry in entries for parent in entry.types}
        is_own = any(entry.name in entry.types for entry in entries)
        is_plain = len(names) == len(entries) and OBJECT not in names and not is_own
        if is_plain and above <= {*names, OBJECT}:
            return self._typed("type", words)
        written = list[Tree]()
        for name, parents in self._vocabulary.types.parents.items():
            kinds = sorted(parents - {name, OBJECT}) or [OBJECT]
            if name != OBJECT:
                written += [self._name("type", name), "-", self._type(["either", *kinds])]
        return written

    def _type(self, tree: Tree, *, is_declaration: bool = False) -> Tree:
        """Return a type; alternatives in a declaration become their nearest common ancestor."""
        names = [tree] if isinstance(tree, str) else [*dict.fromkeys(tree[1:])]
        if is_declaration and len(names) > 1:
            ancestors = self._vocabulary.types.with_ancestors
            shared = frozenset.intersection(*(ancestors([name]) for name in names))
            names = [max(sorted(shared), key=lambda name: len(ancestors([name])))]
        written = [self._name("type", name) for name in names]
        return written[0] if len(written) == 1 else ["either", *written]

    def _typed(self, kind: str, words: Sequence[Tree], *, is_declaration: bool = False) -> Tree:
        """Return a typed list, without types where the domain declares none."""
        written: Tree = []
        position = 0
        while position < len(words):
            if words[position] != "-":
                written.append(self._name(kind, words[position]))
            else:
                position += 1
                if self._vocabulary.types.declared and (written[-2:] or ["-"])[0] != "-":
                    kinds = self._type(words[position], is_declaration=is_declaration)
                    written += ["-", kinds]
            position += 1
        return written

    def _objects(self, words: Sequence[Tree]) -> Tree:
        """Return objects without those that were already declared with the same types."""
        entries = read_typed_list(self._sources[0], slist(0, words), 0)
        fresh = [entry for entry in entries if self._objects_seen.get(entry.name) != entry.types]
        self._objects_seen |= {entry.name: entry.types for entry in entries}
        if len({entry.name for entry in fresh}) == len(entries):
            return self._typed("object", words)
        once = {(entry.name, entry.types): None for entry in fresh}
        return self._typed("object", [
            word for name, types in once for word in (name, "-", ["either", *types])
        ])  # fmt: skip

    def _predicate(self, where: Tree, kind: str = "predicate") -> Tree:
        """Return the declaration of a predicate or function, or the head of a rule."""
        variables = self._typed("variable", where[1:], is_declaration=True)
        return [self._name(kind, where[0]), *variables]

    def _functions(self, words: Sequence[Tree]) -> list[Tree]:
        """Return the functions that anything reads or changes."""
        kept = [word for word in words if isinstance(word, str) or word[0] in self._used]
        if len(kept) < len(words):  # without (- number), which would follow no function
            kept = [word for word in kept if not isinstance(word, str)]
        return [w if isinstance(w, str) else self._predicate(w, "function") for w in kept]

    def _structure(self, section: Tree) -> Tree:
        """Return an action or a rule."""
        if section[0] == ":derived":
            return [":derived", self._head(section[1]), self._condition(section[2])]
        given = dict(zip(section[2::2], section[3::2], strict=True))
        parts = {":parameters": self._typed("variable", given.get(":parameters", []))}
        keyword = ":condition" if section[0] == ":durative-action" else ":precondition"
        condition = self._condition(given.get(keyword, []))
        # Fast Downward and pyperplan read (and); LPG needs the part to be missing.
        if self._is_classical or not _is_empty(condition):
            parts[keyword] = condition
        if ":duration" in given:
            parts[":duration"] = self._duration(given[":duration"])
        parts[":effect"] = self._effect(given.get(":effect", []))
        name = self._name("action", section[1])
        return [section[0], name, *(x for key in _PARTS if key in parts for x in (key, parts[key]))]

    def _head(self, where: Tree) -> Tree:
        """Return the head of a rule; LPG needs the types of its variables."""
        kinds = self._vocabulary.predicates[where[0]]
        if "-" not in where and any(kind != (OBJECT,) for kind in kinds):
            typed = zip(where[1:], kinds, strict=True)
            where = [where[0], *(x for name, kind in typed for x in (name, "-", ["either", *kind]))]
        return self._predicate(where)

    def _duration(self, where: Tree) -> Tree:
        """Return the bounds of a duration; one bound alone, and at the start without saying so."""
        match where:
            case ["and", inner] | ["at", "start", inner]:
                return self._duration(inner)
            case ["and", *bounds]:
                return ["and", *map(self._duration, bounds)]
            case ["at", moment, inner]:
                return ["at", moment, self._duration(inner)]
            case [operator, variable, value]:
                return [operator, variable, self._expression(value)]
        return where

    # Problem

    def problem(self) -> Tree:
        """Return the problem."""
        contents = partial(_contents, self.given[1])
        objects = self._objects(contents(":objects"))
        has_objects = any(part[0] == ":objects" for part in self.given[1][2:])
        facts = map(self._fact, contents(":init"))
        return self._definition(1, [
            [":domain", self._name("title", self.given[0][1][1])],
            *([[":objects", *objects]] if has_objects else []),
            [":init", *self._costs(), *(fact for fact in facts if fact is not None)],
            *([":goal", self._goal(part)] for part in contents(":goal")),
            *([":constraints", self._condition(part)] for part in contents(":constraints")),
            *self._metric(contents(":metric")),
        ])  # fmt: skip

    def _costs(self) -> Iterator[Tree]:
        """Yield the cost of no step, 0, if it is not given: engines of Unified Planning need it."""
        name, *_ = cost = (TOTAL_COST.function,)
        if not self._is_classical and name in self._used and cost not in self._task.facts.values:
            yield ["=", [*cost], "0"]

    def _fact(self, where: Tree) -> Tree | None:
        """Return a fact or a value; None for a negation, and a value that nothing uses."""
        match where:
            case ["not", [*_]]:
                return None
            case ["=", fluent, value]:
                name = fluent if isinstance(fluent, str) else fluent[0]
                return ["=", self._fluent(fluent), value] if name in self._used else None
            case ["at", time, [*_] as inner]:
                return ["at", time, self._fact(inner) if inner[0] == "=" else self._effect(inner)]
        return self._atom(where)

    def _goal(self, where: Tree) -> Tree:
        """Return the goal; if it is empty, a fact of the initial state.

        LPG, Tamer and K* end without a plan if there is nothing to reach. The empty plan reaches
        the fact, and everything that reaches it is a plan, since all goals hold everywhere.
        """
        task, goal = self._task, self._condition(where)
        if goal != ["and"] or task.facts.constraints or task.facts.timed:
            return goal
        changing = changing_predicates(self._vocabulary)
        facts = sorted(fact for fact in task.facts.facts if fact[0] in changing)
        return self._atom([*facts[0]]) if facts else goal

    def _metric(self, contents: Sequence[Tree]) -> Iterator[Tree]:
        """Yield the metric; for classical planners, total-time says nothing."""
        is_makespan = contents in (["minimize", "total-time"], ["minimize", ["total-time"]])
        if contents and not (is_makespan and self._is_classical):
            yield [":metric", contents[0], self._expression(contents[1])]

    # Formulas

    def _atom(self, where: Tree) -> Tree:
        if not self._names:
            return where
        return [self._name("predicate", where[0]), *map(self._term, where[1:])]

    def _fluent(self, where: Tree) -> Tree:
        where = [where] if isinstance(where, str) else where
        return [self._name("function", where[0]), *map(self._term, where[1:])]

    def _expression(self, where: Tree) -> Tree:
        """Return an expression; sums have two operands, and constants are computed."""
        name = where if isinstance(where, str) else where[0]
        if name in self._vocabulary.functions:
            return self._fluent(where)
        if name == "total-time":
            return ["total-time"]
        if isinstance(where, str) or name not in _OPERATORS:
            return where
        operands = [*map(self._expression, where[1:])]
        if len(operands) == 1:
            operands = ["0", *operands]  # ENHSP stops at a minus with one operand
        return reduce(partial(_computed, name), operands)

    def _comparison(self, where: Tree) -> Tree:
        objects, functions = self._vocabulary.objects, self._vocabulary.functions
        are_terms = where[0] == "=" and all(
            isinstance(side, str)
            and (side in objects or not (is_number(side) or side in functions))
            for side in where[1:]
        )
        return [where[0], *map(self._term if are_terms else self._expression, where[1:])]

    def _condition(self, where: Tree) -> Tree:
        """Return a condition, a preference or a constraint, with conjunctions flattened."""
        if _is_empty(where):
            return ["and"]
        head, *inner = where
        if head == "and":
            parts = [part for part in map(self._condition, inner) if not _is_empty(part)]
            return ["and", *(x for part in parts for x in _conjuncts(part))]
        if head in ("exists", "forall") and not isinstance(inner[0], str):
            part = self._condition(inner[1])
            return [head, self._typed("variable", inner[0]), part] if inner[0] else part
        if head in COMPARISONS:
            return self._comparison(where)
        if any(not isinstance(part, str) for part in inner):  # of atoms, or with a time or name
            return [head, *(p if isinstance(p, str) else self._condition(p) for p in inner)]
        return self._atom(where)

    def _effect(self, where: Tree) -> Tree:
        return _joined(self._effects(where), where)

    def _effects(self, where: Tree) -> list[Tree]:
        """Return the parts of an effect, in which ``forall`` is outside ``when``, each once."""
        if _is_empty(where):
            return []
        head, *inner = where
        if head == "and":
            return [effect for part in inner for effect in self._effects(part)]
        if _is_timed(where):
            return [["at", inner[0], self._effect(inner[1])]]
        if head == "forall":
            return [*self._for_each(self._typed("variable", inner[0]), inner[1])]
        if head == "when":
            condition = self._condition(inner[0])
            return [*self._when(condition, self._effects(inner[1]), inner[1])]
        if head == "not":
            return [["not", self._atom(inner[0])]]
        if head in UPDATES:
            return [[head, self._fluent(inner[0]), self._expression(inner[1])]]
        return [self._atom(where)]

    def _for_each(self, variables: Tree, where: Tree) -> Iterator[Tree]:
        """Yield the effects for every object; ENHSP takes one inside, or several ``when``."""
        effects = self._effects(where)
        if all(effect[0] == "when" for effect in effects) and variables:
            yield ["forall", variables, _joined(effects, where)]
            return
        for effect in effects:
            new, inner = [], effect
            if effect[0] == "forall" and _is_scoped(effect):
                _, new, inner = self._apart(effect, variables)
            both = _chained([variables, new])
            yield ["forall", both, inner] if both else inner

    def _when(self, condition: Tree, effects: Sequence[Tree], where: Tree) -> Iterator[Tree]:
        """Yield the effects of a condition; Fast Downward and ENHSP take no ``forall`` inside."""
        simple = [effect for effect in effects if not _is_scoped(effect)]
        if condition == ["and"]:
            yield from simple
        elif simple:
            yield ["when", condition, _joined(simple, where)]
        for effect in filter(_is_scoped, effects):
            if effect[0] == "when":
                yield ["when", ["and", *_conjuncts(condition), *_conjuncts(effect[1])], effect[2]]
            else:
                _, variables, inner = self._apart(effect, condition)
                deeper = self._when(condition, _conjuncts(inner), inner)
                yield from (["forall", variables, part] for part in deeper)

    def _apart(self, effect: Tree, outer: Tree) -> Tree:
        """Return an effect whose variables have other names than those in an outer part."""
        outside = {*_words(outer)}
        shared = {word for word in _words(effect[1]) if word[0] == "?" and word in outside}
        return _replaced(effect, {word: self._fresh(word) for word in sorted(shared)})
