"""Reads lists of actions and atoms as ACPBench has them: ``[(sail l0 l1), (board c2 l0)]``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from pddl_pipeline.questions.answer_text import groups, readings

_LIST: Final = re.compile(r"\[([^\[\]]*)\]")
_LABEL: Final = re.compile(r"\b(pos|neg)")
_HEADED: Final = re.compile(r"\b(pos|neg)[a-z]{0,9}(?:\s[a-z]{1,20}){0,2}\s{0,3}:")
_NO_LIST: Final = re.compile(r"[^\s,()\"']")


class _Part(NamedTuple):
    items: list[str]
    label: str
    """``pos``, ``neg`` or nothing: what was last said before it."""


def list_text(items: Iterable[str]) -> str:
    """Return the text of a list."""
    return f"[{', '.join(items)}]"


def action_list(text: str) -> list[str] | None:
    """Return the last list of an answer, else all actions that it names; None where there is none.

    An item is what stands in parentheses; an empty list in brackets is one, too.
    """
    for reading in readings(text):
        lists = _lists(reading)
        if lists:
            return lists[-1].items
        found = groups(reading)
        if found:
            return found
    return None


def two_lists(text: str) -> tuple[list[str], list[str]] | None:
    """Return the last two lists of an answer: the positive and the negative one.

    They are in this order where no word that begins with ``pos`` or ``neg`` says otherwise. Where
    there are no lists in brackets, what follows ``Positive:`` and ``Negative:`` counts.
    """
    for reading in readings(text):
        lists = _lists(reading)[-2:]
        if len(lists) == 2:
            first, second = lists
            if (first.label, second.label) == ("neg", "pos"):
                first, second = second, first
            return first.items, second.items
        if headed := _headed(reading):
            return headed
    return None


def _headed(text: str) -> tuple[list[str], list[str]] | None:
    """Return the items below the last heading of each kind; None where there are none."""
    heads = list(_HEADED.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    found = {
        head[1]: groups(text[head.end() : end]) for head, end in zip(heads, ends, strict=False)
    }
    if found.keys() == {"pos", "neg"} and any(found.values()):
        return found["pos"], found["neg"]
    return None


def _lists(text: str) -> list[_Part]:
    """Return what stands in brackets, if that is nothing but items in parentheses."""
    found, label, end = list[_Part](), "", 0
    for match in _LIST.finditer(text):
        said = _LABEL.findall(text, end, match.start())
        label, end = said[-1] if said else "", match.end()
        items = groups(match[1])
        if items or not _NO_LIST.search(match[1]):
            found.append(_Part(items, label))
    return found
