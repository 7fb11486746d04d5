"""The option ``--sandbox`` of commands that run code which a language model wrote."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

import click

from pddl_pipeline.cli.messages import warn
from pddl_pipeline.model.errors import EngineError

_AVAILABLE: Final = "available"
_REQUIRED: Final = "required"
SANDBOX: Final = click.option(
    "--sandbox", type=click.Choice([_AVAILABLE, _REQUIRED]), default=_AVAILABLE, show_default=True,
    help="Run the code in the sandbox that this machine's kernel makes possible, and print a "
    "warning if a part is missing (available), or refuse to run without all parts (required).",
)  # fmt: skip


def check_sandbox(wanted: str) -> None:
    """Warn if this machine's kernel lacks a part of the sandbox.

    Args:
        wanted: the value of ``--sandbox``.

    Raises:
        EngineError: a part is missing, and it is required.
    """
    from pddl_pipeline.planners.sandbox.kernel.protections import protections  # noqa: PLC0415 -- rare

    missing = protections().missing()
    if not missing:
        return
    reason = f"the kernel does not confine a model's code: {'; '.join(missing)}"
    if wanted == _REQUIRED:
        raise EngineError(f"--sandbox required: {reason}")
    warn(reason)


def sandboxed(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--sandbox`` to a command that always runs a model's code, and check it first.

    The command itself gets no ``sandbox``.
    """

    @wraps(command)
    def checked(*, sandbox: str, **others: Any) -> Any:
        check_sandbox(sandbox)
        return command(**others)

    wrapped: Callable[..., Any] = SANDBOX(checked)
    return wrapped
