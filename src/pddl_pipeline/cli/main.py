"""The entry point ``pddl-pipeline``: finds the command and turns errors into one line each."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from io import TextIOWrapper

from pddl_pipeline.cli.exit_status import BAD_INPUT, INTERRUPTED, NOT_READ
from pddl_pipeline.model.errors import PipelineError


def main() -> None:
    """Run the command line and exit."""
    sys.exit(guarded(_run))


def _run() -> int:
    arguments = sys.argv[1:]
    command, files = arguments[:1], arguments[1:]
    if command == ["validate"] and len(files) > 2 and not any(f.startswith("-") for f in files):
        # Nothing for an option parser to do, and click takes as long to import as all the rest.
        from pddl_pipeline.cli.judging import judge_plans  # noqa: PLC0415

        return judge_plans(files[0], files[1], files[2:])
    from pddl_pipeline.cli.group import run_command  # noqa: PLC0415

    return run_command(arguments)


def guarded(work: Callable[[], int]) -> int:
    """Do the work of a program and return its exit status; an error becomes one line."""
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        # What the encoding of the terminal lacks is shown as an escape.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        # As after Ctrl-C: planners are ended and what is done is stored.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        status = work()
        sys.stdout.flush()
    except PipelineError as error:
        return _complain(str(error))
    except BrokenPipeError:
        # Whoever reads has enough, as in `… | head`; nothing is to be written any more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOT_READ
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _complain(f"{place}{error.strerror or error}")
    except (KeyboardInterrupt, SystemError) as error:
        if isinstance(error, SystemError) and not _was_interrupted(error):
            raise
        # Who is impatient presses the key again.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    return status


def _nowhere() -> TextIOWrapper:
    """Return a stream to stand in for a standard stream that was closed."""
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 -- pathlib is slow


def _was_interrupted(error: SystemError) -> bool:
    """Whether the key was pressed in compiled code, which tells it in this way only."""
    return isinstance(error.__cause__ or error.__context__, KeyboardInterrupt)


def _complain(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return BAD_INPUT
