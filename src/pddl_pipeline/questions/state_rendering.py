"""Descriptions of states: as PDDL atoms, or in SimPlan's words for the domains that have them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from pddl_pipeline.questions.fluents import Fluents, atom_words
from pddl_pipeline.questions.phrases import Phrase, Wording, wordings
from pddl_pipeline.translators.field_checks import natural
from pddl_pipeline.validation.language import Ground


def wording_of(domain: str, fluents: Fluents) -> Wording | None:
    """Return the wording of a domain; None if it lacks words for any fluent."""
    wording = wordings().get(domain)
    if wording is None or fluents.functions:
        return None
    known = {(name, phrase.arity) for phrase in wording.phrases for name in phrase.predicates} | {
        (name, len(fluents.predicates.get(name, ()))) for name in wording.implied
    }
    wanted = {(name, len(signature)) for name, signature in fluents.predicates.items()}
    return wording if wanted <= known else None


@dataclass(frozen=True)
class StateRenderer:
    """A renderer of states, in words or as PDDL."""

    wording: Wording | None
    """None for PDDL."""

    def state(self, atoms: Iterable[str]) -> str:
        """Return the description of a state.

        Args:
            atoms: the atoms that hold, as PDDL. Atoms without words are left out.
        """
        if self.wording is None:
            return ", ".join(sorted(atoms))
        found = {atom_words(text) for text in atoms}
        found = {atom for atom in found if atom[0] not in self.wording.implied}
        return ", ".join(
            part
            for phrase in self._phrases
            if not phrase.joined
            for part in self._parts(phrase, found)
        )

    def atom(self, text: str) -> str:
        """Return one atom in words, or as PDDL if the wording has none for it."""
        atom = atom_words(text)
        phrase = next((phrase for phrase in self._phrases if phrase.fits(atom)), None)
        return phrase.text.format(*atom[1:]) if phrase else text

    @property
    def _phrases(self) -> Sequence[Phrase]:
        return self.wording.phrases if self.wording else ()

    def _parts(self, phrase: Phrase, atoms: Collection[Ground]) -> list[str]:
        own = [atom for atom in atoms if phrase.fits(atom)]
        own.sort(key=lambda atom: [natural(name) for name in atom])
        if phrase.opening:
            names = ", ".join(atom[1] for atom in own)
            return [f"{phrase.opening} {names}"] if own else []
        return [phrase.text.format(*atom[1:]) + self._joined(atom, atoms) for atom in own]

    def _joined(self, atom: Ground, atoms: Collection[Ground]) -> str:
        """Return the further phrases about the first object of an atom."""
        return "".join(
            " and" + phrase.text.removeprefix("{0}")
            for phrase in self._phrases
            if phrase.joined and len(atom) > 1
            for name in phrase.predicates
            if (name, atom[1]) in atoms
        )
