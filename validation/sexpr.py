"""PDDL text as nested lists of lower-case words, with the position of every word.

A caller passes a text or a path. Positions are not stored with the words, to keep reading fast: a
list stores the number of its first token and its size, and the text is scanned again when an error
needs line and column. A large text is split a piece at a time, and equal words of it are one
object.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, Union

from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.errors import ErrorKind, PddlError, check_type
from pddl_pipeline.model.text import shortened

# As in VAL, a variable starts a new word even without a space before it (`aircraft?a`), and a `-`
# at the start of a word is a separate word unless a digit follows (`?a -truck`).
_TOKEN: Final = re.compile(r"[()]|\?[^\s()?;]*|-(?!\d)|[^\s()?;]+", re.ASCII)
# Such a `-` with a word after it. The pattern starts with the character to make the search fast.
_GLUED: Final = re.compile(r"-(?<=[\s()]-)(?![\d\s()?;])", re.ASCII)
# A flat list is one match: most lists contain no others, such as the facts of a large problem.
_PART: Final = re.compile(rf"\([^()]*\)|{_TOKEN.pattern}", re.ASCII)
# Some domains of PDDL+ have a blank in variables, as in `? x`.
_APART: Final = re.compile(r"\?( +)(?=[a-z])")
_SEPARATOR: Final = re.compile(r"[\x1c-\x1f]")
COMMENT: Final = re.compile(r";[^\r\n]*")
NAME_CHARACTER: Final = r"[!#-&*+\-./0-9<=>@A-Z\\^_a-z{|}~]"
"""Characters of a name after its first: visible ASCII except ``()[]?;:,"'`` and "`"."""
_STRANGE: Final = re.compile(rf"(?!{NAME_CHARACTER})[^\s()?:]", re.ASCII)
"""A character that PDDL does not have."""
# PDDL ignores the case of ASCII letters only; `str.lower` would turn other letters into these.
_LOWER: Final = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_PIECE: Final = 2**20
DONE: Final = ""
"""A part of a list that has been read, and is not kept: a fact takes less memory than its list."""
MAX_DEPTH: Final = 1000
"""Maximum nesting: enough for generated PDDL, and safe on the small stacks of threads."""
_FRAMES_A_LEVEL: Final = 6
"""Maximum calls per nesting level in the recursion that reads, evaluates and explains formulas."""


class SList(list["SExpr"]):
    """One parenthesised list. Create it with `slist`: an ``__init__`` would be too slow."""

    __slots__ = ("first", "size")
    first: int
    """Number of the opening parenthesis among the tokens of the text."""
    size: int
    """Number of tokens, with both parentheses."""

    @property
    def head(self) -> str:
        """The first word; empty if a list is first, or nothing."""
        return self[0] if self and isinstance(self[0], str) else ""


SExpr = Union[str, SList]


def slist(first: int, items: Iterable[SExpr] = ()) -> SList:
    """Return a list that starts at token ``first``; its ``size`` is set when it is known."""
    made = SList(items)
    made.first, made.size = first, 1
    return made


END_MARKS: Final = "\0\x1a"
"""What some systems write after the end of a text: NUL or Ctrl-Z."""


class Source:
    """One PDDL text, which is read once and reports errors with their positions."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        lower = text.lower() if text.isascii() else text.translate(_LOWER)
        # Comments become blanks of the same length to preserve positions.
        lower = COMMENT.sub(lambda match: " " * len(match[0]), lower.rstrip(END_MARKS))
        self._text = _APART.sub(r"\1?", lower) if "? " in lower else lower
        # Whether `str.split` and the tokens agree on white space.
        self._plain = text.isascii() and not _SEPARATOR.search(text)
        self._notes: dict[str, tuple[str, SList, int | None]] = {}
        self.glued = _GLUED.search(self._text) is not None
        """Whether a word follows a ``-`` without a space, as in ``?a -truck``."""

    def read(self) -> SList:
        """Return the single list that the text consists of.

        Raises:
            PddlError: no list, unbalanced parentheses, nesting deeper than 1000, or words outside
                the list.
        """
        top = slist(-1)
        stack = [top]
        deepest, number = 1, 0
        plain = self._plain and not self.glued
        keep = dict[str, str]().setdefault
        is_large = len(self._text) > _PIECE
        parts = chain.from_iterable(self._pieces()) if is_large else _PART.findall(self._text)
        for part in parts:
            # A lone parenthesis: lists without inner ones are one part.
            if part == ")":
                if len(stack) == 1:
                    if len(top) > 1:  # an earlier ')' is the one too many
                        self._only(top)
                    raise self._error_at(number, "found ')' without its '('")
                closed = stack.pop()
                closed.size = number - closed.first + 1
            elif part[0] == "(":
                if len(stack) > MAX_DEPTH:
                    raise self._error_at(number, f"nested deeper than {MAX_DEPTH} parentheses")
                # `split` is faster than the pattern, which only variables and glued words need.
                found = part[1:-1].split() if plain and "?" not in part else self._words(part)
                inner = SList(map(keep, found, found) if is_large else found)
                inner.first = number
                stack[-1].append(inner)
                if len(part) > 1:
                    number += len(inner) + 1
                    inner.size = len(inner) + 2
                else:
                    stack.append(inner)
                    deepest = max(deepest, len(stack))
            else:
                stack[-1].append(keep(part, part) if is_large else part)
            number += 1
        if len(stack) > 1:
            raise self._unclosed(top, stack[-1])
        # Formulas are read and evaluated by recursion, and Python's own limit is 1,000 calls.
        needed = deepest * _FRAMES_A_LEVEL + 500
        if needed > sys.getrecursionlimit():
            sys.setrecursionlimit(needed)
        return self._only(top)

    def _pieces(self) -> Iterator[list[str]]:
        """Yield the parts of the text, in lists."""
        begin = 0
        while begin < len(self._text):
            end = self._text.find(")", begin + _PIECE) + 1 or len(self._text)
            yield _PART.findall(self._text, begin, end)
            begin = end

    def _words(self, part: str) -> list[str]:
        """Return the words of a flat list; none for an opening parenthesis."""
        if self._plain and "?" not in part and not (self.glued and _GLUED.search(part)):
            return part[1:-1].split()
        return _TOKEN.findall(part)[1:-1]

    def _unclosed(self, top: SList, last: SList) -> PddlError:
        """Return the error of a list without its ')'; ``last`` is the last such list.

        It is the first list with a keyword that belongs to the lists around it, such as ``(and`` in
        ``(:action a :precondition (and (p) :effect (q))``. Without one, it is the last list.
        """
        found = list[tuple[int, SList, str]]()
        lists = [part for part in top if isinstance(part, SList)]
        for where in lists:
            lists += [part for part in where if isinstance(part, SList)]
            outer = ("(:",) if where.head.startswith(":") else ("(:", ":")
            words = [part if isinstance(part, str) else _opening(part) for part in where]
            misplaced = (
                (self._number(where, index), where, word)
                for index, word in enumerate(words)
                if index and where.head != "define" and word.startswith(outer)
            )
            found += islice(misplaced, 1)
        if not found:
            return self._error_at(
                last.first, "found '(' without its ')' before the end of the file"
            )
        number, where, word = min(found)
        return self.error(
            f"found '{_opening(where)}' without its ')' before '{word}' at {self._at(number)}, "
            f"so '{_opening(last)}' at {self._at(last.first)} is not closed",
            where,
        )

    def _only(self, top: SList) -> SList:
        if not top:
            raise PddlError(
                "the file is empty, expected (define …)", file=self.file, line=1, column=1
            )
        only = top[0]
        if isinstance(only, str):
            raise self._error_at(0, f"found '{only[:40]}', expected (define …)")
        if only[:1] != ["define"]:
            raise self._error_at(only.first, f"found {show(only, 30)}, expected (define …)")
        if len(top) > 1:
            raise self._error_at(
                only.first + only.size,
                "found a second (define …); save the domain and the problem as two files"
                if show(top[1]).startswith("(define ")
                else f"found {show(top[1], 30)} after (define …), "
                f"which ends at {self._at(only.first + only.size - 1)}",
            )
        return only

    def has(self, word: str) -> bool:
        """Return whether the text contains a word, also as a part of another."""
        return word in self._text

    def line(self, where: SList) -> int:
        """Return the 1-based line on which the list starts."""
        return self._place(where.first)[0]

    def error(
        self,
        message: str,
        where: SList,
        item: int | None = None,
        code: ErrorKind = ErrorKind.SYNTAX,
    ) -> PddlError:
        """Return an error at a list, or at its item with that index (negative: from the end)."""
        error = self._error_at(self._number(where, item), message)
        error.code = code
        return error

    def _number(self, where: SList, item: int | None) -> int:
        """Return the number of the first token of a list, or of its item with that index."""
        if item is None or not where:
            return where.first
        before = where[: item % len(where)]
        # Sizes give the number at once. What has been read is gone, and is counted in the text.
        if DONE not in before:
            sizes = (1 if isinstance(part, str) else part.size for part in before)
            return where.first + 1 + sum(sizes)
        number, depth, left = where.first + 1, 0, len(before)
        tokens = islice(_TOKEN.finditer(self._text), number, None)
        while left:
            depth += {"(": 1, ")": -1}.get(next(tokens)[0], 0)
            left -= not depth
            number += 1
        return number

    def spans(self, parts: Sequence[SList]) -> list[tuple[int, int]]:
        """Return the start and the end of lists in the text; the lists are in its order."""
        tokens = enumerate(_TOKEN.finditer(self._text))
        found = []
        for part in parts:
            start = next(match.start() for number, match in tokens if number == part.first)
            last = part.first + part.size - 1
            end = next(match.end() for number, match in tokens if number == last)
            found.append((start, end))
        return found

    def forgive(self, message: str, ignored: SList, where: SList, item: int | None = None) -> None:
        """Raise the error of a list that only `LenientSource` ignores.

        Args:
            message: what is wrong.
            ignored: the list without which the text is PDDL.
            where: the place of the error, as for `error`.
            item: as for `error`.

        Raises:
            PddlError: always.
        """
        del ignored
        raise self.error(f"{message}; --lenient ignores it", where, item)

    def note(self, kind: str, message: str, where: SList, item: int | None = None) -> None:
        """Record what the standard forbids, or a requirement that the text needs.

        Args:
            kind: what it is, or the requirement; only the first of a kind is kept.
            message: what is wrong.
            where: the place, as for `error`.
            item: as for `error`.
        """
        if kind not in self._notes:
            self._notes[kind] = message, where, item

    def needs(self, requirement: str, where: SList) -> None:
        """Record that a list needs a requirement."""
        self.note(requirement, "", where)

    def needed(self) -> set[str]:
        """Return the requirements that were recorded."""
        return {kind for kind in self._notes if kind.startswith(":")}

    def warnings(self, requirements: Collection[str]) -> tuple[PddlError, ...]:
        """Return what was recorded, without the requirements that are declared."""
        found = []
        for kind, (message, where, item) in self._notes.items():
            if kind not in requirements:
                needed = message or f"{show(where, 30)} needs the requirement {kind}"
                found.append(self._error_at(self._number(where, item), needed, explain=False))
        return tuple(found)

    def _error_at(self, number: int, message: str, *, explain: bool = True) -> PddlError:
        """Return an error at a token; it names the first character that PDDL does not have."""
        # A no-break space, for example, looks like a blank but makes two words one.
        strange = _STRANGE.search(self._text)
        if strange and explain:
            from unicodedata import name  # rare

            line, column = self._line_and_column(strange.start())
            message += (
                f"; {name(strange[0], f'U+{ord(strange[0]):04X}')} at {line}:{column} is not a "
                "character of PDDL"
            )
        line, column = self._place(number)
        return PddlError(message, file=self.file, line=line, column=column)

    def _place(self, number: int) -> tuple[int, int]:
        return self._line_and_column(
            next(islice(_TOKEN.finditer(self._text), number, None)).start()
        )

    def _at(self, number: int) -> str:
        return "{}:{}".format(*self._place(number))

    def _line_and_column(self, at: int) -> tuple[int, int]:
        return self._text.count("\n", 0, at) + 1, at - self._text.rfind("\n", 0, at)


def _opening(where: SList) -> str:
    """Return the beginning of a list, such as ``(and`` or ``(:action a``."""
    return "(" + " ".join(
        [w for w in where[: 1 + where.head.startswith(":")] if isinstance(w, str)]
    )


def show(expression: SExpr, limit: int = 60) -> str:
    """Return an expression as text for a message, cut to ``limit`` characters."""
    if isinstance(expression, str):
        text = expression
    else:
        text = f"({' '.join([show(part, limit - 1) for part in expression[:limit]])})"
    return shortened(text, limit)


if TYPE_CHECKING:
    from pathlib import Path


def is_file_name(text: str) -> bool:
    """Return whether a text is the name of an existing file."""
    return "\n" not in text and os.path.isfile(text)  # noqa: PTH113 -- pathlib is slow to import


def read_pddl(source: str | Path, kind: str) -> tuple[str, str]:
    """Return a PDDL text and its name for messages, from a path or the text itself.

    Raises:
        InputError: the file cannot be read.
        TypeError: ``source`` is neither a string nor a path.
    """
    check_type(kind, source, str | os.PathLike, "a path or PDDL text")
    is_text = isinstance(source, str) and ("(" in source or not source.strip())
    if is_text and not is_file_name(str(source)):
        return str(source), f"<{kind}>"
    return read_file(source), str(source)


@contextmanager
def paused_collection() -> Iterator[None]:
    """Pause the garbage collector, if it runs, while objects without cycles are made.

    Reading a file of 4 MB makes a million objects, and takes half as long again with the collector.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
