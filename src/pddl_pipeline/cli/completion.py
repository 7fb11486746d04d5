"""Shell completion: its names, and the completion of values that are not files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import click
from click.shell_completion import CompletionItem

from pddl_pipeline.model.errors import PipelineError

PROGRAM: Final = "pddl-pipeline"
VARIABLE: Final = "_PDDL_PIPELINE_COMPLETE"
"""The environment variable by which the shell asks the program for completions."""
SHELLS: Final = ("bash", "zsh", "fish")

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def offering(names: Callable[[], Iterable[str]]) -> Complete:
    """Return the completion of an option whose values are these names."""

    def complete(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
        try:
            return items_of(names(), begun)
        except PipelineError:
            return []  # the command itself prints the error

    return complete


def items_of(names: Iterable[str], begun: str) -> list[CompletionItem]:
    """Return the names that start with what the user typed."""
    return [CompletionItem(name) for name in names if name.startswith(begun)]
