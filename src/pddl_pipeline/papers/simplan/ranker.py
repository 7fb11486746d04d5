"""The reward of SimPlan's trained ranker: log-probabilities of the applicable actions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.model_reward import subject_of
from pddl_pipeline.papers.rewards import Option, Reward, RewardSettings, Score, Situation
from pddl_pipeline.papers.simplan.encoder import check_library, interaction, library, load
from pddl_pipeline.papers.simplan.pairs import Texts
from pddl_pipeline.search.baseline import SearchInput

_MOST: Final = 10_000
"""The number of encoded actions, and of scored states, that are kept."""


class Ranker:
    """Scores all actions of a state in one batch; actions are encoded once (Figure 3)."""

    def __init__(self, settings: RewardSettings, given: SearchInput) -> None:
        """Read the model.

        Raises:
            EngineError: a library is not installed.
            InputError: the model cannot be read, or does not fit the task.
        """
        self._torch = library("torch")
        self._file = settings.path
        header, self._encoder, _ = load(Path(settings.path))
        self._encoder.modules.eval()
        try:
            self._texts = Texts(subject_of(given), header)
        except InputError as error:
            raise InputError(error.message, file=self._file) from error
        self._actions: dict[str, Any] = {}
        self._scored: dict[tuple[str, ...], list[Score]] = {}

    def scores(self, situation: Situation, options: Sequence[Option]) -> list[Score]:
        """Return the score of each option; see `Scorer.scores`."""
        texts = [self._texts.action(each.step) for each in options]
        key = (self._texts.query(situation), *texts)
        if key not in self._scored:
            if len(self._scored) >= _MOST:
                self._scored.clear()
            try:
                with self._torch.no_grad():
                    self._scored[key] = self._ranked(*key)
            except InputError as error:
                raise InputError(error.message, file=self._file) from error
        return self._scored[key]

    def _ranked(self, query: str, *actions: str) -> list[Score]:
        new = [text for text in dict.fromkeys(actions) if text not in self._actions]
        if new:
            if len(self._actions) >= _MOST:
                self._actions.clear()
                new = [*dict.fromkeys(actions)]
            vectors, mask = self._encoder.encode(new)
            self._actions |= {
                text: own[is_token] for text, own, is_token in zip(new, vectors, mask, strict=True)
            }
        rows = [self._actions[text] for text in actions]
        padded = self._torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)
        sizes = self._torch.tensor([len(row) for row in rows], device=padded.device)
        mask = self._torch.arange(padded.shape[1], device=padded.device) < sizes[:, None]
        found = interaction(self._encoder.encode([query]), (padded, mask))[0]
        return [Score(min(x, 0.0)) for x in found.log_softmax(0).tolist()]


REWARDS: Final = (
    Reward(
        "ranker",
        "log-probabilities of a model that `simplan train` writes",
        Ranker,
        partial(check_library, "torch"),
    ),
)
