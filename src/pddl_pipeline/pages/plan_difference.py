"""Two plans of one problem beside each other, with the steps that differ marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from pddl_pipeline.pages.html_page import html, html_page
from pddl_pipeline.pages.page_data import PageData
from pddl_pipeline.pages.plan_page import verdict_and_why
from pddl_pipeline.tables.linked_text import LinkedText
from pddl_pipeline.tables.text_table import TextTable

Row = tuple[str, str, str, str, str]
"""A sign where the plans differ; the number of a step and the step, of each plan, or nothing."""


def difference_page(title: str, names: Sequence[str], plans: Sequence[PageData]) -> str:
    """Return the page of two plans: their verdicts, then their steps, the common ones in one row.

    Args:
        title: heading and title of the page.
        names: what each plan is called, such as its file.
        plans: the two plans.
    """
    rows = list(_rows(*plans))
    same = next((place for place, row in enumerate(rows) if row[0]), len(rows))
    verdicts = (
        LinkedText(verdict_and_why(plan)[1], style=verdict_and_why(plan)[0]) for plan in plans
    )
    summary = TextTable(("plan", "verdict"), tuple(zip(names, verdicts, strict=True)), names=2)
    said = (
        f"The plans differ from row {same + 1} on." if same < len(rows) else "The plans are equal."
    )
    marked = tuple(row[0] != "" for row in rows)
    headings = ("difference", "step", names[0], "step", names[1])
    steps = TextTable(headings, tuple(rows), names=5, marked=marked)
    parts = (f"<h1>{html(title)}</h1>", summary.to_html("", "facts"), f"<p>{said}</p>")
    return html_page(title, [*parts, steps.to_html("", "long")])


def _rows(first: PageData, second: PageData) -> Iterator[Row]:
    """Yield the steps in order, the common ones of both plans in one row."""
    steps, others = ([str(step) for step in data.walk.plan or ()] for data in (first, second))
    matcher = SequenceMatcher(None, steps, others, autojunk=False)
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        sign = "" if kind == "equal" else "\N{NOT EQUAL TO}"
        pairs = zip_longest(range(start, end), range(other_start, other_end))
        for place, other in pairs:
            yield (sign, *_cells(place, first), *_cells(other, second))


def _cells(place: int | None, data: PageData) -> tuple[str, str]:
    """Return the number of a step and the step."""
    if place is None or data.walk.plan is None:
        return "", ""
    is_failed = any(frame.failed and frame.number == place + 1 for frame in data.walk.frames[-1:])
    return str(place + 1), f"{data.walk.plan[place]}{' (fails)' * is_failed}"
