"""A plan as one self-contained HTML page: pictures, steps, changes, goals, costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Final

from pddl_pipeline.model.atom import atom_text
from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.shortening import shortened
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pages.answer_view import AnswerText, answer_section
from pddl_pipeline.pages.charts import fluent_charts
from pddl_pipeline.pages.escaping import html, script_data
from pddl_pipeline.pages.page_data import PageData
from pddl_pipeline.pages.pictures.style import DARK, LIGHT, picture_style
from pddl_pipeline.pages.pictures.svg import number
from pddl_pipeline.pages.walk import Walk

_ENLARGED: Final = 1.3
_MOST_FIXED: Final = 2000
_SIGNS: Final = {Status.VALID: "✓", Status.INVALID: "✗", Status.MALFORMED: "✗"}


def plan_page(
    data: PageData, title: str, *, about: Sequence[str] = (), answer: AnswerText | None = None
) -> str:
    """Return the page of a plan.

    Args:
        data: the plan, the verdict on it, and its states.
        title: heading and title of the page.
        about: further lines below the heading, such as the planner's name.
        answer: the text of the answer with which the plan was given, if it was.
    """
    body = "\n".join(
        (
            "<header>",
            f"<h1>{html(title)}</h1>",
            *(f"<p class='sub'>{html(each)}</p>" for each in about),
            _verdict(data.walk),
            "</header>",
            "<main>",
            *_main(data, answer),
            "</main>",
            f"<script type='application/json' id='data'>{script_data(data.json())}</script>",
            f"<script>\n{_resource('page.js')}</script>",
        )
    )
    return document(title, body)


def document(title: str, body: str) -> str:
    """Return a whole page with this project's style in light and dark mode."""
    return (
        "<!doctype html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
        f"<title>{html(title).replace('<bdi>', '').replace('</bdi>', '')}</title>\n"
        f"<link rel='icon' href='data:,'>\n<style>\n{_style()}\n</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _style() -> str:
    def variables(colours: dict[str, str]) -> str:
        return "".join(f"--{name}:{colour};" for name, colour in colours.items())

    dark = f":root{{{variables(dict(DARK))}}}\n{picture_style(DARK)}"
    return "\n".join(
        (
            f":root{{{variables(dict(LIGHT))}}}",
            _resource("page.css"),
            picture_style(LIGHT),
            f"@media (prefers-color-scheme: dark) {{\n{dark}\n}}",
        )
    )


def _resource(name: str) -> str:
    return files("pddl_pipeline.pages").joinpath(name).read_text(encoding="utf-8")


def _verdict(walk: Walk) -> str:
    verdict = walk.verdict
    said = f"{_SIGNS.get(verdict.status, '?')} The plan is {verdict.status}"
    if verdict.status is Status.MALFORMED:
        said += " (the text is not a plan of this problem)"
    if verdict.failed_step and not (verdict.reason or "").startswith("step "):
        said += f" at step {verdict.failed_step}"
    if verdict.line:
        said += f" (line {verdict.line}{f', column {verdict.column}' if verdict.column else ''})"
    reason = f": {html(verdict.reason)}" if verdict.reason else "."
    return f"<p class='verdict {verdict.status}'>{html(said)}{reason}</p>"


def _main(data: PageData, answer: AnswerText | None) -> Iterator[str]:
    walk = data.walk
    if not walk.frames:
        yield "<p>There is nothing to show: the initial state cannot be computed.</p>"
    yield from _controls(walk)
    yield f"<div class='columns{'' if answer is None else ' answered'}'>\n<div>"
    yield _picture(data)
    yield (
        "<section class='card fault' id='fault' hidden aria-live='polite'>"
        "<h2 id='fault-title'>Why the step fails</h2>"
        "<p>These conditions must hold, and do not:</p><ul class='plain' id='unmet'></ul>"
        "<p id='reason'></p></section>"
    )
    if answer is not None:
        yield f"</div>\n<div>{answer_section(answer, data)}"
    yield "</div>\n<div>"
    yield _card("What the step changes", "<ul class='plain' id='changes'></ul>")
    yield _card("Goal", "<ul class='plain' id='goals'></ul>")
    yield _card("Cost", _costs(walk))
    charts = fluent_charts(data)
    if charts:
        yield _card("Values over time", charts)
    yield _steps(data)
    yield "</div>\n</div>"
    yield (
        "<details id='all-facts'><summary>All facts that can change, after this step</summary>"
        "<div class='wide'><table><caption>Facts that hold, and those that the step removes"
        "</caption><thead><tr><th scope='col'>Change</th><th scope='col'>PDDL</th>"
        "<th scope='col'>In words</th></tr></thead><tbody id='facts'></tbody></table></div>"
        "<p id='more-facts'></p></details>"
    )
    yield _fixed(data)


def _controls(walk: Walk) -> Iterator[str]:
    buttons = (
        ("first", "|◀", "First state"),
        ("back", "◀", "Step back"),
        ("next", "▶", "Next step"),
        ("end", "▶|", "Last step"),
    )
    made = "".join(
        f"<button type='button' id='{name}' aria-label='{label}' title='{label}'>"
        f"<span aria-hidden='true'>{sign}</span></button>"
        for name, sign, label in buttons
    )
    yield (
        f"<div class='controls' role='group' aria-label='Steps' hidden>{made}"
        "<label class='hidden' for='slider'>Step</label>"
        f"<input type='range' id='slider' min='0' max='{max(0, len(walk.frames) - 1)}' value='0'>"
        "<output id='count' for='slider'></output></div>"
    )
    yield "<p id='say' role='status' aria-live='polite'></p>"
    if walk.left_out:
        yield (
            f"<p class='muted'>This page shows the first {len(walk.frames) - 1:,} steps; "
            f"{walk.left_out:,} more are in the list of steps only.</p>"
        )
    yield (
        "<noscript><p>Without JavaScript, this page shows the initial state and the list of "
        "steps.</p></noscript>"
    )


def _picture(data: PageData) -> str:
    if data.scene is None:
        return f"<p class='card'>{html(data.no_picture)}</p>"
    first = data.drawings[0]
    size = f"{number(first.width)} {number(first.height)}"
    width, height = (number(_ENLARGED * each) for each in (first.width, first.height))
    svg = (
        f"<svg id='picture' data-domain='{html(data.scene.picture.name)}' class='scene' role='img' "
        f"aria-label='Initial state' viewBox='0 0 {size}' width='{width}' height='{height}' "
        f"style='min-width:min({number(first.width)}px,34rem)'>"
        f"<g>{first.ground}</g><g id='parts'>{''.join(data.pictures[0])}</g></svg>"
    )
    key = "<svg class='scene' viewBox='0 0 22 14' aria-hidden='true'>{}</svg>"
    legend = "".join(
        f"<span>{key.format(rect)} {meaning}</span>"
        for style, meaning in (
            ("new", "changed by the step"), ("old", "where it was"), ("fault", "where it fails"),
        )
        for rect in [f"<rect x='3' y='3' width='16' height='8' class='{style}'/>"]
    )  # fmt: skip
    return (
        "<figure><div class='frame' tabindex='0' role='region' aria-label='Picture of the state'>"
        f"{svg}</div><figcaption>{html(data.scene.picture.about)}"
        f"<div class='legend'>{legend}</div></figcaption></figure>"
    )


def _card(title: str, content: str) -> str:
    return f"<section class='card'><h2>{title}</h2>{content}</section>"


def _costs(walk: Walk) -> str:
    metric = walk.task.facts.metric
    kind = "Cost so far" if metric is not None else "Steps so far"
    rows = [f"<dt>{kind}</dt><dd id='cost'></dd>"]
    if walk.verdict.cost is not None:
        rows.append(f"<dt>Cost of the plan</dt><dd>{html(number_text(walk.verdict.cost))}</dd>")
    if walk.budget is not None:
        rows.append(f"<dt>Budget</dt><dd>{html(number_text(walk.budget))}{_within(walk)}</dd>")
    return f"<dl>{''.join(rows)}</dl>"


def _within(walk: Walk) -> str:
    if walk.verdict.within_budget is None:
        return ""
    return " (kept)" if walk.verdict.within_budget else " (exceeded)"


def _steps(data: PageData) -> str:
    """Return the list of all steps; those that were not executed say so."""
    plan, frames = data.walk.plan, data.walk.frames
    if not plan:
        why = "The plan has no steps." if plan is not None else "The text has no readable steps."
        return _card("Steps", f"<p>{why}</p>")
    framed = {
        frame.number - len(frame.steps) + 1 + offset: frame
        for frame in frames for offset in range(len(frame.steps))
    }  # fmt: skip
    items = []
    for position, step in enumerate(plan, start=1):
        frame = framed.get(position)
        words = html(data.step(step, frame))
        if frame is None:
            why = "not shown" if data.walk.left_out else "not executed"
            items.append(f"<li class='skipped'>{words} ({why})</li>")
            continue
        fails = " <strong>✗ fails</strong>" if frame.failed else ""
        items.append(
            f"<li data-step='{position}'><a href='#{position}' data-to='{position}'>{words}</a>"
            f"{fails}</li>"
        )
    start = "<p><a href='#0' data-to='0'>Initial state</a></p>"
    listed = f"{start}<ol class='steps' tabindex='0' aria-label='Steps'>{''.join(items)}</ol>"
    return _card(f"Steps ({len(plan):,})", listed)


def _fixed(data: PageData) -> str:
    if not data.fixed:
        return ""
    items = "".join(
        f"<li>{html(data.words.fact(fact))} <code>{html(atom_text(fact))}</code></li>"
        for fact in data.fixed[:_MOST_FIXED]
    )
    left = len(data.fixed) - _MOST_FIXED
    more = f"<p>… and {left:,} more</p>" if left > 0 else ""
    return (
        f"<details><summary>Facts that never change ({len(data.fixed):,})</summary>"
        f"<ul class='plain'>{items}</ul>{more}</details>"
    )


def page_title(task_name: str, domain: str) -> str:
    """Return the heading of a plan's page."""
    return shortened(f"Plan for {task_name} ({domain})", 200)
