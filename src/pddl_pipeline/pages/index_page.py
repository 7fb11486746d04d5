"""The page that lists the pages of many plans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.model.shortening import shortened
from pddl_pipeline.pages.escaping import html
from pddl_pipeline.pages.plan_page import document


class PageLink(NamedTuple):
    """A row of the list: a plan, and the file of its page."""

    id: str
    by: str
    """The model or planner, and the attempt."""
    status: str
    steps: int | None
    cost: Number | None
    reason: str
    file: str
    """Name of the page's file; empty if there is none."""


def index_page(title: str, links: Sequence[PageLink], notes: Sequence[str] = ()) -> str:
    """Return the page with a table of links, in the order of the plans."""
    headings = "".join(
        f"<th scope='col'>{name}</th>"
        for name in ("instance", "by", "verdict", "steps", "cost", "why")
    )
    body = [
        f"<header><h1>{html(title)}</h1>",
        *(f"<p class='sub'>{html(note)}</p>" for note in notes),
        "</header><main><div class='wide' tabindex='0' role='region' aria-label='Plans'><table>",
        f"<caption>{len(links):,} plans; the name of an instance leads to its page</caption>",
        f"<thead><tr>{headings}</tr></thead><tbody>",
        *map(_row, links),
        "</tbody></table></div></main>",
    ]
    return document(title, "\n".join(body))


def _row(link: PageLink) -> str:
    name = html(shortened(link.id))
    first = f"<a href='{html(link.file)}'>{name}</a>" if link.file else name
    steps = "" if link.steps is None else f"{link.steps:,}"
    cost = "" if link.cost is None else html(shortened(number_text(link.cost), 30))
    cells = (html(link.by), html(link.status), steps, cost, html(shortened(link.reason, 160)))
    return f"<tr><th scope='row'>{first}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
