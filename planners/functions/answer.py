"""Extracts the functions from a model's answer, or from a Python file."""

from __future__ import annotations

import ast
import warnings
from typing import Final

from pddl_pipeline.answers.marks import code_blocks
from pddl_pipeline.planners.functions.process import CodeSource
from pddl_pipeline.planners.functions.worker import CODE_FILE

_STATEMENTS: Final = ("def ", "class ", "import ", "from ", "if ", "try:", "return")
"""Beginnings of lines that may follow a function, or are an error in one."""
_WORDS: Final = {"succ": "succ", "isgoal": "goal"}
"""The words that the functions' names contain, as AutoToS searches for them."""


class Unparsable(Exception):
    """A function is missing; the text is the reason."""

    def __init__(self, function: str, reason: str, *, syntax: bool = False) -> None:
        super().__init__(reason)
        self.function = function
        """``succ`` or ``isgoal``."""
        self.syntax = syntax
        """Whether there is code for the function that is not Python."""


def functions_in(text: str) -> tuple[CodeSource, ...]:
    """Return the code of both functions.

    Code is the text between fences, or the whole text if there are none. The first definition whose
    name contains the function's word counts, and the rest of its block is kept.

    Raises:
        Unparsable: a function is missing, or its block is not Python.
    """
    found: dict[str, dict[str, str]] = {}
    for function in _WORDS:
        code, names = function_in(text, function)
        found.setdefault(code, {}).update(names)
    return tuple(CodeSource(code, names) for code, names in found.items())


def function_in(text: str, function: str) -> CodeSource:
    """Return the code of one function; see `functions_in`.

    Args:
        text: Python code, or a model's answer with fenced code.
        function: ``succ`` or ``isgoal``.

    Raises:
        Unparsable: the function is missing, or its block is not Python.
    """
    code, name = _defining(code_blocks(text), function, _WORDS[function])
    return CodeSource(code, {function: name})


def _parsed(block: str) -> tuple[str, ast.Module]:
    """Return the code of a block and its syntax tree; text that follows the code is removed.

    Raises:
        SyntaxError: the block does not begin with Python code.
    """
    try:
        return block, _module(block)
    except SyntaxError as error:
        code = _before_words(block)
        try:
            return code, _module(code)
        except SyntaxError:
            raise error from None


def _module(code: str) -> ast.Module:
    with warnings.catch_warnings():
        # Ignore warnings about strange code that runs.
        warnings.simplefilter("ignore")
        try:
            return ast.parse(code, CODE_FILE)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(str(error)) from error


def _before_words(block: str) -> str:
    """Return the lines before the first one after a function that cannot be Python."""
    lines = block.splitlines(keepends=True)
    start = next((n for n, line in enumerate(lines) if line.startswith("def ")), len(lines))
    for number, line in enumerate(lines[start:], start=start):
        if line[0] == "`" or (line[0].isalpha() and not line.startswith(_STATEMENTS)):
            return "".join(lines[:number])
    return block


def _defining(blocks: list[str], function: str, word: str) -> tuple[str, str]:
    """Return the first block that defines a function, and the function's name."""
    broken: SyntaxError | None = None
    for block in blocks:
        try:
            code, module = _parsed(block)
        except SyntaxError as error:
            if word in block.lower():
                broken = broken or error
            continue
        names = [node.name for node in module.body if isinstance(node, ast.FunctionDef)]
        named = [name for name in names if word in name.lower()]
        if named:
            return code, function if function in named else named[0]
    if broken is not None:
        raise Unparsable(function, str(broken), syntax=True)
    raise Unparsable(function, f"found no function whose name says '{word}'")
