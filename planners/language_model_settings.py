"""The settings of the planner ``llm``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pddl_pipeline.endpoints.settings import EndpointSettings, Form
from pddl_pipeline.model.errors import InputError


@dataclass(frozen=True)
class ModelSettings:
    """The model, the prompt, and how often it is asked."""

    model: str = field(default="", metadata={"help": "name of the model at the endpoint"})
    base_url: str = field(
        default="",
        metadata={"help": "address of the endpoint; default: OPENAI_BASE_URL, then OpenAI"},
    )
    style: Literal["io", "cot"] = field(
        default="io", metadata={"help": "ask for the plan only (io), or for reasoning first (cot)"}
    )
    statement: str = field(default="", metadata={"help": "statement of the task; see prompt"})
    shots: int | None = field(default=None, metadata={"help": "number of solved examples"})
    attempts: int = field(
        default=1, metadata={"help": "number of answers; the run's plan is that of the first one"}
    )
    temperature: float | None = field(default=None, metadata={"help": "sampling temperature"})
    max_tokens: int | None = field(
        default=None, metadata={"help": "largest number of tokens of an answer"}
    )
    seed: int | None = field(
        default=None, metadata={"help": "seed of the first attempt; each further one adds 1"}
    )
    system: str = field(default="", metadata={"help": "system message before the prompt"})
    form: Form = field(default="chat", metadata={"help": "chat or completion"})
    stop: str = field(default="", metadata={"help": "text at which the model stops"})
    timeout: float = field(default=600.0, metadata={"help": "seconds for one answer"})
    tries: int = field(default=6, metadata={"help": "how often a failing request is sent"})

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise InputError(f"attempts={self.attempts}: expected 1 or more")
        if self.shots is not None and self.shots < 0:
            raise InputError(f"shots={self.shots}: expected 0 or more")
        if self.model:
            self.endpoint()

    def endpoint(self) -> EndpointSettings:
        """Return the settings of the requests.

        Raises:
            InputError: a value is invalid.
        """
        return EndpointSettings(
            self.model, self.base_url, form=self.form, temperature=self.temperature,
            max_tokens=self.max_tokens, seed=self.seed, system=self.system or None,
            stop=(self.stop,) if self.stop else (), timeout_s=self.timeout, tries=self.tries,
        )  # fmt: skip
