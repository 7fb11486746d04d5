"""The English words that every domain's answers share: closed classes and the forms of verbs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ARTICLES: Final = frozenset("the a an this its your my our".split())
"""Words before a noun or a name."""
LINKS: Final = frozenset(
    "aboard at atop by for from in inside into of off on onto out over to top toward towards upon"
    " using via with".split()
)
"""Prepositions."""
BE: Final = frozenset("am are be become becomes became been being is remain remaining remains stay stays was were".split())
NEGATIVE: Final = frozenset("avoid cannot instead neither never no nor not nothing rather without".split())
"""Words that deny their clause."""
OPENING: Final = frozenset(
    "then and but so now next first finally lastly also afterwards please just simply directly"
    " immediately again still already currently initially successfully only both all here there back"
    " i we one you it he she they who which that when while where after once before until as by to"
    " will would shall should must can could may might need needs has have had do does did want going"
    " let us use using begin begins start starts proceed order in for thus hence therefore because"
    " since if".split()
)
"""Words that may stand before a verb or a state, and change neither."""
STATING: Final = frozenset(
    "achieve achieves achieving add adds create created creates delete deletes established removes allow allows allowing configuration ensure ensures ensuring"
    " establish establishes establishing fact get gives goal goals have having keep keeping leave leaves leaving order"
    " make makes making means need reach reaches restored restores restoring result resulting results state until"
    " with".split()
)
"""Words that introduce a state: what leads to it, or that it is the goal."""
COMPLEMENTS: Final = tuple(
    f"{{0}} {each}"
    for each in (
        "in the way", "there", "next", "needed", "required", "in place", "in position", "ready", "moved",
        "in the correct position", "in its final position", "at its destination", "unaffected", "done",
    )
)
"""What is said of any object without telling a step."""
PRONOUNS: Final = frozenset("it them".split())
_PAST: Final[Mapping[str, tuple[str, ...]]] = {
    "bring": ("brought",), "come": ("came",), "drive": ("drove", "driven"), "get": ("got",),
    "go": ("went", "gone"), "lay": ("laid",), "leave": ("left",), "put": ("put",),
    "send": ("sent",), "set": ("set",), "take": ("took", "taken"),
}  # fmt: skip


def forms(verb: str) -> dict[str, str]:
    """Return the forms of a verb, more than are right: ``base``, ``s``, ``ing`` or ``past``."""
    last = verb[-1]
    found = dict.fromkeys((f"{verb}s", f"{verb}es", f"{verb.removesuffix('y')}ies"), "s")
    stem = verb.removesuffix("e")
    found |= dict.fromkeys((f"{stem}ing", f"{verb}ing", f"{verb}{last}ing"), "ing")
    past = _PAST.get(verb, (f"{stem}ed", f"{verb}{last}ed", f"{verb.removesuffix('y')}ied"))
    return {**found, **dict.fromkeys(past, "past"), verb: "base"}
