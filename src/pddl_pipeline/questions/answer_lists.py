"""Readers of ACPBench's lists of actions and atoms: ``[(sail l0 l1), (board c2 l0)]``."""

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
    """``pos`` or ``neg``, whichever was last mentioned before the list; empty if neither was."""


def list_text(items: Iterable[str]) -> str:
    """Return a list as text."""
    return f"[{', '.join(items)}]"


def action_list(text: str) -> list[str] | None:
    """Return the last list of an answer, else all actions that it names, else None.

    The items are the texts in parentheses. An empty list in brackets counts as a list.
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

    The positive list comes first unless words that begin with ``pos`` or ``neg`` label the lists
    the other way round. If the answer has no two lists in brackets, the items after ``Positive:``
    and ``Negative:`` are returned. Return None if there are none.
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
    """Return the items below the last heading of each kind; None if there are none."""
    heads = list(_HEADED.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    found = {
        head[1]: groups(text[head.end() : end]) for head, end in zip(heads, ends, strict=False)
    }
    if found.keys() == {"pos", "neg"} and any(found.values()):
        return found["pos"], found["neg"]
    return None


def _lists(text: str) -> list[_Part]:
    """Return the texts in brackets that consist only of items in parentheses."""
    found, label, end = list[_Part](), "", 0
    for match in _LIST.finditer(text):
        said = _LABEL.findall(text, end, match.start())
        label, end = said[-1] if said else "", match.end()
        items = groups(match[1])
        if items or not _NO_LIST.search(match[1]):
            found.append(_Part(items, label))
    return found
