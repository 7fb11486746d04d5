"""Answers that are problems in PDDL: whether they parse, are the same task, and are solvable."""

from __future__ import annotations

import re
from typing import Any, Final

from pddl_pipeline.answers.marks import after_thinking
from pddl_pipeline.model.answer import Ruling
from pddl_pipeline.model.errors import ErrorKind, NotJudged, PddlError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.search.effort import Effort
from pddl_pipeline.search.equivalence import Sameness, compare_problems, why_unsolvable
from pddl_pipeline.validation.task import Task, task_from_texts

_PROBLEM: Final = re.compile(r"\(\s*define\s*\(\s*problem\b", re.IGNORECASE)
_FURTHER_S: Final = 0.2
# Comments match first, so that brackets in them do not count.
_BRACKET: Final = re.compile(r";[^\n]*|[()]")


def score_problem(answer: Answer, attempt: int, instance: Instance[Any], task: Task) -> Score:
    """Judge an answer to a request for the problem of an instance in PDDL.

    The last problem in the text counts. It is ``valid`` if it is the instance's task up to names
    and implied goal facts, and has a plan: the instance has one, unless its record denies it.
    `Score.rulings` says whether it parses, is the same task, and is solvable.
    """
    text, domain = problem_in(answer.text), task.texts[0] if task.texts else ""
    rulings, errors, effort = dict[str, Ruling](), list[ErrorKind](), Effort()
    try:
        mine = task_from_texts((domain, "domain"), (text, "answer"))
        rulings["parses"] = Ruling(right=True)
        same = compare_problems(task, mine, effort, is_solvable=_has_plan(instance))
        rulings["same"] = Ruling(same.verdict is Sameness.EQUIVALENT, same.reason)
        errors += [ErrorKind.OTHER_TASK] * (same.verdict is Sameness.DIFFERENT)
        reason = None
        if same.verdict is not Sameness.EQUIVALENT or not _has_plan(instance):
            # Another problem is wrong in any case: little time is spent on whether it has a plan.
            is_wrong = same.verdict is Sameness.DIFFERENT
            reason = why_unsolvable(mine, Effort(_FURTHER_S) if is_wrong else effort)
        rulings["solvable"] = Ruling(reason is None, reason)
        errors += [ErrorKind.UNSOLVABLE] * (reason is not None)
    except PddlError as error:
        rulings["parses"] = Ruling(right=False, reason=str(error))
        errors.append(ErrorKind.UNREADABLE)
    except NotJudged as error:
        rulings["solvable"] = Ruling(right=False, reason=str(error))
    status = Status.VALID if all(each.right for each in rulings.values()) else Status.UNDECIDED
    if errors:
        status = Status.MALFORMED if len(rulings) == 1 else Status.INVALID
    reason = next((ruling.reason for ruling in rulings.values() if not ruling.right), None)
    verdict = Verdict(status, reason=reason)
    around = Verdict(Status.MALFORMED, reason="found text around the problem")
    strict = verdict if answer.text.strip() == text else around
    return Score(
        instance.id, attempt, verdict, strict, tuple(errors), rulings=rulings, answer=answer,
        extra=instance.extra,
    )  # fmt: skip


def _has_plan(instance: Instance[Any]) -> bool:
    """Return whether an instance is taken to have a plan: all are, unless the record denies it."""
    return str(instance.extra.get("solvable")).lower() != "false"


def problem_in(text: str) -> str:
    """Return the last problem in an answer; all that is left of an answer without one."""
    left = after_thinking(text).text.strip()
    start = max((found.start() for found in _PROBLEM.finditer(left)), default=0)
    depth = 0
    for bracket in _BRACKET.finditer(left, start):
        depth += {"(": 1, ")": -1}.get(bracket[0], 0)
        if depth == 0 and bracket[0] == ")":
            return left[start : bracket.end()]
    return left[start:]
