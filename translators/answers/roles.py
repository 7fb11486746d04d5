"""The roles of the names in a sentence: subject, object, or what a preposition says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pddl_pipeline.model.plan import Step
from pddl_pipeline.translators.answers.names import ARTICLES

UNSAID: Final = "?"
"""Stands for an object that a sentence leaves out."""
AWAY: Final = frozenset({"from", "off"})
"""Prepositions of the origin."""
TOWARDS: Final = frozenset({"to", "into", "on", "onto", "upon"})
"""Prepositions of the destination. All others have no direction."""


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


def fits(said: frozenset[str], roles: frozenset[str]) -> bool:
    """Return whether the prepositions before a name are those of a role, and none is the reverse.

    ``from on top of`` means ``from``.
    """
    if not said & roles:
        return False
    if said & AWAY:
        return bool(roles & AWAY)
    return not said & TOWARDS or bool(said & roles & TOWARDS)


def has_words(
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


def leaves_open(frame: Frame, step: Step, links: frozenset[str]) -> bool:
    """Return whether prepositions lead to an unknown name in the place of an omitted object."""
    return any(
        name == UNSAID and links & roles
        for name, roles in zip(step.arguments, frame.roles, strict=True)
    )


def _leads(said: frozenset[str], allowed: frozenset[str]) -> bool:
    return not said or bool(said & allowed)


def may_be_same(one: Step, other: Step) -> bool:
    """Return whether two steps differ at most in objects that a sentence leaves out."""
    return one.action == other.action and all(
        UNSAID in (x, y) or x == y for x, y in zip(one.arguments, other.arguments, strict=False)
    )


def is_noun(words: Sequence[str], at: int) -> bool:
    """Return whether a verb is used as a noun: ``the attack``, ``attack action``."""
    before, after = words[max(at - 1, 0) : at], words[at + 1 : at + 2]
    return not ARTICLES.isdisjoint(before) or not {"action", "actions"}.isdisjoint(after)
