"""The accuracy of the functions at the end of AutoToS's published conversations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.papers.autotos.log_files import (
    MOST_STATES,
    log_name,
    published_data,
    published_logs,
    without_data,
)
from pddl_pipeline.papers.autotos.loop.evaluation import Result, evaluate
from pddl_pipeline.papers.autotos.loop.published_log import PublishedLog, Score
from pddl_pipeline.papers.autotos.loop.trial import RULES_24, Trial, trial_of
from pddl_pipeline.papers.autotos.published import PUBLISHED
from pddl_pipeline.papers.autotos.search import SMALLEST
from pddl_pipeline.papers.choosing import spread
from pddl_pipeline.papers.comparison import Comparison, Quantity
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import Fact
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import NamedTable, StudyResult
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.planners.functions.guarded import Unparsable, function_in
from pddl_pipeline.planners.functions.process import Functions
from pddl_pipeline.search.black_boxes.domain import domains
from pddl_pipeline.search.space import Bounds
from pddl_pipeline.tables.text_table import TextTable
from pddl_pipeline.translators.datasets import ReadOptions, load_records

_FILES: Final = {
    "24game": "model_test.csv", "blocksworld": "blocks_instances", "sokoban": "test_instances"
}  # fmt: skip
_BOUNDS: Final = Bounds(MOST_STATES, PUBLISHED.search.time_limit_s)


class _Accuracy(NamedTuple):
    """The solved instances of a log's functions."""

    log: str
    domain: str
    published: Score
    """On all instances."""
    solved: int
    """Instances with a valid plan of the fewest steps, among those that were tried."""
    tried: int

    @property
    def agrees(self) -> bool | None:
        """Whether it is the published accuracy; None if the sample cannot say."""
        everything = self.published.solved + self.published.failed
        if not self.tried:
            return None
        if self.tried == everything:
            return self.solved == self.published.solved
        if self.published.failed == 0:
            return self.solved == self.tried
        return self.solved == 0 if self.published.solved == 0 else None


def _run(bench: Workbench) -> StudyResult:
    data = published_data(bench)
    if data is None:
        return without_data("evaluate")
    numbers = bench.pick(
        # A function of a model takes minutes for the smallest instance of Sokoban.
        quick={"24game": 3, "blocksworld": 10, "sokoban": 0},
        paper={"24game": 1352, "blocksworld": 502, "sokoban": 11},
    )
    instances = {
        name: [trial_of(each, domains()[name]) for each in _sample(name, folder, numbers[name])]
        for name, folder in data.domains.items()
    }
    found = [
        _accuracy(log_name(model, domain, log), domain, log, instances[domain])
        for domain, model, log in published_logs(data.logs, bench.count(quick=1, paper=5))
        if log.score is not None
    ]
    sizes = ", ".join(f"{len(each)} of {name}" for name, each in instances.items())
    return StudyResult(
        conditions=f"The last functions of {len(found)} published logs that were evaluated, on "
        f"instances: {sizes}. Breadth-first search; a plan must be valid and have the fewest "
        f"steps. Limit: {_BOUNDS.seconds:g} s a search. No model is called.",
        comparisons=(_same(found),),
        tables=(NamedTable("Instances that the final functions solve", _table(found)),),
    )


def _same(found: Sequence[_Accuracy]) -> Comparison:
    decided = [each.agrees for each in found if each.agrees is not None]
    return Comparison(
        what="logs whose final functions have the published accuracy",
        paper=(Quantity(len(decided), of=len(decided)),),
        ours=(Quantity(sum(decided), of=len(decided)),),
        decision=decide(Fact(all(decided), len(decided)) if decided else None),
        remark="of a sample, all or none must be solved, as published; other shares need all "
        "instances",
    )


def _sample(name: str, folder: Path, number: int) -> Sequence[Instance[Any]]:
    rules = RULES_24 if name == "24game" else None
    instances = list(load_records(str(folder / _FILES[name]), source=ReadOptions(rules=rules)))
    if name == "sokoban" and number <= len(SMALLEST):
        smallest = SMALLEST[:number]
        return [each for each in instances if each.id in smallest]
    return spread(instances, number)


def _accuracy(
    name: str, domain: str, log: PublishedLog, instances: Iterable[Trial]
) -> _Accuracy:  # fmt: skip
    sources = {}
    for call in log.calls:
        with suppress(Unparsable):
            sources[call.function] = function_in(call.reply, call.function)
    with Functions(tuple(sources.values())) as functions:
        results = [
            evaluate(trial, functions, domains()[domain], _BOUNDS).result for trial in instances
        ]
    published = log.score or Score(0, 0, 0)
    return _Accuracy(name, domain, published, results.count(Result.SOLVED), len(results))


def _table(found: Sequence[_Accuracy]) -> TextTable:
    """Return the logs whose functions do not solve everything, and the number of the others."""
    rows = [
        (
            each.log, f"{each.published.solved} of {each.published.solved + each.published.failed}",
            f"{each.solved} of {each.tried}",
        )
        for each in found
        if each.tried and (each.published.failed or each.solved < each.tried)
    ]  # fmt: skip
    for domain in _FILES:
        others = [
            each
            for each in found
            if each.domain == domain and not each.published.failed and each.solved == each.tried > 0
        ]
        if others:
            name = f"{len(others)} other logs of {domain}, each"
            rows.append((name, "all", f"all {others[0].tried}"))
    return TextTable(("log", "published: solved", "replay: solved"), tuple(rows), names=3)


STUDIES: Final = (
    Study("autotos-replay-accuracy", "the accuracy of the functions in those conversations", _run),
)
