"""Reads a step by its verb and the objects that it names, in any order.

A frame describes the roles of the names beside a verb: subject, object, or a preposition. A
sentence is a step if exactly one frame has a place for each name, by the types of the objects.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from pddl_pipeline.model.plan import Step
from pddl_pipeline.translators.answers.mood import Mood
from pddl_pipeline.translators.answers.names import ARTICLES, LINKS, NUMBERED, Names
from pddl_pipeline.translators.answers.remembered import remembered
from pddl_pipeline.translators.answers.roles import (
    UNSAID,
    Frame,
    fits,
    has_words,
    is_noun,
    leaves_open,
)
from pddl_pipeline.translators.answers.verbs import participles, third_person
from pddl_pipeline.validation.task import Task

_LINKS: Final = LINKS | {
    "aboard", "atop", "back", "beside", "inside", "out", "over", "toward", "towards",
}  # fmt: skip
ASIDE: Final = "beside"
"""Stands before a name in parentheses, whose role only its type can say."""
_ADVERBS: Final = frozenset({
    "again", "carefully", "directly", "empty", "first", "gently", "here", "immediately",
    "instead", "next", "now", "safely", "simply", "straight", "then", "there",
})  # fmt: skip
"""Words that say nothing about the objects of a step."""
_HERE: Final = frozenset({"at", "from", "in"})
_MOST_NAMES: Final = 8
_STATES: Final = frozenset({
    "is", "isn", "are", "aren", "was", "wasn", "were", "would", "wouldn", "cannot", "can", "could",
    "should", "may", "might", "must", "does", "doesn", "will", "won", "has", "had", "needs",
    "requires",
})  # fmt: skip
"""Words behind a step that make it the subject of a statement."""


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
                for form in (verb, *third_person(verb)):
                    self._by_verb.setdefault(form, []).append(frame)
        self._commands = frozenset(verb for frame in frames for verb in frame.verbs)
        self._participles = frozenset(form for verb in self._commands for form in participles(verb))
        self.mood = Mood(self._by_verb, self._commands, names, agents)
        self._direct = _direct_objects(frames)
        self._words = self._agents.union(
            word for frame in frames for _, word in (*frame.needs, *frame.may)
        )

    def is_verb(self, word: str) -> bool:
        """Return whether a word is a verb of the domain."""
        return word in self._by_verb

    def has_verb(self, words: Sequence[str]) -> bool:
        """Return whether one of the words is a verb of the domain."""
        return not self._by_verb.keys().isdisjoint(words)

    def names_agent(self, words: Sequence[str]) -> bool:
        """Return whether one of the words stands for who acts, such as ``ferry``."""
        return not self._agents.isdisjoint(words)

    def is_passive(self, words: Sequence[str]) -> bool:
        """Return whether words say that something is done, as in ``c0 is loaded``."""
        return any(
            one in {"is", "are"} and other in self._participles for one, other in pairwise(words)
        )

    def tells(self, words: Sequence[str]) -> bool:
        """Return whether words begin with a verb in the third person, as in ``stacks b on c``."""
        return bool(words) and words[0] in self._by_verb and words[0] not in self._commands

    def direct_object(self, step: Step) -> str | None:
        """Return the object that ``it`` means behind a step; None if that is unclear."""
        slots = self._direct.get(step.action, set())
        names = {step.arguments[slot] for slot in slots if slot < len(step.arguments)} - {UNSAID}
        return names.pop() if len(slots) == len(names) == 1 else None

    def read(self, words: Sequence[str], *, whole: bool = False) -> list[Step]:
        """Return the readings of a sentence as a step; `UNSAID` stands for omitted objects.

        Args:
            words: the words of the sentence.
            whole: whether no word may be left over.
        """
        said = self._said(words)
        if said is None or len(said.names) > _MOST_NAMES or (whole and said.end < len(words)):
            return []
        said = said._replace(names=_without_place(said.names))
        if self._names.others(words, said.end, {name.object for name in said.names}):
            return []
        found = [
            step
            for frame in self._by_verb[said.verb]
            if has_words(frame, said.words, self._agents)
            for step in self._steps(frame, said.names)
            if not leaves_open(frame, step, said.left)
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
        said = self._said(words)
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
            at = self._described(words, at, begun=bool(verb or names))
            word = words[at]
            mention = None if word in _LINKS else self._names.at(words, at)
            if not verb and word in self._by_verb:
                if (links and not used) or is_noun(words, at):
                    return None  # `to put a on b, …` is a purpose
                verb, links, at = word, set(), at + 1
                continue
            if mention is not None:
                bare = {"object"} if verb else {"subject", "using"} if used else {"subject"}
                said, owner = frozenset(links or bare), self._owns(words, mention.end)
                names += _named(mention.object, said, names if owner else None)
                links, at = (set(said) if owner else set()), mention.end + owner
                continue
            if word in self._words:
                others.append((frozenset(links), word))
                links = set()
            elif word in _LINKS:
                links.add(word)
            elif word == "use" and not verb:
                used = True
            elif word not in self._silent and not (word in _ADVERBS and (verb or names)):
                break
            at = self._behind(words, at)
        if at < len(words) and words[at] == "order":
            links = set()  # `in order to …`
        return _Said(verb, names, others, at, frozenset(links)) if verb else None

    def _described(self, words: Sequence[str], at: int, *, begun: bool) -> int:
        known = not begun or words[at] in self._words
        return at if known else self._names.behind_description(words, at)

    def _owns(self, words: Sequence[str], at: int) -> bool:
        """Return whether an ``'s`` and another name follow a name that ends here."""
        if at == len(words) or words[at] != "s":
            return False
        return self._names.at(words, self._names.behind_description(words, at + 1)) is not None

    def _behind(self, words: Sequence[str], at: int) -> int:
        """Return the index behind a word, and behind those that a search for a name passed over."""
        passed = words[at] in self._silent
        at += 1
        while passed and at < len(words) and words[at] in self._empty:
            at += 1
        return at

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
                alone = ASIDE in name.links and sum(name.object in each for each in fitting) == 1
                if free and (alone or fits(name.links, roles)):
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


def _named(name: str, said: frozenset[str], owned: Sequence[_Name] | None) -> list[_Name]:
    """Return a name; in ``with robot1's lgripper1``, the preposition belongs to the second one."""
    if owned is None:
        return [_Name(name, said)]
    again = any(each.object == name for each in owned)
    return [] if again else [_Name(name, frozenset({"subject"}))]


def _without_place(names: list[_Name]) -> list[_Name]:
    """Return names without a place at the start that is named again: ``At l0, sail from l0``."""
    first, others = names[:1], names[1:]
    again = any(
        place.links <= {"at", "in"} and name.object == place.object and name.links & _HERE
        for place in first
        for name in others
    )
    return others if again else names


def _direct_objects(frames: Sequence[Frame]) -> dict[str, set[int]]:
    """Return the arguments that are the object of a verb, by action: what ``it`` may mean."""
    found: dict[str, set[int]] = {}
    for frame in frames:
        slots = {slot for slot, roles in enumerate(frame.roles) if "object" in roles}
        found.setdefault(frame.action, slots).intersection_update(slots)
    return found
