"""The fields of a row that hold the id and the answer, under the names that are in use."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import did_you_mean

IDS: Final = (
    "id", "instance_id", "task_id", "problem_id", "question_id", "sample_id", "example_id",
    "custom_id", "doc_id", "uid", "instance", "idx", "index", "key", "name",
)  # fmt: skip
ANSWERS: Final = (
    "answer", "response", "output", "completion", "prediction", "generation", "generated_text",
    "model_output", "model_answer", "model_response", "llm_response", "plan", "text", "content",
)  # fmt: skip
"""The first name of each list is this project's own: it counts also beside others."""
_LISTS: Final = (
    "answers", "responses", "outputs", "completions", "predictions", "generations", "samples",
)  # fmt: skip
"""Names of fields with several answers; they count if no name of ANSWERS is there."""
_KINDS: Final = (ANSWERS, _LISTS, ("messages",))
_SHOWN: Final = 160
PUBLISHED: Final = ("llm_correct", "is_correct", "correct")
"""Fields with the verdict that the authors of the answers published."""


class AnswerFields(NamedTuple):
    """The names of the fields."""

    id: str = IDS[0]
    answer: str = ANSWERS[0]


OWN_FIELDS: Final = AnswerFields()
"""The fields of this project's own format."""


def recognised(
    found: Collection[str], id_field: str | None = None, answer_field: str | None = None,
    *, options: tuple[str, str] = ("--id-field", "--answer-field"),
) -> AnswerFields | None:  # fmt: skip
    """Return the fields of a row with the id and the answer, or None if there are none.

    Args:
        found: the names of the row's fields.
        id_field: the name of the field with the id; recognised if None.
        answer_field: likewise, of the field with the answer.
        options: what the user sets these two with, for the error.

    Raises:
        InputError: several fields have a known name.
    """
    answers = _answers_in(found)
    chosen = (id_field or _known(found, IDS), answer_field or _known(found, answers))
    if any(name is None or name not in found for name in chosen):
        return None
    return AnswerFields(
        id_field or _only(found, IDS, options[0]),
        answer_field or _only(found, answers, options[1]),
    )


def misfit(
    found: Collection[str], id_field: str | None = None, answer_field: str | None = None
) -> str:
    """Return why no row is an answer: which of the two fields is not among those of the rows.

    Args:
        found: the names of the fields of all rows.
        id_field: see `recognised`.
        answer_field: see `recognised`.
    """
    wanted = [
        (id_field or IDS[0], id_field or _known(found, IDS)),
        (answer_field or ANSWERS[0], answer_field or _known(found, _answers_in(found))),
    ]
    missing = [name for name, known in wanted if known not in found]
    names = missing or [name for name, _ in wanted]
    listed = " and ".join(f"'{name}'" for name in names)
    shown = f", found the fields {', '.join(found)[:_SHOWN]}" if found else ""
    near = next(filter(None, (did_you_mean(name, found) for name in missing)), "")
    return f"no row has the field{'s' if len(names) > 1 else ''} {listed}{shown}{near}"


def _answers_in(found: Collection[str]) -> Sequence[str]:
    """Return the names among which a row's field with the answer is looked for."""
    return next((names for names in _KINDS if _known(found, names)), ANSWERS)


def _known(found: Collection[str], names: Sequence[str]) -> str | None:
    return next((name for name in names if name in found), None)


def _only(found: Collection[str], names: Sequence[str], option: str) -> str:
    known = [name for name in names if name in found]
    if names[0] in found or len(known) == 1:
        return known[0]
    listed = " and ".join(f"'{name}'" for name in known)
    raise InputError(f"found the fields {listed}; choose one with {option}")
