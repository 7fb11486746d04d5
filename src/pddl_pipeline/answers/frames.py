"""Reads a step by its verb and the terms beside it, whatever their order.

A frame gives each argument of an action its roles: subject, object, or what a preposition says. A
clause is a step if exactly one frame has a place for each of its objects, by their types.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from pddl_pipeline.answers.english import BE, LINKS, OPENING, forms
from pddl_pipeline.answers.terms import NOUN, OBJECT, POINTING, PRONOUN, SIGN, UNKNOWN, VERB, Term
from pddl_pipeline.model.plan import Step
from pddl_pipeline.validation.vocabulary import Vocabulary

UNSAID: Final = "?"
"""Stands for an object that a clause leaves out."""
IT: Final = "it"
"""Stands for an object that a clause calls ``it``."""
AWAY: Final = frozenset({"from", "off", "out"})
TOWARDS: Final = frozenset({"to", "into", "on", "onto", "upon"})
ANY_ROLE: Final = LINKS | {"subject", "object", "any"}
"""The roles of a parameter for which there are no words. No pronoun stands for it."""
_SILENT: Final = frozenset(
    {"top", "empty", "then", "back", "carefully", "directly", "now", "again", "over"}
)


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
    end: int = 0
    """The number of terms before words that are not understood; 0 if there are none."""


class Frames:
    """Reads the steps of tasks with the same vocabulary."""

    def __init__(
        self,
        frames: Sequence[Frame],
        forms_: Mapping[str, str],
        agents: Collection[str],
        static: Collection[tuple[str, ...]],
        vocabulary: Vocabulary,
    ) -> None:
        """Prepare the frames.

        Args:
            frames: the frames, for actions of the vocabulary.
            forms_: by form of a verb, the verb.
            agents: words for who acts.
            static: facts that hold in all states, for `Frame.when`.
            vocabulary: the names of the task.
        """
        self._forms, self._vocabulary = forms_, vocabulary
        self._static, self._agents = frozenset(static), frozenset(agents)
        self.worded = any("any" not in role for frame in frames for role in frame.roles)
        self._by_verb: dict[str, list[Frame]] = {}
        for frame in frames:
            for verb in (*frame.verbs, frame.action):  # `Putdown b on the table`
                self._by_verb.setdefault(verb, []).append(frame)
        # Their past has the form of the command: `b is put on a`.
        self._past = {"put", "set"}.union(
            form for form, verb in forms_.items() if forms(verb).get(form) == "past"
        )
        self._words = self._agents.union(
            word for frame in frames for _, word in (*frame.needs, *frame.may)
        )
        # A task with both `pick-up` and `pickup` leaves no other spelling open.
        self._actions = {plain(name): name for name in vocabulary.actions}
        if len(self._actions) < len(vocabulary.actions):
            self._actions = {name: name for name in vocabulary.actions}

    def action(self, word: str) -> str | None:
        """Return the action that a word spells, as ``PickUp`` does; None for other words."""
        return self._actions.get(word.lower()) or self._actions.get(plain(word))

    def alone(self, word: str) -> Step | None:
        """Return the step of a word that names an action without parameters."""
        action = self.action(word)
        named = action is not None and not self._vocabulary.actions[action].parameters
        return Step(action) if action and named else None

    def with_object(self, step: Step, before: Sequence[Step]) -> Step | None:
        """Return a step with the object that ``it`` means: the last one named that fits."""
        if IT not in step.arguments:
            return None
        at = step.arguments.index(IT)
        parameter = self._vocabulary.actions[step.action.split()[0]].parameters[at]
        fitting = {*self._vocabulary.candidates(parameter.types)} - {*step.arguments}
        name = next((e for each in reversed(before) for e in each.arguments if e in fitting), None)
        named = tuple(name or IT if each == IT else each for each in step.arguments)
        return None if name is None else step._replace(arguments=named)

    def filled(self, step: Step, names: set[str]) -> Step:
        """Return a step with the object of a remark beside it where it leaves exactly one out."""
        schema, names = self._vocabulary.actions.get(step.action), names.difference(step.arguments)
        open_ = [
            at for at, each in enumerate(step.arguments) if each == UNSAID and schema is not None
            and names <= {*self._vocabulary.candidates(schema.parameters[at].types)}
        ]  # fmt: skip
        if len(names) != 1 or len(open_) != 1:
            return step
        arguments = [*step.arguments]
        arguments[open_[0]] = next(iter(names))
        return step._replace(arguments=tuple(arguments))

    def without_verb(self, word: str) -> str:
        """Return a word that is no form of a verb of the domain, and a blank for others."""
        return " " if word.lower() in self._forms else word

    def is_command(self, form: str) -> bool:
        """Return whether a form of a verb is that of commands."""
        return self._forms.get(form) == form

    def is_past(self, form: str) -> bool:
        """Return whether a form of a verb tells of a step that was done, or names it."""
        return not self.is_command(form) and (form in self._past or form.endswith("ing"))

    def said(self, terms: Sequence[Term]) -> Said | None:
        """Return what a clause says; None if it has no verb or words that are not understood."""
        saying = _Saying(self._words, self._past)
        for at, term in enumerate(terms):
            if not saying.add(term, terms, at):
                return None
            if saying.left:
                # The step ends behind its last object or verb; what follows is not understood.
                last = (i for i in range(at, 0, -1) if terms[i - 1].kind in (*POINTING, VERB))
                return saying.said(next(last, at))
        return saying.said()

    def steps(self, said: Said) -> list[Step]:
        """Return the readings of a clause; `UNSAID` and `IT` stand for objects left open."""
        if said.bare and not said.words:
            step = self._bare(said)
            if step is not None:
                return [step]
        verb = self._forms[said.verb]
        found = [
            step
            for frame in self._by_verb.get(verb, ())
            if self._has_words(frame, said.words)
            for step in self._filled(frame, said.names)
        ]
        # A verb that is the name of an action means this action, and not another one's synonym.
        own = [step for step in found if self.action(verb) == step.action]
        found = own or found
        complete = [step for step in found if UNSAID not in step.arguments]
        found = list(dict.fromkeys(complete or found))
        if len(found) < 2:
            return found
        # Objects of one type fit in either order without prepositions: the order of words decides.
        ordered = [step for step in found if _in_order(step, said.names)]
        if len(ordered) == 1:
            return ordered
        return _merged(found) if len({step.action for step in found}) == len(found) else found

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
        found: set[str] = set()
        for word, links in said:
            leads = [allowed for allowed, each in (*frame.needs, *frame.may) if each == word]
            if any(links & allowed or not links for allowed in leads):
                found.add(word)
            elif word not in self._agents or links - {"by", "with", "using", "subject"}:
                return False
        return all(word in found for _, word in frame.needs)

    def _filled(self, frame: Frame, names: Sequence[tuple[str, frozenset[str]]]) -> Iterator[Step]:
        parameters = self._vocabulary.actions[frame.action].parameters
        fitting = [self._vocabulary.candidates(each.types) for each in parameters]
        if any("any" in roles for roles in frame.roles):
            # Without words, `it` is open: what is applicable decides.
            names = [named for named in names if named[0] != IT]
        for chosen in _assigned(names, frame.roles, fitting):
            for slot, objects in enumerate(fitting):
                if slot not in chosen and len(objects) == 1:
                    chosen[slot] = next(iter(objects))
            arguments = tuple(chosen.get(slot, UNSAID) for slot in range(len(parameters)))
            if frame.when and tuple(frame.when.format(*arguments).split()) not in self._static:
                continue
            yield Step(frame.action, arguments)


class _Saying:
    """What a clause says, term by term."""

    def __init__(self, words: Collection[str], past: Collection[str]) -> None:
        self._words, self._past = words, past
        self._names: list[tuple[str, frozenset[str]]] = []
        self._others: list[tuple[str, frozenset[str]]] = []
        self._links: set[str] = set()
        self._verb = ""
        self._passive = self._left = False
        self._bare = True

    @property
    def left(self) -> bool:
        """Whether the last word was not understood."""
        return self._left

    def said(self, end: int = 0) -> Said | None:
        """Return what was said; None if it has no verb, or its end is not understood."""
        if not self._verb or (self._left and self._links - _SILENT and not self._names):
            return None
        return Said(self._verb, self._names, self._others, self._bare, end)

    def add(self, term: Term, terms: Sequence[Term], at: int) -> bool:
        """Add a term; return whether it is understood."""
        kind, text = term.kind, term.text
        if kind == VERB and not self._verb:
            return self._add_verb(text)
        if self._left and (kind in POINTING or kind == VERB):
            return False
        if kind == NOUN and len(terms) > at + 2:  # `the door at p2`
            return terms[at + 1].text in LINKS and terms[at + 2].kind == OBJECT
        if kind in (OBJECT, PRONOUN):
            return self._add_name(term, terms[at + 1 :])
        if kind == SIGN:
            if text in ("->", "=>", "\u2192") and self._names:  # `l0 -> l1`
                self._links.add("to")
                self._names[-1] = self._names[-1][0], self._names[-1][1] | {"from"}
            return True
        particle = kind == VERB and text in self._words  # `goes up` where `up` is an action
        return (particle or kind not in (UNKNOWN, NOUN, VERB)) and self._add_word(text)

    def _add_verb(self, text: str) -> bool:
        if self._links - {"by", "using", "in", "to", "subject"}:
            return False
        self._verb, self._links = text, set()
        # `b is stacked on a`: the subject is the object of the step.
        self._passive = self._passive and text in self._past
        if self._passive:
            object_ = frozenset({"object"})
            self._names = [(n, object_ if r == {"subject"} else r) for n, r in self._names]
        return True

    def _add_name(self, term: Term, rest: Sequence[Term]) -> bool:
        if term.text == "them":
            return False  # several objects
        be = any(each.text in BE for each in rest[:2])
        if term.kind == PRONOUN and not (self._verb or self._passive or be):
            return True  # `it sails to l1`: the agent
        if self._passive and self._verb and "by" in self._links:
            self._links.add("subject")
        # `robot1's lgripper1`
        owner = len(rest) > 1 and rest[0].text == "'" and rest[1].text == "s"
        role = frozenset(self._links or {"object" if self._verb else "subject"})
        self._bare &= not self._links
        name = IT if term.kind == PRONOUN else term.text
        self._names.append((name, frozenset({"subject"}) if owner else role))
        self._links = self._links if owner else set()
        return True

    def _add_word(self, text: str) -> bool:
        if text in ("use", "uses", "using"):
            self._links |= {"using", "subject"}
        elif text in ("there", "here"):
            self._links = set()
        elif text in self._words:
            self._others.append((text, frozenset(self._links)))
            self._links, self._bare = set(), False
        elif text in LINKS and (self._verb or text not in ("to", "by") or not self._names):
            self._links.add(text)
        elif text in BE and not self._verb:
            self._passive = True
        # Behind its verb, a strange word ends the step; before it, the clause is not understood.
        elif text not in _SILENT and text not in OPENING and text != "s":
            self._left = True
            return bool(self._verb)
        return True


def _merged(found: list[Step]) -> list[Step]:
    """Return one step for several actions: what is applicable decides between them.

    A plane or a truck may be meant by ``unload p1``.
    """
    if len({len(step.arguments) for step in found}) > 1:
        return found
    columns = zip(*(step.arguments for step in found), strict=True)
    arguments = tuple(each[0] if len({*each}) == 1 else UNSAID for each in columns)
    return [Step(" ".join(step.action for step in found), arguments)]


def _in_order(step: Step, names: Sequence[tuple[str, frozenset[str]]]) -> bool:
    """Return whether a step has its objects in the order in which a clause names them."""
    places = [step.arguments.index(name) for name, _ in names if name in step.arguments]
    towards = [bool(links & TOWARDS) for _, links in names]
    away = [bool(links & AWAY) for _, links in names]
    turned = any(towards[:at].count(True) for at, each in enumerate(away) if each)  # `to b from a`
    return places == sorted(places) and not turned


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
    way = AWAY if said & AWAY else said & TOWARDS
    return bool(said & roles) and (not way or bool(roles & way))


def plain(name: str) -> str:
    """Return a name without signs and capitals, in which people spell it differently."""
    return name.lower().replace("-", "").replace("_", "").replace(" ", "")
