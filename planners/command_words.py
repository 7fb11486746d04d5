"""The words of a command that a user gives as a planner."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.planners.sandbox.request import DOMAIN, PLAN, PROBLEM

_PLACE: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_PLACES: Final = ("domain", "problem", "plan", "time_s", "memory_mb", "dir")
# As the kernel reads it: a carriage return is part of the name.
_INTERPRETER: Final = re.compile(rb"#![ \t]*([^ \t\n\0]+)")
_FIRST_LINE_BYTES: Final = 256


def words_of(planner: str, command: str, folder: Path) -> tuple[str, ...]:
    """Return the words of a command; paths of existing files become absolute.

    Args:
        planner: the planner's name, for messages.
        command: the text of the command.
        folder: the folder from which relative paths are looked up.

    Raises:
        InputError: the text cannot be split, has an unknown field, or names no executable.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"{planner}: the command cannot be split: {error}") from error
    if not words:
        raise InputError(f"{planner}: found no command")
    for word in words:
        fault = _fault(word)
        if fault is not None:
            known = ", ".join(f"{{{each}}}" for each in _PLACES)
            raise InputError(
                f"{planner}: found {fault} in the command, expected one of {known}; "
                "write {{ and }} for braces"
            )
    first, *others = words
    return (_executable(planner, first, folder), *(_existing(word, folder) for word in others))


def places_of(word: str) -> Iterator[str]:
    """Yield the names in braces in a word."""
    for match in _PLACE.finditer(word):
        if match[1] is not None:
            yield match[1]


def _fault(word: str) -> str | None:
    """Return what is wrong with the braces of a word, or None."""
    for match in _PLACE.finditer(word):
        if match[0] == "{":
            return f"'{word[match.start() :]}' without '}}'"
        if match[0] == "}":
            return f"'{word[: match.end()]}' without '{{'"
        if match[1] is not None and match[1] not in _PLACES:
            return f"'{match[0]}'"
    return None


def _executable(planner: str, word: str, folder: Path) -> str:
    path = str(folder / word) if os.sep in word else word
    found = shutil.which(path)
    if found is None:
        if os.sep not in word:
            fault = "does not exist on PATH"
        elif Path(path).is_dir():
            fault = "is a folder"
        else:
            fault = "is not executable" if Path(path).exists() else "does not exist"
        raise InputError(f"{planner}: the command '{word}' {fault}")
    interpreter = _interpreter(Path(found))
    if Path(interpreter).is_absolute() and not Path(interpreter).exists():
        raise InputError(
            f"{planner}: the interpreter {interpreter!r} in the first line of '{word}' "
            "does not exist"
        )
    return str(Path(found).absolute())


def _interpreter(executable: Path) -> str:
    """Return the interpreter that the first line of a script names, or ''."""
    if not os.access(executable, os.R_OK):
        return ""
    with executable.open("rb") as file:
        match = _INTERPRETER.match(file.read(_FIRST_LINE_BYTES))
    return os.fsdecode(match[1]) if match else ""


def _existing(word: str, folder: Path) -> str:
    path = folder / word
    return str(path.absolute()) if not word.startswith("-") and _is_file(path) else word


def _is_file(path: Path) -> bool:
    # Path.is_file raises OSError if a word is longer than a path can be, as a script of one line.
    return os.path.isfile(path)  # noqa: PTH113


def files_of(command: Sequence[str]) -> tuple[Path, ...]:
    """Return the executable of a command, and each file that another word names.

    A changed script is another planner, also if an interpreter runs it.
    """
    executable, *others = map(Path, command)
    files = (path for path in others if path.is_absolute() and _is_file(path))
    return (executable, *(file for file in files if os.access(file, os.R_OK)))


def content_of(file: Path) -> str:
    """Return the SHA-256 of a file's content as hexadecimal digits."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def filled(command: tuple[str, ...], work: Path, limits: Limits) -> tuple[str, ...]:
    """Return the command with the paths and limits of an attempt."""
    values = {
        "domain": work / DOMAIN,
        "problem": work / PROBLEM,
        "plan": work / PLAN,
        "dir": work,
        "time_s": max(1, int(limits.time_s)),
        "memory_mb": limits.memory_bytes >> 20,
    }

    def value(match: re.Match[str]) -> str:
        return match[0][0] if match[1] is None else str(values[match[1]])

    return tuple(_PLACE.sub(value, word) for word in command)
