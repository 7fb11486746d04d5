"""Takes the functions out of a model's answer, or of a file of Python."""

from __future__ import annotations

import ast
import warnings
from typing import Final

from pddl_pipeline.search.blackbox.code.process import Source
from pddl_pipeline.search.blackbox.code.worker import CODE_FILE

_FENCE: Final = "```"
_WORDS: Final = {"succ": "succ", "isgoal": "goal"}
"""What the names of the functions hold, as AutoToS looks for them."""


class Unparsable(Exception):
    """There is no such function; the text says why."""

    def __init__(self, function: str, reason: str, *, syntax: bool = False) -> None:
        super().__init__(reason)
        self.function = function
        """``succ`` or ``isgoal``."""
        self.syntax = syntax
        """Whether there is code for it, which is no Python."""


def functions_in(text: str) -> tuple[Source, ...]:
    """Return the code of both functions.

    Code is what stands between fences; where there are none, the whole text. Of each function the
    first definition counts whose name says what it is, and the rest of its block is kept.

    Raises:
        Unparsable: a function is missing, or its block is no Python.
    """
    blocks = _blocks(text)
    found: dict[str, dict[str, str]] = {}
    for function, word in _WORDS.items():
        code, name = _defining(blocks, function, word)
        found.setdefault(code, {})[function] = name
    return tuple(Source(code, names) for code, names in found.items())


def _blocks(text: str) -> list[str]:
    parts = text.replace("<|endoftext|>", "").split(_FENCE)
    if len(parts) == 1:
        return [text]
    # What stands behind a fence on its line is the language; the last fence may be cut short.
    return [part.partition("\n")[2].rstrip("`") for part in parts[1::2]]


def _parsed(code: str) -> ast.Module:
    with warnings.catch_warnings():
        # Of what is odd in somebody's code, but runs.
        warnings.simplefilter("ignore")
        return ast.parse(code, CODE_FILE)


def _defining(blocks: list[str], function: str, word: str) -> tuple[str, str]:
    """Return the first block that defines a function, and the function's name."""
    broken: SyntaxError | None = None
    for block in blocks:
        try:
            module = _parsed(block)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            if word in block.lower() and broken is None:
                broken = error if isinstance(error, SyntaxError) else SyntaxError(str(error))
            continue
        names = [node.name for node in module.body if isinstance(node, ast.FunctionDef)]
        named = [name for name in names if word in name.lower()]
        if named:
            return block, function if function in named else named[0]
    if broken is not None:
        raise Unparsable(function, str(broken), syntax=True)
    raise Unparsable(function, f"found no function whose name says '{word}'")
