"""Reads a step by its verb and the objects that it names, in any order.

A frame describes the roles of the names beside a verb: subject, object, or a preposition. A
sentence is a step if exactly one frame has a place for each name, by the types of the objects.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from pddl_pipeline.model.plan import Step
from pddl_pipeline.translators.answers.names import ARTICLES, LINKS, NUMBERED, Names
from pddl_pipeline.translators.answers.remembered import remembered
from pddl_pipeline.validation.task import Task

UNSAID: Final = "?"
"""Stands for an object that a sentence leaves out."""
AWAY: Final = frozenset({"from", "off"})
"""Prepositions of the origin."""
TOWARDS: Final = frozenset({"to", "into", "on", "onto", "upon"})
"""Prepositions of the destination. All others have no direction."""
_PRONOUNS: Final = frozenset({"i", "we", "let", "us", "lets"})
_LINKS: Final = LINKS | {"aboard", "atop", "back", "inside", "out", "over", "toward", "towards"}
_MODALS: Final = frozenset({"should", "will", "must", "now", "then", "first"})
_MOST_NAMES: Final = 8
_STATES: Final = frozenset({
    "is", "isn", "are", "aren", "was", "wasn", "were", "would", "wouldn", "cannot", "can", "could",
    "should", "may", "might", "must", "does", "doesn", "will", "won", "has", "had", "needs",
})  # fmt: skip
"""Words behind a step that make it the subject of a statement."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The words and roles of a sentence for an action."""

    action: str
    verbs: tuple[str, ...]
    roles: tuple[frozenset[str], ...]
    """By argument: ``subject``, ``object``, or prepositions."""
    needs: tuple[tuple[frozenset[str], str], ...] = ()
    """Words that the sentence must have, each with the prepositions before it."""
    may: tuple[tuple[frozenset[str], str], ...] = ()
    """Words that the sentence may have, each with the prepositions before it."""
    when: str | None = None
    """A fact of the initial state that must hold, with ``{0}``, ``{1}``, … for the arguments."""


class _Name(NamedTuple):
    """A name in a sentence."""

    object: str
    links: frozenset[str]
    """The prepositions before it, or ``subject`` or ``object``."""


class _Said(NamedTuple):
    """The content of a sentence."""

    verb: str
    names: list[_Name]
    words: list[tuple[frozenset[str], str]]
    """The other known words, each with the prepositions before it."""
    end: int
    """Index of the first word that is not understood."""
    left: frozenset[str]
    """The prepositions right before that word."""


class Frames:
    """Reads the steps of one task by frames."""

    def __init__(
        self,
        frames: Sequence[Frame],
        implied: Mapping[str, Sequence[str]],
        agents: Sequence[str],
        names: Names,
        task: Task,
    ) -> None:
        self._names, self._task = names, task
        self._agents = frozenset(agents)
        self._silent = ARTICLES | names.nouns
        self._empty = self._silent - {verb for frame in frames for verb in frame.verbs}
        self._implied = implied
        self._by_verb: dict[str, list[Frame]] = {}
        for frame in frames:
            for verb in frame.verbs:
                for form in (verb, f"{verb}s", f"{verb}es", f"{verb.removesuffix('y')}ies"):
                    self._by_verb.setdefault(form, []).append(frame)
        self._participles = frozenset(
            form
            for verb in {verb for frame in frames for verb in frame.verbs}
            for form in (f"{verb}ed", f"{verb}d", f"{verb}{verb[-1]}ed", f"{verb}n")
        )
        self._commands = frozenset(verb for frame in frames for verb in frame.verbs)
        self._words = self._agents.union(
            word for frame in frames for _, word in (*frame.needs, *frame.may)
        )

    def is_verb(self, word: str) -> bool:
        """Return whether a word is a verb of the domain."""
        return word in self._by_verb

    def has_verb(self, words: Sequence[str]) -> bool:
        """Return whether one of the words is a verb of the domain."""
        return not self._by_verb.keys().isdisjoint(words)

    def is_passive(self, words: Sequence[str]) -> bool:
        """Return whether words say that something is done, as in ``c0 is loaded``."""
        return any(
            one in {"is", "are"} and other in self._participles for one, other in pairwise(words)
        )

    def tells(self, words: Sequence[str]) -> bool:
        """Return whether words begin with a verb in the third person, as in ``stacks b on c``."""
        return bool(words) and words[0] in self._by_verb and words[0] not in self._commands

    def read(self, words: Sequence[str]) -> list[Step]:
        """Return the readings of a sentence as a step; `UNSAID` stands for omitted objects."""
        said = self._said(words)
        if said is None or len(said.names) > _MOST_NAMES:
            return []
        if self._names.others(words, said.end, {name.object for name in said.names}):
            return []
        found = [
            step
            for frame in self._by_verb[said.verb]
            if _has_words(frame, said.words, self._agents)
            for step in self._steps(frame, said.names)
            if not _leaves_open(frame, step, said.left)
        ]
        # An action's own name means this action, also where it is a synonym of another one.
        own = [step for step in found if said.verb in (step.action, f"{step.action}s")]
        found = own or found
        complete = [step for step in found if UNSAID not in step.arguments]
        return list(dict.fromkeys(complete or found))

    def seems(self, words: Sequence[str], pronouns: Collection[str] = ()) -> bool:
        """Return whether words begin like a step: a verb of the domain, and later an object.

        Args:
            words: the words.
            pronouns: words that count as objects.
        """
        said = None if words and words[0] in _PRONOUNS else self._said(words)
        if said is None:
            return False
        rest = words[said.end :]
        named = said.names or self._names.others(words, said.end, ())
        return bool(named) or (bool(rest) and rest[0] in pronouns)

    def unknown(self, words: Sequence[str]) -> str | None:
        """Return the word in the place of an object that is none, such as ``c9``, or None."""
        said = self._said(words)
        if said is None or said.end == len(words):
            return None
        word = words[said.end]
        return word if NUMBERED.fullmatch(word) else None

    def about(self, words: Sequence[str]) -> bool:
        """Return whether a sentence is about a step: ``put down b is not needed``."""
        said = self._said(words)
        if said is None or not said.names or said.end == len(words):
            return False
        return words[said.end] in _STATES

    @remembered(64)
    def _said(self, words: Sequence[str]) -> _Said | None:
        """Return the content of a sentence up to the first unknown word; None without a verb."""
        verb = ""
        names: list[_Name] = []
        others: list[tuple[frozenset[str], str]] = []
        links: set[str] = set()
        at, used = 0, False
        while at < len(words):
            word = words[at]
            mention = None if word in _LINKS else self._names.at(words, at)
            if not verb and word in self._by_verb:
                if (links and not used) or _is_noun(words, at):
                    return None  # `to put a on b, …` is a purpose
                verb, links, at = word, set(), at + 1
                continue
            if mention is not None:
                said = frozenset(links) or frozenset({"object" if verb else "subject"})
                names.append(_Name(mention.object, said))
                links, at = set(), mention.end
                continue
            if word in self._words:
                others.append((frozenset(links), word))
                links = set()
            elif word in _LINKS:
                links.add(word)
            elif word == "use" and not verb:
                used = True
            elif not self._is_silent(word, verb, bool(names or others)):
                break
            at = self._behind(words, at)
        if at < len(words) and words[at] == "order":
            links = set()  # `in order to …`
        return _Said(verb, names, others, at, frozenset(links)) if verb else None

    def _behind(self, words: Sequence[str], at: int) -> int:
        """Return the index behind a word, and behind those that a search for a name passed over."""
        passed = words[at] in self._silent
        at += 1
        while passed and at < len(words) and words[at] in self._empty:
            at += 1
        return at

    def _is_silent(self, word: str, verb: str, subject: bool) -> bool:  # noqa: FBT001
        """Return whether a word says nothing: an article, or ``should`` behind a subject."""
        return word in self._silent or (not verb and word in (_MODALS if subject else _PRONOUNS))

    def _steps(self, frame: Frame, names: Sequence[_Name]) -> Iterator[Step]:
        parameters = self._task.vocabulary.actions[frame.action].parameters
        if len(parameters) != len(frame.roles):
            return
        fitting = [self._task.vocabulary.candidates(each.types) for each in parameters]

        def assigned(index: int, chosen: dict[int, str]) -> Iterator[dict[int, str]]:
            if index == len(names):
                yield chosen
                return
            name = names[index]
            for slot, roles in enumerate(frame.roles):
                free = slot not in chosen and name.object in fitting[slot]
                if free and _fits(name.links, roles):
                    yield from assigned(index + 1, {**chosen, slot: name.object})

        for chosen in assigned(0, {}):
            for slot, objects in enumerate(fitting):
                if slot not in chosen and len(objects) == 1:
                    chosen[slot] = next(iter(objects))
            arguments = tuple(chosen.get(slot, UNSAID) for slot in range(len(parameters)))
            step = Step(frame.action, arguments)
            if self._can_be_completed(step) and self._holds(frame.when, arguments):
                yield step

    def _can_be_completed(self, step: Step) -> bool:
        missing = {slot for slot, name in enumerate(step.arguments) if name == UNSAID}
        facts = self._implied.get(step.action, ())
        return all(any(f"{{{slot}}}" in fact for fact in facts) for slot in missing)

    def _holds(self, fact: str | None, arguments: Sequence[str]) -> bool:
        if fact is None:
            return True
        return tuple(fact.format(*arguments).split()) in self._task.initial_state().facts


def _is_noun(words: Sequence[str], at: int) -> bool:
    """Return whether a verb is used as a noun: ``the attack``, ``attack action``."""
    before, after = words[max(at - 1, 0) : at], words[at + 1 : at + 2]
    return not ARTICLES.isdisjoint(before) or not {"action", "actions"}.isdisjoint(after)


def _fits(said: frozenset[str], roles: frozenset[str]) -> bool:
    """Return whether the prepositions before a name are those of a role, and none is the reverse.

    ``from on top of`` means ``from``.
    """
    if not said & roles:
        return False
    if said & AWAY:
        return bool(roles & AWAY)
    return not said & TOWARDS or bool(said & roles & TOWARDS)


def _has_words(
    frame: Frame, said: Sequence[tuple[frozenset[str], str]], agents: frozenset[str]
) -> bool:
    """Return whether a sentence has the words that a frame needs, and no others."""
    known = (*frame.needs, *frame.may)
    named = {word for _, word in known}
    for links, word in said:
        if word in named:
            if not any(word == each and _leads(links, allowed) for allowed, each in known):
                return False
        elif word not in agents or links - {"by", "with", "using", "s"}:
            return False
    words = {word for _, word in said}
    return all(word in words for _, word in frame.needs)


def _leaves_open(frame: Frame, step: Step, links: frozenset[str]) -> bool:
    """Return whether prepositions lead to an unknown name in the place of an omitted object."""
    return any(
        name == UNSAID and links & roles
        for name, roles in zip(step.arguments, frame.roles, strict=True)
    )


def _leads(said: frozenset[str], allowed: frozenset[str]) -> bool:
    return not said or bool(said & allowed)
