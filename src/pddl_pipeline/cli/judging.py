"""The work of ``pddl-pipeline validate`` without click, its arguments included.

Importing click takes longer than judging a small task. Click parses what is not clear, such as
abbreviated, repeated or wrong arguments: it writes the messages. For the same reason, some imports
are inside functions.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Final, assert_never

from pddl_pipeline.cli.status import BAD_INPUT, DONE, WORST_FIRST, warn
from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.model.text import counted, printable
from pddl_pipeline.model.verdict import Opinion, Status, Verdict
from pddl_pipeline.validation.task import Task, task_from_texts
from pddl_pipeline.validation.val import text as val_text
from pddl_pipeline.validation.val.text import Account
from pddl_pipeline.validation.version import VERDICT_VERSION


def tolerance_of(text: str) -> Fraction:
    """Return a positive decimal number, converted without rounding.

    Raises:
        ValueError: the text is something else; the message says what was expected.
    """
    # As a fraction, `1e999999999` would take all memory.
    if not re.fullmatch(r"\d{0,50}\.?\d{1,50}(e-?\d{1,3})?", text, re.ASCII | re.IGNORECASE):
        raise ValueError(f"found '{text}', expected a number such as 1e-4")
    tolerance = Fraction(text)
    if tolerance == 0:
        raise ValueError("found 0, expected a number above 0")
    return tolerance


def validator_names(text: str) -> list[str]:
    """Return the names in a list with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def _plan_format(text: str) -> str:
    from pddl_pipeline.validation.plan_formats import plan_formats  # rarely needed

    if text not in plan_formats():
        raise ValueError(text)
    return text


_FLAGS: Final[Mapping[str, str]] = {
    "--json": "as_json",
    "-v": "verbose",
    "--lenient": "lenient",
    "--strict": "strict",
}
_VALUES: Final[Mapping[str, tuple[str, Callable[[str], object]]]] = {
    "--cross-check": ("cross_check", validator_names),
    "--tolerance": ("tolerance", tolerance_of),
    "--delta": ("delta", tolerance_of),
    "--plan-format": ("plan_format", _plan_format),
}


def validate_arguments(given: Sequence[str]) -> dict[str, Any] | None:
    """Return the arguments of `judge_plans`, or None if click has to parse what was given."""
    files: list[str] = []
    options: dict[str, Any] = {}
    rest = iter(given)
    for word in rest:
        option, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        name, convert = _VALUES.get(option, (_FLAGS.get(word, ""), None))
        if name in options or (word.startswith("-") and not name):
            return None
        if not name:
            files.append(word)
        elif convert is None:
            options[name] = True
        else:
            try:
                options[name] = convert(value if equals else next(rest))
            except (ValueError, StopIteration):
                return None
    if len(files) < 3 or "" in files or (options and not all(map(_is_plain, files))):
        return None
    return {"domain": files[0], "problem": files[1], "plans": files[2:], **options}


def _is_plain(path: str) -> bool:
    """Return whether `pathlib`, which click's arguments go through, leaves a path as it is."""
    first, *others = path.split("/")
    return first != "." and not {"", "."} & {*others} and path != ""


if TYPE_CHECKING:
    from pddl_pipeline.validation.opinions import Judge


def judge_plans(  # noqa: PLR0913 -- one parameter an option
    domain: str,
    problem: str,
    plans: Sequence[str],
    *,
    as_json: bool = False,
    verbose: bool = False,
    cross_check: Sequence[str] = (),
    tolerance: Number | None = None,
    delta: Number | None = None,
    plan_format: str = "",
    lenient: bool = False,
    strict: bool = False,
) -> int:
    """Judge plan files, print the verdicts and return the exit status.

    Raises:
        InputError: the domain or problem cannot be read, or a validator is unknown.
        EngineError: a validator is not installed.
    """
    task, domain_pddl, problem_pddl = _task(domain, problem, as_json=as_json, lenient=lenient)
    if _print_warnings(task, strict=strict):
        return BAD_INPUT
    if delta is not None and cross_check:
        raise InputError("--cross-check: other validators know no --delta; leave out one of them")
    if delta is not None and not task.vocabulary.is_hybrid:
        warn("--delta has no effect: the task has no processes or events")
    others: dict[str, Judge] = {}
    if cross_check:
        from pddl_pipeline.validation.opinions import open_validators

        others = open_validators(cross_check, domain_pddl, problem_pddl, task)
    statuses = [DONE]
    for plan in plans:
        try:
            text = read_file(plan)
        except InputError as error:
            if as_json:
                print(_error_json(error, plan))
            sys.stdout.flush()
            print(f"error: {error}", file=sys.stderr)
            statuses.append(BAD_INPUT)
            continue
        judge = partial(_verdict, task=task, others=others, tolerance=tolerance, delta=delta)
        if plan_format:
            from pddl_pipeline.validation.plan_formats import judge_output

            text, verdict = judge_output(text, plan_format, task, judge)
        else:
            verdict = with_advice(judge(text), text, task)
        statuses.append(verdict.status.exit_status)
        print_as = _json if as_json else partial(_lines, verbose=verbose)
        for line in print_as(task, plan, text, verdict):
            print(line)
    return min(statuses, key=WORST_FIRST.index)


def _task(domain: str, problem: str, *, as_json: bool, lenient: bool) -> tuple[Task, str, str]:
    """Return the task of two files, and their texts; with JSON, print an error in that form, too.

    Raises:
        InputError: as for `judge_plans`.
    """
    try:
        # Read each file once, also for the other validators: a pipe can be read only once.
        domain_pddl, problem_pddl = (read_file(domain), domain), (read_file(problem), problem)
        if lenient:
            problem_pddl = reported_problem(domain_pddl, problem_pddl)
        task = task_from_texts(domain_pddl, problem_pddl)
    except InputError as error:
        if as_json:
            print(_error_json(error))
        raise
    return task, domain_pddl[0], problem_pddl[0]


def _json(task: Task, plan: str, _text: str, verdict: Verdict) -> Iterator[str]:
    import json  # rarely needed

    warnings = [str(warning) for warning in task.warnings]
    yield json.dumps({**verdict_json(plan, verdict), "warnings": warnings})


def _print_warnings(task: Task, *, strict: bool) -> bool:
    """Print the warnings of a task; strictly, as errors. Return whether there are errors."""
    for warning in map(str, task.warnings):
        if strict:
            print(f"error: {warning}", file=sys.stderr)
        else:
            warn(warning)
    return strict and bool(task.warnings)


def reported_problem(domain: tuple[str, str], problem: tuple[str, str]) -> tuple[str, str]:
    """Return what a lenient reading keeps of a problem, and its name; print what it ignores."""
    from pddl_pipeline.validation.problem_reader import lenient_problem  # rare

    kept = lenient_problem(domain, problem)
    for message in kept.ignored:
        warn(message)
    return kept.text, problem[1]


def with_advice(verdict: Verdict, text: str, task: Task) -> Verdict:
    """Return the verdict; if the plan is unreadable, name the format in which it can be read."""
    if verdict.status is not Status.MALFORMED:
        return verdict
    from pddl_pipeline.validation.plan_formats import look_alike

    form = look_alike(text, task)
    if form is None:
        return verdict
    advice = f"looks like the output of {form.planners}; try --plan-format {form.name}"
    return verdict.replace(reason=f"{verdict.reason}; {advice}")


def _verdict(
    text: str, task: Task, others: dict[str, Judge], tolerance: Number | None, delta: Number | None
) -> Verdict:
    verdict = task.judge(text, delta=delta)
    if others:
        from pddl_pipeline.validation.opinions import with_opinions

        verdict = with_opinions(
            verdict, {name: other.judge(text) for name, other in others.items()}
        )
    if tolerance is not None:
        loose = task.judge(text, tolerance=tolerance, delta=delta)
        beside = Opinion(loose.status, loose.reason, loose.cost)
        verdict = verdict.with_opinion("tolerance", beside)
    return verdict


def _lines(task: Task, plan: str, text: str, verdict: Verdict, *, verbose: bool) -> Iterator[str]:
    yield f"Checking plan: {plan}"
    account = None
    is_told = verdict.status.is_read and not verdict.meaning
    if verbose and verdict.steps is not None and is_told:
        account = Account(task, task.read_plan(text))
        yield from account.listing()
        yield from account.details()
    yield from _verdict_lines(plan, verdict)
    if account is not None:
        yield from account.advice()


def _verdict_lines(plan: str, verdict: Verdict) -> Iterator[str]:
    """Yield VAL's lines for one plan, then the reason."""
    match verdict.status:
        case Status.VALID:
            yield val_text.EXECUTED
            yield val_text.VALID
            if verdict.cost is not None:
                yield f"{val_text.FINAL_VALUE}{number_text(verdict.cost)}"
        case Status.INVALID if verdict.failed_step is None:
            yield val_text.EXECUTED
            yield val_text.GOAL_MISSED
            yield val_text.INVALID
        case Status.INVALID:
            yield val_text.NOT_EXECUTED
        case Status.MALFORMED:
            yield val_text.BAD_PLAN
            place = "" if verdict.line is None else f":{verdict.line}:{verdict.column}"
            yield f"{plan}{place}: {verdict.reason}"
        case Status.UNDECIDED | Status.DISPUTED:
            yield f"Plan {verdict.status}"
        case _:
            assert_never(verdict.status)
    if verdict.reason and verdict.status is not Status.MALFORMED:
        # Comments, blank lines and time stamps shift the lines: step 3 may be in line 7.
        shifted = verdict.line is not None and verdict.line != verdict.failed_step
        yield f"{plan}:{verdict.line}: {verdict.reason}" if shifted else verdict.reason
    yield from (f"{verdict.status} ({each})" for each in [verdict.meaning] if each)
    yield from verdict.notes
    for name, count in verdict.preferences:
        yield f"preference {name}: {counted(count, 'violation') if count else 'satisfied'}"
    for name, opinion in verdict.opinions.items():
        yield f"{name}: {opinion.status}{f' ({opinion.reason})' if opinion.reason else ''}"


def verdict_json(plan: str, verdict: Verdict) -> dict[str, Any]:
    """Return the object of ``--json``."""
    name = printable(plan)  # JSON has no names that are not UTF-8
    return {"plan": name, **verdict.to_json(), "verdict_version": VERDICT_VERSION}


def _error_json(error: InputError, plan: str | None = None) -> str:
    """Return the line of ``--json`` for a file that cannot be read."""
    import json  # rarely needed

    names = ("file", "line", "column", "code")
    found = {name: getattr(error, name) for name in names}
    return json.dumps({"plan": plan, "status": "error", **found, "reason": error.message})
