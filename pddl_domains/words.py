"""A domain's words, read from ``words.toml`` in its folder.

In a phrase, ``{0}``, ``{1}``, … stand for the objects of an action or fact. Mappings keep the order
of the file: it is the order in which facts and actions are described.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.pddl_domains import files_named


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file."""


class ObjectWords(_Table, frozen=True):
    """The names of objects in sentences."""

    nouns: tuple[str, ...] = ()
    """Words without meaning that may stand before or after a name, such as ``block``."""
    prefixes: tuple[str, ...] = ()
    """Beginnings of names that a sentence may leave out, such as ``dir-``."""
    roles: tuple[str, ...] = ()
    """Words before a name that say what the object is in the task, such as ``goal``."""
    phrase: str = "{0}"
    """The phrase for an object, given its name."""
    colours: tuple[str, ...] = ()
    """Names that replace the objects' own names if there are enough of them."""
    coloured: str = "{0}"
    """The phrase for an object, given its colour."""


class PlanbenchWords(_Table, frozen=True):
    """The words of PlanBench's statement."""

    introduction: tuple[str, ...] = ()
    """Paragraphs: the actions and their restrictions. Without them, there is no statement."""
    facts: dict[str, str] = {}
    """The phrases for facts; if empty, the domain's."""
    published_reader: bool = False
    """Whether answers are also read by the rules of PlanBench's published results."""


class ActionWords(_Table, frozen=True):
    """The description of an action in SimPlan's statement."""

    parameters: str
    preconditions: str
    effects: str
    example: tuple[str, ...]
    """The objects of an example step."""
    meaning: str = ""
    """Effect of the example step; if empty, the action's sentence is used."""
    if_known: Mapping[str, str] = {}
    """Other preconditions, by a predicate of the variant to which they apply."""


class Grouped(_Table, frozen=True):
    """The phrase for all facts of a predicate with the same first object."""

    opening: str
    each: str
    """The phrase for one of the facts, which are listed after the opening."""


class SimplanWords(_Table, frozen=True):
    """The words of SimPlan's statement."""

    title: str
    """Name of the domain in the first sentence."""
    actions: dict[str, ActionWords]
    kinds: tuple[str, ...] = ()
    """The kinds of objects that are listed: names of types, or of predicates in untyped domains.
    Objects of no kind count as the last."""
    listed: dict[str, str] = {}
    """By predicate, the opening of one phrase that lists the first objects of all facts."""
    grouped: dict[str, Grouped] = {}
    """By predicate, the phrase for the facts with the same first object."""
    by_object: bool = False
    """Whether a state is described object by object, in phrases joined by ``and``. Facts without
    objects follow; one that does not hold is replaced by its first denial."""


class Agent(_Table, frozen=True):
    """The predicates for the places of things and of the agent that moves them."""

    predicate: str
    """The predicate for the agent's place."""
    place: int
    """The position of the place among the predicate's objects, from 0."""
    things: str
    """The predicate for a thing's place."""
    thing_place: int
    """The position of the place among the objects of `things`, from 0."""
    type: str | None = None
    """The type of the first object of `predicate`, if `predicate` also places other objects."""


class StateWords(_Table, frozen=True):
    """The words for states in questions and answers, and the facts that exclude each other."""

    exclusive: tuple[dict[str, tuple[int, ...]], ...]
    """Groups of predicates, each with the positions (from 0) of the objects that identify its
    facts. In every state, at most one of a group's facts with the same objects holds."""
    order: tuple[str, ...] = ()
    """The predicates in the order of a description; if empty, that of the domain's facts."""
    texts: dict[str, str] = {}
    """The phrases that differ from the domain's facts."""
    joined: tuple[str, ...] = ()
    """Predicates whose phrase follows another one about the same object, joined by ``and``."""
    implied: tuple[str, ...] = ()
    """Predicates that descriptions leave out, since others imply them. Answers may contain them,
    but must then be right."""
    other_names: dict[str, str] = {}
    """Names of predicates in variants of the domain, with the predicate whose words they use."""
    agent: Agent | None = None
    also_read: dict[str, tuple[str, ...]] = {}
    """Further texts that a reader accepts."""
    denials: dict[str, tuple[str, ...]] = {}
    """Texts that deny a fact."""


class FrameWords(_Table, frozen=True):
    """Verbs for an action, and the roles of the names beside them, which come in any order."""

    verbs: tuple[str, ...]
    """In the form of commands; ``she lifts`` is read as well."""
    names: tuple[str, ...]
    """By argument, its roles: ``subject``, ``object``, or prepositions, separated by blanks."""
    words: tuple[str, ...] = ()
    """Words that the sentence must have, each after the prepositions that may lead to it."""
    optional: tuple[str, ...] = ()
    """Words that the sentence may have, each after the prepositions that may lead to it."""
    when: str | None = None
    """A fact of the initial state without which the sentence is none of this action."""


class DomainWords(_Table, frozen=True):
    """The words of a domain, or of a variant that has its own."""

    words_of: str | None = None
    """The domain whose words are used."""
    sentences: dict[str, tuple[str, ...]] = {}
    """By action, sentences for a step. The first one is used for writing. Each starts with or
    contains a verb that no other action has."""
    aliases: dict[str, str] = {}
    """Names of actions in variants of the domain, with the action whose sentences they use."""
    idle: tuple[str, ...] = ()
    """Phrases that may occur but are not arguments of a step, such as ``the ferry``."""
    agents: tuple[str, ...] = ()
    """Words for who acts, which may stand beside the names, such as ``ferry``."""
    frames: dict[str, tuple[FrameWords, ...]] = {}
    """By action, further ways to say a step."""
    implied: dict[str, tuple[str, ...]] = {}
    """By action, the facts of the state before the step that determine objects which a sentence
    leaves out: ``at-ferry {1}``."""
    objects: ObjectWords = ObjectWords()
    facts: dict[str, str] = {}
    """By predicate, the phrase for a fact. Facts of other predicates are not described."""
    training_facts: dict[str, str] = {}
    """The phrases for facts in SimPlan's training examples, if they differ."""
    told: dict[str, tuple[str, ...]] = {}
    """By predicate, further phrases for a fact in the answers of models: ``stacked on {1}``."""
    planbench: PlanbenchWords = PlanbenchWords()
    simplan: SimplanWords | None = None
    states: StateWords | None = None

    def __post_init__(self) -> None:
        for path in _PHRASES:
            _check_phrases(path, _at(self, path))
        for path, table in _NAMES.items():
            _check_names(path, _at(self, path), table, getattr(self, table))
        _check_names("aliases", self.aliases.values(), "sentences", self.sentences)
        if self.states:
            others, agent = self.states.other_names, self.states.agent
            _check_names("states.other_names", others.values(), "facts", self.facts)
            for group in self.states.exclusive:
                _check_names("states.exclusive", group, "facts", {*self.facts, *others})
            if agent:
                _check_names("states.agent", (agent.predicate, agent.things), "facts", self.facts)


_PHRASES: Final = (
    "sentences", "facts", "training_facts", "planbench.facts", "told", "implied",
    "states.texts", "states.also_read", "states.denials",
)  # fmt: skip
"""The tables with phrases."""
_NAMES: Final = {
    **dict.fromkeys(("frames", "implied", "simplan.actions"), "sentences"),
    **dict.fromkeys(("simplan.listed", "simplan.grouped", "states.order", "states.texts"), "facts"),
    **dict.fromkeys(("states.joined", "states.implied", "states.also_read"), "facts"),
    "states.denials": "facts",
}
"""For each table or list whose names are of another table, the name of that table."""


def _at(words: Any, path: str) -> Any:
    """Return the table at a path; empty if the words lack it."""
    for name in path.split("."):
        words = getattr(words, name, {})
    return words


def _check_names(field: str, names: Iterable[str], table: str, known: Iterable[str]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"{field}: '{name}' is not in {table}")


def _check_phrases(field: str, table: Mapping[str, str | tuple[str, ...]]) -> None:
    for name, phrases in table.items():
        for phrase in (phrases,) if isinstance(phrases, str) else phrases:
            if set("{}") & set(re.sub(r"\{\d\}", "", phrase)):
                found = f"found '{phrase}', expected {{0}}, {{1}}, ... for the objects"
                raise ValueError(f"{field}.{name}: {found}")


@cache
def domain_words(name: str) -> DomainWords:
    """Return the words of a domain, or of a variant that has its own; empty if it has none.

    Args:
        name: the name of the domain, or the path of a ``words.toml``.

    Raises:
        InputError: the file is not valid.
    """
    files = files_named("words.toml")
    if name.endswith("words.toml"):
        return read_words(Path(name))
    if name not in files:
        return DomainWords()
    words = read_words(files[name])
    if words.words_of and words.words_of not in files:
        raise InputError(f"{files[name]}: words_of: '{words.words_of}' has no words")
    return words


def read_words(file: Path) -> DomainWords:
    """Return the words in a file.

    Raises:
        InputError: the file is not TOML, or a key is unknown, missing or invalid.
    """
    try:
        return msgspec.toml.decode(file.read_bytes(), type=DomainWords)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: {error}") from None
