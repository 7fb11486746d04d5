"""reasoning-gym: a sound ``score_answer``. It does not require the package."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from pddl_pipeline.answers.countdown.expression import reaches
from pddl_pipeline.integrations.rows import score_row
from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.translators.formats.reasoning_gym import PUZZLE_TARGET, TOLERANCE
from pddl_pipeline.translators.formats.rows import field_of

_READ: Final = {"countdown": 0.05, "puzzle24": 0.01}
"""The reward for an answer that can be read but is wrong."""
_SLACK: Final = Fraction(TOLERANCE)


def score_answer(answer: object, entry: dict[str, Any]) -> float:
    """Return the reward for an answer to an item of ``countdown`` or ``puzzle24``.

    As in reasoning-gym, the reward is 1.0 if the answer is correct by its source's rules, 0.05 if
    it can be read, else 0.01; puzzle24 has no extra reward for an answer that can be read. An item
    may also have this project's record in its metadata.

    Args:
        answer: a text, or a value that is converted to text, such as a number; None for no answer.
        entry: the item. Only its metadata count, not its position in a dataset.

    Raises:
        FieldFault, InputError: the entry is not an item of these datasets.
    """
    item, text = field_of(entry, "metadata", dict), "" if answer is None else str(answer)
    name, target = str(item.get("source_dataset")), item.get("target", PUZZLE_TARGET)
    right = None
    if name in _READ and isinstance(item.get("numbers"), list):
        right = reaches(text, item["numbers"], target, _SLACK)
    if right is None:  # not a bare expression
        row = {"question": "", "metadata": {"source_index": 0, **item}}
        judged = score_row(item if "record" in item else row, text)
        right = judged.correct
        if ErrorKind.BAD_FORMAT in judged.errors:
            return 0.01
    return 1.0 if right else _READ.get(name, 0.05)
