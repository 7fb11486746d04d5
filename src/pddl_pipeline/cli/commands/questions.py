"""``pddl-pipeline questions``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

import click

from pddl_pipeline.cli.data_options import DATA, source
from pddl_pipeline.cli.exit_status import BAD_INPUT, DONE
from pddl_pipeline.cli.file_type import INPUT, OUTPUT, print_beside
from pddl_pipeline.cli.messages import report_skipped
from pddl_pipeline.cli.options import JSON, RANGE, allow_only, is_given
from pddl_pipeline.cli.progress import QUIET, progress
from pddl_pipeline.cli.question_output import SkipLog, print_summary
from pddl_pipeline.io.files import check_outputs, writing
from pddl_pipeline.io.text_lines import check_readable
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.questions.kind import kinds
from pddl_pipeline.questions.making import MOST_STATES, QuestionSpec, make_questions
from pddl_pipeline.questions.marking import Marker
from pddl_pipeline.questions.question_files import read_questions
from pddl_pipeline.questions.summary import GROUPINGS, summarise, summarise_groups
from pddl_pipeline.scoring.answer_rows import answer_rows
from pddl_pipeline.translators.datasets import ReadOptions, load_records

_ANSWERING: Final = {"answer", "output", "quiet"}
_MARKING: Final = {"answers", "output", "as_json", "by", "quiet"}
"""The options that apply to ``--answer`` and to ``--score``."""


@click.command(
    "questions",
    epilog="Example: pddl-pipeline questions examples/ferry.jsonl --kind state -o questions.jsonl",
)
@DATA
@click.option(
    "--kind", "chosen", type=click.Choice(list(kinds())), multiple=True,
    help="Kind of questions to write; may be repeated. Defaults to all kinds.",
)  # fmt: skip
@click.option(
    "--count", type=click.IntRange(min=1), default=1, show_default=True,
    help="Number of questions of each kind about each instance.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True,
    help="Random seed. The same seed and options generate the same questions.",
)  # fmt: skip
@click.option(
    "--steps", type=RANGE, default="1-7", show_default=True,
    help="Length of the random walks, in actions.",
)  # fmt: skip
@click.option(
    "--pddl", is_flag=True,
    help="Describe states as PDDL atoms, even if SimPlan has words for them.",
)  # fmt: skip
@click.option(
    "--max-states", type=click.IntRange(min=1), default=MOST_STATES, show_default=True,
    help="Maximum number of states of an instance to explore. Questions about goals that require "
    "more are skipped.",
)  # fmt: skip
@click.option(
    "--score", "answers", type=INPUT, metavar="ANSWERS",
    help="Mark the answers in this file to the questions in DATA. A line has 'id' and 'answer'.",
)  # fmt: skip
@click.option(
    "--by", type=click.Choice(list(GROUPINGS)), multiple=True,
    help="With --score, a further table by the number of actions in the question (actions), by "
    "size or by domain; may be repeated.",
)  # fmt: skip
@click.option(
    "--answer", is_flag=True,
    help="Write the exact answers to the questions in DATA, as lines that --score reads.",
)  # fmt: skip
@click.option("-o", "output", type=OUTPUT, metavar="FILE", help="JSON Lines file to write.")
@JSON
@source
@QUIET
def command(data: tuple[str, ...], how: ReadOptions, output: Path | None, **options: Any) -> int:
    """Write questions about planning tasks, or mark answers.

    The questions ask what a model knows about states and actions; their answers are exact. DATA
    are datasets in any supported format, and the questions are written to FILE. With --score or
    --answer, DATA is one file of questions that this command wrote, or a gen.json file of ACPBench.

    Exit status: 0 done, 2 bad input (including a row that does not answer a question).
    """
    check_outputs([output], (*data, options["answers"], how.domain))
    if options["answers"] is not None and options["answer"]:
        raise click.UsageError("--score and --answer cannot be combined")
    _check_options(options)
    if options["answers"] is not None:
        by, as_json = options["by"], options["as_json"]
        return _score(_only(data), options["answers"], output, by, as_json=as_json)
    if output is None:
        raise click.UsageError("-o FILE is required without --score")
    if options["answer"]:
        _answer(_only(data), output)
    else:
        _make(data, how, output, options)
    return DONE


def _check_options(options: dict[str, Any]) -> None:
    """Check that the options apply to the work that is asked for.

    Raises:
        click.UsageError: an option would have no effect.
    """
    if options["answers"] is not None:
        allow_only(_MARKING, "does not apply to --score, which only marks answers")
    elif options["answer"]:
        allow_only(_ANSWERING, "does not apply to --answer, which only writes answers")
    elif options["by"]:
        raise click.UsageError("--by requires --score")
    elif options["as_json"]:
        raise click.UsageError("--json requires --score; questions are always lines of JSON")
    elif is_given("max_states"):
        exploring = [name for name, kind in kinds().items() if kind.explores]
        if not {*exploring}.intersection(options["chosen"] or exploring):
            named = " and ".join(exploring)
            raise click.UsageError(f"--max-states applies only to questions of kind {named}")


def _only(data: tuple[str, ...]) -> Path:
    if len(data) > 1:
        raise InputError("--score and --answer accept only one file of questions")
    return Path(data[0])


def _make(data: tuple[str, ...], how: ReadOptions, output: Path, options: dict[str, Any]) -> None:
    spec = QuestionSpec(
        options["chosen"], options["count"], options["seed"], options["steps"],
        not options["pddl"], options["max_states"],
    )  # fmt: skip
    skipped, count = SkipLog(), 0
    instances = progress(load_records(*data, source=how), "asking")
    with writing(output) as stream:
        for question in make_questions(instances, spec, skipped.add):
            stream.write(json.dumps(question.to_json()) + "\n")
            count += 1
    skipped.print()
    print_beside(f"{count} questions in {output}")


def _answer(path: Path, output: Path) -> None:
    count = 0
    with writing(output) as stream:
        for question, _ in progress(read_questions(path, report_skipped), "answering"):
            text = kinds()[question.kind].answer_text(question)
            stream.write(json.dumps({"id": question.id, "answer": text}) + "\n")
            count += 1
    print_beside(f"{count} answers in {output}")


def _score(
    path: Path, answers: Path, output: Path | None, by: Sequence[str], *, as_json: bool
) -> int:
    marker = Marker(read_questions(path, report_skipped))
    check_readable(answers)
    marked = list(marker.mark(progress(answer_rows(answers), "marking")))
    if output is not None:
        with writing(output) as stream:
            stream.writelines(json.dumps(each.to_json()) + "\n" for each in marked)
    asked = Counter(question.kind for question in marker.questions.values())
    summaries = summarise(marked, asked)
    groups = {name: summarise_groups(marked, marker.questions, name) for name in by}
    for each in marked:
        if each.kind is None:
            report_skipped(f"{each.id or 'no id'}: {each.mark.reason}")
    if as_json:
        for summary in chain(summaries, *groups.values()):
            click.echo(json.dumps(summary.to_json()))
    else:
        print_summary(summaries, groups)
    return BAD_INPUT if any(each.kind is None for each in marked) else DONE
