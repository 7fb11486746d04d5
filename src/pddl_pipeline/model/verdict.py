"""The verdict on a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple, Never, Self, dataclass_transform

from pddl_pipeline.model.errors import ErrorKind, PlanSyntaxError
from pddl_pipeline.model.notebook import notebook_html
from pddl_pipeline.model.number import Number, number_fields, number_text
from pddl_pipeline.model.text import counted, shortened


class Status(StrEnum):
    """The result of judging a plan."""

    is_valid: bool | None
    """Whether the plan is valid; None if it is unknown."""
    is_read: bool
    """Whether the steps were read and executed."""
    exit_status: int
    """The exit status of a command that judges one plan; `cli.status` has their names."""

    def __new__(cls, text: str, *meaning: Any) -> Self:
        """Return a member; all that follows from a status stands beside its text."""
        made = str.__new__(cls, text)
        made._value_ = text
        made.is_valid, made.is_read, made.exit_status = meaning
        return made

    VALID = "valid", True, True, 0
    """Every step is applicable and the goal holds at the end."""
    INVALID = "invalid", False, True, 1
    """A step is not applicable, or the goal does not hold at the end."""
    MALFORMED = "malformed", False, False, 2
    """The text is not a plan of this task: syntax, unknown names, wrong arity or type."""
    UNDECIDED = "undecided", None, False, 3
    """The task uses a part of PDDL that is not judged; the reason names it."""
    DISPUTED = "disputed", None, True, 3
    """Two validators disagree; both reasons are kept."""

    @property
    def sign(self) -> str:
        """One character that stands for the status."""
        return {True: "✓", False: "✗", None: "?"}[self.is_valid]


def is_right(status: Status, *, within_budget: bool | None) -> bool:
    """Return whether a plan is valid, and within the budget if there is one.

    Raises:
        TypeError: the plan is neither valid nor invalid.
    """
    if status.is_valid is None:
        raise TypeError(f"the verdict is {status}, neither true nor false; compare its `status`")
    return status.is_valid and within_budget is not False


def shown_status(status: Status | None, *, within_budget: bool | None) -> tuple[str, Status | None]:
    """Return a status with the budget in words, and the status in whose colour it is shown."""
    if within_budget is False:
        return "over budget", Status.INVALID
    return str(status or ""), status


CONTINUOUS: Final = "continuous"
"""The exact meaning of plans of PDDL+; also the name of the opinion beside `DISCRETISED`."""
DISCRETISED: Final = "discretised"
"""Their meaning in steps of time."""


class Opinion(NamedTuple):
    """Another validator's verdict on the same plan."""

    status: Status
    """``undecided`` if it could not judge, ``disputed`` if it judged a different problem."""
    reason: str | None = None
    """Its reason, in its own words."""
    cost: Number | None = None
    """The cost that it reports for a valid plan, with ten digits; None if it reports none."""


class Opinions(Mapping[str, Opinion]):
    """Validators' opinions by name; they cannot be changed."""

    def __init__(self, opinions: Mapping[str, Opinion] | None = None) -> None:
        self._opinions = dict(opinions or {})

    def __getitem__(self, name: str) -> Opinion:
        return self._opinions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._opinions)

    def __len__(self) -> int:
        return len(self._opinions)

    def __hash__(self) -> int:
        return hash(frozenset(self._opinions.items()))

    def __repr__(self) -> str:
        return repr(self._opinions)

    def to_json(self) -> dict[str, Any]:
        """Return the opinions in the form of ``validate --json``."""
        return {
            name: {"status": str(each.status), "reason": each.reason} for name, each in self.items()
        }


@dataclass_transform(frozen_default=True)
class _Fields:
    """What a frozen dataclass has; its module would take a fifth of the time of `validate`."""

    _needed: frozenset[str] = frozenset()
    """The names of the fields without a default."""

    def __init_subclass__(cls) -> None:
        cls._needed = frozenset(cls.__annotations__.keys() - vars(cls).keys())

    def __init__(self, *given: object, **named: object) -> None:
        told = dict(zip([*self.__annotations__][: len(given)], given, strict=True)) | named
        if not self.__annotations__.keys() >= told.keys() >= self._needed:
            found, names = ", ".join(told), ", ".join(self.__annotations__)
            raise TypeError(f"{type(self).__name__}: found {found}, expected {names}")
        vars(self).update(told)  # the other fields have the values of the class

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"{type(self).__name__} cannot be changed; use replace()")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__annotations__)

    def replace(self, **changes: object) -> Self:
        """Return a copy with other values of some fields.

        Raises:
            TypeError: there is no such field.
        """
        return type(self)(**{**vars(self), **changes})


class Verdict(_Fields):
    """The verdict on a plan, with its reasons.

    Its truth value is whether the plan is valid, and within the budget if there is one. It raises
    `TypeError` if the status is ``undecided`` or ``disputed``.
    """

    status: Status
    steps: int | None = None
    """Number of steps; None if the text is not a plan."""
    cost: Number | None = None
    """Exact value of the metric, or the number of steps if the problem has no metric. None unless
    the plan is valid."""
    failed_step: int | None = None
    """1-based position of the step that is not applicable or does not exist."""
    reason: str | None = None
    """Why the plan is not valid, in one line; for a valid plan, why there is no cost."""
    unsatisfied: tuple[str, ...] = ()
    """Every unsatisfied ground condition of the failed step or of the goal, as PDDL."""
    line: int | None = None
    """The 1-based line of the failed step or of the error in the plan's text, if it is known."""
    column: int | None = None
    """The 1-based column of the same."""
    within_budget: bool | None = None
    """Whether the cost is within the instance's budget; None if there is no budget."""
    maximise: bool | None = None
    """Whether a higher cost is better: the metric is maximised. None as for `cost`."""
    makespan: Number | None = None
    """The time of the last happening, if the task has durative actions or timed literals."""
    happenings: int | None = None
    """Number of happenings that were executed; None as for `makespan`."""
    preferences: tuple[tuple[str, int], ...] = ()
    """The preferences of a valid plan's task, in order, each with the number of violations."""
    notes: tuple[str, ...] = ()
    """Where a rule was used that a reader should know of, such as a rounded duration."""
    semantics: str | None = None
    """The meaning by which a plan of PDDL+ is judged: ``continuous`` or ``discretised``."""
    delta: Number | None = None
    """The length of the steps of time, if the meaning is discretised."""
    opinions: Opinions = Opinions()
    """Other validators' opinions by name; ``referee`` is the instance's own check."""
    code: ErrorKind | None = None
    """The kind of the reason, which later versions keep; None for a valid plan."""

    @property
    def meaning(self) -> str:
        """The meaning by which a plan of PDDL+ is judged, in words; empty for other plans."""
        delta = "" if self.delta is None else f", delta {number_text(self.delta)}"
        return f"{self.semantics}{delta}" if self.semantics else ""

    @property
    def steps_and_cost(self) -> str:
        """The length and the cost of a valid plan in words: ``8 steps, cost 12``."""
        cost = "" if self.cost is None else f", cost {number_text(self.cost)}"
        return f"{counted(self.steps or 0, 'step')}{cost}"

    def __repr__(self) -> str:
        status = f"{self.status} ({self.meaning})" if self.meaning else self.status
        if self.status is Status.VALID:
            return f"<Verdict {status}: {self.steps_and_cost}>"
        place = f" at step {self.failed_step}" if self.failed_step else ""
        reason = self.reason or ""
        if place and reason.startswith(place.removeprefix(" at ")):
            # The reason also names the step.
            reason = reason.partition(": ")[2] or reason
        return f"<Verdict {status}{place}: {shortened(reason)}>"

    def __bool__(self) -> bool:
        return is_right(self.status, within_budget=self.within_budget)

    def _repr_html_(self) -> str:
        return notebook_html(self)

    def to_json(self) -> dict[str, Any]:
        """Return the fields as ``validate --json`` writes them."""
        found = {
            "status": self.status,
            "steps": self.steps,
            **number_fields("cost", self.cost),
            "failed_step": self.failed_step,
            "line": self.line,
            "column": self.column,
            "code": self.code,
            "reason": self.reason,
            "unsatisfied": list(self.unsatisfied),
            "within_budget": self.within_budget,
            "opinions": self.opinions.to_json(),
        }
        if self.makespan is not None:
            found |= {"happenings": self.happenings, **number_fields("makespan", self.makespan)}
        if self.semantics is not None:
            found |= {"semantics": self.semantics, **number_fields("delta", self.delta)}
        if self.preferences:
            found["preferences"] = dict(self.preferences)
        if self.notes:
            found["notes"] = list(self.notes)
        return found

    def with_opinion(self, name: str, opinion: Opinion) -> Verdict:
        """Return the verdict with one more opinion, which does not change its status."""
        return self.replace(opinions=Opinions({**self.opinions, name: opinion}))


def malformed(error: PlanSyntaxError) -> Verdict:
    """Return the verdict on a text that is not a plan of the task."""
    return Verdict(
        Status.MALFORMED,
        failed_step=error.step,
        reason=error.message,
        line=error.line,
        column=error.column,
        code=error.code,
    )
