"""Reads a step by its verb and the terms beside it, whatever their order.

A frame gives each argument of an action its roles: subject, object, or what a preposition says. A
clause is a step if exactly one frame has a place for each of its objects, by their types.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from pddl_pipeline.answers import english
from pddl_pipeline.answers.english import BE, LINKS, NEGATIVE, OPENING
from pddl_pipeline.answers.terms import NOUN, OBJECT, POINTING, PRONOUN, SIGN, UNKNOWN, VERB, Term
from pddl_pipeline.model.plan import Step
from pddl_pipeline.validation.vocabulary import Vocabulary

UNSAID: Final = "?"
"""Stands for an object that a clause leaves out."""
IT: Final = "it"
"""Stands for an object that a clause calls ``it``."""
_AWAY: Final = frozenset({"from", "off", "out"})
_TOWARDS: Final = frozenset({"to", "into", "on", "onto", "upon"})
_USING: Final = frozenset({"use", "uses", "using"})
_SILENT: Final = frozenset({"top", "empty", "then", "back", "carefully", "directly", "now", "again", "over"})


@dataclass(frozen=True, slots=True)
class Frame:
    """The words and roles of a clause for an action."""

    action: str
    verbs: tuple[str, ...]
    roles: tuple[frozenset[str], ...]
    """By argument: ``subject``, ``object``, or prepositions."""
    needs: tuple[tuple[frozenset[str], str], ...] = ()
    """Words that the clause must have, each with the prepositions before it."""
    may: tuple[tuple[frozenset[str], str], ...] = ()
    """Words that the clause may have, each with the prepositions before it."""
    when: str | None = None
    """A fact of the initial state that must hold, with ``{0}``, ``{1}``, … for the arguments."""


class Said(NamedTuple):
    """What a clause with a verb says."""

    verb: str
    """The form of the verb."""
    names: list[tuple[str, frozenset[str]]]
    """The objects, each with the prepositions before it, or ``subject`` or ``object``."""
    words: list[tuple[str, frozenset[str]]]
    """The words of frames, each with the prepositions before it."""
    bare: bool
    """Whether only names follow the verb, as in ``stack a b``."""


class Frames:
    """Reads the steps of tasks with the same vocabulary."""

    def __init__(
        self,
        frames: Sequence[Frame],
        forms: Mapping[str, str],
        agents: Collection[str],
        implied: Mapping[str, Sequence[str]],
        vocabulary: Vocabulary,
        static: Collection[tuple[str, ...]] = (),
    ) -> None:
        """Prepare frames.

        Args:
            frames: the frames, for actions of the vocabulary.
            forms: by form of a verb, the verb.
            agents: words for who acts.
            implied: by action, the facts that determine objects which a clause leaves out.
            vocabulary: the objects, types and actions.
            static: facts that hold in all states, for `Frame.when`.
        """
        self._static = frozenset(static)
        self._by_verb: dict[str, list[Frame]] = {}
        for frame in frames:
            for verb in frame.verbs:
                self._by_verb.setdefault(verb, []).append(frame)
        self._forms, self.implied, self._vocabulary = forms, implied, vocabulary
        self._direct = direct_objects(frames)
        self._past = {form for form, verb in forms.items() if english.forms(verb).get(form) == "past"}
        self._past |= {verb for verb in forms.values() if verb in ("put", "set")}
        self._agents = frozenset(agents)
        self._words = self._agents.union(
            word for frame in frames for _, word in (*frame.needs, *frame.may)
        )
        self._actions = {
            spelling: name
            for name in vocabulary.actions
            for spelling in (name, name.replace("-", ""), name.replace("-", "_"))
        }

    def action(self, word: str) -> str | None:
        """Return the action that a word spells, such as ``pick_up``; None for other words."""
        return self._actions.get(word) or self._actions.get(word.replace("_", "-"))

    def arity(self, action: str) -> int:
        """Return the number of arguments of an action."""
        return len(self._vocabulary.actions[action].parameters)

    def with_object(self, step: Step, before: Sequence[Step]) -> Step | None:
        """Return a step with the object that ``it`` means: the last direct object that fits."""
        names: list[str] = []
        for each in reversed(before):
            slot = self._direct.get(each.action)
            names += [] if slot is None else [each.arguments[slot]]
            names += each.arguments
        at = step.arguments.index(IT)
        fitting = self._vocabulary.candidates(self._vocabulary.actions[step.action].parameters[at].types)
        for name in names:
            if name in fitting and name not in step.arguments:
                return step._replace(arguments=tuple(name if each == IT else each for each in step.arguments))
        return None

    def is_past(self, form: str) -> bool:
        """Return whether a form of a verb may be a participle, as in ``is stacked``."""
        return form in self._past

    def is_command(self, form: str) -> bool:
        """Return whether a form of a verb is that of commands."""
        return self._forms.get(form) == form

    def said(self, terms: Sequence[Term]) -> Said | None:
        """Return what a clause says; None if it has no verb or words that are not understood."""
        names: list[tuple[str, frozenset[str]]] = []
        words: list[tuple[str, frozenset[str]]] = []
        links: set[str] = set()
        verb, passive, bare, left = "", False, True, False
        for at, (kind, text, _, _) in enumerate(terms):
            if kind == VERB and not verb:
                if links - {"by", "using", "in", "to"}:
                    return None
                verb, links = text, set()
                passive = passive and text in self._past
                if passive:
                    names = [(n, frozenset({"object"}) if r == {"subject"} else r) for n, r in names]
            elif left and (kind in POINTING or kind == VERB):
                return None
            elif text == "them":
                return None  # several objects
            elif kind in (OBJECT, PRONOUN):
                if kind == PRONOUN and not verb and not (passive or self._is_passive(terms, at)):
                    continue  # `it sails to l1`: the agent
                if passive and verb and "by" in links:
                    links.add("subject")
                role = frozenset(links or ({"object"} if verb else {"subject"}))
                bare &= not links
                owner = at + 2 < len(terms) and terms[at + 1].text == "'" and terms[at + 2].text == "s"
                names.append((IT if kind == PRONOUN else text, frozenset({"subject"}) if owner else role))
                links = links if owner else set()
            elif kind == NOUN and at + 2 < len(terms) and terms[at + 1].text in LINKS and terms[at + 2].kind == OBJECT:
                continue  # `the door at p2`
            elif kind in (UNKNOWN, NOUN, VERB):
                return None
            elif kind == SIGN:
                if text in ("@", "\u2192", "->", "=>"):
                    links.add("at" if text == "@" else "to")
                if links == {"to"} and names:
                    names[-1] = names[-1][0], names[-1][1] | {"from"}
            elif text in _USING:
                links |= {"using", "subject"}
            elif text in ("there", "here"):
                links = set()
            elif text in self._words:
                words.append((text, frozenset(links)))
                links, bare = set(), False
            elif text in LINKS and (verb or text not in ("to", "by") or not names):
                links.add(text)
            elif text in BE and not verb:
                passive = True
            elif verb and text not in _SILENT and text not in OPENING and text != "s":
                left = True
            elif not verb and text not in OPENING and text not in _SILENT and text != "s":
                return None
        if left and links - _SILENT:
            return None if not names else Said(verb, names, words, bare=False)
        return Said(verb, names, words, bare and not left) if verb else None

    def _is_passive(self, terms: Sequence[Term], at: int) -> bool:
        return any(term.text in BE for term in terms[at + 1 : at + 3])

    def steps(self, said: Said, *, partial: bool = False) -> list[Step]:
        """Return the readings of a clause; `UNSAID` and `IT` stand for objects left open.

        Args:
            said: what the clause says.
            partial: whether it may leave out objects that no state determines.
        """
        if said.bare and not said.words:
            step = self._bare(said)
            if step is not None:
                return [step]
        verb = self._forms[said.verb]
        found = [
            step
            for frame in self._by_verb.get(verb, ())
            if self._has_words(frame, said.words)
            for step in self._filled(frame, _without_place(said.names), partial=partial)
        ]
        own = [step for step in found if self.action(verb) == step.action]
        found = own or found
        complete = [step for step in found if UNSAID not in step.arguments]
        return list(dict.fromkeys(complete or found))

    def _bare(self, said: Said) -> Step | None:
        """Return a step as in PDDL without parentheses: ``stack a b``."""
        action = self.action(said.verb)
        names = tuple(name for name, roles in said.names if "subject" not in roles)
        if action is None or len(names) != len(said.names):
            return None
        parameters = self._vocabulary.actions[action].parameters
        fits = len(names) == len(parameters) and all(
            name in self._vocabulary.candidates(each.types)
            for name, each in zip(names, parameters, strict=True)
        )
        return Step(action, names) if fits else None

    def _has_words(self, frame: Frame, said: Sequence[tuple[str, frozenset[str]]]) -> bool:
        """Return whether a clause has the words that a frame needs, and no others."""
        known = (*frame.needs, *frame.may)
        for word, links in said:
            leads = [allowed for allowed, each in known if each == word]
            if leads and not any(not links or links & allowed for allowed in leads):
                return False
            if not leads and (word not in self._agents or links - {"by", "with", "using", "subject"}):
                return False
        words = {word for word, _ in said}
        return all(word in words for _, word in frame.needs)

    def _filled(
        self, frame: Frame, names: Sequence[tuple[str, frozenset[str]]], *, partial: bool
    ) -> Iterator[Step]:
        parameters = self._vocabulary.actions[frame.action].parameters
        if len(parameters) != len(frame.roles):
            return
        fitting = [self._vocabulary.candidates(each.types) for each in parameters]
        for chosen in _assigned(names, frame.roles, fitting):
            for slot, objects in enumerate(fitting):
                if slot not in chosen and len(objects) == 1:
                    chosen[slot] = next(iter(objects))
            arguments = tuple(chosen.get(slot, UNSAID) for slot in range(len(parameters)))
            if frame.when and tuple(frame.when.format(*arguments).split()) not in self._static:
                continue
            facts = self.implied.get(frame.action, ())
            if partial or all(
                any(f"{{{slot}}}" in fact for fact in facts)
                for slot, name in enumerate(arguments)
                if name == UNSAID
            ):
                yield Step(frame.action, arguments)


def _assigned(
    names: Sequence[tuple[str, frozenset[str]]],
    roles: Sequence[frozenset[str]],
    fitting: Sequence[Collection[str]],
) -> Iterator[dict[int, str]]:
    """Yield the ways to give each name an argument that its role and its type allow."""
    if not names:
        yield {}
        return
    name, links = names[0]
    for chosen in _assigned(names[1:], roles, fitting):
        for slot, allowed in enumerate(roles):
            if slot in chosen or (name != IT and name not in fitting[slot]):
                continue
            if _fits(links, allowed):
                yield {**chosen, slot: name}


def _fits(said: frozenset[str], roles: frozenset[str]) -> bool:
    """Return whether the prepositions before a name are those of a role, and none is the reverse.

    ``from on top of`` means ``from``.
    """
    if not said & roles:
        return False
    if said & _AWAY:
        return bool(roles & _AWAY)
    return not said & _TOWARDS or bool(said & roles & _TOWARDS)


def _without_place(names: list[tuple[str, frozenset[str]]]) -> list[tuple[str, frozenset[str]]]:
    """Return names without a place at the start that is named again: ``at l0, sail from l0``."""
    if not names or not names[0][1] <= {"at", "in", "from"}:
        return names
    again = any(name == names[0][0] and links & {"at", "in", "from"} for name, links in names[1:])
    return names[1:] if again else names


def direct_objects(frames: Sequence[Frame]) -> Mapping[str, int]:
    """Return by action the argument that is the object of each of its verbs: what ``it`` means."""
    found: dict[str, set[int]] = {}
    for frame in frames:
        slots = {slot for slot, roles in enumerate(frame.roles) if "object" in roles}
        found.setdefault(frame.action, slots).intersection_update(slots)
    return {action: slots.pop() for action, slots in found.items() if len(slots) == 1}
