"""``pddl-pipeline prompt``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import click

from pddl_pipeline.cli.console import note, progress
from pddl_pipeline.cli.options import INPUT, OUTPUT, Data, DataOptions, Limit, cli_command
from pddl_pipeline.io.files import writing
from pddl_pipeline.io.standard_streams import STANDARD
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.text import counted
from pddl_pipeline.prompts.prompting import Prompter, chat_request
from pddl_pipeline.prompts.statement import PDDL
from pddl_pipeline.translators.datasets import load_records


@dataclass(frozen=True)
class _PromptOptions:
    """What the prompts contain."""

    output: Annotated[
        Path | None,
        click.option(
            "-o", "output", type=OUTPUT, help="File to write. Defaults to standard output."
        ),
        "Output",
    ]
    style: Annotated[str, click.option(
        "--style", type=click.Choice(["io", "cot", PDDL, "propose", "value"]), default="io",
        show_default=True,
        help="Ask for the plan only (io), for reasoning before the plan (cot), or for the problem "
        "in PDDL (pddl); in countdown, also for next steps (propose), or for a judgement of the "
        "numbers (value).",
    ), "Prompts"]  # fmt: skip
    statement: Annotated[str | None, click.option(
        "--statement", metavar="NAME",
        help="Statement of the task: planbench, simplan, cats, countdown, pddl, llm4pddl or "
        "plansformer. Defaults to the first one that the domain has.",
    ), "Prompts"]  # fmt: skip
    shots: Annotated[int | None, click.option(
        "--shots", type=click.IntRange(min=0), metavar="N",
        help="Number of solved examples before the task. Defaults to the paper's number.",
    ), "Prompts"]  # fmt: skip
    examples: Annotated[Path | None, click.option(
        "--examples", type=INPUT, metavar="FILE",
        help="Records with a witness to use as solved examples. Defaults to the domain's examples.",
    ), "Prompts"]  # fmt: skip
    model: Annotated[str | None, click.option(
        "--model", metavar="NAME",
        help="Write requests to this model in OpenAI's batch format.",
    ), "Output"]  # fmt: skip


@cli_command("prompt", "prompt examples/blocksworld.jsonl -o prompts.jsonl")
def command(data: Data, asked: _PromptOptions, limit: Limit, source: DataOptions) -> None:
    """Write the papers' prompts for the instances of datasets.

    The output is one JSON object per line, with `id`, `prompt`, `domain`, `style` and `statement`.
    Keep the id with each answer: `pddl-pipeline score` requires it.

    In new experiments, prefer `--statement pddl`, or `countdown` for countdown: they ask for steps
    in PDDL and for one line `Answer: …`, which are read without doubt.

    Exit status: 0 done, 2 bad input.
    """
    if asked.examples is not None and asked.shots == 0:
        raise InputError("--examples does not apply to --shots 0")
    examples = () if asked.examples is None else _solved(asked.examples)
    prompter = Prompter(asked.style, asked.statement, asked.shots, examples)
    read = load_records(*data, source=source.reading(limit))
    count = 0
    with writing(asked.output or Path(STANDARD)) as stream:
        for instance in progress(read, "prompting", limit):
            prompt = prompter.prompt(instance)
            line = prompt if asked.model is None else chat_request(prompt, asked.model)
            stream.write(f"{json.dumps(line)}\n")
            count += 1
    if asked.output is not None:
        note(f"{counted(count, 'prompt')} in {asked.output}")


def _solved(file: Path) -> Iterator[Instance[Any]]:
    found = False
    for instance in load_records(file):
        if "witness" in instance.extras:
            found = True
            yield instance
    if not found:
        raise InputError("found no record with a witness", file=str(file))
