"""The scores of models as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final

from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.model.plural import plural
from pddl_pipeline.model.shortening import shortened
from pddl_pipeline.pages.escaping import visible
from pddl_pipeline.pages.html_page import folded, html_figure, html_page
from pddl_pipeline.scoring.error_examples import ErrorExample
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.score_rows import group_rows, shown_name
from pddl_pipeline.scoring.tally import Tally
from pddl_pipeline.statistics.intervals import FEW
from pddl_pipeline.tables.linked_text import Link, LinkedText
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.tables.text_table import TextTable

AnswerName = tuple[str | None, str | None, int | None]
"""An answer by its model, the id of its instance, and its attempt."""

_SHOWN: Final = 300
"""Characters of an answer, or of a reason, in the table of examples."""
_SVG: Final = "image/svg+xml"
_NOTE: Final = (
    "An answer is right if its plan is valid and, where there is a budget, within it. Each number "
    "is first taken over a model's answers to an instance, then averaged over the instances that "
    "have one. Unanswered instances are those of the data without an answer in the files. "
    f"Intervals are at 95 %; those of fewer than {FEW} instances are marked (n<{FEW}). Models "
    "that answered different instances cannot be compared by these tables; the paired comparison "
    "is over the instances that both answered."
)


def answer_name(score: Score) -> AnswerName:
    """Return the name of a scored answer, under which its page is linked."""
    return score.answer.model, score.id, score.attempt


def score_html(  # noqa: PLR0913 -- what the page shows
    tally: Tally,
    tables: Iterable[NamedTable],
    examples: Iterable[ErrorExample],
    *,
    facts: Mapping[str, str],
    notes: Sequence[str] = (),
    links: Mapping[AnswerName, str] | None = None,
    k: int,
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
        k: see `ScoreTables.k`.
    """
    title = score_title(tally)
    about = TextTable(
        ("what", "of these scores"),
        tuple((name, visible(text)) for name, text in facts.items()),
        names=2,
    )
    parts = [
        f"<h1>{escape(title)}</h1>",
        about.to_html("What was scored", "facts"),
        f"<p class=note>{escape(_NOTE)}</p>",
        *(folded(each.caption, each.table) for each in tables if each.table.rows),
        *(f"<p class=note>{escape(visible(note))}</p>" for note in notes),
        "<h2>Plots</h2>",
        _plots(tally, k),
        _examples(examples, links or {}),
    ]
    return html_page(title, parts)


def score_title(tally: Tally) -> str:
    """Return a title with the numbers of models and the domains."""
    models = len(tally.models)
    domains = list(dict.fromkeys(each.domain for each in tally.instances.values()))
    where = ", ".join(domains) if len(domains) <= 3 else f"{len(domains)} domains"
    return visible(f"Scores of {models} {plural(models, 'model')} in {where}")


def _examples(examples: Iterable[ErrorExample], links: Mapping[AnswerName, str]) -> str:
    found = list(examples)
    rows = tuple(_example(error, score, links) for error, score in found)
    if not rows:
        return ""
    headings = ("error", "of", "model", "instance", "attempt", "why", "start of the answer")
    table = TextTable(headings, rows, names=len(headings)).to_html(form="long")
    return (
        "<details open><summary><h2>Examples of each error</h2></summary>\n"
        f"<p class=note>{_about_examples(has_pages=bool(links))}</p>{table}</details>"
    )


def _about_examples(*, has_pages: bool) -> str:
    said = "The first answers of each model with the error. An answer may have several errors."
    return f"{said} Instances link to the plan, step by step." if has_pages else said


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


def _plots(tally: Tally, k: int) -> str:
    try:
        from pddl_pipeline.scoring.accuracy_plot import accuracy_plot, size_units  # noqa: PLC0415 -- an extra
        from pddl_pipeline.scoring.error_plot import error_plot  # noqa: PLC0415 -- an extra
    except ImportError:
        fix = escape(install_command("report"), quote=False)
        return f"<p class=note>Plots require matplotlib: <code>{fix}</code></p>"
    figures = []
    rows = group_rows(tally, "size", k)
    if rows:
        drawn = accuracy_plot(rows, size_units(tally), "svg")
        figures.append(html_figure("Accuracy by size", _SVG, drawn))
    if any(model.errors for model in tally.models.values()):
        drawn = error_plot(tally, "svg")
        figures.append(html_figure("Errors by model and domain", _SVG, drawn))
    return "\n".join(figures) or "<p class=note>No plots: no answer was judged.</p>"
