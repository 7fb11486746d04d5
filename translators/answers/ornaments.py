"""Text around the words of an answer: list numbers, bullets, Markdown, quotes, ``then``.

Readers remove different text: before arithmetic, a dash may be a minus and a number an operand.
There, typographic signs and LaTeX become keyboard signs as well.
"""

from __future__ import annotations

import re
from typing import Final

from pddl_pipeline.translators.answers.denials import denies

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

# No underscore around arithmetic: names may start with one, and messages show names unchanged.
_ENDS: Final = "*`$#> \t"
_BULLET: Final = re.compile(r"-\s+")
_LABEL: Final = re.compile(
    r"-\s+(?=[^\W\d_])"
    r"|\d{1,4}[.):](?:\*\*)?\s+"
    r"|[^\W\d_][^\d:=()]{0,40}(?:\d{1,4})?\s{0,4}(?::|\)|\.\s)(?:\*\*)?",
    re.IGNORECASE,
)
# Words of order and inference. The text after them is the answer's, not a remark about it.
_ORDER: Final = re.compile(
    r"(?:(?:and|but|so|then|next|now|(?:first|second|third|fourth|last|final)(?:ly)?|after that"
    r"|thus|therefore|hence|sure|okay|ok|yes|i|we|you|it|this|that|which|can|will|do|get|gets"
    r"|have|has|obtain|compute|calculate|gives?|giving|makes?|making|yields?|is|equals?)"
    r"(?![^\W_])[,.!:]?\s{0,9}){1,9}(?=[-+(\[\d*`]|$)",
    re.IGNORECASE,
)
_REMARK: Final = re.compile(r"\s\([^\W\d_][^()\d=+*/-]{1,200}\)[\s.*`]{0,9}$")
_LEFT: Final = re.compile(r"[(\[{]?\b(?:left|remaining|remains)\b", re.IGNORECASE)
_ROUNDS: Final = 5
# Signs of arithmetic.
_TYPOGRAPHIC: Final = str.maketrans(
    {
        # Times sign, dots, crosses, asterisks.
        **dict.fromkeys("\u00d7\u00b7\u22c5\u2219\u2022\u2715\u2716\u2217\uff0a", "*"),
        # Division sign and slashes.
        **dict.fromkeys("\u00f7\u2215\u2044\uff0f", "/"),
        # Minus sign, dashes, hyphens.
        **dict.fromkeys("\u2212\u2013\u2014\u2010\u2011\ufe63\uff0d", "-"),
        # Full-width plus, parentheses, equals sign and colon.
        **dict(zip("\uff0b\uff08\uff09\uff1d\uff1a", "+()=:", strict=True)),
        # Non-breaking and thin spaces.
        **dict.fromkeys("\u00a0\u202f\u2009", " "),
    }
)
_LATEX: Final = re.compile(
    r"\\(?:(times|cdot|ast)|(div)|left|right|displaystyle|[\[\]()$,;!]|quad|text)(?![a-z])"
)
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
_ESCAPED: Final = re.compile(r"\\([-+*/=])")
_FRACTION: Final = re.compile(r"\\[dt]?frac\{([^{}]{1,200})\}\{([^{}]{1,200})\}")


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


def bare_arithmetic(text: str, *, bullets: bool = False) -> str:
    r"""Return a line with keyboard signs, without labels, ``then``, Markdown and ``(left: …)``.

    Args:
        text: the line. The result is empty if its label denies it.
        bullets: whether a dash before it is a bullet, and not a minus.
    """
    text = _plain_signs(text)
    for _ in range(_ROUNDS):
        text = text.strip(_ENDS)
        label = (bullets and _BULLET.match(text)) or _LABEL.match(text) or _ORDER.match(text)
        if not label:
            break
        if denies(label[0]):
            return ""
        text = text[label.end() :]
    text = _REMARK.sub("", text) if text.endswith((")", ".")) else text
    rest = _LEFT.search(text)
    return (text[: rest.start()] if rest else text).rstrip("*`$ \t.,;").lstrip(_ENDS)


def _plain_signs(text: str) -> str:
    r"""Return a text with keyboard signs, such as ``*`` for ``\times``."""
    if not text.isascii():
        text = text.translate(_TYPOGRAPHIC)
    text = text.replace("$", "")
    if "\\" in text:
        text = _LATEX.sub(_of_keyboard, _FRACTION.sub(r"((\1)/(\2))", _ESCAPED.sub(r"\1", text)))
    return text


def _of_keyboard(match: re.Match[str]) -> str:
    if match[1]:
        return "*"
    return "/" if match[2] else ""


def unordered(text: str) -> str:
    """Return a part of a line of arithmetic without words such as ``and then`` before it."""
    text = text.strip()
    order = _ORDER.match(text)
    return text[order.end() :] if order else text


def group_words(group: str) -> list[str]:
    """Return the words of a text in parentheses; commas separate words as well."""
    return group.replace(",", " ").split()
