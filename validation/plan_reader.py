"""Strict reader of plan files in the IPC format.

It accepts steps in parentheses, each with an optional time stamp before and duration after it,
``;`` comments, any case, any white space, CRLF, a byte order mark, and NUL or Ctrl-Z at the end.
Anything else is an error with its position and is never skipped. This reader does not repair what
a language model wrote.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from math import lcm
from typing import TYPE_CHECKING, Final, NamedTuple

from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.errors import PlanSyntaxError
from pddl_pipeline.model.number import Number, normal
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.sexpr import END_MARKS, NAME_CHARACTER, is_file_name

_SPACE: Final = re.compile(r"[ \t\r\n\f\v]*")
# A lone carriage return also ends a line: the text after it must not be hidden by a comment.
_COMMENT: Final = re.compile(r";[^\r\n]*")
_ENDS: Final = frozenset(END_MARKS)
NUMBER: Final = r"\d{1,400}(?:\.\d{0,400})?(?:[eE][+-]?\d{1,3})?"
"""A time stamp or duration, as programs print numbers: ``2``, ``5.``, ``2e-05``, ``1.0E7``."""
_NAME: Final = rf"[A-Za-z0-9_]{NAME_CHARACTER}*"
# Bounded, since each repetition takes memory until the match is complete.
_WORDS: Final = rf"\s*({_NAME}(?:\s+{_NAME}){{0,5000}})\s*"
_STEP: Final = re.compile(
    rf"\s*(?:({NUMBER})\s*:\s*)?(\(){_WORDS}\)(?:\s*\[\s*({NUMBER})\s*\])?", re.ASCII
)
# A plan without time stamps, the common case, is matched and split at once. No repetition is given
# back, which would take memory until the match is complete.
_PLAIN: Final = re.compile(
    rf"(?:\s*+\(\s*+(?:[A-Za-z0-9_]{NAME_CHARACTER}*+\s*+)++\))*+\s*+", re.ASCII
)
# In plans of ENHSP, time passes until a moment, or until the plan ends.
PASSING: Final = rf"({NUMBER})\s*:\s*(?:@PlanEND|-+waiting-+\s*\[\s*({NUMBER})\s*\])"
_PASSING: Final = re.compile(rf"\s*{PASSING}", re.ASCII | re.IGNORECASE)
_PARTIAL: Final = re.compile(rf"(?:{NUMBER}\s*:\s*)?(\(?)\s*((?:{_NAME}\s*){{0,5000}})", re.ASCII)
_STAMP: Final = re.compile(r"[-+.]?\d[^\s(]*:")


class Moment(NamedTuple):
    """What happens at one time."""

    tick: int
    scale: int
    positions: list[int]
    """The 1-based position of each step in the plan; 0 for timed literals."""
    group: list[Ground]
    """The words of the steps; those of a durative action name its start or end."""

    @property
    def time(self) -> Number:
        """The time stamp; the position of the first step if the plan has no stamps."""
        return normal(Fraction(self.tick, self.scale))


class Steps:
    """The steps of a plan as words, in the order of execution.

    Positions are computed from the text only when an error needs them, to keep judging fast.
    """

    def __init__(
        self,
        text: str,
        words: list[Ground],
        times: Sequence[Number | None] = (),
        durations: Sequence[str | None] = (),
        end: Number | None = None,
    ) -> None:
        self._text = text
        self.end = end
        """The time at which the plan ends, if it is given (ENHSP's ``5.0: @PlanEND``)."""
        self._order: Sequence[int] = range(len(words))
        self.ticks: list[int] = []
        """The time stamp of each step, times `scale`; empty when the plan has none. Fractions take
        long to compare."""
        self.scale = 1
        self.durations = durations
        """The duration of each step as it is written; empty when the plan has none."""
        self.words = words
        """The action's name and the arguments of each step, lower case."""
        # Without stamps, the order of the text is that of the plan.
        if any(time is not None for time in times):
            self._sort(times)

    def _sort(self, times: Sequence[Number | None]) -> None:
        ratios: list[tuple[int, int]] = []
        for index, time in enumerate(times):
            if time is None:
                line, column = self.places()[index]
                raise PlanSyntaxError(
                    "this step has no time stamp, but others do",
                    line=line,
                    column=column,
                    step=index + 1,
                )
            ratios.append(time.as_integer_ratio())
        self.scale = lcm(*{denominator for _, denominator in ratios})
        ticks = [numerator * (self.scale // denominator) for numerator, denominator in ratios]
        # Stable: steps with equal stamps stay in the order of the text.
        self._order = sorted(self._order, key=ticks.__getitem__)
        self.words = [self.words[index] for index in self._order]
        self.durations = [self.durations[index] for index in self._order if self.durations]
        self.ticks = [ticks[index] for index in self._order]

    def places(self) -> list[tuple[int, int]]:
        """Return the line and column (1-based) of each step's opening parenthesis."""
        found: list[tuple[int, int]] = []
        line, line_start, last = 1, 0, 0
        for match in re.finditer(r"\(", self._text):
            at = match.start()
            # Each part of the text is counted once, or long plans would take quadratic time.
            newlines = self._text.count("\n", last, at)
            if newlines:
                line += newlines
                line_start = self._text.rfind("\n", last, at) + 1
            found.append((line, at - line_start + 1))
            last = at
        return [found[index] for index in self._order]

    def happenings(self) -> Iterator[Moment]:
        """Yield each step, or group of steps with equal stamps."""
        if not self.ticks:
            for number, words in enumerate(self.words, start=1):
                yield Moment(number, 1, [number], [words])
            return
        for tick, group in groupby(range(len(self.words)), key=self.ticks.__getitem__):
            together = list(group)
            words_of = [self.words[index] for index in together]
            yield Moment(tick, self.scale, [index + 1 for index in together], words_of)


class GivenSteps(Steps):
    """The steps of a `Plan` that a program created or that was read before."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        words = [(step[0].lower(), *map(str.lower, step[1])) for step in plan]
        times = [step.time for step in plan]
        super().__init__("", words, times, [step.duration for step in plan], plan.end)

    def places(self) -> list[tuple[int, int]]:
        """Return the line and column stored in each step."""
        steps = self._plan.steps
        return [(steps[index].line, steps[index].column) for index in self._order]


def read_steps(text: str) -> Steps:
    """Read the steps of a plan; steps with time stamps are sorted by them.

    Raises:
        PlanSyntaxError: the text is not in the IPC format, or only some steps have a time stamp.
    """
    text = _without_comments(text)
    if _PLAIN.fullmatch(text):
        # The match has shown that parentheses only enclose steps.
        *steps, _ = text.lower().replace("(", "").split(")")
        return Steps(text, [tuple(step.split()) for step in steps])
    words: list[Ground] = []
    times: list[Number | None] = []
    durations: list[str | None] = []
    ends: list[Number] = []
    position = 0
    while match := _STEP.match(text, position) or _PASSING.match(text, position):
        if match.re is _PASSING:
            # Waiting ends at the time in brackets, the plan at its stamp; the last one counts.
            ends.append(plan_number(match[2] or match[1]))
            position = match.end()
            continue
        stamp, _, step, duration = match.groups()
        words.append(tuple(step.lower().split()))
        times.append(None if stamp is None else plan_number(stamp))
        durations.append(duration)
        position = match.end()
    if _skip(text, position) < len(text):
        raise _syntax_error(text, _skip(text, position), len(words) + 1)
    return Steps(text, words, times, durations, ends[-1] if ends else None)


@lru_cache(maxsize=4096)
def plan_number(text: str) -> Number:
    """Return a time stamp or a duration, exactly."""
    return normal(Fraction(text))


def is_in_format(text: str) -> bool:
    """Return whether a text consists of steps in the IPC format, without reading them.

    If it does not, `read_steps` raises.
    """
    text = _without_comments(text)
    if _PLAIN.fullmatch(text):
        return True
    position = 0
    while match := _STEP.match(text, position) or _PASSING.match(text, position):
        position = match.end()
    return _skip(text, position) == len(text)


def _without_comments(text: str) -> str:
    """Return a text without marks of its start and end, its comments as blanks of their length."""
    text = text.removeprefix("\ufeff")
    # A lookup of one character: most texts end without a mark.
    if text.rstrip()[-1:] in _ENDS:
        # A text of nothing else is no plan.
        text = text.rstrip(f"{END_MARKS} \t\r\n\f\v") or text
    if ";" in text:
        text = _COMMENT.sub(lambda match: " " * len(match[0]), text)
    return text


def read_plan(text: str) -> Plan:
    """Read a plan; steps with time stamps are sorted by them.

    Raises:
        PlanSyntaxError: the text is not in the IPC format, or only some steps have a time stamp.
    """
    return plan_of(read_steps(text))


def plan_of(steps: Steps) -> Plan:
    """Return steps as a plan, each with its line and column."""
    none = [None] * len(steps.words)
    times = [Fraction(tick, steps.scale) for tick in steps.ticks] or none
    durations = steps.durations or none
    places = steps.places()
    plan = Plan(
        Step(action, tuple(arguments), *places[index], times[index], durations[index])
        for index, (action, *arguments) in enumerate(steps.words)
    )
    plan.end = steps.end
    return plan


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return position if match is None else match.end()


def _syntax_error(text: str, position: int, step: int) -> PlanSyntaxError:
    """Return an error with what was found and expected where the text stops being a plan."""
    match = _PARTIAL.match(text, position)
    opened = match is not None and bool(match[1])
    at = match.end() if match is not None and opened else position
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    rest = text[at : at + 20].partition("\n")[0]
    found = repr(rest) if at < len(text) else "the end of the text"
    if match is not None and opened:
        expected = "an argument or ')'" if match[2] else "the action's name"
    elif rest.startswith("[") and step > 1:
        expected = "a duration such as [5] after a step"
    elif _STAMP.match(rest):
        expected = "a time stamp such as 0.5:"
    else:
        expected = "'(' at the start of a step"
    return PlanSyntaxError(
        f"found {found}, expected {expected}", line=line, column=column, step=step
    )


if TYPE_CHECKING:
    from pathlib import Path

    from pddl_pipeline.model.verdict import Verdict

    PlanSource = str | Path | Plan | Sequence[str] | Sequence[Step]
    """Text in the IPC format, a file, or steps. A string is always text, never a path."""

# More than the digits that a time stamp in a plan file can have.
_STAMP_DIGITS: Final = 1000


def given_plan(plan: PlanSource | None) -> str | Plan:
    """Return a plan as a `Plan` if it consists of `Step` objects, otherwise as text.

    Raises:
        InputError: the file cannot be read.
        TypeError: ``plan`` is not a `PlanSource`.
    """
    if isinstance(plan, (str, Plan)):
        return plan
    if isinstance(plan, os.PathLike):
        return read_file(plan)
    if not isinstance(plan, Sequence) or isinstance(plan, (bytes, Step)):
        found = type(plan).__name__
        raise TypeError(
            f"plan: found {found}, expected text, a Path, a Plan or a sequence of steps"
        )
    steps = [step for step in plan if isinstance(step, Step)]
    if steps and len(steps) == len(plan):
        # As text, the steps would lose their time stamps.
        return Plan(steps)
    for number, step in enumerate(plan, start=1):
        if not isinstance(step, str):
            found = type(step).__name__
            raise TypeError(f"plan: step {number} is {found}, expected text such as '(stack a b)'")
    return "".join(f"{step}\n" for step in plan)


def given_steps(plan: PlanSource) -> Steps:
    """Return the steps of a plan in any form that `given_plan` accepts.

    Raises:
        InputError, TypeError: as for `given_plan`.
        PlanSyntaxError: the text is not a plan.
    """
    given = given_plan(plan)
    return GivenSteps(given) if isinstance(given, Plan) else read_steps(given)


def with_file_hint(verdict: Verdict, plan: object) -> Verdict:
    """Return the verdict on a malformed plan; its reason says so if the text is a file's name."""
    if not isinstance(plan, str) or not is_file_name(plan):
        return verdict
    hint = f"the text is the name of a file, expected Path('{plan}')"
    return verdict.replace(reason=f"{verdict.reason}; {hint}")


def plan_file(plan: Plan) -> str:
    """Return the text of a plan file, with the time stamps and durations that steps have."""
    lines = []
    for step in plan:
        stamp = "" if step.time is None else f"{time_text(step.time)}: "
        duration = "" if step.duration is None else f" [{step.duration}]"
        lines.append(f"{stamp}{step}{duration}\n")
    if plan.end is not None:
        lines.append(f"{time_text(plan.end)}: @PlanEND\n")
    return "".join(lines)


def time_text(value: Number) -> str:
    """Return a time as a decimal, rounded if it has no finite one."""
    from decimal import Decimal, localcontext  # rarely needed, slow to import

    with localcontext() as context:
        context.prec = _STAMP_DIGITS
        return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
