"""The questions for what can never hold or be applied: ACPBench's ``reach`` and ``areach``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from pddl_pipeline.validation.task import Task

Signatures = Mapping[str, Sequence[tuple[str, ...]]]
_MOST: Final = 5000
"""Number of atoms or actions that are tried; of more, so many are drawn."""


@dataclass(frozen=True, slots=True)
class _Never:
    """What a question asks for: an atom that never holds, or an action that is never applicable."""

    noun: str
    known: Callable[[Task], Signatures]
    """Returns the types of the arguments of each predicate or action."""
    asked: Callable[[Task], Signatures]
    """Returns those to ask for."""
    path: Callable[[Reachability, Ground], Any]
    """Searches; see `Reachability.path_to`."""

    def solve(self, situation: Situation) -> list[str]:
        """Return a list of one answer; empty if there is none.

        Raises:
            NotJudged: that is not decided within the limits.
        """
        search, is_all, random = situation.search, True, Random(0)
        candidates = situation.task.vocabulary.candidates
        pools = {
            name: [[*candidates(types)] for types in signature]
            for name, signature in self.asked(situation.task).items()
        }
        counts = [prod(map(len, pool)) for pool in pools.values()]
        if sum(counts) <= _MOST:
            drawn = [(name, *each) for name in pools for each in product(*pools[name])]
            random.shuffle(drawn)
        else:
            # Drawn by their numbers, so that each atom is equally likely.
            is_all, chosen = False, random.choices([*pools], counts, k=_MOST)
            drawn = [(name, *map(random.choice, pools[name])) for name in chosen]
        # First all that follow from invariants: a search may take seconds for each.
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
            signature = self.known(situation.task).get(words[0])
            if (
                signature is None
                or len(signature) != len(words) - 1
                or not situation.task.vocabulary.objects.keys() >= {*words[1:]}
            ):
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


def _actions(task: Task) -> Signatures:
    actions = task.vocabulary.actions
    return {name: [parameter.types for parameter in actions[name].parameters] for name in actions}


_ATOM: Final = _Never(
    "proposition",
    lambda task: task.vocabulary.predicates,
    lambda task: fluents_of(task).predicates,
    lambda search, words: search.path_to([(words, True)]),
)
_ACTION: Final = _Never(
    "action",
    _actions,
    _actions,
    lambda search, words: search.path_to_step(Step(words[0], words[1:])),
)
KINDS: Final = (
    _ATOM.kind("unreachable-atom", "an atom that can never hold"),
    _ACTION.kind("unreachable-action", "an action that can never be applied"),
)
