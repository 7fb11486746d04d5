"""The options of ``score`` for its page, and for the pages of the answers that it links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from pddl_pipeline.cli.file_type import OUTPUT
from pddl_pipeline.cli.options import FOLDER, with_options
from pddl_pipeline.cli.score_input import Paths
from pddl_pipeline.cli.shown_plans import plan_of_score
from pddl_pipeline.io.files import make_folder, write_file
from pddl_pipeline.io.links import relative_link
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.pages.page_data import PageData
from pddl_pipeline.pages.plan_page import plan_page
from pddl_pipeline.pages.score_page import AnswerName, answer_name, score_html
from pddl_pipeline.scoring.batch_judging import BatchJudge
from pddl_pipeline.scoring.comparison import PairComparison, comparisons
from pddl_pipeline.scoring.error_examples import ErrorExamples
from pddl_pipeline.scoring.tally import Tally
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.translators.file_names import FileNames
from pddl_pipeline.validation.version import VERDICT_VERSION

_EXAMPLES: Final = 2
"""Examples of each model and error."""
_OPTIONS: Final = (
    click.option(
        "--pages", type=FOLDER, metavar="DIR",
        help="With --html: write a page with the plan, step by step, for each example of an error, "
        "and link it.",
    ),
    click.option(
        "--html", type=OUTPUT,
        help="Write a self-contained HTML page with the tables, plots, and examples of each error.",
    ),
)  # fmt: skip


class Scored(NamedTuple):
    """What was scored."""

    tally: Tally
    examples: ErrorExamples
    judge: BatchJudge
    paths: Paths


class ScorePage(NamedTuple):
    """What the options say."""

    html: Path | None
    pages: Path | None

    def examples(self) -> ErrorExamples:
        """Return what stores examples of errors; it stores none without a page."""
        return ErrorExamples(0 if self.html is None else _EXAMPLES)

    def groupings(self, tally: Tally, by: Sequence[str]) -> tuple[str, ...]:
        """Return the groupings that the page, if there is one, and the printed tables need."""
        if self.html is None:
            return tuple(by)
        several = len({each.domain for each in tally.instances.values()}) > 1
        return tuple(dict.fromkeys((*(("domain",) if several else ()), "size", *by)))

    def compared(self, tally: Tally) -> list[PairComparison]:
        """Return the comparisons for the page, if there is one, several models, and SciPy."""
        if self.html is None or len(tally.models) < 2 or find_spec("scipy") is None:
            return []
        return comparisons(tally)

    def write(
        self,
        scored: Scored,
        tables: Sequence[NamedTable],
        notes: Sequence[str],
        k: int,
    ) -> None:
        """Write the page and the pages of its examples, if they are requested.

        `notes` are lines below the tables.

        Raises:
            InputError: a file cannot be written.
        """
        if self.html is None:
            return
        notes = [*notes]
        if len(scored.tally.models) > 1 and find_spec("scipy") is None:
            notes.append(f"A paired comparison requires SciPy: {install_command('statistics')}")
        links = {} if self.pages is None else self._write_pages(scored, self.html, self.pages)
        page = score_html(
            scored.tally, tables, scored.examples,
            facts=_facts(scored), notes=notes, links=links, k=k,
        )  # fmt: skip
        write_file(self.html, page)

    @staticmethod
    def _write_pages(scored: Scored, html: Path, pages: Path) -> dict[AnswerName, str]:
        """Write a page for each example; return the links to them from the page of scores."""
        folder = relative_link(pages, html)
        make_folder(pages)
        links: dict[AnswerName, str] = {}
        with FileNames() as names:
            for _, score in scored.examples:
                if answer_name(score) in links:
                    continue
                shown = plan_of_score(score, scored.judge.judge)
                if shown.walk is None:
                    continue
                file = f"{names.name_of(shown.file_name)}.html"
                content = plan_page(
                    PageData(shown.walk), shown.title, about=shown.about, answer=shown.answer
                )
                write_file(pages / file, content)
                links[answer_name(score)] = f"{folder}/{file}"
        return links


def _facts(scored: Scored) -> dict[str, str]:
    tally, work = scored.tally, scored.judge.work
    models = tally.models.values()
    found = {
        "data": ", ".join(scored.paths.data),
        "answers": ", ".join(map(str, scored.paths.answers)),
        "instances": f"{len(tally.instances):,}",
        "models": f"{len(models):,}",
        "judged answers": f"{sum(each.answers - each.undecided for each in models):,}",
        "answers without a verdict": f"{tally.undecided:,}",
        "rows that are not answers": f"{tally.faults:,}",
        "reading": work.reading,
    }
    if work.lenient_values:
        found["stated values"] = "not judged (--lenient-values)"
    return found | {"version of verdicts": str(VERDICT_VERSION)}


def score_page(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options; the command gets a `ScorePage` as ``page``."""

    @wraps(command)
    def with_page(*, html: Path | None, pages: Path | None, **others: Any) -> Any:
        if html is None and pages is not None:
            raise click.UsageError("--pages applies only to --html")
        return command(page=ScorePage(html, pages), **others)

    return with_options(with_page, _OPTIONS)
