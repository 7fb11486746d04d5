"""Studies: their definition, conditions and results, and the studies by name.

Each paper has a folder, whose files list their studies in STUDIES.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from pddl_pipeline.generators.dataset import generator_named
from pddl_pipeline.generators.generating import generate_preset, generate_sizes
from pddl_pipeline.model.discovery import registry
from pddl_pipeline.model.errors import InputError, PipelineError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.result import RunResult, RunSummary
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.papers.comparison import Comparison
from pddl_pipeline.papers.stored_runs import PlannedRun, StoredRun, read_stored_runs
from pddl_pipeline.runs.running import Watch, run, unwatched
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.translators.translator import PAPER

# NamedTable is a part of a result, which studies import from here.
__all__ = ["Chart", "NamedTable", "Point", "Series", "StudyResult"]


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a chart; an `x` of type str is a category."""

    x: float | str
    y: float
    low: float | None = None
    """`low` and `high`: the 95 % confidence interval or the range of y; None if there is none."""
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """The points of one line or one colour of bars."""

    name: str
    points: tuple[Point, ...]
    from_paper: bool = False
    """Whether the paper published the points."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A panel of a picture. If an `x` is a category, the chart has a bar for each point."""

    title: str
    x_label: str
    """`x_label` and `y_label`: the quantity, with its unit and the number of samples."""
    y_label: str
    series: tuple[Series, ...]
    logarithmic: bool = False
    """Whether the y axis is logarithmic."""
    bottom: float | None = None
    """`bottom` and `top`: the limits of the y axis; None to choose them automatically."""
    top: float | None = None
    sizes: tuple[int, ...] = ()
    """The values of x that may have a tick, if series are shifted from them."""

    @property
    def places(self) -> list[str]:
        """The categories in their order; empty if x is a number."""
        places = [point.x for series in self.series for point in series.points]
        return [*dict.fromkeys(map(str, places))] if any(isinstance(x, str) for x in places) else []


@dataclass(frozen=True, slots=True)
class StudyResult:
    """The result of a study."""

    conditions: str
    """The samples, limits and data of this run, in one or two sentences."""
    comparisons: tuple[Comparison, ...]
    tables: tuple[NamedTable, ...]
    charts: tuple[Chart, ...] = ()
    notes: tuple[str, ...] = ()
    """Remarks that a reader needs to interpret the numbers."""
    unexplained: int = 0
    """The number of runs that crashed, were lost or are disputed."""


Value = TypeVar("Value")


def spread(values: Sequence[Value], number: int) -> list[Value]:
    """Return `number` values, evenly spread from first to last; all if there are fewer."""
    number = min(number, len(values))
    return [values[position * len(values) // number] for position in range(number)]


Scale = Literal["quick", "paper"]


class MissingData(PipelineError):
    """The stored or public data of a study do not exist."""


@dataclass(frozen=True, slots=True)
class Workbench:
    """The conditions of a study. The user's values override those of the scale."""

    folder: Path
    """The folder of the runs. The same study under the same conditions resumes where it stopped."""
    scale: Scale = "quick"
    data: Path | None = None
    """The folder of the public datasets, each in a subfolder; see docs/reproduction/index.md."""
    workers: int = 1
    """The number of planners that may run at a time."""
    time_s: float | None = None
    """`time_s` to `sizes_given`: the user's values; None to use those of the scale."""
    number: int | None = None
    sizes_given: Sequence[int] | None = None
    watch: Watch = unwatched
    continue_runs: bool = False
    """Whether a study with stored runs makes those that are missing."""
    left_out: list[str] = field(default_factory=list)
    """The public files that a study works without."""
    stored: Path | None = None
    """The folder of the stored runs, a file ``STORE.jsonl.gz`` each; None to run the planners."""

    def pick(self, *, quick: Value, paper: Value) -> Value:
        """Return the value for the scale."""
        return quick if self.scale == "quick" else paper

    def count(self, *, quick: int, paper: int) -> int:
        """Return the number of instances, per size if instances have sizes."""
        return self.number if self.number is not None else self.pick(quick=quick, paper=paper)

    def sizes(self, *, quick: Sequence[int], paper: Sequence[int]) -> Sequence[int]:
        """Return the sizes of instances."""
        if self.sizes_given is not None:
            return self.sizes_given
        return self.pick(quick=quick, paper=paper)

    def limits(self, *, quick_s: float, paper_s: float) -> Limits:
        """Return the limits of an attempt.

        Args:
            quick_s: the time limit of the quick scale, in seconds.
            paper_s: the time limit of the paper scale, in seconds.

        The memory limit is 3.5 GiB, as in the papers.
        """
        time_s = self.time_s if self.time_s is not None else self.pick(quick=quick_s, paper=paper_s)
        return Limits(time_s=time_s)

    def dataset(self, *parts: str) -> Path | None:
        """Return a file or folder of the public data; None if it does not exist."""
        path = None if self.data is None else self.data.joinpath(*parts)
        return path if path is not None and path.exists() else None

    def required(self, folder: str, *names: str) -> list[Path]:
        """Return files or folders of a folder of the public data.

        Raises:
            MissingData: one of them does not exist.
        """
        found = [path for name in names if (path := self.dataset(folder, name)) is not None]
        if len(found) < len(names):
            raise MissingData(f"requires {', '.join(names)} in the folder {folder} of --data")
        return found

    def available(self, folder: str, *names: str) -> dict[str, Path]:
        """Return those files of a folder of the public data that exist; note the others.

        Raises:
            MissingData: none of them exists.
        """
        found = {name: path for name in names if (path := self.dataset(folder, name)) is not None}
        if not found:
            self.required(folder, *names)
        self.left_out.extend(f"{folder}/{name}" for name in names if name not in found)
        return found

    def generated(  # noqa: PLR0913 -- what a dataset consists of
        self,
        domain: str,
        sizes: Iterable[int],
        number: int,
        *,
        method: str | None = None,
        settings: Mapping[str, Any] | None = None,
        seed: int = 0,
    ) -> Iterator[Instance[Any]]:
        """Yield generated instances of each size, the same in each call.

        A size may have fewer instances than requested.

        Args:
            domain: the domain's name.
            sizes: the values of `Instance.size`.
            number: the number of seeds per size.
            method: the generator's method; None for the domain's default.
            settings: the settings of the method.
            seed: the seed that determines the instances.
        """
        generator = generator_named(domain, method)
        chosen = generator.settings(**(settings or {}))
        for size in sizes:
            yield from generate_sizes(
                generator, chosen, sizes=range(size, size + 1), number=number, seed=seed,
                on_short=lambda _: None,
            )  # fmt: skip

    def preset(  # noqa: PLR0913 -- what a dataset consists of
        self,
        domain: str,
        preset: str,
        split: str,
        number: int,
        *,
        method: str | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> list[Instance[Any]]:
        """Return instances of a split of a paper's dataset, by size, the same in each call.

        Args:
            domain: the domain's name.
            preset: the dataset's name.
            split: the split's name, such as ``test``.
            number: the number of instances, taken evenly over the sizes if the split has more.
            method: the generator's method; None for the domain's default.
            settings: the settings of the method.
        """
        generator = generator_named(domain, method)
        chosen = generator.settings(**(settings or {}))
        made = generate_preset(generator, chosen, generator.presets[preset])
        of_split = [instance for instance in made if instance.extras.get("split") == split]
        of_split.sort(key=lambda instance: instance.size)
        total = len(of_split)
        taken = min(number, total)
        # From the middle of equal parts, so that neither the first nor the last size is preferred.
        return [of_split[(2 * position + 1) * total // (2 * taken)] for position in range(taken)]

    def stored_instances(self, store: str) -> list[Instance[Any]]:
        """Return the instances of a store's stored runs, in order; none without stored runs."""
        if self.stored is None:
            return []
        runs = _stored_runs(self.stored / f"{store}.jsonl.gz")
        results = {run.result.id: run for run in runs.values()}
        return [
            from_record({"id": name, "domain": run.result.domain, **run.record})
            for name, run in results.items()
        ]

    def solve(
        self,
        store: str,
        instances: Sequence[Instance[Any]],
        planners: Sequence[str],
        limits: Limits,
        *,
        encoding: str = PAPER,
    ) -> list[RunResult]:
        """Run planners on instances; return a result for each pair, by instance, then planner.

        Args:
            store: the run store's name. Runs in the store are not repeated.
            instances: the instances, with distinct ids.
            planners: the planners' names, which may include settings.
            limits: the limits of each attempt.
            encoding: the encoding of the PDDL; a store contains runs of one encoding.

        Raises:
            EngineError: a planner is not installed.
            InputError: a planner does not exist.
            MissingData: one of the runs is not stored.
            StoreError: the stored runs cannot be read.
        """
        if self.stored is not None:
            file = self.stored / f"{store}.jsonl.gz"
            wanted = (PlannedRun(x, name, limits, encoding) for x in instances for name in planners)
            try:
                return [_stored_runs(file)[each.key].result for each in wanted]
            except KeyError as error:
                raise MissingData(f"{file}: found no run {error}") from error
        return run(
            instances, self.folder / "runs" / store, planners, limits,
            workers=self.workers, encoding=encoding, watch=self.watch,
        )  # fmt: skip

    def solve_each(
        self, store: str, wanted: Sequence[tuple[Instance[Any], Sequence[str]]], limits: Limits
    ) -> list[RunResult]:
        """Run different planners on each instance, as `solve` does; return all results."""
        # One line of progress for all instances, not one for each.
        quiet, found = replace(self, watch=unwatched), list[RunResult]()

        def runs() -> Iterator[RunSummary]:
            for instance, planners in wanted:
                for result in quiet.solve(store, [instance], planners, limits):
                    found.append(result)
                    yield result.summary

        total = sum(len(planners) for _, planners in wanted)
        for _ in self.watch(runs(), total, found):
            pass
        return found


# `solve_each` asks for the runs of one instance after another; the file is read once.
@cache
def _stored_runs(file: Path) -> dict[str, StoredRun]:
    """Return the stored runs by their identities; studies look single runs up many times."""
    return {run.identity: run for run in read_stored_runs(file)}


PAPERS: Final = {
    "countdown": "Seemingly Simple Planning Problems are Computationally Challenging: The "
    "Countdown Game (Katz, Kokel, Sreedharan)",
    "autotos": "Automating Thought of Search (Cao et al. 2024)",
    "simplan": "What's the Plan? Evaluating and Developing Planning-Aware Techniques for Language "
    "Models (Hirsch, Uziel, Anaby-Tavor)",
    "cats": "Cost-Augmented Tree Search, Budget-BlocksWorld (Zhang and Liu)",
    "tutorial": "Planning in the Era of Language Models (NeurIPS 2025 tutorial)",
}


@dataclass(frozen=True, slots=True)
class Study:
    """A figure, table or claim of a paper."""

    name: str
    """The name, which begins with the paper's name in `PAPERS`: ``countdown-figure1``."""
    title: str
    """A description of one line, for users."""
    run: Callable[[Workbench], StudyResult]
    """Runs the study; raises the errors that running planners raises."""
    cards: tuple[str, ...] = ()
    """The cards of its generated datasets, relative to the folder of its paper."""
    is_stored: bool = False
    """Whether it follows a protocol: its conditions are fixed, and it reports from stored runs."""

    @property
    def paper(self) -> str:
        """The paper's name in `PAPERS`."""
        return self.name.partition("-")[0]


ALL: Final = "all"


@cache
def studies() -> dict[str, Study]:
    """Return every study by name, in the order of the papers."""
    order = list(PAPERS)
    packages = [f"{__package__}.{paper}" for paper in order]
    found = registry(packages, "pddl_pipeline.studies")

    def position(study: Study) -> tuple[int, str]:
        known = study.paper in PAPERS
        return (order.index(study.paper) if known else len(order), study.name)

    return {study.name: study for study in sorted(found.values(), key=position)}


def studies_named(names: Sequence[str]) -> list[Study]:
    """Return the studies with certain names.

    A name is that of a study, that of a paper for all of its studies, or ``all``.

    Raises:
        InputError: no study or paper has that name.
    """
    chosen = dict[str, Study]()
    for name in names:
        of_name = {
            study.name: study
            for study in studies().values()
            if name in (study.name, study.paper, ALL)
        }
        if not of_name:
            known = [ALL, *PAPERS, *studies()]
            raise InputError(f"unknown study '{name}'{hint(name, known)}")
        chosen |= of_name
    return list(chosen.values())
