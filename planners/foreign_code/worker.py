"""What the process does in which external functions run; `supervised` starts it.

It prints a first line when it is in the sandbox. Then a line of standard input is a number, which
differs each time, and a request in JSON; a line of standard output is the same number and the
answer. The functions share this process, so they can find these streams, and can fake answers to
calls of themselves. The number keeps them from answering what was not asked yet.

The functions must not find what they are compared with, so this module imports nothing of this
package, and gets states and calls only.

The JSON preserves the Python types. Lists, strings, integers, floats, true, false and null are as
in JSON; any other value is an object with one field, whose name is the type.
"""

from __future__ import annotations

import ast
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final, TextIO

_BASES: Final[tuple[Any, ...]] = (int, float, str, list, tuple, dict, set, frozenset)
_PLAIN: Final = (str, int, float, bool, type(None))


class NotPlain(Exception):
    """A value is not plain data; the text describes it."""


def encode(value: Any) -> str:
    """Return a value as text.

    Raises:
        NotPlain: the value contains other than plain data, or is nested too deeply.
    """
    try:
        return json.dumps(_to_json(value))
    except (RecursionError, ValueError) as error:
        raise NotPlain(str(error)) from error


def decode(text: str | bytes) -> Any:
    """Return a value from its text.

    Raises:
        ValueError: the text does not come from `encode`.
    """
    try:
        return json.loads(text, object_hook=_from_json)
    except (ValueError, RecursionError, KeyError, TypeError, ZeroDivisionError) as error:
        raise ValueError("found no value") from error


def _to_json(value: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is list:
        return [_to_json(part) for part in value]
    if kind is dict:
        return {"dict": [[_to_json(key), _to_json(part)] for key, part in value.items()]}
    if kind in (tuple, set, frozenset):
        return {kind.__name__: [_to_json(part) for part in value]}
    if kind is Fraction:
        return {"fraction": [value.numerator, value.denominator]}
    return _to_json(_as_plain(value))


def _as_plain(value: Any) -> Any:
    """Return an instance of a subclass, or a NumPy number or array, as plain Python data."""
    for plain in _BASES:
        if isinstance(value, plain):
            return plain(value)
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return value.tolist()
    raise NotPlain(f"found a {type(value).__name__}, expected plain data")


def _fraction(parts: list[Any]) -> Fraction:
    # As text, a short number could take all memory: 1e999999999.
    if [type(part) for part in parts] != [int, int]:
        raise ValueError("expected two integers")
    return Fraction(*parts)


_KINDS: Final[dict[str, Callable[[Any], Any]]] = {
    "tuple": tuple,
    "dict": dict,
    "set": set,
    "frozenset": frozenset,
    "fraction": _fraction,
}


def _from_json(found: dict[str, Any]) -> Any:
    ((kind, parts),) = found.items()
    return _KINDS[kind](parts)


CODE_FILE: Final = "<string>"
"""The file name of the code in tracebacks."""
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


def work(confine: Callable[[Path, str], Any], package: str) -> None:
    """Enter the sandbox, and answer requests until standard input ends.

    Args:
        confine: `pddl_pipeline.planners.sandbox.confinement.confine`.
        package: folder that may not be read.
    """
    # In the sandbox, no file outside of the folder can be opened for writing.
    nowhere = os.open(os.devnull, os.O_RDWR)
    writing = confine(Path.cwd(), package).writing
    requests, answers = _own_streams(nowhere)
    sys.dont_write_bytecode = True
    refused = _PROCESSES if writing else (*_PROCESSES, *_FILES)
    sys.addaudithook(partial(_refuse, refused, writing))
    answers.write(f"{READY}\n")
    answers.flush()
    functions: dict[str, Callable[..., Any]] = {}
    for line in requests:
        number, _, request = line.partition(" ")
        answers.write(f"{number} {_answer(decode(request), functions)}\n")
        answers.flush()
    # The checker has ended, or is about to: the kernel notifies the supervisor of that.
    while sys.platform == "linux":
        signal.pause()


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
    # As text, since the function may change the state in place.
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
    # These can be iterated over, too: over their letters, bytes or keys.
    if isinstance(result, str | bytes | dict):
        raise TypeError(f"the function returned a {type(result).__name__}, expected a list")
    return result


def _truth(result: Any) -> bool:
    if result is None or isinstance(result, int | float) or hasattr(result, "dtype"):
        return bool(result)
    raise TypeError(f"the function returned a {type(result).__name__}, expected True or False")


def _error(error: BaseException) -> dict[str, str]:
    """Return an exception as text, with the last location in the code."""
    places = traceback.extract_tb(error.__traceback__)
    own = [place for place in places if place.filename == CODE_FILE][-1:]
    return {
        "kind": type(error).__name__,
        "message": str(error)[:1000],
        "trace": "\n".join([*traceback.format_list(own), str(error)[:1000]]),
    }
