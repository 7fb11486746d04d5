"""Text around the words of an answer: list numbers, bullets, Markdown, quotes, ``then``.

Arithmetic is different, since there a dash may be a minus: see `countdown.notation`.
"""

from __future__ import annotations

import re
from typing import Final

# List numbers, bullets, Markdown and quotes.
# Also check boxes, numbers in brackets, emojis and other signs that are no letters.
_SIGNS: Final = r"""(?:\[[ xX\d]{1,3}\]|[\s>*_`#"'\[{|-]|(?!\w)[^\x00-\x7f])+"""
_NUMBER: Final = r"\(?\d{1,4}(?:[.):|]+|\ufe0f?\u20e3)"
_AROUND: Final = re.compile(rf"""^(?:{_SIGNS}|{_NUMBER}\s)+|[\s*_`"',;.|\]}}]+$""")
_ITEM: Final = re.compile(r"(\W{0,4}\d{1,4}(?:[.):]|\ufe0f?\u20e3))|[*\u2022-]\s")
_BOLD: Final = re.compile(r"\*\*[^\W\d][^*]{0,100}\*\*:?")
_MARKDOWN: Final = re.compile("[*`#]")

# Before a sentence, also words such as ``then`` and announcements.
_BEFORE_SENTENCE: Final = re.compile(
    rf"^(?:{_SIGNS}|{_NUMBER}|\(?\d{{1,4}}\s(?=[a-z|])|"
    r"(?:step|action|phase|stage|round|trip|leg)\s{0,2}(?:\d{0,4}|[a-z]{3,7})[\s*_]{0,6}[.):\u2013\u2014-]|"
    r"(?:(?:step|action|act|move|time|state)_?\d{0,4}|[ast]\d{0,4})\s?=\s?(?:\d{1,4}\s?[:,]\s)?(?=[a-z(])|"
    r"\[?t\s?=\s?\d{1,4}\]|for\s\w{1,20}\sin\s(?=[\[(])|"
    r"move\s\d{1,4}[\s*_]{0,6}[.):-]|\(?(?:[a-z]|[ivx]{1,5})[.)]\s|\d{1,4}\s[.):]|\\item\b|"
    r"(?:(?:here is|so|thus,?)\s)?(?:the|my|your)\s(?:final\s)?(?:plan|answer|solution)\sis\b"
    r"[^:]{0,20}:|"
    r"(?:(?:the|my|our)\s)?(?:\w{1,20}\s){0,2}(?:plan|step|action|move|solution|idea)\s"
    r"(?:is|would be)\sto\b|"
    r"(?:(?:first|second|third|fourth|fifth|sixth|last)(?:ly)?|then|next|after (?:that|this)|"
    r"afterwards?|subsequently|following (?:that|this)|finally|now|there|here|and|perform|execute|"
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
    r"\\(?:begin|end)\s?\{[a-z*]{1,20}\}(?:\{[lcr|@]{1,20}\})?"
    r"|\\(?:boxed|fbox|text\w{0,9}|mathrm|mathbf)\s?\{|\\(?:q?quad|[()\[\] ,;:!])|\\(?=_)|\$|[{}]+"
)
_IN_TEXT: Final = re.compile(r"\\(?:text\w{0,9}|math\w{2}|operatorname)\s?\{([^{}]{0,300})\}")
_LATEX_ARROW: Final = re.compile(
    r"\\(?:(?:long)?rightarrow|to|implies|mapsto)(?![a-z])", re.IGNORECASE
)
_ROW_END: Final = re.compile(r"\\\\(?:\[\w{1,9}\])?")


_NO_QUOTES: Final = str.maketrans({",": " ", "'": None, '"': None, "`": None})
_TAG: Final = re.compile(
    r"</?[a-z]\w{0,20}(?:\s[a-z]{1,20}=[\"'][^\"'<>]{0,60}[\"']){0,9}\s?/?>|<\|\w{1,20}\|>"
)
ARROW: Final = r"(?:[-=]+>|[\u2192\u21d2\u279c\u279d\u279e\u2794\u27a1\u27f6\u27f9\u2b95]\ufe0f?)"
"""Pattern of an arrow between steps or names."""
_BREAK: Final = re.compile(r"<br\s?/?>|</li>\s?<li>")


def without_tags(text: str) -> str:
    """Return a text in lower case without tags of HTML and XML, and marks of a model's end."""
    if "<" not in text:
        return text
    return _TAG.sub(" ", _BREAK.sub(" ; ", text)).strip()


def bare(text: str) -> str:
    """Return a line without list numbers, bullets, Markdown and quotes around it."""
    return _AROUND.sub("", text)


def list_mark(text: str) -> str:
    """Return ``1`` for an item of a numbered list, ``-`` for one of another list, else ``""``."""
    item = _ITEM.match(text)
    return "" if item is None else "1" if item[1] else "-"


def item_number(text: str) -> int:
    """Return the number of an item of a numbered list; 0 for other lines."""
    item = _ITEM.match(text)
    number = re.search(r"\d+", item[0]) if item else None
    return int(number[0]) if number else 0


def is_heading(text: str) -> bool:
    """Return whether a line is a heading in Markdown, or in bold and without a number."""
    return (text.startswith("#") and text.lstrip("#")[:1].isspace()) or (
        text.startswith("**") and _BOLD.fullmatch(text) is not None
    )


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
    text = _LATEX_ARROW.sub(" \u2192 ", _IN_TEXT.sub(r"\1", text))
    text = _ROW_END.sub(" ; ", _BEFORE_BOX.sub("", text))
    return _TEXT_LATEX.sub(" ", text).strip().removesuffix(";")


def bare_clause(text: str) -> str:
    """Return a clause of a state without bullets, list numbers and ``and`` before it."""
    return _BEFORE_CLAUSE.sub("", text, count=1)


def group_words(group: str) -> list[str]:
    """Return the words of a text in parentheses, without quotes; commas separate words as well."""
    return group.translate(_NO_QUOTES).split()
