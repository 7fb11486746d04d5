"""The reward of SimPlan's trained ranker: log-probabilities of the applicable actions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.model_reward import subject_of
from pddl_pipeline.papers.rewards import ActionScore, Option, Reward, RewardSettings, Situation
from pddl_pipeline.papers.simplan.encoder import (
    SmallTransformer,
    check_torch,
    interaction,
    library,
    load,
)
from pddl_pipeline.papers.simplan.pairs import Texts
from pddl_pipeline.search.baseline import SearchInput


class Ranker:
    """Scores all actions of a state in one batch; actions are encoded once (Figure 3)."""

    def __init__(self, settings: RewardSettings, given: SearchInput) -> None:
        """Read the model.

        Raises:
            EngineError: a library is not installed.
            InputError: the model cannot be read, or does not fit the task.
        """
        header, self._encoder, _ = load(Path(settings.path))
        self._texts = Texts(subject_of(given), header)
        unknown = given.task.vocabulary.objects.keys() - header.names
        if unknown and isinstance(self._encoder, SmallTransformer):
            raise InputError(
                f"the model does not know the object '{min(unknown)}'; expected names of its "
                "training data: write the pairs with a larger --names"
            )
        self._encoder.modules.eval().requires_grad_(requires_grad=False)
        self._actions: dict[str, Any] = {}
        self._scored: dict[tuple[str, ...], list[ActionScore]] = {}

    def scores(self, situation: Situation, options: Sequence[Option]) -> list[ActionScore]:
        """Return the score of each option; see `Scorer.scores`."""
        actions = [self._texts.action(option.step) for option in options]
        query = self._texts.query(situation)
        key = (query, *actions)
        if key not in self._scored:
            new = [*dict.fromkeys(text for text in actions if text not in self._actions)]
            if new:
                encoded = zip(new, *self._encoder.encode(new), strict=True)
                self._actions |= {text: own[is_token] for text, own, is_token in encoded}
            rows = [self._actions[text] for text in actions]
            vectors, mask = (
                library("torch").nn.utils.rnn.pad_sequence(every, batch_first=True)
                for every in (rows, [row[:, 0] < math.inf for row in rows])
            )
            found = interaction(self._encoder.encode([query]), (vectors, mask))[0]
            self._scored[key] = [ActionScore(min(x, 0.0)) for x in found.log_softmax(0).tolist()]
        return self._scored[key]


REWARDS: Final = (
    Reward(
        "ranker",
        "log-probabilities of a model that `simplan train` writes",
        Ranker,
        check_torch,
    ),
)
