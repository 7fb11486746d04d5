"""Reads files of planners: TOML with a table for each planner, which is a command."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

import msgspec

from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.planners.command_planner import CommandPlanner, planner_of
from pddl_pipeline.planners.command_words import words_of
from pddl_pipeline.planners.planner import Planner

_COMMANDS: Final = {"command", "version_command"}
_TEXTS: Final = dict[str, str]
EXAMPLE: Final = """\
# Planners for `pddl-pipeline run --planners FILE` and `solve --planners FILE`.
# A relative path in a command is looked up from the folder of this file.

[[planners]]
name = "mine"
# The command is run without a shell. {domain}, {problem}, {plan} and {dir} are paths of the
# attempt; {time_s} and {memory_mb} are its limits. {{ and }} are braces. Without {plan}, the plan
# is taken from the output.
command = "./mine --domain {domain} --problem {problem} --out {plan} --time {time_s}"

# All keys below are optional.
about = "our planner with its default search"
# The first line of its output is the version in results; it is part of a run's identity.
version_command = "./mine --version"
# Plan files in {dir}; in natural order the last one is the best: plan.2 before plan.10.
plan_files = ["plan", "plan.*"]
# auto, ipc, ff, enhsp, lpg, popf, fd-log, up, madagascar or pyperplan: the format of the plans.
plan_format = "auto"
# Whether it claims that no plan is cheaper than its plan.
optimal = false
# Whether it continues after its first plan until the time limit.
anytime = false
# Whether it returns several plans, such as a top-k planner.
multi_plan = false
# What it supports beyond classical planning: costs, numeric, general-numeric.
supports = ["costs"]
# Regular expressions for its output.
unsolvable = "Problem proven unsolvable"
out_of_memory = "std::bad_alloc"

# Regular expressions with one group, a number; the last match counts.
[planners.statistics]
expanded = 'Expanded (\\d+) states'
search_s = 'Search time: ([\\d.]+)'

# A command can also start a container.
# [[planners]]
# name = "in-docker"
# command = "docker run --rm -v {dir}:{dir} image {domain} {problem} {plan}"
"""


def read_planners(path: Path) -> list[Planner]:
    """Return the planners of a file, in its order.

    Raises:
        InputError: the file cannot be read, is not TOML, or a planner in it is invalid.
    """
    try:
        content = tomllib.loads(read_file(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not TOML: {error}", file=str(path)) from error
    tables = content.get("planners")
    if not isinstance(tables, list) or not tables or content.keys() != {"planners"}:
        found = ", ".join(content) or "nothing"
        raise InputError(
            f"found {found}, expected tables [[planners]]; `pddl-pipeline planners-file` prints an "
            "example", file=str(path),
        )  # fmt: skip
    found_names = set[str]()
    planners = []
    for number, table in enumerate(tables, start=1):
        planner = _planner(table, number, path)
        if planner.name in found_names:
            raise InputError(f"two planners have the name '{planner.name}'", file=str(path))
        found_names.add(planner.name)
        planners.append(planner)
    return planners


def _planner(table: Any, number: int, path: Path) -> Planner:
    values = dict(table) if isinstance(table, dict) else {}
    name = str(values.get("name", f"planner {number}"))
    try:
        texts = msgspec.convert({key: values[key] for key in _COMMANDS & values.keys()}, _TEXTS)
        values |= {key: words_of(name, text, path.parent.absolute()) for key, text in texts.items()}
        return planner_of(msgspec.convert(values, CommandPlanner))
    except msgspec.ValidationError as error:
        raise InputError(f"{name}: {error}", file=str(path)) from error
    except InputError as error:
        raise InputError(error.message, file=str(path)) from error
