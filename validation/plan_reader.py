"""The strict reader of plan files in the IPC form.

One step in parentheses each, an optional time stamp before and duration after, ``;`` comments,
any case, any white space, CRLF, a byte order mark. Anything else is an error with its place,
never skipped. Mending what a language model wrote is not the task of this reader.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.validation.sexpr import NAME_CHARACTER

_SPACE: Final = re.compile(r"[ \t\r\n\f\v]*")
# A lone carriage return ends a line, too: what follows must not hide in a comment.
_COMMENT: Final = re.compile(r";[^\r\n]*")
_NUMBER: Final = r"\d{1,400}(?:\.\d{1,400})?"
_NAME: Final = rf"[a-z0-9_]{NAME_CHARACTER}*"
_STEP: Final = re.compile(
    rf"\s*(?:({_NUMBER})\s*:\s*)?"
    rf"(\()\s*({_NAME}(?:\s+{_NAME})*)\s*\)"
    rf"(?(1)(?:\s*\[\s*{_NUMBER}\s*\])?)",
    re.ASCII | re.IGNORECASE,
)
_PARTIAL: Final = re.compile(
    rf"(?:{_NUMBER}\s*:\s*)?(\(?)\s*((?:{_NAME}\s*)*)", re.ASCII | re.IGNORECASE
)


def read_plan(text: str) -> Plan:
    """Read a plan; steps with time stamps are put in the order of their stamps.

    Raises:
        PlanSyntaxError: the text is not in the IPC form, or only some steps have a time stamp.
    """
    # A comment becomes blanks of the same length, so that places stay true.
    text = _COMMENT.sub(lambda match: " " * len(match[0]), text.removeprefix("\ufeff"))
    steps: list[Step] = []
    line, line_start, position = 1, 0, 0
    while _skip(text, position) < len(text):
        match = _STEP.match(text, position)
        if match is None:
            raise _syntax_error(text, _skip(text, position), len(steps) + 1)
        newlines = text.count("\n", position, match.start(2))
        if newlines:
            line += newlines
            line_start = text.rfind("\n", position, match.start(2)) + 1
        action, *arguments = match[3].lower().split()
        time = None if match[1] is None else Fraction(match[1])
        column = match.start(2) - line_start + 1
        steps.append(Step(action, tuple(arguments), line, column, time))
        position = match.end()
    return Plan(_in_order_of_time(steps))


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return position if match is None else match.end()


def _in_order_of_time(steps: list[Step]) -> tuple[Step, ...]:
    stamped = [step for step in steps if step.time is not None]
    if not stamped:
        return tuple(steps)
    for number, step in enumerate(steps, start=1):
        if step.time is None:
            raise PlanSyntaxError(
                "this step has no time stamp, but others have",
                line=step.line, column=step.column, step=number,
            )  # fmt: skip
    return tuple(sorted(steps, key=lambda step: step.time or Fraction(0)))


def _syntax_error(text: str, position: int, step: int) -> PlanSyntaxError:
    """Say what was found and expected where the text stops being a plan."""
    match = _PARTIAL.match(text, position)
    opened = match is not None and bool(match[1])
    at = match.end() if match is not None and opened else position
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    rest = text[at : at + 20].partition("\n")[0]
    found = repr(rest) if at < len(text) else "the end of the text"
    if not opened:
        expected = "'(' at the start of a step"
    elif match is not None and match[2]:
        expected = "an argument or ')'"
    else:
        expected = "the action's name"
    return PlanSyntaxError(
        f"found {found}, expected {expected}", line=line, column=column, step=step
    )
