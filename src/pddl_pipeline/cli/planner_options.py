"""The options of commands that run planners."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, Final

import click

from pddl_pipeline.cli.completion import offering
from pddl_pipeline.cli.file_type import INPUT, on_disk
from pddl_pipeline.cli.messages import warn
from pddl_pipeline.cli.options import DURATION, SIZE, is_given
from pddl_pipeline.cli.sandbox_option import SANDBOX, check_sandbox
from pddl_pipeline.model.cores import usable_cores
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.limits import Limits


def _planner_names() -> Iterable[str]:
    # Importing every engine takes a quarter of a second.
    from pddl_pipeline.planners.registry import planners  # noqa: PLC0415

    return planners()


PLANNER_NAMES: Final = offering(_planner_names)
"""The completion of a planner's name."""
_CODE: Final = re.compile(r"(bfs|dfs):(.*,)?code=")


def search_code(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--search-code`` to a command with ``--planner``; the file becomes part of the planner.

    Also adds ``--sandbox``, for this code. The command itself gets neither.
    """

    @wraps(command)
    def with_code(*, search_code: Path | None, sandbox: str, **others: Any) -> Any:
        if search_code is not None:
            search_code = on_disk(search_code)
            if "planners" in others:
                named = others["planners"] or ("bfs",)
                others["planners"] = tuple(_with_code(planner, search_code) for planner in named)
            else:
                others["planner"] = _with_code(others["planner"] or "bfs", search_code)
        named = others.get("planners") or (others.get("planner") or "",)
        if any(map(_CODE.match, named)):
            check_sandbox(sandbox)
        elif is_given("sandbox"):
            raise click.UsageError("--sandbox requires --search-code, or a planner with code=FILE")
        return command(**others)

    wrapped: Callable[..., Any] = click.option(
        "--search-code", type=INPUT, metavar="FILE",
        help="Search with the functions succ and isgoal in this file: Python code, or a model's "
        "answer. The planner is bfs (the default) or dfs.",
    )(SANDBOX(with_code))  # fmt: skip
    return wrapped


def _with_code(planner: str, file: Path) -> str:
    if planner.partition(":")[0] not in ("bfs", "dfs"):
        raise InputError(f"--search-code requires the planner bfs or dfs, found '{planner}'")
    return f"{planner}{',' if ':' in planner else ':'}code={file}"


def planner_file(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--planners FILE`` to a command with ``--planner``.

    The command itself gets references to the planners of the file. `run` runs all of them if no
    planner is named, `solve` the only one.
    """

    @wraps(command)
    def with_file(*, planner_file: Path | None, **others: Any) -> Any:
        if planner_file is None:
            return command(**others)
        from pddl_pipeline.planners.planner_file import read_planners  # noqa: PLC0415 -- rare

        defined = {each.name: each.reference for each in read_planners(planner_file)}
        one = others.get("planner")
        named = others.get("planners", () if one is None else (one,))
        if named and not defined.keys() & {*named}:
            raise click.UsageError(
                f"--planners {planner_file}: --planner names none of its planners: "
                f"{', '.join(defined)}"
            )
        if "planners" in others:
            others["planners"] = tuple(defined.get(each, each) for each in named or defined)
        elif one is not None:
            others["planner"] = defined[one]
        elif len(defined) == 1:
            (others["planner"],) = defined.values()
        else:
            raise click.UsageError(
                f"{planner_file} has {len(defined)} planners; choose one with --planner: "
                f"{', '.join(defined)}"
            )
        return command(**others)

    wrapped: Callable[..., Any] = click.option(
        "--planners", "planner_file", type=INPUT, metavar="FILE",
        help="TOML file that defines planners by their commands; `pddl-pipeline planners-file` "
        "prints an example.",
    )(with_file)  # fmt: skip
    return wrapped


def workers_option(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option ``-j``, the number of planners or attempts to run in parallel."""
    return click.option(
        "-j", "workers", type=click.IntRange(min=1), default=usable_cores,
        help=f"Number of {what} to run in parallel. Defaults to the number of cores.",
    )  # fmt: skip


def warn_of_sharing(workers: int) -> None:
    """Print a warning if several attempts will share a core."""
    cores = usable_cores()
    if workers > cores:
        # 16 at a time on 2 cores: 1.5 s on average instead of 0.13 s.
        warn(
            f"-j {workers} on {cores} core{'s' if cores > 1 else ''} distorts wall-clock "
            "times: attempts that share a core take longer"
        )


def limits(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--time-limit``, ``--cpu-limit``, ``--memory-limit``, ``--via``; see `limits_of`."""
    for option in (
        click.option(
            "--via", type=click.Choice(["command", "up"]), default="command", show_default=True,
            help="Run planners with the command line that Unified Planning builds (command), or "
            "let Unified Planning read the problem and run them (up).",
        ),
        click.option(
            "--memory-limit", type=SIZE, default="3.5G", show_default=True,
            help="Memory limit for each attempt, summed over its processes; G is 2^30 bytes.",
        ),
        click.option(
            "--cpu-limit", type=DURATION, default=None,
            help="CPU time limit for each attempt, summed over its processes. Unlimited if "
            "omitted.",
        ),
        click.option(
            "--time-limit", type=DURATION, default="30m",
            show_default=True,
            help="Wall-clock time limit for each attempt, such as 30m, 90s or 1.5h.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def limits_of(time_limit: float, memory_limit: float, cpu_limit: float | None) -> Limits:
    """Return the values of the options as `Limits`."""
    return Limits(time_limit, int(memory_limit), cpu_limit)
