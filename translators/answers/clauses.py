"""The clauses of a sentence: which may be steps, and which only explain one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from pddl_pipeline.translators.answers.ornaments import ARROW, bare_sentence

REMARKS: Final = frozenset({
    "is", "are", "was", "were", "be", "been", "has", "have", "had", "isn", "aren", "can", "cannot",
    "should", "would", "will", "must", "need", "needs", "needed", "since", "because", "this",
    "these", "there", "we", "i", "our", "my", "you", "your", "not", "no", "don", "if", "when",
    "while", "before", "after", "until", "goal", "goals", "state", "initial", "final", "now",
    "holding", "holds", "clear", "remains", "stays", "rests", "sits", "becomes", "on-table",
    "result", "become", "true", "false", "which", "already", "doesn", "it", "they", "avoid",
    "instead", "without", "still", "starts", "begins", "waits", "waiting", "located", "lies",
    "stands", "initially", "currently",
})  # fmt: skip
"""Words of statements and explanations, which commands do not have."""
_PARTING: Final = re.compile(
    rf"\s\d{{1,3}}[.)]\s+|[;,.](?:\s+|$)|\b(?:and )?then\b|(?:\band|\s[&+])\s+|\s?{ARROW}\s?"
)
_CALL: Final = re.compile(r"\b([a-z][\w-]{0,99})\(([^()]{1,300})\)")
_OR: Final = re.compile(
    r"(?:^|\s)or(?:\s(?:else|instead|maybe|perhaps|possibly|alternatively|simply|just))?\s"
)
# What follows says why, to what end, or what is then the case.
_REMARK: Final = re.compile(
    r"\s(?:-{1,2}|[\u2013\u2014])\s|\s\[|,?\s(?:because|since|so that|such that|so|which|where"
    r"|while|in order to|leaving|making|freeing|clearing|carrying|holding|exposing|revealing"
    r"|to (?:clear|free|make|reach|get|expose|access|empty|allow|satisfy|achieve|complete|create"
    r"|uncover|meet|fulfil|fulfill|finish|ensure|prepare|form|build)"
    r"|as (?:it|this|that|the|we|(?:\w+\s){1,2}(?:is|needs|must|has)))\b"
    r"|\swith\s[^,;.]{1,30}\s(?:aboard|on board|in hand)\b"
)
_DENIES: Final = re.compile(
    r"\W{0,3}(?:which|this|that|it)?\s?(?:(?:is|are|would|can|could|does|will|be)\s?){0,2}"
    r"(?:not|n't|cannot|never|impossible|invalid|illegal|wrong|incorrect)\b"
    r"(?! (?:need|necess|only))"
)
# A whole sentence in parentheses behind a step; `(with hoist0)` belongs to the step.
_ASIDE: Final = re.compile(
    r"\s\((?=[^()]{0,300}\b(?:is|are|was|were|has|have|will|becomes|remains)\b"
    r"|(?:since|because|as|so|which|to|now|completing|leaving|making|freeing|carrying"
    r"|holding|clearing|exposing|revealing|still|already)\b)"
    r"(?![^()]{0,300}\b(?:not|n't|never|cannot|instead|wrong|invalid|impossible)\b)[^()]{1,300}\)"
)
_NEAR: Final = 60
# Letters that are not Latin: a translation.
_OTHER_SCRIPT: Final = re.compile("[\u0370-\u1fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_PARENTHESES: Final = re.compile(r"\s\(([^()]{1,300})\)")
_DENIAL: Final = re.compile(
    r"\b(?:not|never|cannot|instead|wrong|invalid|impossible|skip|avoid|no)\b|n't\b"
)
_BOLD: Final = re.compile(
    r"\W{0,4}(?:\d{1,4}[.)]\s)?\*\*([^*]{3,200})\*\*\s?[:\u2013-]|"
    r"\W{0,4}(?:\d{1,4}[.)]\s)?\*\*([^*]{3,200}):\*\*"
)
# What stands before it in the line is said again.
_CORRECTION: Final = re.compile(
    r"[\s,;.(\u2013\u2014-](?:no,? wait|wait,? no|actually,? no|or rather|scratch that|correction"
    r"|i meant?(?: to say)?|oops|sorry)\b[\s,.:;\u2013\u2014-]{0,9}(?=\S)"
)
_WHERE: Final = re.compile(r"\bwhere\s([^,;.:()]{3,200})")
_NO_STEP: Final = re.compile(
    r"(?:instead of|rather than|without|before|do not|don['\u2019]t|not|never|avoid|no need"
    r"|leaving|making|freeing|clearing|carrying|holding|exposing|revealing"
    r"|with\s.{1,30}\s(?:aboard|on board|in hand)"
    r"|if|unless|even if|because|since|so that|which|where|while|whereas|after|when|once|as|until"
    r"|in order|to|by|for)\b"
)


def calls(sentence: str) -> list[str]:
    """Return the calls of a sentence that has several: ``unstack(b2, b5), stack(b2, b1)``."""
    found = [f"{match[1]} {match[2]}" for match in _CALL.finditer(sentence)]
    return found if len(found) > 1 else []


def parts_of(sentence: str) -> list[str]:
    """Return the parts of a line that may be separate sentences."""
    parts = _PARTING.split(sentence)
    return [stripped for part in parts if (stripped := bare_sentence(part).strip())]


def without_asides(
    sentence: str, names: Callable[[str], bool], same: Callable[[str, str], bool]
) -> str:
    """Return a sentence without what stands in parentheses and is no part of a step.

    A denial without a name, ``(not needed)``, denies the step, and stays.

    Args:
        sentence: the sentence.
        names: returns whether a text names an object, as in ``(with hoist0)``.
        same: returns whether a text only names the object that another text ends with.
    """
    if "(" not in sentence:
        return sentence

    def kept(match: re.Match[str]) -> str:
        before = match.string[max(0, match.start() - _NEAR) : match.start()]
        if _OTHER_SCRIPT.search(match[1]) or same(before, match[1]):
            return " "
        return match[0] if names(match[1]) != bool(_DENIAL.search(match[1])) else " "

    return _PARENTHESES.sub(kept, _ASIDE.sub(" ", sentence))


def corrected(sentence: str) -> tuple[str, str]:
    """Return what a sentence takes back, and what it says instead: ``…, no wait, stack a on b``.

    Both are empty if it takes nothing back.
    """
    *before, after = _CORRECTION.split(sentence)
    return (before[-1], after) if before else ("", "")


def bold_label(line: str) -> str | None:
    """Return what stands in bold before the colon of a line: ``**Lift b**: b is clear.``"""
    match = _BOLD.match(line)
    return None if match is None else match[1] or match[2]


def alternatives_in(part: str) -> list[str]:
    """Return the parts of a text that has ``or``; nothing for other texts.

    The first part is empty if the text begins so.
    """
    return _OR.split(part) if "or " in part and _OR.search(part) else []


def places_told(sentence: str) -> list[str]:
    """Return the clauses that say what happens at a place: ``… to l1, where it picks up c0``."""
    return _WHERE.findall(sentence)


def is_subordinate(part: str) -> bool:
    """Return whether a part of a sentence denies a step, or says when or why."""
    return _NO_STEP.match(part) is not None


def without_remark(sentence: str) -> tuple[str, str]:
    """Return a sentence up to a remark such as ``because …``, and the remark."""
    match = _REMARK.search(sentence)
    return (sentence, "") if match is None else (sentence[: match.start()], sentence[match.end() :])


def denies(remark: str) -> bool:
    """Return whether a remark behind a step denies it: ``which is not possible``."""
    return _DENIES.match(remark) is not None
