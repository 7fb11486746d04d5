"""A model's answer beside the pictures: each line linked to its step, coloured by its fate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from pddl_pipeline.model.answer import TraceLine, Treatment
from pddl_pipeline.model.shortening import shortened
from pddl_pipeline.plan_pages.escaping import html

if TYPE_CHECKING:
    from pddl_pipeline.plan_pages.page_data import PageData

_MOST_LINES: Final = 1500
_LONGEST_LINE: Final = 1000
_MOST_TEXT: Final = 150_000


class AnswerText(NamedTuple):
    """An answer and how it was read."""

    text: str
    trace: Sequence[TraceLine]


def answer_section(answer: AnswerText, data: PageData) -> str:
    """Return the section with the answer's lines; a long answer is cut, which it says."""
    entries: dict[int, list[TraceLine]] = {}
    for entry in answer.trace:
        entries.setdefault(entry.line, []).append(entry)
    failed = {frame.number for frame in data.walk.frames if frame.failed}
    executed = max((f.number for f in data.walk.frames if not f.failed), default=0)
    items: list[str] = []
    size = 0
    lines = answer.text.splitlines()
    for number, line in enumerate(lines, start=1):
        if size > _MOST_TEXT or len(items) >= _MOST_LINES:
            break
        shown = shortened(line, _LONGEST_LINE)
        size += len(shown)
        items.append(_line(shown, entries.get(number, ()), failed, executed))
    cut = ""
    if len(items) < len(lines) or any(len(line) > _LONGEST_LINE for line in lines[: len(items)]):
        cut = (
            f"<p class='muted'>The answer has {len(answer.text):,} characters in {len(lines):,} "
            f"lines; this page shows {len(items):,} lines, each up to {_LONGEST_LINE:,} "
            "characters.</p>"
        )
    if not lines:
        return "<section class='card'><h2>Answer</h2><p>The answer is empty.</p></section>"
    return (
        f"<section class='card'><h2>Answer</h2>{_KEY}{cut}"
        f"<ol class='lines' tabindex='0' aria-label='Lines of the answer'>{''.join(items)}</ol>"
        "</section>"
    )


_KEY: Final = (
    "<p class='muted'>The bar beside a line says what became of it: green for a step that was "
    "executed, red for the step that fails, a double bar for steps after it, dots for lines "
    "without a step.</p>"
)
_FATES: Final[Mapping[str, str]] = {
    "done": "executed", "failed": "fails", "skipped": "not executed", "dropped": "no step",
}  # fmt: skip


def _line(text: str, entries: Sequence[TraceLine], failed: set[int], executed: int) -> str:
    steps = [entry.step for entry in entries if entry.step is not None]
    if not entries:
        return f"<li>{html(text)}</li>"
    if not steps:
        fate = "dropped"
    elif failed.intersection(steps):
        fate = "failed"
    else:
        fate = "done" if max(steps) <= executed else "skipped"
    links = ", ".join(f"<a href='#{step}' data-to='{step}'>step {step}</a>" for step in steps)
    read = ", read as another form" if any(e.action is Treatment.CHANGED for e in entries) else ""
    notes = "; ".join(dict.fromkeys(entry.note for entry in entries if entry.note))
    note = f": {html(shortened(notes, 200))}" if notes else ""
    at = f" data-step='{steps[0]}'" if len(steps) == 1 else ""
    said = f"{links}{' ' if links else ''}{_FATES[fate]}{read if not notes else ''}{note}"
    return f"<li class='{fate}'{at}>{html(text)} <span class='fate'>[{said}]</span></li>"
