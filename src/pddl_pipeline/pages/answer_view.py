"""A model's answer beside the pictures: each line linked to its step, coloured by its fate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from pddl_pipeline.model.answer import TraceLine, Treatment
from pddl_pipeline.model.shortening import shortened
from pddl_pipeline.pages.escaping import html
from pddl_pipeline.pages.walk import Walk

if TYPE_CHECKING:
    from pddl_pipeline.pages.page_data import PageData

_MOST_LINES: Final = 1500
_LONGEST_LINE: Final = 1000
_MOST_TEXT: Final = 150_000


class AnswerText(NamedTuple):
    """An answer and how it was read."""

    text: str
    trace: Sequence[TraceLine]


class StepFates:
    """What became of each step of a plan."""

    def __init__(self, walk: Walk) -> None:
        self._failed = {frame.number for frame in walk.frames if frame.failed}
        self._executed = max((f.number for f in walk.frames if not f.failed), default=0)

    def of(self, step: int) -> str:
        """Return the fate of a step: a class of the style sheet."""
        if step in self._failed:
            return "failed"
        return "done" if step <= self._executed else "skipped"

    def link(self, step: int) -> str:
        """Return a link to the picture of a step, or its name if there is no picture."""
        if self.of(step) == "skipped":
            return f"step {step}"
        return f"<a href='#{step}' data-to='{step}'>step {step}</a>"


def answer_section(answer: AnswerText, data: PageData) -> str:
    """Return the section with the answer's lines; a long answer is cut, which it says."""
    entries: dict[int, list[TraceLine]] = {}
    for entry in answer.trace:
        entries.setdefault(entry.line, []).append(entry)
    fates = StepFates(data.walk)
    items: list[str] = []
    size = 0
    lines = answer.text.splitlines()
    for number, line in enumerate(lines, start=1):
        if size > _MOST_TEXT or len(items) >= _MOST_LINES:
            break
        shown = shortened(line, _LONGEST_LINE)
        size += len(shown)
        items.append(_line(shown, entries.get(number, ()), fates))
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
_WORST: Final = ("done", "skipped", "failed")
_FATES: Final[Mapping[str, str]] = {
    "done": "executed", "failed": "fails", "skipped": "not executed", "dropped": "no step",
}  # fmt: skip


def _line(text: str, entries: Sequence[TraceLine], fates: StepFates) -> str:
    steps = [entry.step for entry in entries if entry.step is not None]
    if not entries:
        return f"<li>{html(text)}</li>"
    fate = max(map(fates.of, steps), key=_WORST.index) if steps else "dropped"
    links = ", ".join(map(fates.link, steps))
    read = ", read as another form" if any(e.action is Treatment.CHANGED for e in entries) else ""
    found = dict.fromkeys(entry.note for entry in entries)
    notes = "; ".join(note for note in found if note and note != _FATES[fate])
    note = f": {html(shortened(notes, 200))}" if notes else ""
    at = f" data-step='{steps[0]}'" if len(steps) == 1 else ""
    said = f"{links}{' ' if links else ''}{_FATES[fate]}{read if not notes else ''}{note}"
    return f"<li class='{fate}'{at}>{html(text)} <span class='fate'>[{said}]</span></li>"
