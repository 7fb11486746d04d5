"""The papers' search baselines, included in this project, as processes within limits."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from typing import Any, Final

from pddl_pipeline.model.discovery import provider
from pddl_pipeline.planners.baseline_process import baselines
from pddl_pipeline.planners.fast_downward import PLANNERS as DOWNWARD
from pddl_pipeline.planners.own_process import ending, own_command
from pddl_pipeline.planners.planner import Planner
from pddl_pipeline.planners.settings import read_settings, setting_key, settings_json
from pddl_pipeline.search.baseline import Baseline


def _planner(baseline: Baseline[Any], text: str = "") -> Planner:
    settings = read_settings(baseline.name, baseline.settings, text)
    return Planner(
        name=f"{baseline.name}:{text}" if text else baseline.name,
        about=baseline.about,
        distribution=provider("pddl_pipeline.baselines", baseline),
        command=partial(_command, baseline, settings),
        setting=setting_key(settings),
        ending=partial(ending, baseline.name),
        statistics={"expanded": (r"Expanded: (\d+)", 1), "generated": (r"Generated: (\d+)", 1)},
        features=baseline.features,
        optimal=baseline.optimal,
        reads_record=True,
        configure=partial(_planner, baseline),
    )


def _command(baseline: Baseline[Any], settings: Any) -> tuple[str, ...]:
    values = settings_json(asdict(settings))
    used = [each for each in DOWNWARD if each.name in baseline.uses]
    uses = {each.name: each.command() for each in used if each.command is not None}
    return own_command("baseline_process", baseline.name, values, json.dumps(uses))


PLANNERS: Final = tuple(map(_planner, baselines().values()))
