"""Language models as planners: ``llm:model=NAME``; the extra ``models``."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Final

from pddl_pipeline.endpoints.settings import check_client, check_key
from pddl_pipeline.model.discovery import OWN
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.planners import language_model_process
from pddl_pipeline.planners.language_model_settings import ModelSettings
from pddl_pipeline.planners.own_process import ending, own_command
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.settings import read_settings, settings_json
from pddl_pipeline.validation.features import FEATURES

NAME: Final = "llm"
_PATIENCE: Final = frozenset({"base_url", "timeout", "tries"})
"""Settings on which an answer does not depend: they are not part of a run's key."""


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
    return own_command(language_model_process, settings_json(asdict(settings)))


PLANNERS: Final = (_planner(),)
