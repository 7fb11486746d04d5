"""``pddl-pipeline-val``: VAL's options, arguments and lines, with reliable exit statuses.

The reason why a plan cannot be read goes to standard error: standard output contains only what VAL
prints.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import Final

from pddl_pipeline.cli.main import run_and_exit
from pddl_pipeline.cli.status import BAD_INPUT, DONE, WORST_FIRST, warn
from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.errors import InputError, PlanSyntaxError
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.validation.plan_formats import without_idle_durations
from pddl_pipeline.validation.plan_reader import read_plan
from pddl_pipeline.validation.task import Task, task_from_texts
from pddl_pipeline.validation.val import text as val_text
from pddl_pipeline.validation.val.options import USAGE, ValOptions, parse_val_options
from pddl_pipeline.validation.val.text import Account, value_text

_ALWAYS: Final = 3


def main() -> None:
    """Run the program and exit."""
    run_and_exit(lambda: judge_as_val(sys.argv[1:]))


def judge_as_val(arguments: list[str]) -> int:
    """Validate plans as VAL does with these arguments, and return the exit status.

    Raises:
        InputError: the arguments are wrong, or the domain or problem cannot be read.
    """
    options = parse_val_options(arguments)
    if not options.files:
        print(USAGE)
        return DONE
    domain, problem, *plans = options.files
    try:
        task = task_from_texts((read_file(domain), domain), (read_file(problem), problem))
    except InputError as error:
        of_domain = error.file == domain
        print(
            "Problem in domain definition!" if of_domain else "Problem in problem specification!",
            file=sys.stderr,
        )
        raise
    session = _Session(task, options)
    for plan in plans:
        session.judge(plan)
    session.summarise()
    return min(session.statuses, key=WORST_FIRST.index)


class _Session:
    """The plans of one call and their results."""

    def __init__(self, task: Task, options: ValOptions) -> None:
        self._task = task
        self._options = options
        self._valid: list[tuple[str, list[Number | None]]] = []
        self._failed: list[str] = []
        self._undecided: list[str] = []
        self.statuses = [DONE]

    def judge(self, name: str) -> None:
        """Judge one plan file and print its lines."""
        self._say(f"Checking plan: {name}")
        try:
            text = read_file(name)
        except InputError as error:
            self._bad_plan(name, "Bad plan file!", str(error))
            return
        # VAL ignores the duration of an instantaneous action, whatever it is.
        text, notes = without_idle_durations(text, self._task, most=None)
        for note in notes:
            warn(f"{name}: {note}")
        plan = self._plan(text)
        verdict = self._task.judge(plan)
        if verdict.status is Status.MALFORMED:
            place = f"{name}:{verdict.line}:{verdict.column}"
            self._bad_plan(name, val_text.BAD_PLAN, f"{place}: {verdict.reason}")
            return
        self.statuses.append(verdict.status.exit_status)
        if verdict.status is Status.UNDECIDED:
            self._say("Error occurred in validation attempt:", f"  {verdict.reason}", below=2)
            self._undecided.append(name)
            return
        account = None
        if self._options.needs_account and not self._task.vocabulary.is_hybrid:
            keep_going = self._options.keep_going
            account = Account(self._task, self._task.read_plan(plan), keep_going=keep_going)
        if account is not None and self._options.verbose:
            self._say(*account.listing(), below=_ALWAYS)
            self._say(*account.details(), below=_ALWAYS)
        self._result(name, verdict, account)
        if account is not None and self._options.error_report:
            self._say(*account.report(), below=_ALWAYS)
        if account is not None and self._options.wants_advice:
            self._say(*account.advice(), below=_ALWAYS)

    def _plan(self, text: str) -> str | Plan:
        if not self._options.gap:
            return text
        try:
            return _together(read_plan(text), self._options.gap)
        except PlanSyntaxError:
            return text  # `Task.judge` returns MALFORMED with the line and column

    def _result(self, name: str, verdict: Verdict, account: Account | None) -> None:
        if verdict.status is Status.VALID:
            values = self._values(verdict, account)
            self._valid.append((name, values))
            self._say(val_text.EXECUTED)
            self._say(val_text.VALID)
            shown = "".join(f"{value_text(value)} " for value in values)
            self._say(f"{val_text.FINAL_VALUE}{shown}")
            if self._options.silence == 2:
                print(shown)
            return
        if verdict.failed_step is None:
            self._say(val_text.EXECUTED)
            self._say(val_text.GOAL_MISSED, val_text.INVALID, below=2)
        elif self._options.keep_going:
            self._say("", f"{val_text.NOT_EXECUTED} - checking goal", below=2)
            if account is not None and account.goal_missed:
                self._say("", val_text.GOAL_MISSED, below=2)
        else:
            self._say("", val_text.NOT_EXECUTED, below=2)
        self._fail(name)

    def _values(self, verdict: Verdict, account: Account | None) -> list[Number | None]:
        counted = [verdict.steps] if self._options.step_count else []
        if self._task.facts.metric is not None:
            return [*counted, verdict.cost]
        if account is not None and self._options.by_happenings:
            return [*counted, account.happenings]
        return [verdict.steps]

    def _bad_plan(self, name: str, line: str, reason: str) -> None:
        self.statuses.append(BAD_INPUT)
        self._say(line, below=2)
        self._fail(name)
        sys.stdout.flush()
        print(f"error: {reason}", file=sys.stderr)

    def summarise(self) -> None:
        """Print the plans by verdict, and the valid plans by value."""
        if self._valid:
            self._say(*self._ranking())
        for title, names in (
            ("Failed plans:", self._failed),
            ("Queries (validator failed):", self._undecided),
        ):
            if names:
                self._say("", "", title, f" {' '.join(names)} ", below=2)

    def _ranking(self) -> Iterator[str]:
        metric = self._task.facts.metric
        descending = metric is None or metric.maximise
        ranked = sorted(
            self._valid,
            key=lambda each: (each[1][0] is None, each[1][0] or 0),
            reverse=descending,
        )
        yield from ("", "Successful plans:")
        for value, group in groupby(ranked, key=lambda each: each[1][0]):
            yield f"Value: {value_text(value)}"
            plans = [
                f"{name} {''.join(f'{value_text(v)} ' for v in values)}" for name, values in group
            ]
            yield " " + "\n".join(plans)
            yield ""

    def _fail(self, name: str) -> None:
        self._failed.append(name)
        if self._options.silence == 2:
            print("failed")

    def _say(self, *lines: str, below: int = 1) -> None:
        """Print the lines below a level of silence: 1 is -s, and 2 is -S, which prints values."""
        if self._options.silence < below:
            for line in lines:
                print(line)


def _together(plan: Plan, gap: Fraction) -> Plan:
    """Return the plan with equal time stamps for steps at most ``gap`` after the first of them."""
    steps = []
    start: Fraction | None = None
    for step in plan.steps:
        if step.time is not None and (start is None or step.time > start + gap):
            start = step.time
        steps.append(step._replace(time=start))
    return Plan(tuple(steps))
