"""The words of sentences around a plan: what forbids, denies or changes it, and what is polite."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.answers.english import ARTICLES, BE, NEGATIVE, OPENING, listed

_FILE: Final[dict[str, dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8")
)


def _pattern(name: str) -> re.Pattern[str]:
    """Return the pattern for the phrases of a list in the file, which says what they mean."""
    table = _FILE[name]
    phrases = "|".join(table["phrases"])
    return re.compile(
        f"{table.get('before', '')}(?:{phrases}){table.get('after', '')}", re.IGNORECASE
    )


OFFERS: Final = _pattern("offers")
ADVISES: Final = _pattern("advises")
REFERENCE: Final = _pattern("reference")
TIMED: Final = _pattern("timed")
STEPS_LABEL: Final = re.compile(r"\A\W*steps? [\d\s,&\u2013-]+(?:and \d+)?:", re.IGNORECASE)
OTHER_NUMBER: Final = _pattern("other_number")
NUMBER: Final = _pattern("number")
TIMES: Final = _pattern("times")
CORRECTS: Final = _pattern("corrects")
CHANGES: Final = _pattern("changes")
ORDERS_PLAN: Final = _pattern("orders_plan")
WAYS: Final = _pattern("ways")
NEEDLESS: Final = _pattern("needless")
RELATIVE: Final = _pattern("relative")
BESIDE: Final = _pattern("beside")
ARROW: Final = _pattern("arrow")
ANY_TIME: Final = _pattern("any_time")
NEXT_STEP: Final = _pattern("next_step")
AHEAD: Final = _pattern("ahead")
RENEWS: Final = _pattern("renews")
COMMENT: Final = _pattern("comment")
PHASE: Final = _pattern("phase")
CLAUSES: Final = _pattern("clauses")
DOUBLE: Final = _pattern("double")
CONCEDES: Final = _pattern("concedes")
UNREAL: Final = _pattern("unreal")
PLACED: Final = _pattern("placed")
DENIED: Final = _pattern("denied")
DESCRIBES: Final = _pattern("describes")
AT_FIRST: Final = _pattern("at_first")
TO_DO: Final = _pattern("to_do")
SIGNS: Final = _pattern("signs")
NO_PLAN: Final = _pattern("no_plan")
DENIES: Final = _pattern("denies")
REORDERS: Final = _pattern("reorders")
COMMAND: Final = _pattern("command")
FAMILIAR: Final = frozenset({
    "note", "see", "check", "verify", "notice", "recall", "observe", "consider", "confirm",
    "ensure", "make", "assume", "has", "did", "followed", "given", "based", "best", "unlike",
    "despite", "during", "under", "between", "per", "like", "whether", "what", "why", "how",
    "about", "above",
    "below", "reach", "expose", "achieve",
    "through", "within", "free", "follow", "implement", "maintain", "hold", "manage",
    "assert", "print", "throughout", "build",
})  # fmt: skip
SUBJECTS: Final = OPENING | ARTICLES | frozenset({
    "these", "those", "my", "no", "each", "every", "done", "step", "okay", "great", "good",
    "enjoy", "hope", "thanks", "tower", "pile",
    "thank", "feel", "is", "happy", "keep", "remember", "note", "goal", "success", "total",
    "cost", "plan", "that", "hand",
    "nothing", "voila", "yes", "ok", "any", "don", "nice", "interesting", "sure", "of",
    "certainly", "none", "two", "three", "both", "most", "some", "neither", "either", "straight",
})  # fmt: skip
"""Words with which a sentence may begin that is no command."""
BEGINNINGS: Final = (
    FAMILIAR | OPENING | BE | NEGATIVE | SUBJECTS | listed("links") | listed("joining")
)
FOREIGN: Final = _pattern("foreign")
_ELSEWHERE: Final = _pattern("elsewhere")
_DENIED_ELSEWHERE: Final = _pattern("denied_elsewhere")
_STEP_ELSEWHERE: Final = _pattern("step_elsewhere")
NEXT_ELSEWHERE: Final = _pattern("next_elsewhere")
_ASIDE: Final = re.compile(r"\(([^()]{3,200})\)")
ACTS: Final = _pattern("acts")
_STATE_WORDS: Final = _pattern("state_words")
IN_LISTS: Final = _pattern("in_lists")
_MISNAMED: Final = _pattern("misnamed")


def changes(words: re.Pattern[str], text: str) -> bool:
    """Return whether a text has one of some words, and does not deny it or call it unreal."""
    if ACTS.match(text):
        text = _STATE_WORDS.sub(" ", text)
    parts = [match.start() for match in CLAUSES.finditer(text)]
    # `Actually, that would be wrong` is unreal, and corrects what stands before it all the same.
    unreal = None if words is CORRECTS else UNREAL.search(text)
    for match in words.finditer(text):
        before = text[max(0, match.start() - 60) : match.start()]
        end = next((at for at in parts if at >= match.end()), len(text))
        if not DENIED.search(before) and not (unreal and unreal.start() < end):
            return True
    return False


def revises(text: str) -> bool:
    """Return whether a text corrects, changes or withdraws steps, whatever else it says."""
    return changes(CORRECTS, text) or (changes(CHANGES, text) and not CONCEDES.search(text))


def denies_elsewhere(text: str) -> bool:
    """Return whether a text in another language changes a plan, or denies a step."""
    denied = _DENIED_ELSEWHERE.search(text) and _STEP_ELSEWHERE.search(text)
    return FOREIGN.search(text) is not None and bool(denied or _ELSEWHERE.search(text))


def denies(text: str, *, above: bool, named: bool) -> bool:
    """Return whether a sentence in front of a plan forbids, denies or doubts it.

    Args:
        text: the sentence.
        above: whether it is the title of the plan, or right above it.
        named: whether it names an object.
    """
    if REFERENCE.search(text) and (changes(CHANGES, text) or (above and PLACED.search(text))):
        return True  # `Line 3 belongs at the beginning:`
    if above and any(changes(CHANGES, part) for part in _ASIDE.findall(text)):
        return True  # `Moving b (leave this out)`
    about = AHEAD.search(text) is not None
    renewed = RENEWS.search(text) is not None
    bare = above and not named
    changed = not renewed and (
        ((about or bare) and changes(CHANGES, text)) or (bare and changes(CORRECTS, text))
    )
    if named:
        return changed or (above and _MISNAMED.search(text) is not None)
    denied = DENIES.search(text) is not None and ((above and not renewed) or about)
    orders = ORDERS_PLAN.search(text) is not None and changes(REORDERS, text)
    return denied or orders or changed


def command(text: str) -> str:
    """Return the verb of a sentence that has the form of a command, and not one to take note."""
    verb = (COMMAND.match(text) or [""] * 2)[1].lower()
    other = verb != "bring" and re.search(r"(?:ing|ly|[^s]s)\Z", verb) is not None
    return "" if other or verb in BEGINNINGS else verb


def amends(text: str) -> bool:
    """Return whether a sentence without objects may change what stands before it."""
    return not OFFERS.search(text) and (revises(text) or changes(RELATIVE, text))
