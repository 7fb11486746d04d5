"""The formats in which planners print plans, converted to the IPC format.

The text may be a complete log. If it has several plans, the last one counts, since planners print
better plans later. Each line of the plan is a step, blank, or a line that the planner is known to
print there. Any other line could be a broken step, and is an error. A log without a plan is also
an error, never the empty plan.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.model.suggestion import check_name
from pddl_pipeline.model.text import atom_text, counted, shortened
from pddl_pipeline.model.verdict import Verdict, malformed
from pddl_pipeline.validation.plan_reader import (
    NUMBER,
    PASSING,
    is_in_format,
    plan_number,
    read_steps,
    with_file_hint,
)

if TYPE_CHECKING:
    from pddl_pipeline.model.number import Number
    from pddl_pipeline.validation.task import Task

AUTO: Final = "auto"
IPC: Final = "ipc"
_PYPERPLAN: Final = "pyperplan"
_BEFORE_COMMENT: Final = re.compile(r"^[^;\n]*\(", re.MULTILINE)
_SHOWN: Final = 60
_NEVER: Final = r"(?!)"
# No repetition is given back, so that reading takes linear time.
_NAMES: Final = r"[^\s():;\[\]]++(?: ++[^\s():;\[\]]++)*+"
_CALL: Final = r"[^\s(),;:\[\]]++(?:\([^()\n]*+\))?"
_CALLS: Final = rf"\[{_CALL}(?:, {_CALL})*+\] *$"
_PARTS: Final = re.compile(r"([^\s(),;:\[\]]+)(?:\(([^()]*)\))?")
_ACTION: Final = r"\([^()\n]*+\)"
_WORDS: Final = r"\((?P<words>[^()]*+)\)"
_STAMP: Final = rf"(?P<stamp>{NUMBER}\s*:\s*)"
_LENGTH: Final = rf"\[\s*(?P<duration>{NUMBER})\s*\]"
# A comment, but not a step with a semicolon before it.
_COMMENT: Final = r"\s*;(?!\s*\(|.*:\s*\()"
# A line that could be a broken step begins with a figure, or has a parenthesis.
_DUBIOUS: Final = r"\s*\d|.*[()]"
_IPC_STEP: Final = rf"\s*{_STAMP}?{_WORDS}(?:\s*{_LENGTH})?\s*$"


# The first follows the figures of the search on their line.
_POPF: Final = r".*;;;; Solution Found *$|; Plan found with metric |.*The empty plan is optimal"


class PlanFormat(NamedTuple):
    """A format in which planners print plans, as regular expressions for lines."""

    name: str
    planners: str
    example: str
    start: str
    """The heading of a plan, or a step that only this format has. It must not have groups."""
    step: str
    """A step, with the groups ``number``, ``stamp``, ``words``, ``calls`` and ``duration``."""
    inside: str = _NEVER
    """A line that is no step, but may be between steps."""
    after: str = _NEVER
    """A line that may follow the last step. After it, or after a blank line, the log goes on."""
    total: str = r"(?!)(?P<said>)"
    """A line after the plan, with the number of its steps as the group ``said``."""
    empty: str = _NEVER
    """A line that says that the plan is empty."""
    dubious: str = _NEVER
    """A line that must not be directly above the first step of a plan without heading."""
    needs_total: bool = False
    first: int = 0
    """The number of the first step."""
    has_times: bool = True
    """Whether a time stamp is a time, also in tasks without processes."""


_KNOWN: Final = {
    each.name: each
    for each in (
        PlanFormat(
            "ff", "FF or Metric-FF", "step    0: MOVE A B",
            start=rf"ff: found .*plan as follows|(?:step)? *0: {_NAMES} *$|ff: goal can be simpli",
            # Some versions end the plan with a step that only they know.
            step=rf"(?:step)? *(?P<number>\d+): (?:REACH-GOAL|(?P<words>{_NAMES})) *$",
            after="plan cost:|time spent:",
            empty="ff: goal can be simplified to TRUE",
        ),
        PlanFormat(
            "enhsp", "ENHSP", "0.0: (move a b)",
            start="Found Plan:",
            step=rf"{_STAMP}{_WORDS} *$",
            inside=rf"(?P<passing>{PASSING}) *$",
            total=r"Plan-Length: *(?P<said>\d+) *$",
            has_times=False,
        ),
        PlanFormat(
            "lpg", "LPG", "0.0000: (MOVE A B) [D:1.00; C:1.00]",
            start=r" *Time: \(ACTION\) \[action Duration; action Cost\]| *No action in solution\."
            rf"| *{NUMBER}: *{_ACTION} *\[(?:D: *{NUMBER}; *C:[^\]\n]*\]|{NUMBER}\]\)) *$",
            # In its plan files, a parenthesis without an opening one follows the duration.
            step=rf" *{_STAMP}{_WORDS} *(?:\[D: *(?P<duration>{NUMBER}); *C:[^\]]*+\]"
            rf"|\[(?P<length>{NUMBER})\]\)?) *$",
            after="METRIC_VALUE|Solution (?:number|found):",
            total=r"Actions: +(?P<said>\d+) *$",
            empty=r" *No action in solution\.",
            dubious=r".*\S",
        ),
        PlanFormat(
            "popf", "POPF or OPTIC", "0.000: (move a b)  [1.000]",
            start=_POPF,
            step=rf" *{_STAMP}{_WORDS}(?: *{_LENGTH})? *$",
            inside=rf"\s+{_COMMENT}",
            after=rf"{_COMMENT}| \* |Resorting to|b \(|END",
            empty="; Plan empty|.*The empty plan is optimal",
        ),
        PlanFormat(
            "fd-log", "Fast Downward or SymK", "move a b (1)",
            start=r"(?:\[t=[^\]\n]*\] )?(?:Actual search time.*|Best plan:|Solution found!) *"
            rf"(?=\n(?:{_NAMES} \(\d+\) *$|(?:\[t=[^\]\n]*\] )?Plan length:))",
            step=rf"(?P<words>{_NAMES}) \(\d+\) *$",
            total=r"(?:\[t=[^\]]*\] )?Plan length: (?P<said>\d{1,9}) step\(s\)\.$",
            needs_total=True,
        ),
        PlanFormat(
            "up", "Unified Planning", "SequentialPlan: move(a, b)",
            start=rf".*(?:Sequential|TimeTriggered)Plan: *$|{_CALLS}",
            step=rf"\s+{_STAMP}?(?P<calls>{_CALL})(?: {_LENGTH})? *$|(?P<list>{_CALLS})",
            # A script goes on with words; a broken step has parentheses, or four blanks before it.
            after=r"(?:status|engine|metrics|log_messages):|[^\s\d](?!.*(?:[()]|   ))",
        ),
        PlanFormat(
            "madagascar", "Madagascar", "STEP 0: move(a,b) wait(c)",
            start=r"PLAN FOUND: \d+ steps|STEP 0: ",
            step=rf"STEP (?P<number>\d+): *(?P<calls>{_CALL}(?: ++{_CALL})*+) *$",
            after="Cost of the plan",
            total=r"(?P<said>\d+) actions? in the plan",
        ),
        PlanFormat(
            "pddl4j", "PDDL4J", "00: (  move a b) [0]",
            start="found plan as follows:",
            # A cost is in brackets; its decimal separator depends on the language.
            step=rf"(?P<number>\d+): {_WORDS} \[[\d.,]+\] *$",
        ),
        PlanFormat(
            "plansys2", "PlanSys2", "0: (move a b) [5]",
            start="plan: *$", after=r">(?!.*\()",
            # Older versions print neither the colon nor the brackets.
            step=rf"{_IPC_STEP}|\s*(?P<time>{NUMBER})\s+\((?P<call>[^()]+)\)\s+(?P<length>{NUMBER})\s*$",
        ),
        PlanFormat(
            "vhpop", "VHPOP", "1:(move a b)[1]",
            start=rf" *(?:{NUMBER}:)?{_ACTION}(?:\[{NUMBER}\])? *(?=\n\s*Time: \d+ *$)",
            step=_IPC_STEP,
            inside=rf"Makespan:|Number of steps:|{_COMMENT}", after="Time:", dubious=r".*\S",
        ),
        PlanFormat(
            "tfd", "Temporal Fast Downward", "0.00100000: (move a b) [1.00000000]",
            # A plan that is written to standard output comes again below the last of these.
            start=r"(?:Found new|Rescheduled) [Pp]lan:|Solution with original.*(?=\n[\d.]+: \()",
            step=_IPC_STEP, after="Rescheduled Plan:|Solution with original",
            total=r"Plan length: *(?P<said>\d{1,9}) step\(s\)\.$",
        ),
        PlanFormat(
            "aries", "Aries", "  0: (move a b) [1.000]",
            start=rf" *(?:\*\*\*\* Plan \*\*\*\*|Solution found|\[[\d.]+s\] [Ss]olved) *"
            rf"(?=\n\s*+{NUMBER}: {_ACTION} \[{NUMBER}\] *$)",
            step=_IPC_STEP,
        ),
        PlanFormat(
            "lapkt", "BFWS and others of LAPKT", "1. (move a b)",
            start=rf"[ \t]*1\. *{_ACTION} *$",
            step=rf"[ \t]*(?P<number>\d+)\. *{_WORDS} *$",
            after=rf"(?!{_DUBIOUS})", dubious=_DUBIOUS, first=1,
        ),
        PlanFormat(
            "json", "planning.domains, or a list of steps", '["(move a b)"]',
            start=r'\A\s*(?:\{\s*"|\[\s*["\'\]\[{(])',
            step=rf"{_IPC_STEP}|\s*(?P<calls>{_CALL})\s*$",
        ),
    )
}  # fmt: skip
_JSON: Final = _KNOWN["json"]
_PLANS: Final = ("result", "plans", "plan", "actions", "steps", "solution")
"""Names of the fields that hold a plan, or an object with one."""
LOG: Final = "log"
"""The format of the output of an unknown planner: like `AUTO`, or `_AMONG_WORDS`."""
_AMONG_WORDS: Final = PlanFormat(
    LOG, "the log of any planner", "(move a b)' among other lines, '0: (move a b) [1]",
    start=rf"[ \t]*(?:{NUMBER}[ \t]*:[ \t]*)?{_ACTION}(?:[ \t]*\[[\d.eE+-]+\])?[ \t]*$",
    step=_IPC_STEP, inside=_COMMENT, after=rf"(?!{_DUBIOUS})", dubious=_DUBIOUS,
)  # fmt: skip
"""Steps in the IPC format among other lines."""
SEPARATION: Final = plan_number("0.001")
"""The time between two steps in plans of LPG, POPF and OPTIC. They print it, or 0, as the duration
of an instantaneous action."""


def ipc_plan(text: str, form: str, *, is_hybrid: bool = False) -> str:
    """Return the plan of a text in the IPC format.

    Args:
        text: a plan file, or the output of a planner.
        form: a name in `plan_formats`, or `LOG`.
        is_hybrid: whether it is the plan of a task of PDDL+, so that time passes.

    Raises:
        InputError: there is no format with that name.
        PlanSyntaxError: the text has no plan in that format, or a line of it is not understood.
    """
    if form in (IPC, _PYPERPLAN):
        return text
    text, is_known = _with_newlines(text), form not in (AUTO, LOG)
    # As comments, the lines between POPF's solutions would join them.
    is_plain = is_in_format(text) and not (";" in text and _find(text, "popf"))
    # A plan file that another format would also read, such as that of PlanSys2, stays as it is.
    if is_plain and not is_known:
        return text
    found = _find(text, form)
    # Given as the log of some planner, but it is a plan file.
    if found is None and is_plain and _BEFORE_COMMENT.search(text):
        return text
    if found is None and not is_known:
        read_steps(text)  # raises
    if found is None:
        about = plan_formats()[form]
        raise PlanSyntaxError(f"found no plan in the format {form}: {about}", line=1, column=1)
    steps = _from_json(text) if found[0] is _JSON else _steps(found[0], text, found[1])
    if not (found[0].has_times or is_hybrid):
        # ENHSP prints a stamp on each step, which in a classical task is only its number.
        steps = [step[step.index("(") :] for step in steps if "(" in step]
    return "".join(f"{step}\n" for step in steps)


def has_plan(log: str, form: str) -> bool:
    """Return whether a log has a plan in a format, also if it cannot be read."""
    return _find(_with_newlines(log), form) is not None or (
        _BEFORE_COMMENT.search(log) is not None and is_in_format(log)
    )


def plan_formats() -> dict[str, str]:
    """Return the names of all formats, each with a one-line description."""
    return {
        AUTO: "ipc, or the format that the text looks like",
        IPC: "plan files, '(move a b)'",
        **{
            each.name: f"{each.planners}, '{each.example}'"
            for each in (*_KNOWN.values(), _AMONG_WORDS)
        },
        _PYPERPLAN: "pyperplan's plan files, which have the format ipc",
    }


def look_alike(text: str, task: Task) -> PlanFormat | None:
    """Return the format in which a text that is not a plan in the IPC format is one, or None."""
    # A text that begins with a step is a plan file, of which the log of a planner may lose steps.
    is_file = re.match(_AMONG_WORDS.start, text.lstrip(), re.MULTILINE)
    found = _find(_with_newlines(text), AUTO if is_file else LOG)
    with suppress(PlanSyntaxError):
        if found is None:
            is_idle = is_in_format(text) and without_idle_durations(text, task)[1]
            return _KNOWN["lpg"] if is_idle else None
        ipc_plan(text, found[0].name)
        return found[0]
    return None


def judge_output(
    text: str, form: str, task: Task, judge: Callable[[str], Verdict]
) -> tuple[str, Verdict]:
    """Return the plan of a text in the IPC format, and the verdict on it.

    A text without a plan is returned as it is, with the verdict ``malformed``.

    Raises:
        InputError: there is no format with that name.
    """
    try:
        plan = ipc_plan(text, form, is_hybrid=task.vocabulary.is_hybrid)
    except PlanSyntaxError as error:
        return text, with_file_hint(malformed(error), text)
    notes: tuple[str, ...] = ()
    if form != IPC:
        plan, notes = without_idle_durations(plan, task)
    verdict = judge(plan)
    if plan != text:
        verdict = verdict.replace(line=None, column=None)  # they are not those of the log
    return plan, verdict.replace(notes=(*verdict.notes, *notes))


def without_idle_durations(
    plan: str, task: Task, most: Number | None = SEPARATION
) -> tuple[str, tuple[str, ...]]:
    """Return a plan without the durations of instantaneous actions, and a note if it has any.

    Args:
        plan: text in the IPC format.
        task: the task of the plan.
        most: the largest duration that is left out; None for no limit, as in VAL.
    """
    ignored: list[str] = []

    def kept(step: re.Match[str]) -> str:
        action = task.vocabulary.actions.get(step["name"].lower())
        is_long = most is not None and plan_number(step["duration"]) > most
        if action is None or action.durative is not None or is_long:
            return step[0]
        ignored.append(step[0])
        return step["action"]

    if task.vocabulary.snaps:
        plan = _TIMED.sub(kept, plan)
    if not ignored:
        return plan, ()
    noun = counted(len(ignored), "duration")
    return plan, (f"{noun} of instantaneous actions ignored, such as in {shortened(ignored[0])}",)


_TIMED: Final = re.compile(rf"(?P<action>\(\s*(?P<name>[^\s()]+)[^()]*\))\s*{_LENGTH}")


def _with_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _find(text: str, form: str) -> tuple[PlanFormat, int] | None:
    """Return the format of the last plan in a text, and where it starts; None without a plan."""
    if form in (AUTO, LOG):
        # Steps among words come last: they would match in the logs of most known planners.
        tried = [tuple(_KNOWN.values()), *([(_AMONG_WORDS,)] if form == LOG else [])]
    else:
        check_name(form, plan_formats(), "unknown plan format")
        tried = [(_KNOWN.get(form, _AMONG_WORDS),)]
    if _JSON in tried[0] and re.match(_JSON.start, text):
        return _JSON, 0
    for forms in tried:
        # A regular expression that begins with a character is fast.
        for start in deque(_starts(forms).finditer(f"\n{text}"), maxlen=1):
            # One group a format: the number of the group is that of the format.
            return forms[(start.lastindex or 1) - 1], start.start()
    return None


@cache
def _starts(forms: tuple[PlanFormat, ...]) -> re.Pattern[str]:
    starts = "|".join(f"({form.start})" for form in forms)
    return re.compile(rf"\n(?:{starts})", re.MULTILINE)


@cache
def _kinds(form: PlanFormat) -> re.Pattern[str]:
    """Return the expression for the known lines of a format; its last group is the kind of line."""
    return re.compile(
        rf"(?P<step>{form.step})|(?P<blank>\s*$)|(?P<counted>{form.total})"
        rf"|(?P<empty>{form.empty})|(?P<inside>{form.inside})|(?P<after>{form.after})"
    )


def _steps(form: PlanFormat, text: str, start: int) -> list[str]:
    """Return the steps of the plan that starts at a character of a text, in the IPC format.

    Raises:
        PlanSyntaxError: a line could be a broken step, or a number of steps does not agree.
    """
    lines, known = text.split("\n"), _kinds(form)
    first = _first(form, lines, text.count("\n", 0, start))
    steps, passing, end = _block(form, lines, first)
    said: int | None = None
    for index in range(end, len(lines)):
        other = known.match(lines[index])
        kind = other and other.lastgroup
        if kind == "step":
            raise _unread(lines, index, "after the end of the plan", len(steps))
        if other is not None and kind in ("counted", "empty"):
            said = int(other["said"] or 0)
            # With waiting, ENHSP also counts intervals of time.
            # The planner itself says how many steps there are: a lost line must not shorten the
            # plan.
            if said < len(steps) or (said > len(steps) and not passing):
                reason = f"but the plan has {counted(len(steps), 'step')}"
                raise _unread(lines, index, reason, len(steps))
    # Without any step, only the planner's own word makes it the empty plan.
    if said is None and (form.needs_total or not steps):
        raise _unread(lines, len(lines), "expected a step, or the number of steps", len(steps))
    return steps + passing


def _block(form: PlanFormat, lines: list[str], first: int) -> tuple[list[str], list[str], int]:
    """Return the steps, the lines that let time pass, and the index of the line after the plan.

    Raises:
        PlanSyntaxError: an unknown line is below the heading or a step, or a number is missing.
    """
    known = _kinds(form)
    steps, numbered, passing, is_beside = list[str](), form.first, list[str](), True
    for index in range(first, len(lines)):
        line = known.match(lines[index])
        kind = line and line.lastgroup
        if line is not None and kind == "step":
            if "number" in known.groupindex and int(line["number"]) != numbered:
                raise _unread(lines, index, f"expected step {numbered}", numbered)
            numbered += 1
            steps += _ipc(line)
        elif line is not None and kind == "inside":
            if "passing" in known.groupindex:
                passing.append(line["passing"])
        elif kind in ("counted", "empty") or (kind == "after" and steps):
            return steps, passing, index
        elif kind is None and index > first:
            # Below a blank line, the log goes on; directly below a step, the line may be a broken
            # one.
            if is_beside or not steps:
                raise _unread(lines, index, "expected a step", len(steps))
            return steps, passing, index
        is_beside = kind != "blank"
    return steps, passing, len(lines)


def _first(form: PlanFormat, lines: list[str], at: int) -> int:
    """Return the index of the first line of a plan, given that of its heading or of a step.

    Raises:
        PlanSyntaxError: the line above the first step could be a broken step.
    """
    if not re.match(form.step, lines[at]):
        return at
    known = _kinds(form)
    for above in range(at - 1, -1, -1):
        line = known.match(lines[above])
        kind = line and line.lastgroup
        if kind == "step":
            at = above
        # The first line above the steps that is neither: the heading, or what ends the search.
        elif kind not in ("blank", "inside"):
            is_beside, is_heading = above == at - 1, re.match(form.start, lines[above])
            if is_beside and not is_heading and re.match(form.dubious, lines[above]):
                raise _unread(lines, above, "expected a step", 0)
            break
    return at


def _unread(lines: list[str], index: int, fault: str, steps: int) -> PlanSyntaxError:
    """Return an error at the line with an index, and the number of steps above it."""
    is_line = index < len(lines)
    found = repr(shortened(lines[index].strip(), _SHOWN)) if is_line else "the end of the text"
    return PlanSyntaxError(f"found {found}, {fault}", line=index + 1, column=1, step=steps + 1)


def _ipc(found: re.Match[str]) -> Iterator[str]:
    """Yield the steps of a line in the IPC format."""
    part = found.groupdict("")
    duration, time = part.get("duration") or part.get("length"), part.get("time")
    stamp, end = (
        f"{time}: " if time else part.get("stamp", ""),
        f" [{duration}]" if duration else "",
    )
    words = part.get("words") or part.get("call", "")
    if words.strip():
        yield f"{stamp}({words}){end}"
    # Calls such as `move(a, b)`, of which Madagascar prints several on a line.
    for name, arguments in _PARTS.findall(part.get("calls") or part.get("list") or ""):
        yield f"{stamp}{atom_text([name, *arguments.replace(',', ' ').split()])}{end}"


def _from_json(text: str) -> list[str]:
    """Return the steps of a list, or of an answer of planning.domains.

    The service answers with a list of steps, or with the plan files of a planner by name, and what
    it printed.

    Raises:
        PlanSyntaxError: the text is not JSON, reports an error, or an item is not a step.
    """
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError) as error:
        if "#" in text:  # a comment of Python may hide a step
            raise _fault(f"is not JSON: {error}") from error
        try:
            from ast import literal_eval  # rarely needed, slow to import

            answer = literal_eval(text.strip())  # print([("move", "a", "b")]) in Python
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            raise _fault(f"is not JSON: {error}") from error
    items, result = _plan_of(answer)
    if isinstance(items, str) and items.strip():
        return ipc_plan(items, AUTO).splitlines()
    if not isinstance(items, list):
        raise _fault(f"found no plan, but {shortened(str(result), _SHOWN)}")
    steps = list[str]()
    for number, item in enumerate(items, start=1):
        found = re.match(_JSON.step, _json_step(item))
        step = [*_ipc(found)] if found else []
        if not step:
            raise _fault(f"found {shortened(str(item), _SHOWN)}, expected a step", number)
        steps += step
    if result.get("length", len(steps)) != len(steps):
        raise _fault(f"found length {result['length']}, but {counted(len(steps), 'step')}")
    return steps


def _fault(reason: str, step: int | None = None) -> PlanSyntaxError:
    return PlanSyntaxError(reason, line=1, column=1, step=step)


def _plan_of(answer: Any) -> tuple[Any, dict[str, Any]]:
    """Return the text or list of steps in the only plan of an answer, and the object around it."""
    items, result, name = answer, dict[str, Any](), ""
    while isinstance(items, dict):
        result, name = items, next((each for each in _PLANS if each in items), "")
        items = items.get(name)
        if name == "plans" and isinstance(items, list):
            if len(items) != 1:
                raise _fault(f"found {counted(len(items), 'plan')}, expected one")
            items = items[0]
    # The text of a result is an error of the service.
    if items is None or (name == "result" and not isinstance(items, list)):
        output = result.get("output")
        files = output if isinstance(output, dict) else {}
        # The names are those of anytime planners, such as sas_plan.10. A blank file is no plan.
        last = max(files, key=lambda name: (len(name), name), default="")
        items = next(
            (x for x in (files.get(last), result.get("stdout")) if str(x or "").strip()), None
        )
    return items, result


def _json_step(item: Any) -> str:
    """Return the text of a step: a text, words, or an object with a name and perhaps arguments."""
    if isinstance(item, dict):
        # planning.domains gives each step as its text, which is the name, and its PDDL.
        name = item.get("name", item.get("action"))
        keys = ("parameters", "args", "arguments")
        words: Any = next((item[key] for key in keys if key in item), [])
        words = [*words.values()] if isinstance(words, dict) else words
        item = [name, *(words if isinstance(words, list | tuple) else [words])]
    words = item if isinstance(item, list | tuple) else [item]
    text = " ".join(word if isinstance(word, str) else "()" for word in words)
    return text if "(" in text else f"({text})"
