r"""The marks in answers: thinking, tags, Markdown fences, headings, boxes.

Readers find marks with this module. Each reader decides which marked part counts:

- Plans (`zones`): between PlanBench's marks, else in ``<answer>`` or ``<plan>``. The last part
  counts, unless it is neither closed nor has text. Else in the last fences or below the last
  headings that contain steps.
- Countdown (`countdown.decisive` has its own marks): the last mark of any kind.
- Questions (`questions.answer_text`): in the last ``<answer>``, closed or not, else after the last
  ``answer:`` or ``state:``, else anywhere.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple

from pddl_pipeline.model.answer import TraceLine
from pddl_pipeline.translators.answers.lines import LONGEST, SHOWN, AnswerLine, lines_of

PLAN_START: Final = "[PLAN]"
PLAN_END: Final = "[PLAN END]"
_THINK, _THOUGHT = "<think>", "</think>"
_THOUGHTS: Final = re.compile(rf"{_THINK}.*?(?:{_THOUGHT}|\Z)", re.DOTALL)
_FENCE: Final = "```"
_FENCES: Final = (_FENCE, "~~~")
_END_OF_TEXT: Final = "<|endoftext|>"


class Enclosure(NamedTuple):
    """A pair of marks that enclose a part of an answer."""

    first: str
    """The first character of each mark."""
    sign: re.Pattern[str]
    """Matches a mark; the group is ``open``, ``close``, or ``stop`` for the end of an answer."""
    prompted: bool = False
    """Whether the prompt may have ended with the opening mark, so that only the end is marked."""


class Enclosed(NamedTuple):
    """A part of an answer that marks enclose."""

    lines: list[AnswerLine]
    closed: bool


def _tags(*names: str) -> Enclosure:
    name = f"(?:{'|'.join(names)})>"
    return Enclosure("<", re.compile(rf"(?P<open><{name})|(?P<close></{name})", re.IGNORECASE))


# A model that does not stop writes the next statement after its plan.
PLAN_MARKS: Final = Enclosure(
    "[",
    re.compile(
        r"(?P<open>\[(?:pddl )?plan\])|(?P<close>\[(?:pddl )?plan end\])|(?P<stop>\[statement\])",
        re.IGNORECASE,
    ),
    prompted=True,
)
PLAN_TAG: Final = _tags("answer", "plan")

# Headings above a model's final plan.
_PLAN_HEADING: Final = re.compile(
    r"[\s#*_>-]*(?:here(?: i|')s |so |thus,? )?(?:the |my |your )?"
    r"(?:(?:final|complete|full|entire|resulting|correct|corrected|revised|updated|new|"
    r"summary of(?: the)?|actions in the|sequence of) )*"
    r"(?:plan|answer|solution|actions|action sequence|summary|steps)(?: [a-z0-9])?"
    r"(?: (?:summary|of actions|of steps|in order|is|as follows))*[\s*_]*:?[\s*_]*",
    re.IGNORECASE,
)
_BOX: Final = re.compile(r"\\boxed\s{0,3}\{")
# Lines that announce another plan beside the one above them.
_ALTERNATIVE: Final = re.compile(
    r"[\s*_#]*(?:attempt|try|trial|version|approach|option|plan)\s#?(?:[2-9b-f]|two|three|four|second"
    r"|third)\b(?: \([^()]{1,60}\))?[\s*_]*(?::.*)?|[\s*_#]*alternatively\b[^.:;]{0,60}:[\s*_]*"
    r"|[^.:;]{0,60}\b(?:efficient|shorter|better|optimal|alternative|alternate|simpler|improved|quicker)"
    r" (?:plan|solution|sequence|way|approach|option)\b[^.:;]{0,60}[:.]?[\s*_]*",
    re.IGNORECASE,
)
# Such a line has one of these words: searching for them is much faster.
_ALTERNATIVE_WORDS: Final = (
    "plan", "attempt", "try", "trial", "version", "approach", "option", "altern", "solution",
    "sequence", "way",
)  # fmt: skip
# Lines that take back what stands above, unless they announce a check of it.
_RETRACTION: Final = re.compile(
    r"[\s*_>-]{0,8}(?:(?:hmm|oh|ah|but|however|actually)[,.]?\s)?(?:wait\b(?! for)|hold on\b"
    r"|no(?=[,.!]|\swait)|nope\b|oops\b|whoops\b|sorry\b|correction\b|scratch that\b"
    r"|never mind\b|on second thoughts?\b)"
    r"|.{0,200}\b(?:let me|let's|let us|i(?:'ll| will| should| must| need to)) (?:reconsider"
    r"|re-?think|re-?do|re-?try|revise|try again|re-?start|start (?:over|again|afresh)"
    r"|correct (?:that|this|it|my)|fix (?:that|this|it|my))"
    r"|(?:(?:but|actually|hmm|however)[,.]?\s)?(?:that|this|it)(?:['\u2019]s|\s(?:is|was))\s"
    r"(?:wrong|incorrect|invalid|a mistake|not (?:right|correct|valid|possible|allowed))\b(?! to\b)"
    r"|(?:(?:but|actually|hmm|however)[,.]?\s)?(?:that|this|it)\s(?:won['\u2019]t|doesn['\u2019]t"
    r"|can['\u2019]t|cannot|does not|will not|would not|did not|didn['\u2019]t) work\b"
    r"|.{0,200}\bi made (?:a|an) (?:mistake|error)\b",
    re.IGNORECASE,
)
_RETRACTION_WORDS: Final = (
    "wait", "hold on", "no,", "no.", "no!", "nope", "oops", "sorry", "correct", "scratch that",
    "never mind", "second thought", "reconsider", "think", "redo", "re-do", "retry", "re-try",
    "revise", "try again", "start", "fix ", "wrong", "invalid", "mistake", "not", "n't",
    "n\u2019t", "error",
)  # fmt: skip
_CHECK: Final = re.compile(r"\b(?:check|verify|confirm|double)", re.IGNORECASE)
# Headings above text that is no longer part of the plan.
_EXPLANATION: Final = re.compile(
    r"[\s#*_]*(?:(?:(?:plan|step|brief|short|detailed|state|goal)[ -])?"
    r"(?:explanation|reasoning|verification|justification|breakdown|final state|note)s?\b[^.]{0,60}"
    r"|(?:here(?:'s| is) )?(?:why|how) [^.:]{0,40}works?"
    r"|this (?:plan|sequence|solution) (?:works|is (?:valid|correct))[^.:]{0,40}"
    r"|the key (?:steps|ideas|points) are)[*_]{0,3}:[\s*_]*",
    re.IGNORECASE,
)
# `answer:` anywhere in the answer to a question, in lower case and without Markdown.
_STATED: Final = re.compile(
    r"(?:\banswer|\b(?:new|final|resulting|resultant|current)\s{1,3}state)"
    r"(?:\s{1,3}(?:is|will be|would be))?\s{0,3}:"
)


class Part(NamedTuple):
    """The part of an answer that is read."""

    text: str
    before: int
    """Number of lines before it."""
    unread: list[TraceLine]
    """The entries of these lines."""


def after_thinking(text: str) -> Part:
    """Return the part of an answer that follows a model's thinking.

    Reasoning models write it as ``<think> … </think>``. Thinking that is not closed was cut off
    before the answer.
    """
    if _THINK not in text and _THOUGHT not in text:
        return Part(text, 0, [])
    closed = text.rfind(_THOUGHT)
    end = closed + len(_THOUGHT) if closed >= 0 else len(text) if _THINK in text else 0
    thought = text[:end]
    lines = lines_of(thought) if end <= LONGEST else [AnswerLine(1, thought[:SHOWN].strip())]
    unread = [line.dropped("thinking") for line in lines]
    return Part(text[end:], _line_ends(thought), unread)


def _line_ends(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def without_thinking(text: str) -> str:
    """Return a text without each part in ``<think>``; if only an end is marked, the text after it.

    Unlike `after_thinking`, this keeps text before and between thoughts, as answers to questions
    are often one line.
    """
    return _THOUGHTS.sub("", text).rpartition(_THOUGHT)[2] if "think>" in text else text


def enclosed(lines: Sequence[AnswerLine], marks: Enclosure) -> list[Enclosed]:
    """Return the parts of an answer between marks, in order; the last one may be open.

    An opening mark in an open part starts the part again. Text after a ``stop`` that follows a part
    is ignored.
    """
    found: list[Enclosed] = []
    inside: list[AnswerLine] | None = [] if marks.prompted else None
    opened = False
    if not any(marks.first in line.text for line in lines):
        return found
    for line in lines:
        if marks.first not in line.text:
            _add(inside, line, line.text)
            continue
        position = 0
        for match in marks.sign.finditer(line.text):
            _add(inside, line, line.text[position : match.start()])
            position = match.end()
            if match.lastgroup == "open":
                inside, opened = [], True
                continue
            if inside is not None:
                found.append(Enclosed(inside, closed=True))
            if match.lastgroup == "stop" and (opened or (found and found[-1].lines)):
                return found
            inside = None
        _add(inside, line, line.text[position:])
    if opened and inside is not None:
        found.append(Enclosed(inside, closed=False))
    return found


def _add(inside: list[AnswerLine] | None, line: AnswerLine, text: str) -> None:
    if inside is not None and (text := text.strip()):
        inside.append(line if text == line.text else line._replace(text=text))


def last_tagged(text: str) -> str | None:
    """Return the content of the last ``<answer>`` of a text in lower case, closed or not."""
    _, tag, content = text.rpartition("<answer>")
    return content.partition("</answer>")[0] if tag else None


def fenced_lines(lines: Sequence[AnswerLine]) -> list[tuple[int, int]]:
    """Return the ranges of lines inside Markdown fences; an open fence ends with the answer."""
    marks = [i for i, line in enumerate(lines) if line.text.startswith(_FENCES)]
    closes = [*marks[1::2], len(lines)]
    return [(start + 1, end) for start, end in zip(marks[::2], closes, strict=False)]


def code_blocks(text: str) -> list[str]:
    """Return the texts inside fences, which may be in the middle of a line; else the whole text."""
    parts = text.replace(_END_OF_TEXT, "").split(_FENCE)
    if len(parts) == 1:
        return [text]
    # The rest of a fence's line is the language; the last fence may be incomplete.
    return [part.partition("\n")[2].rstrip("`") for part in parts[1::2]]


def announces_plan(line: AnswerLine) -> bool:
    """Return whether a line is a heading that announces a plan, by a colon or by Markdown."""
    marked = ":" in line.text or line.text[0] in "#*_"
    return marked and _PLAN_HEADING.fullmatch(line.text) is not None


def announcing_alternatives(lines: Sequence[AnswerLine]) -> list[int]:
    """Return the lines that announce a further plan, as ``A more efficient plan would be:``."""
    maybe = _with_words(lines, _ALTERNATIVE_WORDS)
    return [index for index in maybe if _ALTERNATIVE.fullmatch(lines[index].text)]


def taking_back(lines: Sequence[AnswerLine]) -> list[int]:
    """Return the lines that take back what stands above, as ``Wait, that is wrong.``"""
    maybe = _with_words(lines, _RETRACTION_WORDS)
    return [
        index for index in maybe
        if _RETRACTION.match(lines[index].text) and not _CHECK.search(lines[index].text)
    ]  # fmt: skip


def _with_words(lines: Sequence[AnswerLine], words: Sequence[str]) -> list[int]:
    """Return the lines that have one of the words in lower case."""
    whole = "\n".join([line.text for line in lines]).lower()
    found = [word for word in words if word in whole]
    if not found:
        return []
    texts = whole.split("\n")
    return [index for index, text in enumerate(texts) if any(word in text for word in found)]


def announces_explanation(line: AnswerLine) -> bool:
    """Return whether a line announces an explanation. Indented ones explain a single step."""
    maybe = line.indent == 0 and ":" in line.text
    return maybe and _EXPLANATION.fullmatch(line.text) is not None


def after_stated(text: str) -> str | None:
    """Return the text after the last ``answer:`` or ``state:`` of a text in lower case, or None."""
    marks = deque(_STATED.finditer(text), maxlen=1)
    return text[marks[0].end() :] if marks else None


def boxed_lines(lines: Sequence[AnswerLine]) -> list[tuple[int, int]]:
    r"""Return the range of lines with the last ``\boxed{…}``; nothing without a box."""
    start = next((i for i in range(len(lines) - 1, -1, -1) if _BOX.search(lines[i].text)), None)
    if start is None:
        return []
    depth = 0
    for index in range(start, len(lines)):
        text = lines[index].text
        begin = deque(_BOX.finditer(text), maxlen=1)[0].start() if index == start else 0
        depth += text.count("{", begin) - text.count("}", begin)
        if depth <= 0:
            return [(start, index + 1)]
    return [(start, len(lines))]
