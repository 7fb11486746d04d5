"""Instances that are given as PDDL, of any domain. Their texts are not changed.

A task of one of this project's domains, or of a variant of one, is recognised: the domain's referee
then plays its plans as well, and it has the size that its record would have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pddl_pipeline.model.errors import PddlError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.recognition import RecognisedTask, recognise
from pddl_pipeline.validation.features import task_features
from pddl_pipeline.validation.task import Task, task_from_texts


@dataclass(frozen=True, slots=True)
class GivenPddl:
    """The texts of a domain and a problem."""

    domain: str
    problem: str
    features: frozenset[str]
    """What planners must support; see `task_features`."""
    known: RecognisedTask | None
    """The task as one of this project's domains, if it was recognised."""
    files: tuple[str, str] = field(default=("<domain>", "<problem>"), compare=False)
    """Names of domain and problem for messages."""

    def read(self) -> Task:
        """Return the task that the texts describe."""
        return _read(self.domain, self.problem, self.files)


def given_instance(
    name: str,
    domain: str,
    problem: str,
    extras: Mapping[str, Any],
    *,
    files: tuple[str, str] = ("<domain>", "<problem>"),
) -> Instance[GivenPddl]:
    """Return the instance of a pair of PDDL texts.

    Args:
        name: its id.
        domain: PDDL text.
        problem: PDDL text.
        extras: optional fields of its record.
        files: names for messages.

    Raises:
        PddlError: the texts cannot be read.
    """
    for text, file in zip((domain, problem), files, strict=True):
        try:
            text.encode()
        except UnicodeEncodeError as error:
            found = ascii(text[error.start])[1:-1]
            reason = f"contains an unpaired surrogate ({found}); expected valid Unicode"
            raise PddlError(reason, file=file) from error
    task = _read(domain, problem, files)
    known = recognise(task, domain, problem)
    size = extras.get("size")
    if size is None:
        size = known.size if known else len(task.vocabulary.objects)
    given = GivenPddl(domain, problem, task_features(task), known, files)
    named = known.domain if known else task.vocabulary.name
    return Instance(name, named, size, given, extras=extras)


def own_record(instance: Instance[Any]) -> Any:
    """Return the record of an instance; for given PDDL, the recovered record, or None."""
    given = instance.record
    if not isinstance(given, GivenPddl):
        return given
    return None if given.known is None else given.known.form


def our_names(instance: Instance[Any]) -> Mapping[str, str]:
    """Return this project's names of the actions and predicates with other names in an instance."""
    given = instance.record
    known = given.known if isinstance(given, GivenPddl) else None
    return {} if known is None else known.names


def their_names(instance: Instance[Any]) -> dict[str, str]:
    """Return the instance's names of actions and predicates that this project names differently."""
    return {ours: theirs for theirs, ours in our_names(instance).items()}


# The last task is cached: `run` prepares the runs of an instance right after loading it, and so
# reads each task once.
@lru_cache(maxsize=1)
def _read(domain: str, problem: str, files: tuple[str, str]) -> Task:
    return task_from_texts((domain, files[0]), (problem, files[1]))
