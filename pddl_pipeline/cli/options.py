"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import click

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.limits import Limits, parse_duration, parse_size
from pddl_pipeline.model.ranges import parse_range

Value = TypeVar("Value")

JSON: Final = click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a line.")


class Parsed(click.ParamType[Value]):
    """A value that a function reads, which raises an `InputError` for what it cannot read."""

    def __init__(self, name: str, parse: Callable[[str], Value]) -> None:
        self.name = name
        self._parse = parse

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Value:
        """Return the value; see `click.ParamType.convert`."""
        if not isinstance(value, str):
            return cast("Value", value)
        try:
            return self._parse(value)
        except InputError as error:
            self.fail(error.message, param, ctx)


RANGE: Final = Parsed("range", parse_range)
"""Such as 4-10."""


def limits(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--time-limit``, ``--cpu-limit``, ``--memory-limit``, ``--via``; see `limits_of`."""
    for option in (
        click.option(
            "--via", type=click.Choice(["command", "up"]), default="command", show_default=True,
            help="Call planners by the command line that Unified Planning makes, or let it read "
            "the problem and run them.",
        ),
        click.option(
            "--memory-limit", type=Parsed("size", parse_size), default="3.5G", show_default=True,
            help="Memory of one attempt, all its processes together; G is 2^30 bytes.",
        ),
        click.option(
            "--cpu-limit", type=Parsed("duration", parse_duration), default=None,
            help="CPU time of one attempt, all its processes together; none where not given.",
        ),
        click.option(
            "--time-limit", type=Parsed("duration", parse_duration), default="30m",
            show_default=True, help="Wall-clock time of one attempt, such as 30m, 90s or 1.5h.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def limits_of(time_limit: float, memory_limit: float, cpu_limit: float | None) -> Limits:
    """Return the limits that the options give."""
    return Limits(time_limit, int(memory_limit), cpu_limit)
