"""The scores of models as one self-contained HTML page."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from gzip import GzipFile
from io import BytesIO
from pathlib import Path

from pddl_pipeline.io.files import relative_link
from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.text import counted, shortened
from pddl_pipeline.pages.html_page import rendered, title_of, visible
from pddl_pipeline.pages.score_tables import ExampleLinks
from pddl_pipeline.pages.shown_plan import plan_of_score, verdict_cell, write_pages
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.scoring.score_rows import group_rows, shown_name
from pddl_pipeline.scoring.tally import Tally
from pddl_pipeline.statistics.intervals import FEW
from pddl_pipeline.tables.linked_text import Link
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.tables.text_table import facts_table

MOST_ENTRIES, _LONGEST = 50_000, 20_000
"""Answers of a page, and characters of each."""
_READING = (
    "An answer is right if its plan is valid and, where there is a budget, within it; a problem in "
    "PDDL, if it parses, is the same task, and is solvable. Each number "
    "is first taken over a model's answers to an instance, then averaged over the instances that "
    "have one. Instances that are not answered have no answer in the files. Models "
    "that answered different instances cannot be compared by these tables; the paired comparison "
    "is over the instances that both answered."
)


class AnswerEntries:
    """The answers of a page, compressed. Of very many, the page has the first ones."""

    def __init__(self) -> None:
        self.count = 0
        self._data = BytesIO()
        # Without a time, equal answers make equal pages.
        self._file = GzipFile(fileobj=self._data, mode="wb", mtime=0)

    def write(self, line: str) -> None:
        """Add an answer, as a line that `shown_entry` returns."""
        self.count += 1
        # A browser would not open a page with all of a million answers.
        if self.count <= MOST_ENTRIES:
            self._file.write(line.encode())

    @property
    def packed(self) -> bytes:
        """All lines in the format of gzip; then no line can be added."""
        self._file.close()
        return self._data.getvalue()


def entry_line(score: Score) -> str:
    """Return an answer and its verdict as a line of JSON for `AnswerEntries`."""
    verdict = score.verdict
    return shown_entry(
        score.id, score.answer.model, _as_read(score),
        attempt=score.attempt, verdict=verdict_cell(verdict), errors=score.errors,
        why=score.fault or verdict.reason,
        cost="" if verdict.cost is None else shortened(number_text(verdict.cost), 30),
    )  # fmt: skip


def _as_read(score: Score) -> str:
    """Return the answer with what was read from each line behind it."""
    notes, plan = defaultdict[int, dict[str, None]](dict), score.plan or ()
    for entry in score.trace:
        said = entry.note or ""
        if plan and entry.step is not None:
            said = f"{entry.step}. {plan[entry.step - 1]}"
        notes[entry.line][said] = None
    lines = score.answer.text[:_LONGEST].splitlines()
    return "\n".join(
        "  ← ".join(filter(None, (line, "; ".join(filter(None, notes.get(number, ()))))))
        for number, line in enumerate(lines, start=1)
    )


def shown_entry(  # noqa: PLR0913 -- one parameter a column
    name: str | None, model: str | None, text: str, *, verdict: str, errors: Iterable[str],
    why: str | None, attempt: int | None = 1, cost: str = "",
) -> str:  # fmt: skip
    """Return the columns of an answer as a line of JSON for `AnswerEntries`."""
    entry = {
        "id": visible(name or ""),
        "attempt": attempt,
        "model": shown_name(model),
        "verdict": verdict,
        "errors": ", ".join(errors),
        "why": visible(why or ""),
        "cost": cost,
        "text": "\n".join(map(visible, shortened(text, _LONGEST).splitlines())),
    }
    return f"{json.dumps(entry)}\n"


def score_html(
    tally: Tally,
    tables: Iterable[NamedTable],
    facts: Mapping[str, str],
    notes: Sequence[str],
    entries: AnswerEntries | None,
) -> str:
    """Return the page: the tables, the plots, all answers, and what was scored.

    Args:
        tally: the scored answers.
        tables: the tables; those without rows are left out.
        facts: what was scored and how, by name.
        notes: lines below the tables, such as why models are not compared.
        entries: all answers.
    """
    figures, fix = _plots(tally)
    models = f"Scores of {counted(len(tally.models), 'model')}"
    title = title_of(models, (instance.domain for instance in tally.instances.values()))
    return rendered(
        "score.html.j2", title=title, tables=tables, notes=notes, figures=figures,
        fix=fix, few=FEW, facts=facts_table((name, visible(text)) for name, text in facts.items()),
        entries=entries, most=MOST_ENTRIES, reading=_READING,
    )  # fmt: skip


def _plots(tally: Tally) -> tuple[list[tuple[str, str, bytes]], str]:
    """Return title, media type and content of each plot; without matplotlib, how to install it."""
    try:
        from pddl_pipeline.scoring.plots import accuracy_plot, size_units  # extra
    except ImportError:
        return [], install_command("report")
    rows = group_rows(tally, "size", 1)
    if not rows:
        return [], ""
    plot = accuracy_plot(rows, size_units(tally), "svg")
    return [("Accuracy by size", "image/svg+xml", plot)], ""


def example_pages(
    examples: Iterable[tuple[ErrorKind, Score]], judge: Judge, folder: Path, page: Path
) -> ExampleLinks:
    """Write a page with the plan of each example; return the links to them.

    Args:
        examples: answers with errors.
        judge: what judged them.
        folder: the folder of the pages; created if it does not exist.
        page: the page of scores, from which they are linked.

    Raises:
        InputError: a file cannot be written.
    """
    scores = {(each.answer.model, each.id, each.attempt): each for _, each in examples}
    plans = [plan_of_score(score, judge) for score in scores.values()]
    files = dict(zip(scores, write_pages(plans, folder, page), strict=True))
    links = defaultdict[tuple[str | None, ErrorKind], list[Link]](list)
    for error, score in examples:
        file = files[score.answer.model, score.id, score.attempt]
        href = f"{relative_link(folder, page)}/{file}"
        links[score.answer.model, error].append(Link(visible(score.id or ""), href))
    return links
