"""Why words are not a step of a task."""

from __future__ import annotations

from collections.abc import Sequence

from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.validation.vocabulary import Vocabulary


def step_fault(words: Sequence[str], vocabulary: Vocabulary) -> tuple[ErrorKind, str]:
    """Return the first error of words that are not an action of a task with its arguments.

    Args:
        words: the name of the action and the arguments.
        vocabulary: the vocabulary of the task.
    """
    name, *arguments = words
    action = vocabulary.actions.get(name)
    if action is None:
        near = did_you_mean(name, vocabulary.actions)
        return ErrorKind.UNKNOWN_ACTION, f"unknown action '{name}'{near}"
    parameters = action.parameters
    if len(arguments) != len(parameters):
        found = f"'{name}' takes {len(parameters)} arguments, found {len(arguments)}"
        return ErrorKind.WRONG_ARITY, found
    for argument, variable in zip(arguments, parameters, strict=True):
        if argument not in vocabulary.objects:
            near = did_you_mean(argument, vocabulary.objects)
            return ErrorKind.UNKNOWN_OBJECT, f"unknown object '{argument}'{near}"
        if argument not in vocabulary.candidates(variable.types):
            break
    takes = f"{variable.name} takes a {' or '.join(variable.types)}"
    return ErrorKind.WRONG_TYPE, f"'{argument}' is of the wrong type, {takes}"
