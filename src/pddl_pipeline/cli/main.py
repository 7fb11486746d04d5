"""The entry point ``pddl-pipeline``: runs the command and prints each error on one line."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from types import FrameType
from typing import Final, NoReturn

from pddl_pipeline.cli.status import BAD_INPUT, DONE, INTERRUPTED, UNEXPLAINED, VARIABLE
from pddl_pipeline.io.standard_streams import ReaderGone, safe_streams
from pddl_pipeline.model.errors import PipelineError, WorkerError
from pddl_pipeline.validation.sexpr import paused_collection

_BUG: Final = (
    "this is a bug of pddl-pipeline or of a plug-in; please report it with the lines above, as "
    "'Report a bug' in docs/reference/errors.md says"
)
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def main() -> None:
    """Run the command line and exit."""
    run_and_exit(_run)


def run_and_exit(work: Callable[[], int]) -> NoReturn:
    """Exit with the status that `guarded` returns."""
    # Python ends without looking through all objects, a tenth of the time of a small `validate`.
    atexit.register(gc.freeze)
    # A report's objects stay: the collector would spend a fifth of the time on looking at them.
    gc.set_threshold(50_000)
    sys.exit(guarded(work))


def _run() -> int:
    arguments = sys.argv[1:]
    if arguments[:1] == ["validate"]:
        from pddl_pipeline.cli.judging import validate_arguments

        parsed = validate_arguments(arguments[1:])
        if parsed is not None:
            with paused_collection():
                from pddl_pipeline.cli.judging import judge_plans

            return judge_plans(**parsed)
    # Click is imported only when it is needed, since that takes as long as everything else.
    from pddl_pipeline.cli.group import run_command

    return run_command(arguments)


def guarded(work: Callable[[], int]) -> int:
    """Call `work` and return its exit status. Print an error on one line.

    Anything unexpected is status 3, with a traceback: Python's own status for it, 1, would mean
    that a plan is not valid.
    """
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    safe_streams()
    for stream in (sys.stdout, sys.stderr):
        # Escape the characters that the terminal's encoding does not have.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        # Treat SIGTERM as Ctrl-C: stop the planners and store the finished runs.
        signal.signal(signal.SIGTERM, _interrupt)
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _interrupt)
        status = work()
        sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001 -- also SystemExit: a plug-in may call exit(0)
        return _reported(error)
    return status


def _reported(error: BaseException) -> int:
    """Print an error and return the exit status."""
    if _was_interrupted(error):
        # Commands say in a KeyboardInterrupt what is done; the text of a SystemError is unrelated.
        print(
            (isinstance(error, KeyboardInterrupt) and str(error)) or "interrupted", file=sys.stderr
        )
        return INTERRUPTED
    match error:
        case ReaderGone():
            return DONE
        case SystemExit(code=int(status)) if VARIABLE in os.environ:
            return status  # click has printed completions
        case MemoryError() | OSError(errno=errno.ENOMEM):
            return _complain("out of memory", UNEXPLAINED)
        case WorkerError():
            return _complain(str(error), UNEXPLAINED)
        case PipelineError():
            return _complain(str(error), BAD_INPUT)
        case OSError(errno=int()):
            return _complain(f"{_place(error)}{error.strerror or error}", BAD_INPUT)
    sys.excepthook(type(error), error, error.__traceback__)
    return _complain(_BUG, UNEXPLAINED)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """Interrupt the program. A second Ctrl-C exits immediately, even while planners are stopped.

    The warm process then ends the planners, and each line of a run store is written at once.
    """
    signal.signal(signal.SIGINT, _exit)
    signal.default_int_handler(number, frame)


def _exit(*_: object) -> NoReturn:
    if sys.stderr.isatty():
        # A progress bar hides the cursor.
        os.write(sys.stderr.fileno(), b"\x1b[?25h\n")
    os._exit(INTERRUPTED)


def _nowhere() -> TextIOWrapper:
    """Return a stream that replaces a closed standard stream and discards its output."""
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 -- pathlib is slow


def _was_interrupted(error: BaseException) -> bool:
    """Return whether a Ctrl-C is the error, or why compiled code raised `SystemError`.

    Each compiled function between the Ctrl-C and this one adds a `SystemError` to the chain.
    """
    reason: BaseException | None = error
    while isinstance(reason, SystemError):
        reason = reason.__cause__ or reason.__context__
    return isinstance(reason, KeyboardInterrupt)


def _place(error: OSError) -> str:
    """Return the file of an error with a colon, if it is known."""
    if error.filename:
        return f"{error.filename}: "
    if error.errno not in _FULL:
        return ""
    # All other files have names. Discard what could not be written and is still in the buffer.
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return "standard output: "


def _complain(message: str, status: int) -> int:
    with suppress(OSError):  # standard error is on a full disk, too
        print(f"error: {message}", file=sys.stderr)
    return status
