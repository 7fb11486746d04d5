"""A plan as one self-contained HTML page: pictures, steps, changes, goals, costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pddl_pipeline.model.answer import TraceLine, Treatment
from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.text import shortened
from pddl_pipeline.model.verdict import Status, shown_status
from pddl_pipeline.pages.html_page import rendered
from pddl_pipeline.pages.page_data import PageData
from pddl_pipeline.pages.timeline_chart import timeline_chart, value_chart
from pddl_pipeline.pages.walk import Walk
from pddl_pipeline.tables.linked_text import Link

_MOST_LINES: Final = 500
_LONGEST_LINE: Final = 1000
_LONGEST_TEXT: Final = 200_000
_WORST: Final = ("done", "skipped", "failed")
_FATES: Final[Mapping[str, str]] = {
    "done": "executed",
    "failed": "fails",
    "skipped": "not executed",
    "dropped": "no step",
}


class AnswerText(NamedTuple):
    """An answer and how it was read."""

    text: str
    trace: Sequence[TraceLine]


def plan_page(  # noqa: PLR0913 -- what the page shows
    data: PageData,
    title: str,
    *,
    about: Sequence[str] = (),
    answer: AnswerText | None = None,
    plans: Sequence[Sequence[str]] = (),
    way: Sequence[Link] = (),
) -> str:
    """Return the page of a plan.

    Args:
        data: the plan, the verdict on it, and its states.
        title: heading and title of the page.
        about: further lines below the heading, such as the planner's name.
        answer: the text of the answer with which the plan was given, if it was.
        plans: seconds, steps, cost and verdict of each plan of a run.
        way: the links to the list of pages and to the pages beside this one.
    """
    return rendered(
        "plan.html.j2",
        title=title,
        data=data,
        about=about,
        verdict=verdict_and_why(data),
        chart=timeline_chart(data),
        curves=value_chart(data),
        answer=None if answer is None else _answer(answer, data.walk),
        steps=list(_steps(data)),
        costs=[
            (name, number_text(cost))
            for name, cost in (
                ("Cost of the plan", data.walk.verdict.cost),
                ("Budget", data.walk.budget),
            )
            if cost is not None
        ],
        texts=_texts(data),
        plans=plans,
        way=way,
    )


def verdict_and_why(data: PageData) -> tuple[Status, str]:
    """Return the colour of the verdict, as the status that has it, and its sentences."""
    verdict = data.walk.verdict
    said, why = f"The plan is {verdict.status}", verdict.reason or ""
    said += f" ({verdict.meaning})" if verdict.meaning else ""
    if verdict.status is Status.VALID:
        said += f": {verdict.steps_and_cost}"
    colour = shown_status(verdict.status, within_budget=verdict.within_budget)[1] or verdict.status
    if colour is not verdict.status:
        said += ", but over the budget"
    if colour is Status.MALFORMED:
        said += ": the text is not a plan of this problem"
    if verdict.line and not verdict.status.is_read:
        said += f" (line {verdict.line}{f', column {verdict.column}' if verdict.column else ''})"
    if colour.is_valid is False and data.whys:
        why = data.whys[-1] or why
    return colour, f"{said}. {why.replace(' so far', '')}".strip()


def _steps(data: PageData) -> Iterator[tuple[str, str | None, int, bool]]:
    """Yield each step in words, why it is not shown or None, its frame, and whether it fails."""
    framed = {
        frame.number - len(frame.steps) + 1 + offset: frame
        for frame in data.walk.frames
        for offset in range(len(frame.steps))
    }
    skipped = data.walk.frames[0].number if data.walk.frames else 0
    missing = "not shown" if data.walk.left_out else "not executed"
    if data.walk.task.vocabulary.snaps:
        missing = ""  # the chart shows it
    places = {frame.time: place for place, frame in enumerate(data.walk.frames)}
    for position, step in enumerate(data.walk.plan or (), start=1):
        frame = framed.get(position)
        why = "not shown" if position <= skipped else missing
        failed = bool(frame and frame.failed)
        place, is_shown = position, frame is not None
        if data.is_timed:
            begin = position if step.time is None else step.time
            place = len(data.walk.frames) - 1 if failed else places.get(begin, 0)
            is_shown = place > 0
        yield data.step(step, frame), None if is_shown else why, place, failed


def _texts(data: PageData) -> dict[str, str]:
    """Return the texts to copy or download, by the names of their files; very long ones are not."""
    walk = data.walk
    texts = dict(zip(("domain.pddl", "problem.pddl"), walk.task.texts or (), strict=False))
    texts["plan.txt"] = "".join(f"{step}\n" for step in walk.plan or ())
    texts["verdict.txt"] = f"{verdict_and_why(data)[1]}\n"
    return {name: text for name, text in texts.items() if 0 < len(text) <= _LONGEST_TEXT}


_Line = tuple[str, Sequence[tuple[int, bool]], str, str]
"""The text of a line of an answer, the steps read from it and whether the page shows each, what
became of them, as a class of the style sheet, and in words; empty for a line that was not read."""


def _answer(answer: AnswerText, walk: Walk) -> tuple[list[_Line], str]:
    """Return the lines of an answer, and a note if a long one is cut."""
    entries: dict[int, list[TraceLine]] = {}
    for entry in answer.trace:
        entries.setdefault(entry.line, []).append(entry)
    fates = {frame.number: "failed" for frame in walk.frames if frame.failed}
    # Steps after the last frame were not executed.
    executed = max((frame.number for frame in walk.frames if not frame.failed), default=0)
    fates |= dict.fromkeys(range(executed + 1), "done")
    lines = answer.text.splitlines()
    found = [
        _line(shortened(line, _LONGEST_LINE), entries.get(number, ()), fates)
        for number, line in enumerate(lines[:_MOST_LINES], start=1)
    ]
    is_cut = len(found) < len(lines) or any(len(line) > _LONGEST_LINE for line in lines)
    cut = (
        f"The answer has {len(answer.text):,} characters in {len(lines):,} lines; this page shows "
        f"{len(found):,} lines, each up to {_LONGEST_LINE:,} characters."
    )
    return found, cut if is_cut else ""


def _line(text: str, entries: Sequence[TraceLine], fates: Mapping[int, str]) -> _Line:
    if not entries:
        return text, (), "", ""
    steps = [entry.step for entry in entries if entry.step is not None]
    fate = max((fates.get(n, "skipped") for n in steps), key=_WORST.index, default="dropped")
    found = dict.fromkeys(entry.note for entry in entries)
    notes = "; ".join(note for note in found if note and note != _FATES[fate])
    changed = any(entry.action is Treatment.CHANGED for entry in entries)
    read = ", read as another form" if changed else ""
    said = f"{_FATES[fate]}: {shortened(notes, 200)}" if notes else f"{_FATES[fate]}{read}"
    return text, [(n, n in fates) for n in steps], fate, said
