"""What ``pddl-pipeline score`` prints, draws and writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import IO, Annotated, Final, NamedTuple

import click

from pddl_pipeline.cli.console import note, output_console
from pddl_pipeline.cli.options import FOLDER, OUTPUT, Json, TableFiles, is_given
from pddl_pipeline.io.files import part_of, write_file, writing_in_view
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.answer import Unread
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.model.text import counted
from pddl_pipeline.pages.score_page import AnswerEntries, example_pages, score_html
from pddl_pipeline.pages.score_tables import (
    ExampleLinks,
    ScoreTables,
    all_rows_table,
    error_table,
    group_table,
    model_table,
    score_tables,
    stage_table,
    tables_json,
    too_few_attempts,
    unread_table,
)
from pddl_pipeline.scoring.batches import BatchJudge
from pddl_pipeline.scoring.comparison import (
    PairComparison,
    comparison_json,
    comparison_tables,
    comparisons,
    not_compared,
)
from pddl_pipeline.scoring.grouping import GROUPING_NAMES
from pddl_pipeline.scoring.judging import OWN
from pddl_pipeline.scoring.tally import ErrorExamples, Tally
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.validation.version import VERDICT_VERSION

EXAMPLES: Final = 2
"""Examples of each model and error on a page."""
_UNREAD: Final = "Answers that could not be read"
_ADVICE: Final = {
    Unread.NO_ANSWER: "allow the model more tokens, if answers are cut off",
    Unread.TWO_PLANS: "ask for a mark before the final plan, and name it: --mark TEXT",
    Unread.AMENDED: "ask for a mark before the final plan, and name it: --mark TEXT",
    Unread.NO_STEP: "ask for PDDL: prompt --statement pddl",
    Unread.NO_WORDS: "write a words.toml for the domain, or ask for PDDL: prompt --statement pddl",
    Unread.UNKNOWN: "ask for PDDL: prompt --statement pddl",
}
_STAGES: Final = "Wrong answers by their first error (reading: no plan could be read)"


@contextmanager
def scores_in_view(output: Path | None) -> Iterator[IO[str] | None]:
    """Open the file of scores as `writing_in_view` does; None without one.

    Raises:
        KeyboardInterrupt: the user interrupted the command; the message says what is written.
    """
    if output is not None and part_of(output).exists():
        note(f"{output}.part has the scores of an interrupted command; scoring starts again")
    try:
        with nullcontext() if output is None else writing_in_view(output) as stream:
            yield stream
    except KeyboardInterrupt as error:
        kept = "no scores were written"
        if str(output) == STANDARD:
            kept = "the scores so far are printed"
        elif output is not None and part_of(output).exists():
            kept = f"the scores so far are in {output}.part"
        raise KeyboardInterrupt(f"interrupted; {kept}, the same command starts again") from error


class Scored(NamedTuple):
    """What was scored."""

    tally: Tally
    examples: ErrorExamples
    judge: BatchJudge
    data: tuple[str, ...]
    answers: tuple[Path, ...]
    entries: AnswerEntries | None
    """For the page, if there is one."""

    def facts(self) -> dict[str, str]:
        """Return what was scored and how, by name."""
        work, models = self.judge.work, self.tally.models.values()
        found = {
            "data": ", ".join(self.data),
            "answers": ", ".join(map(str, self.answers)),
            "instances": f"{len(self.tally.instances):,}",
            "models": f"{len(models):,}",
            "judged answers": f"{sum(model.answers for model in models):,}",
            "answers without a verdict": f"{self.tally.undecided:,}",
            "rows that are not answers": f"{self.tally.faults:,}",
            "answers read by": "this project" if work.reading == OWN else "PlanBench",
        }
        if work.lenient_values:
            found["stated values"] = "not judged (--lenient-values)"
        return found | {"version of verdicts": str(VERDICT_VERSION)}


@dataclass(frozen=True)
class ScoreOutput:
    """What to print, and the files to write beside the lines of scores."""

    k: Annotated[int, click.option(
        "--k", type=click.IntRange(min=1), metavar="N", default=5, show_default=True,
        help="Number of attempts for accuracy@k and pass@k, which are shown if an instance has as "
        "many.",
    ), "Tables"]  # fmt: skip
    by: Annotated[tuple[str, ...], click.option(
        "--by", multiple=True, default=["size"], show_default=True, metavar="NAME",
        help=f"Tables to print after the one by model: {', '.join(GROUPING_NAMES)}, or any field "
        "of the data or the answers; may be repeated.",
    ), "Tables"]  # fmt: skip
    compare: Annotated[bool, click.option(
        "--compare", is_flag=True,
        help="Compare each pair of models on the instances that both answered: paired difference, "
        "exact McNemar or sign-flip test, Holm's correction. Requires the extra statistics.",
    ), "Tables"]  # fmt: skip
    as_json: Json
    html: Annotated[Path | None, click.option(
        "--html", type=OUTPUT,
        help="Write a self-contained HTML page: tables, plots, all answers with their errors.",
    ), "Output"]  # fmt: skip
    pages: Annotated[Path | None, click.option(
        "--pages", type=FOLDER, metavar="DIR",
        help="With --html: write a page with the plan, step by step, for each example of an error, "
        "and link it.",
    ), "Output"]  # fmt: skip
    documents: TableFiles

    @property
    def groupings(self) -> tuple[str, ...]:
        """The tables to print after the one by model."""
        return tuple(name for name in self.by if name != "model")

    def check(self) -> None:
        """Check, before answers are read, that models can be compared if that is asked for.

        Raises:
            InputError: SciPy is missing.
        """
        if self.compare and not _has_scipy():
            raise InputError(f"--compare requires SciPy; fix: {install_command('statistics')}")

    def write(self, scored: Scored) -> None:
        """Write the files, and print the tables.

        Raises:
            InputError: a file cannot be written, or there are no two models to compare; the tables
                have been printed then.
        """
        tally = scored.tally
        tables = score_tables(tally, self.groupings, self.k)
        compared = comparisons(tally) if self.compare else []
        named, unread = _named(tables, compared), list(_advice(tables))
        self.documents.write(named, all_rows_table(tables))
        few = too_few_attempts(tables, is_asked=is_given("k"))
        notes = [few] if few else []
        if self.html is not None:
            self._write_page(self.html, scored, [*notes, *unread])
        if self.as_json:
            click.echo(tables_json(tables) + comparison_json(compared), nl=False)
        else:
            _print(named, {"By model": notes, _UNREAD: unread}, tally.faults)
            for line in not_compared(compared):
                output_console().print(line)
        found = len(tally.models)
        if self.compare and found < 2:
            raise InputError(
                f"--compare: found answers of {counted(found, 'model')}, expected "
                "two or more; the field 'model' or the name of the file is the model"
            )

    def _write_page(self, html: Path, scored: Scored, notes: Sequence[str]) -> None:
        """Write the page, with tables by size and domain, and the pages of its examples."""
        tally = scored.tally
        several = len({instance.domain for instance in tally.instances.values()}) > 1
        by = dict.fromkeys((*(("domain",) if several else ()), "size", *self.groupings))
        compared = comparisons(tally) if len(tally.models) > 1 and _has_scipy() else []
        links: ExampleLinks = {}
        if self.pages is not None:
            links = example_pages(scored.examples, scored.judge.judge, self.pages, html)
        named = _named(score_tables(tally, tuple(by), self.k), compared, links)
        notes = [*notes, *not_compared(compared)]
        page = score_html(tally, named, scored.facts(), notes, scored.entries)
        write_file(html, page)


def _has_scipy() -> bool:
    return find_spec("scipy") is not None


def _named(
    tables: ScoreTables,
    compared: list[PairComparison],
    examples: ExampleLinks = MappingProxyType({}),
) -> list[NamedTable]:
    """Return the tables to print, the one by model first; some may have no rows."""
    titled = {"By model": model_table(tables), _UNREAD: unread_table(tables)}
    titled |= {f"By {by}": group_table(tables, by) for by in tables.groups}
    titled |= comparison_tables(compared)
    titled[_STAGES] = stage_table(tables)
    titled["Errors (an answer may have several)"] = error_table(tables, examples)
    return [NamedTable(title, table) for title, table in titled.items()]


def _advice(tables: ScoreTables) -> Iterator[str]:
    """Yield the share of answers that could not be read, and how to have more of them read."""
    classes = {row.kind: row.answers for row in tables.unread}
    if classes:
        count, answers = sum(classes.values()), sum(row.answers for row in tables.models)
        share = f"{100 * count / answers:.1f} %"
        yield f"{count} of {counted(answers, 'answer')} ({share}) could not be read:"
        yield from (f"  {kind}: {_ADVICE[kind]}" for kind in classes if kind in _ADVICE)
        yield "The page docs/answers.md describes how answers are read."


def _print(tables: list[NamedTable], notes: Mapping[str, Iterable[str]], faults: int) -> None:
    """Print the number of faulty rows and the tables that have rows, with the notes below each."""
    console = output_console()
    if faults:
        console.print(f"Rows that are not answers, excluded from the tables: {faults}")
    for number, named in enumerate(tables):
        if named.table.rows:
            if number:
                console.print(f"\n{named.caption}")
            console.print(named.table)
        for line in notes.get(named.caption, ()):
            console.print(line)
