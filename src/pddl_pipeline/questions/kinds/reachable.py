"""The questions for what can never hold or be applied: ACPBench's ``reach`` and ``areach``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import prod
from random import Random
from typing import Any, Final

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.questions.fluents import atom_words
from pddl_pipeline.questions.kind import Draft, Kind, Scene
from pddl_pipeline.questions.question import Mark, Question, right_if, unreadable
from pddl_pipeline.questions.reading import NONE, named
from pddl_pipeline.questions.situation import Situation, situation_of
from pddl_pipeline.questions.templates import NEVER_APPLICABLE, NEVER_HOLDS
from pddl_pipeline.search.effort import Effort
from pddl_pipeline.search.reachability import Reachability
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.vocabulary import Vocabulary

_MOST: Final = 5000
"""Number of atoms or actions that are tried; of more, so many are drawn."""


@dataclass(frozen=True, slots=True)
class _Never:
    """What a question asks for: an atom that never holds, or an action that is never applicable."""

    template: str
    noun: str
    names: Callable[[Situation], Collection[str]]
    """Returns the names of the predicates or actions to ask for."""
    types: Callable[[Vocabulary, str], Sequence[tuple[str, ...]] | None]
    """Returns the types of the arguments of a name; None if there is no such name."""
    path: Callable[[Reachability, Ground], Any]
    """Searches; see `Reachability.path_to`."""

    def make(self, scene: Scene) -> Draft:
        """Make a question about the end of a walk."""
        return scene.situated(self.template, partial(self.solve, random=scene.random))

    def solve(
        self, situation: Situation, details: Mapping[str, Any], effort: Effort,
        random: Random | None = None,
    ) -> list[str]:  # fmt: skip
        """Return a list of one answer; empty if there is none.

        Raises:
            NotJudged: that is not decided within the limits.
        """
        del details
        search, is_all = situation.search(effort), True
        random = random or Random(0)  # noqa: S311 -- no secret
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
        found, known = named(text), [each.strip("()").lower() for each in question.answer]
        if found is None:
            return unreadable(f"{self.noun}, and not {NONE}")
        if not known or found == NONE:
            expected = f"expected {_answer_text(question)}"
            return right_if(found == NONE and not known, found, expected)
        words = atom_words(found)
        if " ".join(words) in known:
            return Mark(correct=True, found=found)
        situation = situation_of(question.details)
        vocabulary = situation.task.vocabulary
        signature = self.types(vocabulary, words[0])
        if (
            signature is None or len(signature) != len(words) - 1
            or not vocabulary.objects.keys() >= {*words[1:]}
        ):  # fmt: skip
            return Mark(correct=False, found=found, reason=f"it is no {self.noun} of the task")
        path = self.path(situation.search(Effort()), words)
        return right_if(path is None, found, f"it is possible after {len(path or ()) - 1} actions")

    def kind(self, name: str, about: str, order: int) -> Kind:
        """Return the kind of question."""
        return Kind(name, about, self.make, self.mark, _answer_text, order, self.solve)


def _answer_text(question: Question) -> str:
    return f"({question.answer[0].strip('()')})" if question.answer else NONE


def _parameters(vocabulary: Vocabulary, name: str) -> list[tuple[str, ...]] | None:
    action = vocabulary.actions.get(name)
    return None if action is None else [each.types for each in action.parameters]


_ATOM: Final = _Never(
    NEVER_HOLDS, "proposition", lambda situation: situation.fluents.predicates,
    lambda vocabulary, name: vocabulary.predicates.get(name),
    lambda search, words: search.path_to([(words, True)]),
)  # fmt: skip
_ACTION: Final = _Never(
    NEVER_APPLICABLE, "action", lambda situation: situation.task.vocabulary.actions, _parameters,
    lambda search, words: search.path_to_step(Step(words[0], words[1:])),
)  # fmt: skip
KINDS: Final = (
    _ATOM.kind("unreachable-atom", "an atom that can never hold", 8),
    _ACTION.kind("unreachable-action", "an action that can never be applied", 9),
)
