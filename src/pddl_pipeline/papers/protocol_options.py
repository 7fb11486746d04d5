"""The options of ``reproduce`` for studies with a protocol, datasets and stored runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import click
from click.core import ParameterSource

from pddl_pipeline.cli.status import DONE, UNEXPLAINED
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.dataset_card import DatasetDiffers, check_dataset
from pddl_pipeline.papers.places import study_folder
from pddl_pipeline.papers.study import Study

CONTINUE: Final = click.option(
    "--continue", "continue_runs", is_flag=True,
    help="Make the runs that are missing in the stored runs of a study with a protocol, and store "
    "them in the repository. Without it, such a study reports from its stored runs.",
)  # fmt: skip
CHECK: Final = click.option(
    "--check", is_flag=True,
    help="Only generate the stored datasets of the studies again and compare the bytes.",
)  # fmt: skip
_CONDITIONS: Final = ("scale", "data", "count", "sizes", "time_limit", "memory_limit")
"""The parameters that a protocol fixes."""


def check_datasets(studies: Sequence[Study]) -> int:
    """Generate the datasets of studies again and compare them with the stored ones.

    Print a line for each dataset, and return the exit status.

    Raises:
        InputError: a dataset cannot be read, or no study has one.
        EngineError: the folder of a study does not exist.
    """
    cards = dict.fromkeys((study.paper, card) for study in studies for card in study.cards)
    if not cards:
        raise InputError("--check has no effect: none of the studies has a stored dataset")
    differing = 0
    for paper, card in cards:
        try:
            number = check_dataset(study_folder(paper) / card)
        except DatasetDiffers as error:
            differing += 1
            click.echo(f"{paper}/{card}: differs: {error}")
        else:
            click.echo(f"{paper}/{card}: {number} instances, as stored")
    return UNEXPLAINED if differing else DONE


def check_protocol(studies: Sequence[Study], *, continue_runs: bool) -> None:
    """Raise an error if an option of the current command has no effect on the studies.

    Raises:
        InputError: there are no runs to continue, or the protocol fixes what an option sets.
    """
    if continue_runs and not any(study.is_stored for study in studies):
        raise InputError("--continue has no effect: none of the studies has stored runs")
    if not all(study.is_stored for study in studies):
        return
    context = click.get_current_context()
    for parameter in context.command.params:
        name = str(parameter.name)
        given = context.get_parameter_source(name)
        if name in _CONDITIONS and given is ParameterSource.COMMANDLINE:
            option = parameter.opts[0]
            raise InputError(f"{option} has no effect: the study's protocol fixes its conditions")
