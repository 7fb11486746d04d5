"""Translate problems between Unified Planning and PDDL."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from unified_planning.engines import CompilationKind
from unified_planning.engines.compilers.usertype_fluents_remover import UsertypeFluentsRemover
from unified_planning.environment import get_environment
from unified_planning.exceptions import UPException
from unified_planning.io import PDDLReader
from unified_planning.model import AbstractProblem

from pddl_pipeline.integrations.unified_planning.kinds import foreign_features
from pddl_pipeline.integrations.unified_planning.translation import Translation
from pddl_pipeline.integrations.unified_planning.writer import PddlWriter
from pddl_pipeline.integrations.up_reading import check_reading
from pddl_pipeline.model.errors import InputError, check_type
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.verdict import Verdict
from pddl_pipeline.planners.unified_planning import one_line
from pddl_pipeline.translators import read_instance
from pddl_pipeline.validation.task import Task, read_task


def from_up(up_problem: Any) -> Translation:
    """Translate a problem of Unified Planning to PDDL. The problem does not change.

    Raises:
        InputError: the problem has a part that has no counterpart in the PDDL that is judged; the
            message names it.
        TypeError: ``up_problem`` is not a problem of Unified Planning.
    """
    check_type("problem", up_problem, AbstractProblem, "a problem of Unified Planning")
    name = f"the problem '{up_problem.name}'" if up_problem.name else "the problem"
    try:
        foreign = foreign_features(up_problem)
    except (ZeroDivisionError, UPException) as error:
        # It simplifies expressions to find the features, and that fails on some.
        message = f"Unified Planning cannot find the features of {name}: {one_line(error)}"
        raise InputError(message) from error
    if foreign:
        raise InputError(f"{name} has {', '.join(foreign)}, which is not supported")
    written = _without_object_fluents(up_problem)
    try:
        writer = PddlWriter(written)
        problem = writer.problem
    except (InputError, ValueError) as error:
        raise InputError(f"{name}: {error}") from error
    return Translation(up_problem, problem, writer.names.actions, writer.names.objects)


def texts_of(up_problem: Any, problem: Any = None) -> Problem:
    """Return the PDDL texts of a problem, which has the domain.

    Raises:
        InputError, TypeError: as for `from_up`; also if there are two arguments.
    """
    if problem is not None:
        raise TypeError("problem: found two arguments, expected one problem of Unified Planning")
    return from_up(up_problem).problem


def _without_object_fluents(problem: Any) -> Any:
    """Return the problem with a predicate for each fluent whose values are objects."""
    if "OBJECT_FLUENTS" not in problem.kind.features:
        return problem
    kind = CompilationKind.USERTYPE_FLUENTS_REMOVING
    compiler = UsertypeFluentsRemover()
    compiler.skip_checks = True
    found: Any = compiler.compile(problem, kind).problem
    found.name = problem.name
    return found


def to_up(problem: Any, environment: Any = None) -> Translation:
    """Translate a PDDL problem to Unified Planning.

    Args:
        problem: the PDDL texts, a task, an instance, or an object that `read_task` accepts.
        environment: the environment of the new problem; None for the global one.

    Raises:
        PddlError: the texts are not valid PDDL, or not classical.
        InputError: Unified Planning cannot read the texts, or reads a different problem.
    """
    if isinstance(problem, Instance):
        problem = read_instance(problem)
    task = problem if isinstance(problem, Task) else read_task(problem, None)
    task.check_supported()
    problem = Problem(*(task.texts or ()))
    environment = get_environment(environment)
    with _shared_names(environment):
        try:
            up_problem = PDDLReader(environment).parse_problem_string(
                problem.domain_pddl, problem.problem_pddl
            )
        # Its reader raises many types for texts that it cannot read.
        except Exception as error:
            text = one_line(error)
            raise InputError(f"Unified Planning cannot read the problem: {text}") from error
    check_reading(task, up_problem)
    actions = {action.name: action.name.lower() for action in up_problem.actions}
    objects = {thing.name: thing.name.lower() for thing in up_problem.all_objects}
    return Translation(up_problem, problem, actions, objects)


@contextmanager
def _shared_names(environment: Any) -> Iterator[None]:
    """Allow one name for an action and a predicate, as PDDL does and public files need."""
    before = environment.error_used_name
    environment.error_used_name = False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        environment.error_used_name = before


def validate(up_problem: Any, up_plan: Any) -> Verdict:
    """Judge one plan of Unified Planning.

    To judge many plans of one problem, translate it once with `from_up`.

    Raises:
        InputError, TypeError: as for `from_up` and `Translation.judge`.
    """
    return from_up(up_problem).judge(up_plan)
