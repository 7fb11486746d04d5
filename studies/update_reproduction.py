"""Write the tables of docs/reproduction.md from the stored results of studies.

Each table stands between ``<!-- table: NAME -->`` and ``<!-- end -->``; NAME is a key of `TABLES`.
``python studies/update_reproduction.py`` writes the page again after a result was stored, and a
test compares the two. A result is stored by ``pddl-pipeline reproduce STUDY … -o
studies/PAPER/results``.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from pddl_pipeline.papers.comparison import Comparison
from pddl_pipeline.papers.section import Section
from pddl_pipeline.tables.text_table import TextTable

FOLDER: Final = Path(__file__).parent
PAGE: Final = FOLDER.parent / "docs" / "reproduction.md"
_BLOCK: Final = re.compile(r"(<!-- table: (\S+) -->\n).*?(?=<!-- end -->)", re.DOTALL)

Row = Mapping[str, str]


class Claim(NamedTuple):
    """A row of the summary: a claim of a paper, and the comparison that decides it."""

    study: str
    text: str
    what: str
    """`Comparison.what`."""
    limit: str
    """The limits of the runs, which the study's conditions contain; empty without runs."""


class Cells(NamedTuple):
    """A table of the page, made of the columns of a table of a study."""

    study: str
    number: int
    """The number of the study's table, from 1."""
    columns: Mapping[str, str]
    """The headings of the page with those of the study."""
    keeps: Callable[[Row], bool] = bool


@cache
def stored(study: str) -> Section:
    """Return the stored result of a study."""
    file = FOLDER / study.partition("-")[0] / "results" / study / "findings.json"
    return msgspec.json.decode(file.read_bytes(), type=Section)


def comparison(claim: Claim) -> Comparison:
    """Return the stored comparison of a claim."""
    found = [x for x in stored(claim.study).findings.comparisons if x.what == claim.what]
    if len(found) != 1:
        raise ValueError(f"{claim.study}: {len(found)} comparisons '{claim.what}', expected 1")
    return found[0]


def updated(text: str) -> str:
    """Return the page with the tables of the stored results."""
    return _BLOCK.sub(lambda block: block[1] + TABLES[block[2]]().to_markdown(marked_up=True), text)


def _summary() -> TextTable:
    headings = ("study", "claim of the paper", "n", "limit", "verdict")
    return TextTable(headings, tuple(map(_claim, _claims())), names=len(headings))


def _claim(claim: Claim) -> tuple[str, ...]:
    found = comparison(claim)
    if claim.limit not in stored(claim.study).findings.conditions:
        raise ValueError(f"{claim.study}: no limit '{claim.limit}' in its conditions")
    n, verdict = _decided(found)
    return f"`{claim.study}`", claim.text, n, claim.limit or "-", verdict


def _decided(found: Comparison) -> tuple[str, str]:
    """Return the sizes of the samples and the verdict."""
    decision = found.decision
    n = " and ".join(f"{n:,}" for n in decision.n)
    if decision.test == "exact":
        n += ", exact"
    verdict = f"{found.verdict}{', a fit' if found.is_fit else ''}"
    if decision.needed is not None:
        verdict += f" (n={decision.needed:,} would decide)"
    return n or "-", verdict


def _cells(cells: Cells) -> TextTable:
    return TextTable(tuple(cells.columns), tuple(_rows(cells)), names=len(cells.columns))


def _curves(study: str) -> TextTable:
    """Return the plans by size that are valid; the claimed ones too where they are more."""
    (named,) = (x for x in stored(study).findings.tables if "size" in x.table.headings
                and "solver" in x.table.headings)  # fmt: skip
    rows = [dict(zip(named.table.headings, row, strict=True)) for row in named.table.rows]
    columns = list(dict.fromkeys(f"{row['dataset']}: {row['solver']}" for row in rows))
    cells = {(row["size"], f"{row['dataset']}: {row['solver']}"): _plans(row) for row in rows}
    lines = tuple(
        (size, *(cells.get((size, column), "-") for column in columns))
        for size in sorted({row["size"] for row in rows}, key=int)
    )
    return TextTable(("size", *columns), lines, names=len(columns) + 1)


def _plans(row: Row) -> str:
    text = f"{row['valid']} of {row['instances']}"
    return text if row["claimed"] == row["valid"] else f"{text}, {row['claimed']} claimed"


def _rows(cells: Cells) -> Iterator[tuple[str, ...]]:
    table = stored(cells.study).findings.tables[cells.number - 1].table
    for row in table.rows:
        named = dict(zip(table.headings, row, strict=True))
        if cells.keeps(named):
            yield tuple(named[heading] for heading in cells.columns.values())


def _claims() -> list[Claim]:
    """Return the rows of the summary, in their order."""
    with (FOLDER / "reproduction_claims.csv").open(encoding="utf-8", newline="") as file:
        return [Claim(**row) for row in csv.DictReader(file)]


_PHASES: Final = {
    "dataset": "dataset", "solver": "solver", "sizes up to 7": "sizes up to 7: valid",
    "sizes 8 to 16": "sizes 8 to 16: valid", "sizes 17 to 30": "sizes 17 to 30: valid",
}  # fmt: skip
_READ: Final = {"all samples", "shortest plans", "complete goals"}
_ENOUGH: Final = 50
"""The number of tasks from which on a paired comparison is on the page."""
_TABLES: Final = {
    "states": Cells(
        "countdown-figure1", 1,
        {"size": "size", "bound": "bound", "instances": "instances", "mean": "mean states",
         "least": "least", "most": "most", "mean / bound": "states / bound"},
        lambda row: row["instances"] != "0",
    ),
    "solutions": Cells(
        "countdown-figure2", 1,
        {name: name for name in ("dataset", "size", "instances", "median", "median, 95 %")},
    ),
    "game24": Cells(
        "countdown-24game", 1,
        {name: name for name in ("solver", "puzzles", "claimed", "valid", "95 % interval, %")},
    ),
    "answers": Cells(
        "countdown-24game-logs", 1,
        {name: name for name in
         ("method", "model", "mean (%)", "accuracy@5 (%)", "one of all (%)")},
    ),
    "answers_agree": Cells(
        "countdown-24game-logs", 2,
        {name: name for name in
         ("method", "answers", "both correct", "only ours", "only the published")},
    ),
    "figure3": Cells("countdown-figure3", 1, _PHASES),
    "figure4": Cells("countdown-figure4", 1, _PHASES),
    "targets": Cells(
        "countdown-figure3", 2,
        {name: name for name in
         ("dataset", "size", "instances", "least", "lower median", "largest", "above 2^53")},
    ),
    "autotos24": Cells(
        "autotos-24game", 1,
        {name: name for name in
         ("functions", "puzzles", "solved within 0.001", "ends at 24.0", "mean expanded states")},
    ),
    "autotos_calls": Cells("autotos-replay", 1, {
        "model": "model",
        **{f"{domain}, {side}": f"{domain}: {side}"
           for domain in ("24game", "blocksworld", "sokoban") for side in ("paper", "replay")},
    }),
    "autotos_failures": Cells("autotos-replay", 2, {
        "category": "category", "logs": "logs", "logs, %": "logs, %", "replay": "replay",
        "replay, %": "replay, %",
    }, lambda row: (row["logs"], row["replay"]) != ("0", "0")),
    "autotos_differences": Cells("autotos-replay", 3, {
        name: name for name in ("log", "call", "published", "replay", "explained by")
    }),
    "goal_orders": Cells(
        "simplan-goal-ordering", 2,
        {name: name for name in
         ("goals", "landmarks say", "exact, whole task", "exact, the two alone", "pairs")},
    ),
    "goal_questions": Cells(
        "simplan-goal-ordering", 1,
        {name: name for name in ("domain", "configuration", "instances", "with a pair", "pairs",
                                 "questions", "answer first")},
    ),
    **{domain: Cells(f"autotos-{domain}", 1, {
        "shortest plan (steps)": "shortest plan (steps)", "instances": "instances",
        "found": "found", "mean expanded states": "mean expanded states",
    }) for domain in ("blocksworld", "sokoban")},
    "naive": Cells(
        "simplan-table2", 1,
        {name: name for name in ("set", "n", "random: paper", "random: ours", "goal-count: paper",
                                 "goal-count: ours")},
    ),
    "plan_lengths": Cells("simplan-table8", 1, {
        "domain": "domain", "configuration": "configuration", "objects": "objects",
        "paper": "paper's mean", "ours": "mean", "95 %, from": "low", "to": "high",
        "deviation": "deviation", "solved": "solved",
    }),
    "shifts": Cells("cats-table1", 1, {
        "costs (pu, un, pd, st)": "costs (pu,un,pd,st)", "paper (%)": "paper (%)",
        "lowest": "lowest possible (%)", "random": "a sequence at random (%)",
        "highest": "highest possible (%)",
        "20 samples: lowest": "lowest possible, mean of samples (%)",
        "random, mean": "a sequence at random, mean of samples (%)",
        "highest, mean": "highest possible, mean of samples (%)",
    }),
    "lengths_of_cats": Cells("cats-appendix-a", 2, {
        "tasks": "tasks", "mean steps": "mean steps", "longest": "longest",
        "chi-square": "chi-square", "degrees of freedom": "degrees of freedom",
        "p (four decimals)": "p",
    }, lambda row: row["tasks"] in _READ),
    "printed": Cells("cats-printed", 1, {
        name: name for name in
        ("budget", "form", "omega", "short (%)", "mid (%)", "long (%)", "all (%)", "n")
    }),
    "printed_pairs": Cells(
        "cats-printed", 3,
        {name: name for name in ("first / second", "budget", "n", "both", "only first",
                                 "only second", "neither", "p (McNemar)")},
        lambda row: int(row["n"]) >= _ENOUGH,
    ),
    "tutorial": Cells(
        "tutorial-problems", 1,
        {name: name for name in ("problem", "planner", "plans", "costs", "valid", "distance")},
    ),
}  # fmt: skip
TABLES: Final[Mapping[str, Callable[[], TextTable]]] = {
    "summary": _summary,
    **{
        f"{figure}_by_size": partial(_curves, f"countdown-{figure}")
        for figure in ("figure3", "figure4")
    },
    **{name: partial(_cells, cells) for name, cells in _TABLES.items()},
}


if __name__ == "__main__":
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
