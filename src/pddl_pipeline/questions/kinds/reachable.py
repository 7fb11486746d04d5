"""The questions for what can never hold or be applied: ACPBench's ``reach`` and ``areach``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from random import Random
from typing import Any, Final

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.questions.fluents import atom_words, fluents_of
from pddl_pipeline.questions.kind import Kind
from pddl_pipeline.questions.question import Mark, Question
from pddl_pipeline.questions.reading import NONE, first_of, mark_one
from pddl_pipeline.questions.situation import Situation, situation_of
from pddl_pipeline.search.reachability import Reachability
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.vocabulary import Vocabulary

_MOST: Final = 5000
"""Number of atoms or actions that are tried; of more, so many are drawn."""


@dataclass(frozen=True, slots=True)
class _Never:
    """What a question asks for: an atom that never holds, or an action that is never applicable."""

    noun: str
    names: Callable[[Situation], Collection[str]]
    """Returns the names of the predicates or actions to ask for."""
    types: Callable[[Vocabulary, str], Sequence[tuple[str, ...]] | None]
    """Returns the types of the arguments of a name; None if there is no such name."""
    path: Callable[[Reachability, Ground], Any]
    """Searches; see `Reachability.path_to`."""

    def solve(self, situation: Situation) -> list[str]:
        """Return a list of one answer; empty if there is none.

        Raises:
            NotJudged: that is not decided within the limits.
        """
        search, is_all, random = situation.search, True, Random(0)  # noqa: S311 -- no secret
        vocabulary, names = situation.task.vocabulary, self.names(situation)
        pools = {
            name: [[*vocabulary.candidates(kinds)] for kinds in self.types(vocabulary, name) or ()]
            for name in names
        }
        counts = [prod(map(len, each)) for each in pools.values()]
        if sum(counts) <= _MOST:
            drawn = [(name, *each) for name in pools for each in product(*pools[name])]
            random.shuffle(drawn)
        else:
            is_all, chosen = False, random.choices([*pools], counts, k=_MOST)
            drawn = [(name, *map(random.choice, pools[name])) for name in chosen]
        for proof in (search.without_effort(), search):
            for words in drawn:
                try:
                    if self.path(proof, words) is None:
                        return [atom_text(words)]
                except NotJudged:
                    if proof is search:
                        raise
        if is_all:
            return []
        raise NotJudged(f"each of {_MOST:,} {self.noun}s that were tried is possible")

    def mark(self, question: Question, text: str) -> Mark:
        """Mark an answer; any that is true is right."""

        def fault(found: str) -> str | None:
            if not question.answer or found == NONE:
                return f"expected {first_of(question.answer)}"
            situation, words = situation_of(question.details), atom_words(found)
            vocabulary = situation.task.vocabulary
            signature = self.types(vocabulary, words[0])
            if (
                signature is None or len(signature) != len(words) - 1
                or not vocabulary.objects.keys() >= {*words[1:]}
            ):  # fmt: skip
                return f"it is no {self.noun} of the task"
            path = self.path(situation.search, words)
            return path and f"it is possible after {len(path) - 1} actions"

        return mark_one(text, f"{self.noun}, and not {NONE}", question.answer, fault)

    def kind(self, name: str, about: str) -> Kind:
        """Return the kind of question."""
        return Kind(
            name, about, lambda scene: scene.situated(name, self.solve), self.mark,
            lambda question: first_of(question.answer), self.solve,
        )  # fmt: skip


def _parameters(vocabulary: Vocabulary, name: str) -> list[tuple[str, ...]] | None:
    action = vocabulary.actions.get(name)
    return None if action is None else [each.types for each in action.parameters]


_ATOM: Final = _Never(
    "proposition", lambda situation: fluents_of(situation.task).predicates,
    lambda vocabulary, name: vocabulary.predicates.get(name),
    lambda search, words: search.path_to([(words, True)]),
)  # fmt: skip
_ACTION: Final = _Never(
    "action", lambda situation: situation.task.vocabulary.actions, _parameters,
    lambda search, words: search.path_to_step(Step(words[0], words[1:])),
)  # fmt: skip
KINDS: Final = (
    _ATOM.kind("unreachable-atom", "an atom that can never hold"),
    _ACTION.kind("unreachable-action", "an action that can never be applied"),
)
