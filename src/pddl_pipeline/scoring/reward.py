"""Dense rewards for training: how good an answer is, from 0 to 1, in much less time than a score.

The value is the weighted sum of the parts:

    0.1 readable + 0.2 executes + 0.3 goals + 0.2 solves + 0.2 economy

The last two parts are 0 unless the plan is valid and within its budget. A valid plan therefore has
a value above 0.8, every other answer at most 0.6, and an answer that cannot be read 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import FrozenInstanceError
from fractions import Fraction
from functools import partial
from itertools import chain
from numbers import Real
from operator import mul
from typing import Any, Final, NamedTuple, Self

from pddl_pipeline.answers.countdown.progress import countdown_progress
from pddl_pipeline.answers.countdown.steps import start_of
from pddl_pipeline.answers.lines import LONGEST
from pddl_pipeline.answers.marks import after_thinking
from pddl_pipeline.answers.readers import LONGEST_PLAN, readers_of
from pddl_pipeline.model.errors import (
    ErrorKind,
    InputError,
    NotJudged,
    PlanSyntaxError,
    WorkerError,
    check_count,
    check_type,
)
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.kept import Kept
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.text import counted
from pddl_pipeline.model.verdict import Verdict
from pddl_pipeline.scoring.answer import Answer, NamedFields
from pddl_pipeline.scoring.judging import score_one
from pddl_pipeline.scoring.metrics import optimal_cost
from pddl_pipeline.scoring.pairing import paired
from pddl_pipeline.translators import has_referee, task_on_demand
from pddl_pipeline.translators.datasets import as_row, instance_of, is_frame, plain_rows
from pddl_pipeline.translators.formats.rows import plain
from pddl_pipeline.translators.formats.table import usual_instance
from pddl_pipeline.validation.execution import PlanProgress

_CHUNK: Final = 200
"""So many answers are sent back at once."""
_IN_ROW: Final[Any] = ...
"""Stands for the answer in a row."""
_UNREADABLE: Final = frozenset((ErrorKind.UNREADABLE, ErrorKind.BAD_FORMAT, ErrorKind.BAD_OPERATOR))


class RewardWeights(NamedTuple):
    """The weight of each part in `Reward.value`; they are not negative, and their sum is 1."""

    readable: float = 0.1
    executes: float = 0.2
    goals: float = 0.3
    solves: float = 0.2
    economy: float = 0.2


WEIGHTS: Final = RewardWeights()


class Reward(float):
    """The reward for an answer: a number from 0 to 1, which is the weighted sum of its parts."""

    readable: bool
    """Whether the answer could be read."""
    executes: float
    """The steps before the first that is not applicable, as a share of all steps of the plan."""
    goals: float
    """The parts of the goal that are reached: of those that do not hold at the start, the largest
    share that holds in a state that the executed steps reach. Not less with more executed steps."""
    solves: bool
    """Whether the plan is valid, and within the budget if there is one: `Score.correct`."""
    economy: float
    """The optimal cost as a share of the plan's; 1 for a plan whose instance has no known optimal
    cost, 0 unless the plan solves the instance."""
    cost_ratio: float | None
    """The plan's cost over the optimal cost, at least 1; None where either is unknown."""
    _source: tuple[Any, Any]

    def __new__(
        cls,
        value: float,
        parts: tuple[bool, float, float, bool, float] = (False, 0.0, 0.0, False, 0.0),
        cost_ratio: float | None = None,
        source: tuple[Any, Any] | None = None,
    ) -> Self:
        """Return a reward with its parts, in the order of `RewardWeights`."""
        self = super().__new__(cls, value)
        further = {"cost_ratio": cost_ratio, "_source": source}
        # Past `__setattr__`, which always raises.
        vars(self).update(zip(RewardWeights._fields, parts, strict=True), **further)
        return self

    # Not a dataclass, of which Polars would make columns.
    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to '{name}'")

    @property
    def value(self) -> float:
        """The number alone."""
        return float(self)

    @property
    def parts(self) -> dict[str, float]:
        """The parts from 0 to 1, by the names of their weights."""
        return {name: float(getattr(self, name)) for name in RewardWeights._fields}

    @property
    def verdict(self) -> Verdict:
        """The verdict that `score` gives the answer. It is computed each time, as slowly as there.

        It is `disputed` if the instance's own check contradicts the validator; then the
        translation is wrong, and so may be the reward.
        """
        instance, text = _given(*self._source, {})
        task = _prepared(instance).task
        return score_one(Answer(instance.id, text), 1, instance, task).verdict

    def __repr__(self) -> str:
        share = f"{self.executes:.0%} executed, {self.goals:.0%} of the goal"
        return f"<Reward {self.value:.3f}: {share if self.readable else 'unreadable'}>"

    __str__ = float.__repr__


def reward(
    instance: Instance[Any] | Mapping[str, Any] | None = None,
    text: str | None = _IN_ROW,
    weights: RewardWeights = WEIGHTS,
    *,
    answer_field: str | None = None,
    **fields: Any,
) -> Reward:
    """Return the reward for an answer to an instance.

        >>> reward(instance, "(pick-up a) (stack a b)")
        <Reward 1.000: 100% executed, 100% of the goal>
        >>> reward(nums=[3, 4, 5, 6], target=24, answer="(3 + 5 - 4) * 6")
        <Reward 1.000: 100% executed, 100% of the goal>

    Args:
        instance: the instance, of any domain, or a row with its problem.
        text: the answer, read as `score` reads it; None if there is none. No text is run as code.
            If it is not given, it is the answer in the row.
        weights: the weights of the parts.
        answer_field: the name of the field with the answer; recognised if None.
        fields: the fields of a row, instead of `instance`.

    Raises:
        TypeError: an argument has a different type.
        InputError: the row has no problem or no answer, or the PDDL is invalid or uses a part of
            PDDL that is not judged.
        ValueError: a weight is negative, or the weights do not add up to 1.
    """
    if weights is not WEIGHTS:
        _check_weights(weights)
    if not isinstance(instance, Instance) or fields or not isinstance(text, str):
        instance, text = _given(instance, text, fields, answer_field)
    found = _prepared(instance).progress(text)
    if found is None:
        return Reward(0.0, source=(instance, text))
    return _reward(found, instance, text, weights)


def _check_weights(weights: RewardWeights) -> None:
    check_type("weights", weights, tuple, "RewardWeights, such as RewardWeights(economy=0.2)")
    known = len(weights) == len(WEIGHTS) and all(isinstance(weight, Real) for weight in weights)
    if not known or min(weights) < 0 or abs(sum(weights) - 1) > 1e-9:
        expected = f"{len(WEIGHTS)} numbers, none below 0 and with a sum of 1"
        raise ValueError(f"weights: found {weights}, expected {expected}")


def _given(
    instance: object, text: object, fields: Mapping[str, Any], answer_field: str | None = None
) -> tuple[Instance[Any], str]:
    """Return an instance and the text of an answer to it; see `reward`."""
    row = fields if instance is None else as_row(instance)
    if not isinstance(row, Instance | Mapping) or (fields and row is not fields):
        found = f"{type(row).__name__}{' and fields' if fields else ''}"
        raise TypeError(f"instance: found {found}, expected an Instance, or a row with its problem")
    if text is _IN_ROW and isinstance(row, Mapping):
        # Rows of the usual form are read without looking for the fields, which takes longer.
        is_usual = "answer" in row and answer_field in (None, "answer")
        usual = usual_instance(row) if is_usual else None
        if usual is not None:
            return usual, row["answer"]
        (read,), (first, *others) = paired(
            row, NamedFields(answer=answer_field, options=("", "answer_field="))
        )
        if first.fault or others:
            raise InputError(first.fault or f"found {len(others) + 1} answers, expected one")
        return read, first.text
    if not isinstance(text, str | None) and plain(text) is None:
        text = None  # such as NaN in a column of answers
    if not isinstance(text, str | None):
        kind = "no text" if text is _IN_ROW else type(text).__name__
        raise TypeError(f"text: found {kind}, expected the text of an answer, or None for none")
    return row if isinstance(row, Instance) else instance_of(row), text or ""


def rewards(
    instances: Iterable[Instance[Any] | Mapping[str, Any]],
    texts: Iterable[str | None] | None = None,
    weights: RewardWeights = WEIGHTS,
    processes: int = 1,
    *,
    answer_field: str | None = None,
) -> list[Reward]:
    """Return the reward for each answer to the instance at the same place.

    Args:
        instances: the instances, or rows with their problems, also as a data frame; repeat one for
            each of its answers.
        texts: the answers; if they are not given, those in the rows.
        weights: the weights of the parts.
        processes: the number of processes that judge; more than 1 pay off from some 1,000 answers.
        answer_field: the name of the field with the answer; recognised if None.

    Raises:
        WorkerError: a process dies.
        ValueError: there are more instances than texts, or fewer; or as for `reward`.
        TypeError: an argument is no list; or as for `reward`.
        InputError: as for `reward`.
    """
    _check_weights(weights)
    check_count("processes", processes)
    instances = plain_rows(instances) if is_frame(instances) else instances
    for given in (instances, [] if texts is None else texts):
        is_list = isinstance(given, Iterable) and not is_frame(given)
        if isinstance(given, str | Instance | Mapping) or not is_list:
            found = type(given).__name__
            raise TypeError(f"rewards: found {found}, expected a list; `reward` takes one answer")
    instances = list(instances)
    texts = [_IN_ROW] * len(instances) if texts is None else list(texts)
    if len(instances) != len(texts):
        expected = counted(len(instances), "answer")
        raise ValueError(f"rewards: found {len(texts)}, expected {expected}, one for each instance")
    judge = partial(reward, weights=weights, answer_field=answer_field)
    sources = [*zip(instances, texts, strict=True)]
    if processes < 2:
        return [*_rewarded(judge, sources)]
    places = [range(at, at + _CHUNK) for at in range(0, len(sources), _CHUNK)]
    # Few need processes, which are slow to import.
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor

    from pddl_pipeline.scoring.batches import process_context

    context = process_context()
    try:
        with ProcessPoolExecutor(processes, context, _take, (sources, judge)) as executor:
            judged = [*chain(*executor.map(_judged, places))]
    except BrokenProcessPool as error:
        raise WorkerError("a process that judged answers died") from error
    pairs = zip(judged, sources, strict=True)
    return [Reward(value, parts, ratio, source) for (value, parts, ratio), source in pairs]


def _rewarded(
    judge: Callable[..., Reward], sources: Iterable[tuple[Any, Any]], before: int = 0
) -> Iterator[Reward]:
    """Yield the rewards for answers to instances; errors name the row, of which some are before."""
    for number, source in enumerate(sources, before + 1):
        try:
            yield judge(*source)
        except InputError as error:
            # It was read alone.
            error.message = f"row {number}: {error.message.removeprefix('row 1: ')}"
            raise
        except TypeError as error:
            raise TypeError(f"row {number}: {error}") from error


_TAKEN: list[tuple[Callable[..., Reward], list[tuple[Any, Any]]]] = []
"""What judges the answers of a process of a pool, and the answers with their instances."""


def _take(sources: list[tuple[Any, Any]], judge: Callable[..., Reward]) -> None:
    _TAKEN[:] = [(judge, sources)]


def _judged(
    places: range,
) -> list[tuple[float, tuple[bool, float, float, bool, float], float | None]]:
    """Return the arguments of `Reward` for the answers at some places; instances are not sent."""
    ((judge, sources),) = _TAKEN
    return [
        (
            each.value,
            (each.readable, each.executes, each.goals, each.solves, each.economy),
            each.cost_ratio,
        )
        for each in _rewarded(judge, sources[places.start : places.stop], places.start)
    ]


def _reward(
    found: PlanProgress, instance: Instance[Any], text: str, weights: RewardWeights
) -> Reward:
    cost, budget = found.cost, instance.budget
    solves = found.reached and (budget is None or cost is None or cost <= budget)
    ratio = _ratio(cost, optimal_cost(instance)) if solves else None
    executes = found.executed / found.steps if found.steps else float(found.reached)
    economy = (1.0 if ratio is None else 1 / ratio) if solves else 0.0
    parts = (True, executes, found.goals, solves, economy)
    # The weights add up to 1 only nearly, as floats do.
    value = 1.0 if solves and economy == 1 else sum(map(mul, weights, parts))
    return Reward(value, parts, ratio, (instance, text))


def _ratio(cost: Number | None, best: Fraction | None) -> float | None:
    """Return a cost over the optimal one, at least 1; None if that is unknown."""
    if cost is None or best is None:
        return None
    if cost <= best:
        return 1.0
    return float(cost / best) if best else float("inf")


class _Prepared:
    """An instance, prepared to judge answers to it."""

    __slots__ = ("_readers", "_start", "instance", "task")

    def __init__(self, instance: Instance[Any]) -> None:
        self.instance, self.task = instance, task_on_demand(instance)
        if not has_referee(instance):
            self.task.check_supported()
        self._readers = readers_of(instance, self.task)
        self._start = start_of(instance, self.task) if self._readers.has_rules else None

    def progress(self, text: str) -> PlanProgress | None:
        """Return how far an answer gets; None if it cannot be read."""
        try:
            if self._start is None and len(text) <= LONGEST_PLAN and ("(" in text or ";" in text):
                return self.task.progress(text, strict=True)
        except PlanSyntaxError:
            pass  # not a plan file: it is read as the answer of a language model
        except NotJudged:
            return _NOTHING
        part = after_thinking(text).text if "think>" in text else text
        if len(part) > LONGEST or not part.strip():
            return None
        if self._start is not None:
            return countdown_progress(part, self._start, self.task)
        return self._in_words(part)

    def _in_words(self, text: str) -> PlanProgress | None:
        read = self._readers.parse_answer(text, self.instance, self.task)
        if read.plan is None and any(fault.slug in _UNREADABLE for fault in read.faults):
            return None
        try:
            # A plan file with a step that does not exist: the steps before it count.
            found = self.task.progress(text if read.plan is None else read.plan)
        except (PlanSyntaxError, NotJudged):
            return _NOTHING
        return found._replace(reached=False) if read.faults else found


_NOTHING: Final = PlanProgress(1, 0, 0.0, reached=False)
"""The progress of a plan of which no step could be executed."""
_PREPARED: Final = Kept[int, _Prepared](1_000)
"""By identity of the instance, which is kept so that the identity stays its own."""


def _prepared(instance: Instance[Any]) -> _Prepared:
    return _PREPARED.get(id(instance)) or _PREPARED.keep(id(instance), _Prepared(instance))
