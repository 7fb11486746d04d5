"""What the checks say about a reply of the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pddl_pipeline.papers.autotos.checks.checking import Stage
from pddl_pipeline.planners.functions.guarded import Category, Failure
from pddl_pipeline.planners.functions.process import CodeSource


class Outcome(NamedTuple):
    """The result of the checks after one reply."""

    stage: Stage
    """The last stage that began."""
    source: CodeSource | None = None
    """The function of the reply; None if it has none."""
    failure: Failure | None = None
    """The first failure, or None."""

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as the fields of a stored line."""
        failure, source = self.failure, self.source
        return {
            "stage": self.stage,
            "code": None if source is None else source.code,
            "name": None if source is None else next(iter(source.names.values())),
            "category": None if failure is None else failure.category,
            "blamed": None if failure is None else failure.function,
            "reason": None if failure is None else failure.reason,
            "feedback": None if failure is None else failure.feedback,
        }


def outcome_from_json(fields: Mapping[str, Any], function: str) -> Outcome:
    """Return an outcome from the fields of a stored line.

    Args:
        fields: what `Outcome.to_json` returned.
        function: the function that the reply was to contain, ``succ`` or ``isgoal``.

    Raises:
        KeyError, ValueError, TypeError: the fields have another form.
    """
    source = failure = None
    if fields["code"] is not None:
        source = CodeSource(str(fields["code"]), {function: str(fields["name"])})
    if fields["category"] is not None:
        failure = Failure(
            Category(fields["category"]), str(fields["blamed"]), str(fields["reason"]),
            str(fields["feedback"]),
        )  # fmt: skip
    return Outcome(Stage(fields["stage"]), source, failure)
