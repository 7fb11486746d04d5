"""The process in which external functions run: ``python -m … MEBIBYTES``.

A line of JSON on standard input is a request, a line on standard output the answer. The functions
have no access to these streams. The restrictions protect against mistakes, not against malicious
code, which can circumvent them.
"""

from __future__ import annotations

import ast
import ctypes
import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any, Final, TextIO

from pddl_pipeline.autotos.code.wire import NotPlain, decode, encode

CODE_FILE: Final = "<string>"
"""The file name of the code in tracebacks, as in AutoToS."""
_FORBIDDEN: Final = (
    "os.chmod", "os.chown", "os.exec", "os.fork", "os.kill", "os.link", "os.mkdir",
    "os.posix_spawn", "os.remove", "os.rename", "os.rmdir", "os.spawn", "os.symlink", "os.system",
    "os.truncate", "shutil.", "signal.", "socket.", "subprocess.",
)  # fmt: skip
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_PR_SET_PDEATHSIG: Final = 1


def main() -> None:
    """Answer requests until standard input ends."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    requests, answers = _own_streams()
    limit = int(sys.argv[1]) * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    for kind in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        resource.setrlimit(kind, (0, 0))
    sys.dont_write_bytecode = True
    sys.addaudithook(_refuse)
    functions: dict[str, Callable[..., Any]] = {}
    for line in requests:
        answers.write(f"{_answer(decode(line), functions)}\n")
        answers.flush()


def _own_streams() -> tuple[TextIO, TextIO]:
    """Return private copies of standard input and output; redirect the originals to /dev/null."""
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nowhere, number)
    return requests, answers


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event.startswith(_FORBIDDEN) or (
        event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING
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
