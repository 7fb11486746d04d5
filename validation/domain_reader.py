"""Read PDDL domain files."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.validation.definition import (
    OTHER_LANGUAGE,
    Definition,
    Typed,
    check_name,
    check_types,
    read_definition,
    read_type,
    read_typed_list,
    read_variables,
)
from pddl_pipeline.validation.formula_reader import FormulaReader
from pddl_pipeline.validation.language import (
    Action,
    Add,
    And,
    Axiom,
    Condition,
    Constraint,
    Delete,
    Preference,
    Types,
    Variable,
    When,
    walk,
)
from pddl_pipeline.validation.sexpr import SList, Source, show, slist
from pddl_pipeline.validation.vocabulary import Signature, TypeTree, Vocabulary

_SPONTANEOUS: Final = {":process": "a process", ":event": "an event", ":constraint": "a constraint"}
_KEYWORDS: Final = (
    ":requirements", ":types", ":constants", ":predicates", ":functions", ":action", ":derived",
    ":durative-action", ":constraints", *_SPONTANEOUS
)  # fmt: skip
_PARTS: Final = {
    ":action": (":parameters", ":precondition", ":effect"),
    ":durative-action": (":parameters", ":duration", ":condition", ":effect"),
    ":event": (":parameters", ":precondition", ":effect"),
    ":process": (":parameters", ":precondition", ":effect"),
    ":constraint": (":parameters", ":condition"),
}


_LONGEST_KEPT: Final = 50_000


def read_domain(text: str, file: str) -> Vocabulary:
    """Read a domain file.

    Requirements are not enforced, as in VAL. Sections may come in any order. The vocabularies of
    the last few domains are kept, since the tasks of a dataset have one; they must not be changed.

    Raises:
        PddlError: syntax error, unknown name or wrong number of arguments; with line and column.
    """
    return _kept(text, file) if len(text) <= _LONGEST_KEPT else _read(text, file)


def _read(text: str, file: str) -> Vocabulary:
    source = Source(text, file)
    definition = read_definition(source, "domain", _KEYWORDS)
    vocabulary = Vocabulary(definition.name, _types(source, definition))
    vocabulary.requirements = definition.requirements(source)
    for section in definition.all(":constants"):
        read_objects(source, section, vocabulary)
    for section in definition.all(":predicates"):
        _signatures(source, section, vocabulary, vocabulary.predicates)
    reader = FormulaReader(source, vocabulary)
    for section in definition.all(":functions"):
        _functions(reader, section)
    # Before the actions: no effect may change a derived predicate.
    vocabulary.strata = _strata(reader, definition.all(":derived"))
    vocabulary.derived = frozenset(a.head.predicate for group in vocabulary.strata for a in group)
    for keyword, section in definition.sections:
        if keyword in _PARTS:
            reader.keyword = keyword
            reader.is_continuous = keyword == ":process"
            _action(reader, section)
    reader.keyword, reader.is_continuous = "", False
    vocabulary.constraints = read_constraints(reader, definition)
    # The grammar of PDDL 3 has them in problems only.
    if any(constraint.preference is not None for constraint in vocabulary.constraints):
        section = definition.all(":constraints")[0]
        raise source.error("found a preference, expected it in the problem", section)
    vocabulary.warnings = source.warnings(vocabulary.requirements)
    vocabulary.needed = source.needed()
    return vocabulary


_kept = lru_cache(maxsize=16)(_read)


def read_constraints(reader: FormulaReader, definition: Definition) -> tuple[Constraint, ...]:
    """Return the constraints of a domain or problem.

    Raises:
        PddlError: as for `FormulaReader.condition`, or an unknown constraint.
    """
    found = list[Constraint]()
    sections = definition.all(":constraints")
    if len(sections) > 1:
        raise reader.source.error("found a second (:constraints …)", sections[1])
    for section in sections:
        reader.source.needs(":constraints", section)
        reader.refuse("a trajectory constraint", section, judged=True)
        if len(section) != 2:
            raise reader.source.error("expected (:constraints CONSTRAINT)", section)
        found += reader.constraints(section, 1, {})
    return tuple(found)


def _strata(reader: FormulaReader, sections: list[SList]) -> list[list[Axiom]]:
    if not sections:
        return []
    from pddl_pipeline.validation.stratification import NotStratified, strata  # rare

    axioms = [_axiom(reader, section) for section in sections]
    try:
        return strata(axioms)
    except NotStratified as error:
        name = str(error)
        where = next(
            s for s, axiom in zip(sections, axioms, strict=True) if axiom.head.predicate == name
        )
        raise reader.source.error(
            f"derived predicate '{name}' depends on its own negation", where
        ) from None


def _axiom(reader: FormulaReader, section: SList) -> Axiom:
    source, vocabulary = reader.source, reader.vocabulary
    source.needs(":derived-predicates", section)
    head: SList | str = section[1] if len(section) == 3 else ""
    if isinstance(head, str):
        raise source.error("expected (:derived (PREDICATE ?x …) CONDITION)", section)
    name = check_name(source, head, 0, "the derived predicate")
    variables = read_variables(source, head, 1, vocabulary.types)
    signature = vocabulary.predicates.get(name, ())
    if "-" not in head and len(signature) == len(variables):
        # A head without types has those of the predicate's declaration.
        variables = tuple(map(Variable, (v.name for v in variables), signature))
    scope = {variable.name: variable.types for variable in variables}
    atom_text = slist(head.first, [name, *scope])
    atom = reader.atom(atom_text, scope, "a derived predicate")
    return Axiom(atom, variables, reader.condition(section[2], section, 2, scope))


def _types(source: Source, definition: Definition) -> TypeTree:
    sections = definition.all(":types")
    tree = TypeTree(declared=bool(sections))
    for section in sections:
        source.needs(":typing", section)
        for entry in read_typed_list(source, section, 1):
            check_name(source, section, entry.item, "a type's name")
            if tree.parents.get(entry.name):
                source.note("type", f"type '{entry.name}' is declared twice", section, entry.item)
            tree.parents.setdefault(entry.name, set()).update(entry.types)
            for parent in entry.types:
                # Parents need not be declared: public files often omit them, and VAL accepts it.
                tree.parents.setdefault(parent, set())
    cycle = tree.cycle()
    if cycle:
        way = " - ".join(cycle)
        raise source.error(f"types are their own ancestors: {way}", sections[-1])
    return tree


def read_objects(source: Source, section: SList, vocabulary: Vocabulary) -> None:
    """Read a typed list of objects or constants into the vocabulary.

    Raises:
        PddlError: an entry is not a name, or its type is unknown.
    """
    entries = read_typed_list(source, section, 1)
    check_types(source, section, entries, vocabulary.types)
    for entry in entries:
        check_name(source, section, entry.item, "an object's name")
        if entry.name in vocabulary.objects:
            source.note("object", f"'{entry.name}' is declared twice", section, entry.item)
        vocabulary.add_object(entry.name, entry.types)


def _signatures(
    source: Source, section: SList, vocabulary: Vocabulary, known: dict[str, Signature]
) -> None:
    for index, part in enumerate(section[1:], start=1):
        if isinstance(part, str) or not part:
            raise source.error(f"found {show(part)}, expected (NAME ?x …)", section, index)
        name = check_name(source, part, 0, "a name")
        if name in known:
            raise source.error(f"'{name}' is declared twice", part, 0)
        known[name] = tuple(
            variable.types
            for variable in read_variables(source, part, 1, vocabulary.types, distinct=False)
        )


def _functions(reader: FormulaReader, section: SList) -> None:
    source, vocabulary = reader.source, reader.vocabulary
    skeletons = list[SList]()
    objects = list[tuple[SList, Types]]()
    """The functions whose values are objects, with the types of these."""
    index, untyped = 1, 0
    while index < len(section):
        part = section[index]
        if part == "-":
            if section[index + 1 : index + 2] != ["number"]:
                types = read_type(source, section, index + 1)
                # A type holds for all functions since the last one, as in every typed list.
                objects += [(part, types) for part in skeletons[untyped:]]
            untyped = len(skeletons)
            index += 1
        elif isinstance(part, str):
            raise source.error(f"found '{part}', expected (NAME ?x …)", section, index)
        else:
            skeletons.append(part)
        index += 1
    _signatures(source, slist(section.first, ["", *skeletons]), vocabulary, vocabulary.functions)
    source.needs(":action-costs", section)
    for part, types in objects:
        check_types(source, part, [Typed(part.head, types, 0)], vocabulary.types)
        source.needs(":object-fluents", section)
        reader.refuse(f"the object fluent '{part.head}'", part)
        vocabulary.value_types[part.head] = types


def _action(reader: FormulaReader, section: SList) -> None:
    source, vocabulary = reader.source, reader.vocabulary
    name = check_name(source, section, 1, "the action's name")
    if name in vocabulary.actions or f"{name} {reader.keyword[1:]}" in vocabulary.snaps:
        raise source.error(f"action '{name}' is defined twice", section, 1)
    parts = _action_parts(source, section)
    parameters = section[parts[":parameters"]] if ":parameters" in parts else slist(section.first)
    if isinstance(parameters, str):
        raise source.error(f"found '{parameters}', expected (?x …)", section, parts[":parameters"])
    variables = read_variables(source, parameters, 0, vocabulary.types)
    if reader.keyword == ":durative-action":
        from pddl_pipeline.validation.durative_reader import read_durative  # rare

        action = read_durative(reader, section, parts, name, variables)
        if action.durative is not None:
            vocabulary.snaps |= {part.name: part for part in action.durative[:3]}
        vocabulary.actions[name] = action
        return
    scope: dict[str, Types] = {variable.name: variable.types for variable in variables}
    condition: Condition = And(())
    preferences: tuple[Preference, ...] = ()
    read = parts.get(":precondition", parts.get(":condition"))
    if read is not None:
        condition, preferences = reader.preferred(section, read, scope)
    effect = parts.get(":effect")
    effects = () if effect is None else reader.effects(section[effect], section, effect, scope)
    if reader.keyword == ":action":
        vocabulary.actions[name] = Action(name, variables, condition, effects, preferences)
        return
    reader.refuse(_SPONTANEOUS[reader.keyword], section, judged=True)
    if reader.is_continuous and any(
        isinstance(part, (Add, Delete, When)) for part, _ in walk(*effects)
    ):
        reader.refuse("a process with an effect that is not continuous", section)
    # The kind is a part of the name: messages tell a process from an event by it.
    name, vocabulary.is_hybrid = f"{name} {reader.keyword[1:]}", True
    vocabulary.snaps[name] = Action(name, variables, condition, effects, preferences)


def _action_parts(source: Source, section: SList) -> dict[str, int]:
    """Return the index of each part's value in the section."""
    known = _PARTS[str(section[0])]
    parts: dict[str, int] = {}
    for index in range(2, len(section), 2):
        keyword = section[index]
        if not isinstance(keyword, str) or keyword not in known or keyword in parts:
            again = " again" if isinstance(keyword, str) and keyword in parts else ""
            near = did_you_mean(keyword, known) if isinstance(keyword, str) and not again else ""
            fault = f"found {show(keyword)}{again}, expected one of {', '.join(known)}{near}"
            raise source.error(OTHER_LANGUAGE.get(show(keyword), fault), section, index)
        if index + 1 == len(section):
            raise source.error(f"'{keyword}' has no value", section, index)
        parts[keyword] = index + 1
    return parts
