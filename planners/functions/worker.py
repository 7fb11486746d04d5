"""The process in which external functions run: ``python -m … PARENT MEBIBYTES``.

It prints a first line when it is in the sandbox. Then a line of standard input is a number, which
differs each time, and a request in JSON; a line of standard output is the same number and the
answer. The functions share this process, so they can find these streams, and can fake answers to
calls of themselves. The number keeps them from answering what was not asked yet.
"""

from __future__ import annotations

import ast
import os
import sys
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, TextIO

from pddl_pipeline.planners.functions.wire import NotPlain, decode, encode
from pddl_pipeline.planners.sandbox.code_supervisor import supervise
from pddl_pipeline.planners.sandbox.kernel.confinement import confine

CODE_FILE: Final = "<string>"
"""The file name of the code in tracebacks, as in AutoToS."""
READY: Final = "ready"
"""The first line."""
# The kernel refuses these anyway. This says in words what is refused, and is all there is where the
# kernel lacks a part of the sandbox.
_PROCESSES: Final = (
    "os.exec", "os.fork", "os.kill", "os.posix_spawn", "os.spawn", "os.system", "pty.", "signal.",
    "socket.", "subprocess.",
)  # fmt: skip
_FILES: Final = (
    "os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir",
    "os.symlink", "os.truncate", "os.utime", "shutil.",
)  # fmt: skip
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def main() -> None:
    """Answer requests until standard input ends."""
    parent, memory_bytes = int(sys.argv[1]), int(sys.argv[2]) * 2**20
    if sys.platform == "linux":
        supervise(parent, Path.cwd(), partial(_work, memory_bytes))
    _work(memory_bytes)


def _work(memory_bytes: int) -> None:
    """Enter the sandbox, and answer requests."""
    # In the sandbox, no file outside of the folder can be opened for writing.
    nowhere = os.open(os.devnull, os.O_RDWR)
    try:
        protected = confine(Path.cwd(), memory_bytes)
    except OSError as error:
        sys.exit(f"the sandbox cannot be entered: {error}")
    requests, answers = _own_streams(nowhere)
    sys.dont_write_bytecode = True
    refused = _PROCESSES if protected.writing else (*_PROCESSES, *_FILES)
    sys.addaudithook(partial(_refuse, refused, protected.writing))
    answers.write(f"{READY}\n")
    answers.flush()
    functions: dict[str, Callable[..., Any]] = {}
    for line in requests:
        number, _, request = line.partition(" ")
        answers.write(f"{number} {_answer(decode(request), functions)}\n")
        answers.flush()


def _own_streams(nowhere: int) -> tuple[TextIO, TextIO]:
    """Return copies of standard input and output; redirect the originals to /dev/null."""
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    for number in range(3):
        os.dup2(nowhere, number)
    os.close(nowhere)
    return requests, answers


def _refuse(
    refused: tuple[str, ...],
    writing: bool,  # noqa: FBT001 -- an audit hook has no other form
    event: str,
    arguments: tuple[Any, ...],
) -> None:
    if event.startswith(refused) or (
        event == "open"
        and not writing
        and isinstance(arguments[2], int)
        and arguments[2] & _WRITING
    ):
        raise PermissionError(f"{event} is not allowed here")


def _answer(request: dict[str, Any], functions: dict[str, Callable[..., Any]]) -> str:
    try:
        if "code" in request:
            functions |= _loaded(request["code"], request["names"])
            return encode({"done": True})
        return _called(functions[request["call"]], request)
    except BaseException as error:  # noqa: BLE001 -- SystemExit and KeyboardInterrupt too
        return encode({"error": _error(error)})


def _loaded(code: str, names: dict[str, str]) -> dict[str, Callable[..., Any]]:
    """Run code, and return its functions of these names, by role.

    Top-level expressions, such as example calls of the functions, are skipped.
    """
    space: dict[str, Any] = {"__name__": "code"}
    module = ast.parse(code, CODE_FILE)
    module.body = [part for part in module.body if not isinstance(part, ast.Expr)]
    exec(compile(module, CODE_FILE, "exec"), space)  # noqa: S102 -- the purpose of this process
    return {role: space[name] for role, name in names.items()}


def _called(function: Callable[..., Any], request: dict[str, Any]) -> str:
    state, *others = request["arguments"]
    before = encode(state)
    result = function(state, *others)
    result = list(_checked_list(result)) if request["call"] == "succ" else _truth(result)
    answer: dict[str, Any] = {"result": result}
    if encode(state) != before:
        answer["after"] = state
    try:
        return encode(answer)
    except NotPlain as error:
        raise TypeError(f"{error} in what the function returned") from error


def _checked_list(result: Any) -> Any:
    if isinstance(result, str | bytes | dict):
        raise TypeError(f"the function returned a {type(result).__name__}, expected a list")
    return result


def _truth(result: Any) -> bool:
    if result is None or isinstance(result, int | float) or hasattr(result, "dtype"):
        return bool(result)
    raise TypeError(f"the function returned a {type(result).__name__}, expected True or False")


def _error(error: BaseException) -> dict[str, str]:
    """Return an exception as text, with the last location in the code, as AutoToS shows it."""
    places = traceback.extract_tb(error.__traceback__)
    own = [place for place in places if place.filename == CODE_FILE][-1:]
    return {
        "kind": type(error).__name__,
        "message": str(error)[:1000],
        "trace": "\n".join([*traceback.format_list(own), str(error)[:1000]]),
    }


if __name__ == "__main__":
    main()
