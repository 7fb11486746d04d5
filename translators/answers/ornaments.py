"""Text around the words of an answer: list numbers, bullets, Markdown, quotes, ``then``.

Arithmetic is different, since there a dash may be a minus: see `countdown.notation`.
"""

from __future__ import annotations

import re
from typing import Final

# List numbers, bullets, Markdown and quotes.
_SIGNS: Final = r"""[\s>*_`#"'\[{|\u2022\u2013\u2014-]+"""
_NUMBER: Final = r"\(?\d{1,4}[.):|]+"
_AROUND: Final = re.compile(rf"""^(?:{_SIGNS}|{_NUMBER}\s)+|[\s*_`"',;.|\]}}]+$""")
_ITEM: Final = re.compile(r"(\W{0,4}\d{1,4}[.):])|[*\u2022-]\s")
_MARKDOWN: Final = re.compile("[*`#]")

# Before a sentence, also words such as ``then`` and announcements.
_BEFORE_SENTENCE: Final = re.compile(
    rf"^(?:{_SIGNS}|{_NUMBER}|\(?\d{{1,4}}\s(?=[a-z|])|"
    r"(?:step|action|phase)\s{0,2}(?:\d{0,4}|[a-z]{3,7})[\s*_]{0,6}[.):-]|"
    r"move\s\d{1,4}[\s*_]{0,6}[.):-]|\(?(?:[a-z]|[ivx]{1,5})[.)]\s|\d{1,4}\s[.):]|\\item\b|"
    r"(?:(?:here is|so|thus,?)\s)?(?:the|my|your)\s(?:final\s)?(?:plan|answer|solution)\sis\b"
    r"[^:]{0,20}:|"
    r"(?:first|second|third|then|next|after that|finally|lastly|now|and|perform|execute|"
    r"plan|actions|steps)\b[\s,:\"]*)+",
    re.IGNORECASE,
)
_BEFORE_CLAUSE: Final = re.compile(r"^[\s>•-]{0,20}(?:\d{1,4}[.)]\s)?\s{0,9}(?:and\s{1,9})?")

# A label before a text that is none of the plan, and words for its end.
_NOTHING: Final = re.compile(
    r"(?:[a-z][a-z' -]{0,60}[\s*_`]{0,4}:"
    r"|(?:we(?: are|'re) |all |it is )?(?:done|finished|complete|completed|end|stop)\b"
    r"|(?:the )?goal\b|no (?:further |more )?(?:action|step|move)s?\b|nothing\b)",
    re.IGNORECASE,
)
_BEFORE_BOX: Final = re.compile(r"^.*\\(?:boxed|fbox)\s?\{", re.DOTALL)
_TEXT_LATEX: Final = re.compile(
    r"\\(?:boxed|fbox|text\w{0,9}|mathrm|mathbf)\s?\{|\\(?:quad|[()\[\]]|\\)|\\(?=_)|\$|[{}]+"
)


def bare(text: str) -> str:
    """Return a line without list numbers, bullets, Markdown and quotes around it."""
    return _AROUND.sub("", text)


def list_mark(text: str) -> str:
    """Return ``1`` for an item of a numbered list, ``-`` for one of another list, else ``""``."""
    item = _ITEM.match(text)
    return "" if item is None else "1" if item[1] else "-"


def without_markdown(text: str) -> str:
    """Return a text without Markdown's signs."""
    return _MARKDOWN.sub("", text)


def bare_sentence(text: str) -> str:
    """Return a sentence without numbers, bullets, Markdown and words such as ``then`` before it."""
    return _BEFORE_SENTENCE.sub("", text, count=1)


def says_nothing(sentence: str) -> bool:
    """Return whether a bare sentence is no step: a label such as ``Goal:``, or ``Done``."""
    return _NOTHING.match(sentence) is not None


def without_latex(text: str) -> str:
    r"""Return a sentence without a box and LaTeX's text commands around it."""
    if "\\" not in text:
        return text
    return _TEXT_LATEX.sub(" ", _BEFORE_BOX.sub("", text)).strip()


def bare_clause(text: str) -> str:
    """Return a clause of a state without bullets, list numbers and ``and`` before it."""
    return _BEFORE_CLAUSE.sub("", text, count=1)


def group_words(group: str) -> list[str]:
    """Return the words of a text in parentheses; commas separate words as well."""
    return group.replace(",", " ").split()
