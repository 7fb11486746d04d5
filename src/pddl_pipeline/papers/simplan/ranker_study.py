"""The study of SimPlan's ranker: Table 2, the ablations of Table 3, and the amount of data.

Its protocol is ``studies/simplan/protocol-ranker.md``.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Any, Final, NamedTuple

from pddl_pipeline.cli.console import progress
from pddl_pipeline.io.files import make_folder, write_file
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.text import counted
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.papers.data import stored_data
from pddl_pipeline.papers.simplan.encoder import library
from pddl_pipeline.papers.simplan.pairs import DEV, TRAIN, make_pairs, solved
from pddl_pipeline.papers.simplan.test_sets import CARDS, COMPLEX, PUBLISHED, TEST_SETS, TestSet
from pddl_pipeline.papers.simplan.training import (
    CHECKPOINT,
    Splits,
    Training,
    best_epoch,
    read_epochs,
    steps_of,
    train,
)
from pddl_pipeline.papers.stored_runs import (
    AppendedLines,
    PlannedRun,
    StoredRuns,
    read_lines,
    read_stored_runs,
    run_planned,
)
from pddl_pipeline.papers.study import (
    Chart,
    NamedTable,
    Point,
    Series,
    Study,
    StudyResult,
    Workbench,
)
from pddl_pipeline.planners.baselines.search_budget import LAMA, TIMES
from pddl_pipeline.planners.own_process import baselines
from pddl_pipeline.planners.planner import read_settings
from pddl_pipeline.runs.stored_commands import machine
from pddl_pipeline.search.baseline import SearchEffort, SearchInput
from pddl_pipeline.statistics.differences import paired_means
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded
from pddl_pipeline.translators import translate_and_read

MOST: Final = 1000
"""The largest number of predictions of a search, beside the paper's limit."""
SEEDS: Final = 3
TEST: Final = 30
"""The number of instances of a test set."""
FEW: Final = {"depots-complex": 6}
"""The test sets that have fewer, since LAMA may take minutes on an instance."""
LAMA_LIMITS: Final = Limits(time_s=300, cpu_s=30)
EPOCHS: Final = 6
PERMUTATIONS: Final = 8
TRAINED: Final = 100
"""The number of training instances; 30 more are for development."""
_DOMAINS: Final = ("blocksworld", "ferry", "minigrid", "grippers", "depots")

Row = Mapping[str, Any]
"""A line of the stored results: a trained model, or a search on an instance."""


class Method(NamedTuple):
    """A baseline, or a ranker with its training."""

    name: str
    planner: str = "simplan"
    domains: Sequence[str] = _DOMAINS
    negatives: int = 2
    permutations: int = PERMUTATIONS
    history: bool = False
    instances: int = TRAINED


RANKER: Final = Method("ranker")
ABLATIONS: Final = (
    Method("without state updates", domains=_DOMAINS[:3], history=True),
    Method("without permutations", domains=_DOMAINS[:3], permutations=0),
    Method("without hard negatives", domains=_DOMAINS[:3], negatives=0),
)
FIRST: Final = (Method("goal-count", "goal-count"), Method("random", "random"), RANKER)
SECOND: Final = (
    *ABLATIONS,
    Method("10 instances", domains=_DOMAINS[:2], permutations=80, instances=10),
    Method("30 instances", domains=_DOMAINS[:2], permutations=27, instances=30),
)


def parts() -> Iterator[tuple[Method, TestSet, int]]:
    """Yield each method, test set and seed in the order of the runs."""
    for methods in (FIRST, SECOND):
        for seed in range(SEEDS):
            for each in sorted(TEST_SETS, key=lambda each: _DOMAINS.index(each.domain)):
                for method in methods:
                    # The ablations are run on complex test sets only.
                    is_left = method in ABLATIONS and each.configuration != COMPLEX
                    # Without random choices, each seed would give the same runs.
                    is_again = method.planner == "goal-count" and seed > 0
                    if each.domain in method.domains and not is_left and not is_again:
                        yield method, each, seed


def _file(name: str) -> Path:
    return stored_data("simplan", "runs") / f"{name}.jsonl.gz"


class _Maker(NamedTuple):
    """Makes the results that are missing, and stores each at once."""

    bench: Workbench
    lines: AppendedLines
    done: set[tuple[object, ...]]
    """The keys of the stored results."""

    def make(self, method: Method, test_set: TestSet, seed: int) -> None:
        """Run a method on the instances of a test set that LAMA solves."""
        number = FEW.get(test_set.store, TEST)
        instances = self.bench.preset(test_set.domain, test_set.configuration, "test", number)
        key: dict[str, Any] = {"method": method.name, "set": test_set.store, "seed": seed}
        left = [x for x in instances if _key({**key, "instance": x.id}) not in self.done]
        lama = self._lama(left) if left else {}
        settings = f"seed={seed}," if method.planner == "random" else ""
        if lama and method.planner == "simplan":
            settings = f"reward=ranker,path={self._model(method, test_set.domain, seed)},"
        for instance in (each for each in left if each.id in lama):
            expanded = lama[instance.id].expanded or 0
            limit = f"predictions={min(MOST, TIMES * expanded)}"
            found = self._search(method.planner, settings + limit, instance)
            self._keep({**key, "instance": instance.id, "lama": expanded, **found})

    def _keep(self, row: Row) -> None:
        self.lines.append_line(json.dumps(row).encode() + b"\n")
        self.done.add(_key(row))

    def _lama(self, instances: Sequence[Instance[Any]]) -> dict[str, RunResult]:
        """Return LAMA's runs that found a plan with steps, by instance."""
        # LAMA's runs are shared by all methods and seeds.
        file, planned = _file("ranker-lama"), [PlannedRun(x, LAMA, LAMA_LIMITS) for x in instances]
        with StoredRuns(file) as store:
            runs = run_planned(store, planned, lambda *_: {}, machine())
            list(self.bench.watch(runs, len(planned), store.added))
        every = {run.result.id: run.result for run in read_stored_runs(file)}
        return {x.id: every[x.id] for x in instances if every[x.id].solved and every[x.id].plan}

    def _search(self, planner: str, settings: str, instance: Instance[Any]) -> Row:
        """Return the result of a search in this process, since each import of PyTorch takes 2 s."""
        texts, task = translate_and_read(instance)
        files = self.bench.folder / "domain.pddl", self.bench.folder / "problem.pddl"
        for file, text in zip(files, (texts.domain_pddl, texts.problem_pddl), strict=True):
            write_file(file, text)
        effort, start, baseline = SearchEffort(), process_time(), baselines()[planner]
        given = SearchInput(task, None, (), self.bench.folder, files)
        found = baseline.search(given, read_settings(planner, baseline.settings, settings), effort)
        is_valid = found.plan is not None and task.judge(str(found.plan)).status is Status.VALID
        cpu_s = round(process_time() - start, 3)
        return {"solved": is_valid, "predictions": effort.predictions, "cpu_s": cpu_s}

    def _model(self, method: Method, domain: str, seed: int) -> Path:
        """Return the folder of a model, which is trained if it does not exist."""
        library("torch").set_num_threads(1)
        folder = self.bench.folder / f"{method.name}-{domain}-{seed}".replace(" ", "-")
        row = {"method": method.name, "set": domain, "seed": seed, "instance": ""}
        # The row alone is not enough: it is in the repository, and the models are not.
        if _key(row) in self.done and (folder / CHECKPOINT).exists():
            return folder
        start, preset = process_time(), self.bench.preset
        instances = preset(domain, "simple", TRAIN, method.instances)
        instances += preset(domain, "simple", DEV, TRAINED)
        lama = self._lama(instances)
        header, pairs = make_pairs(
            [solved(x, "\n".join(lama[x.id].plan or ())) for x in instances if x.id in lama],
            permutations=method.permutations,
            history=method.history,
            seed=seed,
        )
        splits: Splits = {TRAIN: [], DEV: []}
        for pair in pairs:
            splits[pair.split].append(pair)
        # All methods train on about the same number of pairs.
        splits[TRAIN] *= 1 if method.permutations else PERMUTATIONS
        how = Training(negatives=method.negatives, epochs=EPOCHS, seed=seed)
        list(progress(train(header, splits, folder, how), folder.name, steps_of(splits, how)))
        if _key(row) not in self.done:
            best = best_epoch(read_epochs(folder))
            cpu_s = round(process_time() - start, 1)
            self._keep({**row, "epoch": best["epoch"], "map": best["map"], "cpu_s": cpu_s})
        return folder


def _key(row: Row) -> tuple[object, ...]:
    return tuple(row[name] for name in ("method", "set", "seed", "instance"))


def _run(bench: Workbench) -> StudyResult:
    if bench.continue_runs:
        make_folder(bench.folder)
        with AppendedLines(_file("ranker")) as lines:
            maker = _Maker(bench, lines, {_key(json.loads(line)) for _, line in lines.lines})
            for part in parts():
                maker.make(*part)
    return report([json.loads(line) for _, line in read_lines(_file("ranker"))])


def report(rows: Sequence[Row]) -> StudyResult:
    """Return the tables of stored results."""
    models = [row for row in rows if not row["instance"]]
    planned = [(method.name, each.store, seed) for method, each, seed in parts()]
    made = {_key(row)[:3] for row in rows}
    hours = sum(row["cpu_s"] for row in rows) / 3600
    every = tuple(dict.fromkeys((*FIRST[::-1], *SECOND)))
    found = [
        (test_set, method, _solved(rows, test_set.store, method))
        for test_set in TEST_SETS
        for method in every
    ]
    return StudyResult(
        conditions=f"{sum(run in made for run in planned)} of {len(planned)} parts, "
        f"{counted(len(models), 'model')}, {hours:.2f} hours of CPU time; at most {TEST} instances "
        f"of a test set that LAMA solves in {LAMA_LIMITS.cpu_s:g} s, {TIMES} times as many "
        f"predictions as it expands states and at most {MOST:,}, {SEEDS} seeds.",
        comparisons=(),
        tables=(NamedTable("Fraction of instances solved", _solved_table(found, models)),),
        charts=tuple(_charts(found)),
        notes=(_SMALL, _P),
    )


_SMALL: Final = (
    "The ranker is a transformer of 4 layers and width 64 without pretraining; the paper's is the "
    "encoder of Flan-T5 base. So no verdict follows from a difference between the two."
)
_P: Final = (
    "Models vary, so the model is the unit: the range is that of the models of a method (of the "
    "seeds of random). p compares each model of the ranker with a method without a model on the "
    "same instances (exact McNemar test, or sign-flip test if the method has seeds), two-sided; "
    "the largest is printed. Methods with models have no p: a permutation over three models and "
    "three, two or one others has a p of at least 0.1."
)
Solved = Mapping[int, Mapping[str, bool]]
"""Whether each instance is solved, by seed: that of the model, or of `random`."""
_Found = Sequence[tuple[TestSet, Method, Solved]]


def _solved(rows: Sequence[Row], store: str, method: Method) -> Solved:
    found = defaultdict[int, dict[str, bool]](dict)
    for row in rows:
        if row["instance"] and (row["set"], row["method"]) == (store, method.name):
            found[row["seed"]][row["instance"]] = row["solved"]
    return found


def _fractions(solved: Solved) -> list[float]:
    """Return the fraction of instances that are solved with each seed."""
    return [fmean(own.values()) for own in solved.values()]


def _largest_p(models: Solved, other: Solved) -> float:
    """Return the largest p of the tests of each model against the mean over another's seeds."""
    return max(
        paired_means(
            Counter(
                Fraction(is_solved) - Fraction(sum(x[name] for x in other.values()), len(other))
                for name, is_solved in own.items()
            )
        ).p
        for own in models.values()
    )


def _paper(test_set: TestSet, method: Method) -> str:
    """Return what the paper's tables have for a method; a dash for nothing."""
    table2 = {
        "ranker": test_set.simplan,
        "random": test_set.random,
        "goal-count": test_set.goal_count,
    }
    table3 = dict(zip(_DOMAINS, PUBLISHED.ablations.get(method.name, ()), strict=False))
    return rounded(table2.get(method.name, table3.get(test_set.domain)))


def _solved_table(found: _Found, models: Sequence[Row]) -> TextTable:
    ranked = {each: runs for each, method, runs in found if method is RANKER}
    lines = []
    for each, method, runs in found:
        if not runs:
            continue
        own = _fractions(runs)
        is_compared = method.planner != RANKER.planner and ranked[each]
        p = f"{_largest_p(ranked[each], runs):.2g}" if is_compared else NO_NUMBER
        maps = [x["map"] for x in models if (x["method"], x["set"]) == (method.name, each.domain)]
        spread = f" [{rounded(min(own))}, {rounded(max(own))}]" if len(own) > 1 else ""
        lines.append((
            each.label, method.name, str(max(map(len, runs.values()))), str(len(own)),
            _paper(each, method), f"{rounded(fmean(own))}{spread}",
            ", ".join(f"{sum(x.values())} of {len(x)}" for x in runs.values()), p,
            rounded(fmean(maps)) if maps else NO_NUMBER,
        ))  # fmt: skip
    headings = (
        "set", "method", "n", "seeds", "paper", "solved", "by seed", "largest p", "MAP@100",
    )  # fmt: skip
    return TextTable(headings, tuple(lines), names=2)


def _charts(found: _Found) -> Iterator[Chart]:
    """Yield the fraction solved by the number of training instances, with the range of models."""
    for domain in SECOND[-1].domains:
        lines = []
        for test_set in (each for each in TEST_SETS if each.domain == domain):
            fractions = {
                method.instances: _fractions(solved)
                for each, method, solved in found
                if each is test_set and solved and method in (RANKER, *SECOND[len(ABLATIONS) :])
            }
            points = [Point(n, fmean(x), min(x), max(x)) for n, x in sorted(fractions.items())]
            lines.append(Series(test_set.configuration, tuple(points)))
        yield Chart(
            domain, f"training instances, n={TEST} tests; whiskers: range of the models",
            "fraction solved (mean)", tuple(lines), bottom=0, top=1,
            sizes=tuple(sorted({method.instances for method in (RANKER, *SECOND)})),
        )  # fmt: skip


STUDIES: Final = (
    Study(
        "simplan-ranker",
        "Tables 2 and 3: SimPlan with a small trained ranker, from stored runs",
        _run,
        CARDS,
        is_stored=True,
    ),
)
