"""reasoning-gym: countdown by the methods of `generate`; extra ``reasoning-gym``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from pddl_pipeline.generators.generating import generate_one, generators
from pddl_pipeline.integrations.extras import missing
from pddl_pipeline.integrations.reasoning_gym import score_answer
from pddl_pipeline.model.suggestion import check_name
from pddl_pipeline.prompts.prompting import prompt_for
from pddl_pipeline.translators.records import to_record

try:
    from reasoning_gym.factory import DATASETS, ProceduralDataset, register_dataset
except ImportError as error:
    raise missing(error, "reasoning-gym") from None

NAME: Final = "pddl_pipeline_countdown"
_METHODS: Final = generators()["countdown"]


@dataclass
class CountdownsConfig:
    """The settings of the items; see ``pddl-pipeline generate countdown -h``."""

    method: str = "cd"
    numbers: int = 4
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Check the method; reasoning-gym calls this."""
        check_name(self.method, _METHODS, "unknown method")


class Countdowns(ProceduralDataset):  # type: ignore[misc] # it has no types
    """Items with their record; item i is the instance of seed + i."""

    def __init__(self, config: CountdownsConfig) -> None:
        super().__init__(config, config.seed, config.size)

    def __getitem__(self, index: int) -> dict[str, Any]:
        method, seed = _METHODS[self.config.method], self.seed + index
        (made,) = generate_one(method, method.settings(), self.config.numbers, seed)
        metadata = {"source_dataset": NAME, "source_index": index, "record": to_record(made)}
        plan = "\n".join(made.extras["witness"])
        return {"question": prompt_for(made), "answer": plan, "metadata": metadata}

    score_answer = staticmethod(score_answer)


def register() -> None:
    """Register the dataset as `NAME` for ``reasoning_gym.create_dataset``."""
    if NAME not in DATASETS:
        register_dataset(NAME, Countdowns, CountdownsConfig)
