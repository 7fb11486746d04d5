"""The scores of models as one self-contained HTML page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from gzip import GzipFile
from io import BytesIO
from pathlib import Path
from typing import Final

from pddl_pipeline.io.files import make_folder, relative_link
from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.text import counted, shortened
from pddl_pipeline.pages.html_page import in_a_row, rendered, visible
from pddl_pipeline.pages.shown_plan import plan_of_score
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.scoring.score_rows import group_rows, shown_name
from pddl_pipeline.scoring.tally import Tally
from pddl_pipeline.statistics.intervals import FEW
from pddl_pipeline.tables.linked_text import Link, LinkedText
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.tables.text_table import TextTable
from pddl_pipeline.translators.ids import FileNames

AnswerName = tuple[str | None, str | None, int | None]
"""An answer by its model, the id of its instance, and its attempt."""

_SHOWN: Final = 300
"""Characters of an answer, or of a reason, in the table of examples."""
_MOST_ENTRIES, _LONGEST = 50_000, 20_000
"""Answers of a page, and characters of each."""
_HEADINGS: Final = ("error", "stage", "model", "instance", "attempt", "why", "start of the answer")


def accuracy_picture(tally: Tally, form: str) -> bytes | None:
    """Return the plot of accuracy by size, which requires matplotlib; None without judged answers.

    Args:
        tally: the scored answers.
        form: one of `PLOT_FORMS`.
    """
    from pddl_pipeline.scoring.plots import accuracy_plot, size_units  # noqa: PLC0415 -- an extra

    rows = group_rows(tally, "size", 1)
    return accuracy_plot(rows, size_units(tally), form) if rows else None


class AnswerEntries:
    """The answers of a page, compressed. Of very many, the page has the first ones."""

    def __init__(self) -> None:
        self.count = 0
        self._data = BytesIO()
        self._file = GzipFile(fileobj=self._data, mode="wb", mtime=0)

    def write(self, line: str) -> None:
        """Add an answer, as a line that `entry_line` returns."""
        self.count += 1
        if self.count <= _MOST_ENTRIES:
            self._file.write(line.encode())

    @property
    def packed(self) -> bytes:
        """All lines in the format of gzip; then no line can be added."""
        self._file.close()
        return self._data.getvalue()


def entry_line(score: Score) -> str:
    """Return an answer and its verdict as a line of JSON for `AnswerEntries`."""
    verdict = score.verdict
    entry = {
        "id": visible(score.id or ""),
        "attempt": score.attempt,
        "model": shown_name(score.answer.model),
        "verdict": "over budget" if verdict.within_budget is False else verdict.status,
        "why": visible(score.fault or verdict.reason or ""),
        "cost": "" if verdict.cost is None else shortened(number_text(verdict.cost), 30),
        "text": "\n".join(map(visible, shortened(score.answer.text, _LONGEST).splitlines())),
    }
    return f"{json.dumps(entry)}\n"


def answer_name(score: Score) -> AnswerName:
    """Return the name of a scored answer, under which its page is linked."""
    return score.answer.model, score.id, score.attempt


def score_html(  # noqa: PLR0913 -- what the page shows
    tally: Tally,
    tables: Iterable[NamedTable],
    examples: Iterable[tuple[ErrorKind, Score]],
    *,
    facts: Mapping[str, str],
    notes: Sequence[str] = (),
    links: Mapping[AnswerName, str] | None = None,
    entries: AnswerEntries | None = None,
) -> str:
    """Return the page: what was scored, the tables, the plots, and examples of each error.

    The examples come last, since with many models and errors they are long.

    Args:
        tally: the scored answers.
        tables: the tables; those without rows are left out.
        examples: answers with errors.
        facts: what was scored and how, by name.
        notes: lines below the tables, such as why models are not compared.
        links: the pages of examples. Examples without one show the start of their answer only.
        entries: all answers.
    """
    rows = tuple((name, visible(text)) for name, text in facts.items())
    figures, fix = _plots(tally)
    return rendered(
        "score.html.j2", title=score_title(tally), tables=tables, notes=notes, figures=figures,
        fix=fix, few=FEW, facts=TextTable(("property", "value"), rows, names=2),
        examples=_examples(examples, links or {}), has_links=bool(links), entries=entries,
        most=_MOST_ENTRIES,
    )  # fmt: skip


def score_title(tally: Tally) -> str:
    """Return a title with the numbers of models and the domains."""
    models = len(tally.models)
    domains = list(dict.fromkeys(each.domain for each in tally.instances.values()))
    where = ", ".join(domains) if len(domains) <= 3 else f"{len(domains)} domains"
    return visible(f"Scores of {counted(models, 'model')} in {where}")


def _examples(
    examples: Iterable[tuple[ErrorKind, Score]], links: Mapping[AnswerName, str]
) -> TextTable:
    rows = tuple(_example(*each, links) for each in examples)
    return TextTable(_HEADINGS, rows, names=len(_HEADINGS))


def _example(error: ErrorKind, score: Score, links: Mapping[AnswerName, str]) -> tuple[str, ...]:
    name = visible(score.id or "")
    page = links.get(answer_name(score))
    return (
        str(error),
        str(error.stage),
        shown_name(score.answer.model),
        name if page is None else LinkedText(name, [Link(name, page)]),
        str(score.attempt),
        _cut(score.verdict.reason or ""),
        _cut(score.answer.text) or "(empty)",
    )


def _cut(text: str) -> str:
    """Return the start of a text in one line, with its invisible characters made visible."""
    return visible(" ".join(shortened(text.strip(), _SHOWN).split()))


def _plots(tally: Tally) -> tuple[list[tuple[str, str, bytes]], str]:
    """Return title, media type and content of each plot; without matplotlib, how to install it."""
    try:
        drawn = accuracy_picture(tally, "svg")
    except ImportError:
        return [], install_command("report")
    return [("Accuracy by size", "image/svg+xml", drawn)] if drawn else [], ""


def example_pages(
    examples: Iterable[tuple[ErrorKind, Score]], judge: Judge, folder: Path, page: Path
) -> dict[AnswerName, str]:
    """Write a page with the plan of each example; return the links to them.

    Args:
        examples: answers with errors.
        judge: what judged them.
        folder: the folder of the pages; created if it does not exist.
        page: the page of scores, from which they are linked.

    Raises:
        InputError: a file cannot be written.
    """
    make_folder(folder)
    plans = {answer_name(score): plan_of_score(score, judge) for _, score in examples}
    with FileNames() as names:
        files = {
            name: f"{names.name_of(shown.file_name)}.html"
            for name, shown in plans.items() if shown.walk is not None
        }  # fmt: skip
    pages = ((file, plans[name]) for name, file in files.items())
    for file, shown, way in in_a_row(pages, folder, page):
        shown.write(folder / file, way=way)
    return {name: f"{relative_link(folder, page)}/{file}" for name, file in files.items()}
