"""Language models as planners: ``llm:model=NAME``; the extra ``models``."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Final, Literal

from pddl_pipeline.endpoints.settings import EndpointSettings, Form, check_client, check_key
from pddl_pipeline.model.discovery import OWN
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.planners.own_process import ending, own_command
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.settings import read_settings, settings_json
from pddl_pipeline.validation.features import FEATURES

NAME: Final = "llm"
_PATIENCE: Final = frozenset({"base_url", "timeout", "tries"})
"""Settings on which an answer does not depend: they are not part of a run's key."""


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


def _planner(text: str = "") -> Planner:
    settings = read_settings(NAME, ModelSettings, text)
    values = asdict(settings)
    named = [part for part in text.split(",") if _setting(part) not in _PATIENCE]
    return Planner(
        name=f"{NAME}:{','.join(named)}" if text else NAME,
        about="a language model behind OpenAI's protocol, such as llm:model=NAME",
        distribution=OWN,
        command=partial(_command, settings),
        setting=settings_json(
            {name: each for name, each in values.items() if name not in _PATIENCE}
        ),
        specification=f"{NAME}:{text}" if text else "",
        ending=partial(ending, NAME),
        # The process replaces the plan file as a whole.
        is_complete=lambda _plan, _log: True,
        statistics={
            "calls": (r"(?m)^Calls: (\d+)", 1),
            "prompt_tokens": (r"(?m)^Prompt tokens: (\d+)", 1),
            "answer_tokens": (r"(?m)^Answer tokens: (\d+)", 1),
        },
        features=FEATURES,
        keeps_answers=True,
        configure=_planner,
    )


def _setting(part: str) -> str:
    return part.partition("=")[0].replace("-", "_")


def _command(settings: ModelSettings) -> tuple[str, ...]:
    """Return the command line.

    Raises:
        EngineError: the client's package is not installed.
        InputError: there is no model, or no key.
    """
    if not settings.model:
        raise InputError(f"{NAME}: found no model, expected one such as {NAME}:model=NAME")
    check_client()
    check_key(settings.endpoint().base)
    return own_command("language_model_process", settings_json(asdict(settings)))


PLANNERS: Final = (_planner(),)
