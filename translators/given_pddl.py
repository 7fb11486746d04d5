"""Instances that are given as PDDL, of any domain. Their texts are not changed.

A task of one of this project's domains, or of a variant of one, is recognised: its actions are
equal, with the same or a variant's names. The domain's referee then plays its plans as well, and it
has the size that its record would have.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, Final

from pddl_pipeline.model.errors import PddlError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.text import surrogate_in
from pddl_pipeline.pddl_domains import domain_folder, domain_names, domain_text
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.translator import PAPER, Encoding, translator
from pddl_pipeline.validation.domain_reader import read_domain
from pddl_pipeline.validation.features import task_features
from pddl_pipeline.validation.language import And, Atom, ProblemFacts
from pddl_pipeline.validation.shapes import effects_shape, shape
from pddl_pipeline.validation.task import Task, task_from_texts
from pddl_pipeline.validation.vocabulary import OBJECT, Vocabulary

# Raised by `recover` for a problem that no record describes, such as a car without a place.
_NOT_OURS: Final = (FieldFault, KeyError, IndexError, ValueError)


@dataclass(frozen=True, slots=True)
class RecognisedTask:
    """A task of one of this project's domains."""

    domain: str
    form: Any
    """The record that describes the task."""
    names: Mapping[str, str]
    """This project's names of the actions and predicates that have other names in the PDDL."""

    @property
    def size(self) -> int:
        """The size by which reports group."""
        return translator(self.domain).size(self.form)

    def as_ours(self, plan: Plan) -> Plan:
        """Return a plan with this project's names of the actions."""
        if not self.names:
            return plan
        steps = (Step(self.names.get(step.action, step.action), step.arguments) for step in plan)
        return Plan(tuple(steps))


def recognise(task: Task, domain: str, problem: str) -> RecognisedTask | None:
    """Return a task as one of this project's domains; None if it is not exactly one of their tasks.

    Args:
        task: the task of both texts.
        domain: text of the domain.
        problem: text of the problem.
    """
    found = _same_domain(domain)
    if found is None or task.facts.unsupported:
        return None
    name, encoding, names = found
    if set(names.values()) & {*task.vocabulary.predicates, *task.vocabulary.actions}:
        # The task uses both names: renaming would merge two actions or predicates.
        return None
    ours = Task(task.vocabulary, _renamed(task.facts, names), task.texts)
    try:
        form = encoding.recover(ours, problem)
        again = encoding.problem(Instance("again", name, 0, form))
    except _NOT_OURS:
        return None
    # The record counts only if it gives the same task again.
    text = domain_text(name, encoding.variant)
    same = _content(task_from_texts((text, name), (again, name))) == _content(ours)
    return RecognisedTask(name, form, names) if same else None


@cache
def _same_domain(text: str) -> tuple[str, Encoding[Any], dict[str, str]] | None:
    """Return name and encoding of the domain with the same actions, and the names to replace."""
    wanted = _domain_shape(read_domain(text, "domain"), {})
    for name in domain_names():
        encodings = translator(name).encodings
        for encoding in encodings.values():
            own = domain_text(name, encoding.variant)
            if wanted == _domain_shape(read_domain(own, name), {}):
                return name, encoding, {}
        for file in domain_folder(name).glob("variants/*.names.json"):
            names: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
            theirs = {ours: theirs for theirs, ours in names.items()}
            if wanted == _domain_shape(read_domain(domain_text(name), name), theirs):
                return name, encodings[PAPER], names
    return None


def same_actions(one: str, other: str) -> bool:
    """Return whether two domain texts have the same actions under the same names."""
    shapes = (_domain_shape(read_domain(text, "domain"), {}) for text in (one, other))
    return next(shapes) == next(shapes)


def _domain_shape(vocabulary: Vocabulary, names: Mapping[str, str]) -> object:
    """Return a domain's actions, independent of their order and of the names of variables."""
    return frozenset(
        (
            names.get(action.name, action.name),
            tuple(frozenset(parameter.types) for parameter in action.parameters),
            shape(action.precondition, renaming),
            effects_shape(action.effects, renaming),
        )
        for action in vocabulary.actions.values()
        for renaming in [
            {name: f"?{position}" for position, (name, _) in enumerate(action.parameters)}
            | dict(names)
        ]
    ) | {vocabulary.derived, _hierarchy(vocabulary)}


def _hierarchy(vocabulary: Vocabulary) -> frozenset[tuple[str, frozenset[str]]]:
    parents = vocabulary.types.parents
    return frozenset((name, frozenset(above - {OBJECT})) for name, above in parents.items())


def _renamed(facts: ProblemFacts, names: Mapping[str, str]) -> ProblemFacts:
    if not names:
        return facts
    return facts._replace(
        facts=frozenset((names.get(fact[0], fact[0]), *fact[1:]) for fact in facts.facts),
        goal=_with_names(facts.goal, names),
    )


def _with_names(node: Any, names: Mapping[str, str]) -> Any:
    """Return a condition with its predicates renamed, but not its objects."""
    if isinstance(node, And):
        return And(tuple(_with_names(part, names) for part in node.parts))
    if isinstance(node, Atom):
        return Atom(names.get(node.predicate, node.predicate), node.terms)
    return node


def _content(task: Task) -> object:
    facts = task.facts
    objects = {name: frozenset(types) for name, types in task.vocabulary.objects.items()}
    return objects, facts.facts, facts.values, shape(facts.goal), facts.metric


@dataclass(frozen=True, slots=True)
class GivenPddl:
    """The texts of a domain and a problem."""

    domain: str
    problem: str
    features: frozenset[str]
    """What planners must support; see `task_features`."""
    known: RecognisedTask | None
    """The task as one of this project's domains, if it was recognised."""
    files: tuple[str, str] = field(default=("<domain>", "<problem>"), compare=False)
    """Names of domain and problem for messages."""

    def read(self) -> Task:
        """Return the task that the texts describe."""
        return _read(self.domain, self.problem, self.files)


def given_instance(
    name: str,
    domain: str,
    problem: str,
    extras: Mapping[str, Any],
    *,
    files: tuple[str, str] = ("<domain>", "<problem>"),
) -> Instance[GivenPddl]:
    """Return the instance of a pair of PDDL texts.

    Args:
        name: its id.
        domain: PDDL text.
        problem: PDDL text.
        extras: optional fields of its record.
        files: names for messages.

    Raises:
        PddlError: the texts cannot be read.
    """
    for text, file in zip((domain, problem), files, strict=True):
        if half := surrogate_in(text):
            reason = f"contains an unpaired surrogate ({half}); expected valid Unicode"
            raise PddlError(reason, file=file)
    task = _read(domain, problem, files)
    known = recognise(task, domain, problem)
    size = extras.get("size")
    if size is None:
        size = known.size if known else len(task.vocabulary.objects)
    given = GivenPddl(domain, problem, task_features(task), known, files)
    named = known.domain if known else task.vocabulary.name
    return Instance(name, named, size, given, extras=extras)


def own_record(instance: Instance[Any]) -> Any:
    """Return the record of an instance; for given PDDL, the recovered record, or None."""
    given = instance.record
    if not isinstance(given, GivenPddl):
        return given
    return None if given.known is None else given.known.form


def our_names(instance: Instance[Any]) -> Mapping[str, str]:
    """Return this project's names of the actions and predicates with other names in an instance."""
    given = instance.record
    known = given.known if isinstance(given, GivenPddl) else None
    return {} if known is None else known.names


def their_names(instance: Instance[Any]) -> dict[str, str]:
    """Return the instance's names of actions and predicates that this project names differently."""
    return {ours: theirs for theirs, ours in our_names(instance).items()}


# The last task is cached: `run` prepares the runs of an instance right after loading it, and so
# reads each task once.
@lru_cache(maxsize=1)
def _read(domain: str, problem: str, files: tuple[str, str]) -> Task:
    return task_from_texts((domain, files[0]), (problem, files[1]))
