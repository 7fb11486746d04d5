"""What a loop is about: a black-box domain with its prompts and unit tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.model.errors import InputError, NotJudged
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.papers.autotos.checks.unit_tests import UnitTests, own_folder, read_unit_tests
from pddl_pipeline.papers.autotos.loop.opening import OPENINGS, Opening
from pddl_pipeline.papers.autotos.loop.pddl_opening import pddl_opening
from pddl_pipeline.papers.autotos.loop.trial import Trial, pddl_trial, trial_of
from pddl_pipeline.papers.autotos.pddl_domain import PddlDomain
from pddl_pipeline.search.black_boxes.domain import Domain, domains
from pddl_pipeline.search.space import Bounds
from pddl_pipeline.validation.pddl_source import read_pddl
from pddl_pipeline.validation.task import task_from_texts

NO_PLANNING: Final = {
    name: f"{title} is no planning task: its solutions are no plans"
    for names, title in (
        (("crosswords", "crossword", "mini-crosswords", "cw"), "the crossword"),
        (("prontoqa",), "PrOntoQA"),
    )
    for name in names
}
"""The domains of the paper that are left out, with the reason."""


def _keep(trial: Trial) -> None:
    del trial


@dataclass(frozen=True, slots=True)
class Subject:
    """A domain that a model is asked about."""

    domain: Domain
    opening: Opening
    tests: UnitTests
    trial: Callable[[Instance[Any]], Trial]
    """Return an instance of a dataset for the evaluation; raise `InputError` for one of another
    domain."""
    forget: Callable[[Trial], None] = _keep
    """Free the memory of a trial that is done."""


def named_subject(name: str, tests: Path | None) -> Subject:
    """Return one of the project's black-box domains.

    Args:
        name: the name of the domain.
        tests: a folder of unit tests in AutoToS's format; None for the project's own.

    Raises:
        InputError: there is no such domain, or the tests cannot be read.
    """
    if name not in OPENINGS:
        if name.lower() in NO_PLANNING:
            raise InputError(f"domain '{name}': {NO_PLANNING[name.lower()]}")
        known = ", ".join(OPENINGS)
        raise InputError(
            f"unknown domain '{name}'{hint(name, OPENINGS)}; expected {known}, or a PDDL file"
        )
    domain = domains()[name]
    unit_tests = read_unit_tests(tests or own_folder(domain), domain)
    return Subject(domain, OPENINGS[name], unit_tests, partial(trial_of, domain=domain))


def pddl_subject(file: Path, problems: Sequence[Path], bounds: Bounds) -> Subject:
    """Return a PDDL domain, with unit tests from some of its problems.

    Args:
        file: the domain.
        problems: the problems; the first one is the example of the prompt.
        bounds: the limits of the search for a plan of each problem.

    Raises:
        InputError: no problem is given, a file cannot be read, or no plan of a problem is found.
    """
    if not problems:
        raise InputError("a PDDL domain requires --problem, for the unit tests", file=str(file))
    text = read_pddl(file, "domain")
    tasks = [task_from_texts(text, read_pddl(problem, "problem")) for problem in problems]
    try:
        domain = PddlDomain(tasks[0].vocabulary.name, tasks[0])
        puzzles = [
            (str(problem), domain.add(task, problem.stem))
            for problem, task in zip(problems, tasks, strict=True)
        ]
        tests = domain.unit_tests(puzzles, bounds)
    except NotJudged as error:
        raise InputError(str(error), file=str(file)) from error
    return Subject(
        domain.domain, pddl_opening(text[0], puzzles[0][1]), tests,
        partial(pddl_trial, domain=domain), lambda trial: domain.remove(trial.puzzle),
    )  # fmt: skip
