"""``pddl-pipeline prompt``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pddl_pipeline.cli.data_options import DATA, LIMIT, source
from pddl_pipeline.cli.file_type import INPUT, OUTPUT
from pddl_pipeline.cli.progress import QUIET, note, progress
from pddl_pipeline.io.files import check_outputs, writing
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plural import plural
from pddl_pipeline.prompts.prompting import Prompter, chat_request
from pddl_pipeline.translators.datasets import ReadOptions, load_records


@click.command(
    "prompt", epilog="Example: pddl-pipeline prompt examples/ferry.jsonl -o prompts.jsonl"
)
@DATA
@click.option("-o", "output", type=OUTPUT, help="File to write. Defaults to standard output.")
@click.option(
    "--style", type=click.Choice(["io", "cot"]), default="io", show_default=True,
    help="Ask for the plan only (io), or for reasoning before the plan (cot).",
)  # fmt: skip
@click.option(
    "--statement", metavar="NAME",
    help="Statement of the task: planbench, simplan, cats, countdown or pddl. Defaults to the "
    "first one that the domain has.",
)  # fmt: skip
@click.option(
    "--shots", type=click.IntRange(min=0), metavar="N",
    help="Number of solved examples before the task. Defaults to the paper's number.",
)  # fmt: skip
@click.option(
    "--examples", type=INPUT, metavar="FILE",
    help="Records with a witness to use as solved examples. Defaults to the domain's examples.",
)  # fmt: skip
@click.option("--chat", is_flag=True, help="Write requests in OpenAI's batch format.")
@click.option("--model", metavar="NAME", help="Model in the requests; required with --chat.")
@LIMIT
@source
@QUIET
def command(  # noqa: PLR0913 -- one parameter an option
    data: tuple[str, ...],
    *,
    output: Path | None,
    style: str,
    statement: str | None,
    shots: int | None,
    examples: Path | None,
    model: str | None,
    limit: int | None,
    how: ReadOptions,
    chat: bool,
) -> None:
    """Write the papers' prompts for the instances of datasets.

    The output is one JSON object per line, with `id`, `prompt`, `domain`, `style` and `statement`.
    Keep the id with each answer: `pddl-pipeline score` requires it.

    In new experiments, prefer `--statement pddl`, or `countdown` for countdown: they ask for steps
    in PDDL and for one line `Answer: …`, which are read without doubt.

    Exit status: 0 done, 2 bad input.
    """
    if chat and model is None:
        raise InputError("--chat requires --model NAME")
    if model is not None and not chat:
        raise InputError("--model requires --chat")
    if examples is not None and shots == 0:
        raise InputError("--examples does not apply to --shots 0")
    check_outputs([output], (*data, examples, how.domain))
    prompter = Prompter(style, statement, shots, () if examples is None else _solved(examples))
    read = load_records(*data, source=replace(how, limit=limit))
    instances = progress(read, "prompting", limit)
    count = 0
    with writing(output or Path(STANDARD)) as stream:
        for instance in instances:
            stream.write(_line(prompter, instance, model))
            count += 1
    if output is not None:
        note(f"{count} {plural(count, 'prompt')} in {output}")


def _solved(file: Path) -> Iterator[Instance[Any]]:
    found = False
    for instance in load_records(file):
        if "witness" in instance.extras:
            found = True
            yield instance
    if not found:
        raise InputError("found no record with a witness", file=str(file))


def _line(prompter: Prompter, instance: Instance[Any], model: str | None) -> str:
    prompt = prompter.prompt(instance)
    line = prompt.to_json() if model is None else chat_request(prompt, model)
    return f"{json.dumps(line)}\n"
