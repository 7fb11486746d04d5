"""Reads the picture of a domain from a TOML file, which has the fields of a `Profile`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

import msgspec

from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.pages.pictures.boxes import BoxScene, NotDrawn, kinds_of
from pddl_pipeline.pages.pictures.looks import LOOKS
from pddl_pipeline.pages.pictures.names import fits
from pddl_pipeline.pages.pictures.picture import Picture, Scene
from pddl_pipeline.pages.pictures.profile import Profile, Rule
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

_FIELD: Final = re.compile(r"\{[^{}]*\}|[{}]")
_KEYS: Final = "; of rules: ".join(", ".join(each.__struct_fields__) for each in (Profile, Rule))


def read_picture(path: Path, *, is_given: bool = False) -> Picture:
    """Return the picture of a file, with the file's name.

    Args:
        path: the file.
        is_given: whether the user gives it for a task, so that it is an error if it does not fit.

    Raises:
        InputError: the file cannot be read, is not TOML, or is no profile.
    """
    try:
        profile = msgspec.convert(tomllib.loads(read_file(path)), Profile)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not TOML: {error}", file=str(path)) from error
    except msgspec.ValidationError as error:
        raise InputError(f"{error}; keys: {_KEYS}", file=str(path)) from error

    def scene(task: Task, states: Sequence[State]) -> Scene | None:
        for key, found, known in _names(profile, task) if is_given else ():
            if found not in known:
                raise InputError(
                    f"{key}: found '{found}', expected a known name{hint(found, sorted(known))}",
                    file=str(path),
                )
        if not is_given and not fits(task, profile.predicates):
            return None
        try:
            return BoxScene(task, states, profile).draw
        except NotDrawn as error:
            if is_given:
                raise InputError(str(error), file=str(path)) from error
            return None

    return Picture(path.stem, profile.about, scene, limit=profile.limit)


def _names(profile: Profile, task: Task) -> list[tuple[str, str, Collection[str]]]:
    """Return the names in a profile, each with its key and the names that are known there."""
    arities = {name: len(each) for name, each in task.vocabulary.predicates.items()}
    kinds = kinds_of(task, ())
    things = {"object", *kinds, *chain(*kinds.values())}
    texts = [
        *(("rules", rule.predicate, rule.child + rule.parent) for rule in profile.rules),
        *(("badges", *badge) for badge in profile.badges.items()),
        *(("grid", name, "{2}") for name in profile.grid),
        *(("colours", name, "{2}") for name in profile.colours),
    ]
    return [
        *((key, name, arities) for key, name, _ in texts),
        *(
            (f"{key}: {name}", field, [f"{{{number + 1}}}" for number in range(arities[name])])
            for key, name, text in texts
            if name in arities
            for field in _FIELD.findall(text)
        ),
        *(
            (
                f"rules: {rule.predicate}: parent of '{rule.child}'",
                rule.parent,
                {"{1}", "{2}"} - {rule.child},
            )
            for rule in profile.rules
            if rule.child == rule.parent
        ),
        *(("looks", name, things) for name in profile.looks if not name.startswith("the ")),
        *((f"looks.{name}", look, LOOKS) for name, look in profile.looks.items()),
        *(("rules: look", rule.look, LOOKS) for rule in profile.rules if rule.look),
    ]
