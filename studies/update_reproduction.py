"""Write the tables and pictures of docs/reproduction from the stored results of studies.

Each table stands between ``<!-- table: NAME -->`` and ``<!-- end -->``; NAME is a key of `TABLES`.
``python studies/update_reproduction.py`` writes the pages again after a result was stored, and a
test compares the two. A result is stored by ``pddl-pipeline reproduce STUDY … -o
studies/PAPER/results``.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from pddl_pipeline.papers.comparison import Comparison, Decision, p_text
from pddl_pipeline.papers.section import Section
from pddl_pipeline.statistics.differences import LEVEL
from pddl_pipeline.statistics.significance import holm
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable

FOLDER: Final = Path(__file__).parent
PAPERS: Final = ("autotos", "cats", "countdown", "simplan", "tutorial")
PAGES: Final = tuple(
    FOLDER.parent / "docs" / "reproduction" / f"{name}.md" for name in ("index", *PAPERS)
)
_BLOCK: Final = re.compile(r"(<!-- table: (\S+) -->\n).*?(?=<!-- end -->)", re.DOTALL)

Row = Mapping[str, str]


class Claim(NamedTuple):
    """A claim of a paper, and the comparison that decides it."""

    study: str
    text: str
    what: str
    """`Comparison.what`."""
    limit: str
    """The limits of the runs, which the study's conditions contain; empty without runs."""


class Cells(NamedTuple):
    """A table of a page, made of the columns of a table of a study."""

    study: str
    number: int
    """The number of the study's table, from 1."""
    columns: Mapping[str, str | Callable[[Row], str]]
    """The headings of the page with those of the study, or with functions of its rows."""
    keeps: Callable[[Row], bool] = bool
    verdicts: Mapping[str, Callable[[Row], str]] = {}
    """Further columns of verdicts: the comparison's `what` for a row."""
    has_tests: bool = False
    """Whether the verdicts have their tests."""


class Pivot(NamedTuple):
    """A table of a page in which a column of a study's table is spread over several columns."""

    study: str
    number: int
    names: tuple[str, ...]
    """The headings of the study's table that name a row."""
    spread: str
    """The heading whose values are the further columns."""
    cell: Callable[[Row], str]
    keeps: Callable[[Row], bool] = bool
    prefix: str = ""
    """What stands before each of these values."""


@cache
def stored(study: str) -> Section:
    """Return the stored result of a study."""
    file = FOLDER / study.partition("-")[0] / "results" / study / "findings.json"
    return msgspec.json.decode(file.read_bytes(), type=Section)


def comparison(study: str, what: str) -> Comparison:
    """Return a stored comparison."""
    found = [x for x in stored(study).findings.comparisons if x.what == what]
    if len(found) != 1:
        raise ValueError(f"{study}: {len(found)} comparisons '{what}', expected 1")
    return found[0]


@cache
def claims() -> tuple[Claim, ...]:
    """Return the claims of the papers, in their order."""
    with (FOLDER / "reproduction_claims.csv").open(encoding="utf-8", newline="") as file:
        rows = tuple(Claim(**row) for row in csv.DictReader(file))
    for claim in rows:
        if claim.limit not in stored(claim.study).findings.conditions:
            raise ValueError(f"{claim.study}: no limit '{claim.limit}' in its conditions")
    return rows


def updated(text: str) -> str:
    """Return a page with the tables of the stored results."""
    return _BLOCK.sub(lambda block: block[1] + _markdown(TABLES[block[2]]()), text)


def _markdown(table: TextTable) -> str:
    """Return a table in Markdown, with a short rule and counts without their percentages.

    Return nothing for a table without rows.
    """
    if not table.rows:
        return ""
    text = table.to_markdown(marked_up=True).replace(" --- ", "---")
    return re.sub(r"\| \d+ % \((\d+ of \d+)\)", r"| \1", text)


def _results() -> TextTable:
    """Return the number of claims by verdict for each paper with claims, without fits."""
    verdicts = ("agrees", "differs", "undecided")
    headings = ("paper", "first date", "last date", *verdicts, "no verdict")
    rows = []
    for paper in PAPERS:
        of_paper = [each for each in claims() if each.study.startswith(f"{paper}-")]
        compared = [
            (each.study in _STOOD_IN, comparison(each.study, each.what)) for each in of_paper
        ]
        found = Counter((apart, x.verdict) for apart, x in compared if not x.is_fit)
        if not found:
            continue
        counts = {x: [found[x, verdict] for verdict in verdicts] for x in (False, True)}
        for apart, row in counts.items():
            row.append(sum(found[x] for x in found if x[0] is apart) - sum(row))
        cells = (f"{count or '-'}{f' ({stood_in})' if stood_in else ''}"
                 for count, stood_in in zip(*counts.values(), strict=True))  # fmt: skip
        dates = [stored(each.study).made[:10] for each in of_paper]
        rows.append((f"[{paper}]({paper}.md)", min(dates), max(dates), *cells))
    return TextTable(headings, tuple(rows), names=len(headings))


def _corrected() -> TextTable:
    """Return how many verdicts stand after Holm's correction over all tests that could decide one.

    A family of the significant ones alone would be chosen by its results.
    """
    made = [comparison(each.study, each.what) for each in claims()]
    by_a_test = [
        each.decision.p for each in made
        if not each.is_fit and each.verdict in ("agrees", "differs", "undecided")
        and each.decision.p is not None
    ]  # fmt: skip
    headings = ("tests", "p below 5 %", "below 5 % after Holm's correction over all of these")
    below = (sum(p < LEVEL for p in every) for every in (by_a_test, holm(by_a_test)))
    return TextTable(headings, ((str(len(by_a_test)), *map(str, below)),), names=3)


def _claims_of(paper: str) -> TextTable:
    """Return the claims of a paper that no other table of its page decides."""
    headings = ("study", "claim of the paper", "n", "verdict", "test")
    rows, last = list[tuple[str, ...]](), ""
    for claim in claims():
        if claim.study.startswith(f"{paper}-") and (row := _claim(claim)):
            # The first claim of a study names it.
            rows.append(row if row[0] != last else ("", *row[1:]))
            last = row[0]
    return TextTable(headings, tuple(rows), names=len(headings))


def _claim(claim: Claim) -> tuple[str, ...]:
    if claim.study in _WITH_VERDICTS:
        return ()
    found = comparison(claim.study, claim.what)
    n = "; ".join(f"{n:,}" for n in found.decision.n)
    return f"`{claim.study}`", claim.text, n or "-", _verdict(found), _test(found.decision)


def _test(decision: Decision) -> str:
    """Return the short name of a decision's test, with its p.

    A test of equality has a p only if it shows a difference within the margin.
    """
    names = [short for name, short in _TESTS.items() if decision.test.startswith(name)]
    is_hidden = decision.p is None or (names[0] in _OF_EQUALITY and decision.p >= LEVEL)
    p = "" if decision.p is None or is_hidden else f", {p_text(decision.p)}"
    return f"{names[0]}{p}" if names else "-"


def _verdict(found: Comparison) -> str:
    verdict = f"{found.verdict}{', a fit' if found.is_fit else ''}"
    if found.decision.is_final:
        return f"{verdict} (final)"
    needed = found.decision.needed
    return verdict if needed is None else f"{verdict} (n={needed:,})"


def _cells(cells: Cells) -> TextTable:
    headings = (*cells.columns, *cells.verdicts)
    lines = tuple(
        (
            *(x(row) if callable(x) else row[x] for x in cells.columns.values()),
            *(_cell(comparison(cells.study, what(row)), cells) for what in cells.verdicts.values()),
        )
        for row in _rows(cells.study, cells.number)
        if cells.keeps(row)
    )
    return TextTable(headings, tuple(dict.fromkeys(lines)), names=len(headings))


def _cell(found: Comparison, cells: Cells) -> str:
    return f"{_verdict(found)}{f', {_test(found.decision)}' if cells.has_tests else ''}"


def _pivoted(pivot: Pivot) -> TextTable:
    rows = [row for row in _rows(pivot.study, pivot.number) if pivot.keeps(row)]
    columns = list(dict.fromkeys(row[pivot.spread] for row in rows))
    cells = {(*(row[x] for x in pivot.names), row[pivot.spread]): pivot.cell(row) for row in rows}
    headings = (*pivot.names, *(f"{pivot.prefix}{column}" for column in columns))
    lines = tuple(
        (*names, *(cells.get((*names, column), "-") for column in columns))
        for names in dict.fromkeys(key[:-1] for key in cells)
    )
    return TextTable(headings, lines, names=len(headings))


def _rows(study: str, number: int) -> list[Row]:
    table = stored(study).findings.tables[number - 1].table
    return [dict(zip(table.headings, row, strict=True)) for row in table.rows]


def _is_exact(row: Row) -> bool:
    return row["solver"] != "dfs:numbers=float"


def _beside_ranker(row: Row) -> str:
    """Return a fraction with the paper's, and p of the ranker's models against another method."""
    p = "" if row["largest p"] == NO_NUMBER else f", p={row['largest p']}"
    return f"{row['solved']} ({row['paper']}{p})"


def _set(row: Row) -> str:
    return f"{row['domain']} {row['configuration'][0].upper()}"


_PHASES: Final = {
    "dataset": "dataset", "solver": "solver", "sizes up to 7": "sizes up to 7: valid",
    "sizes 8 to 16": "sizes 8 to 16: valid", "sizes 17 to 30": "sizes 17 to 30: valid",
}  # fmt: skip
_TESTS: Final = {
    "exact binomial": "binomial", "exact McNemar": "McNemar", "exact": "exact",
    "two one-sided": "TOST", "Fisher": "Fisher", "Welch": "Welch", "one-sample": "t",
    "rank sum": "ranks", "sign": "sign", "chi-square": "chi-square", "bootstrap": "bootstrap",
    "range": "range",
}  # fmt: skip
"""The short names of tests by the beginning of `Decision.test`."""
_OF_EQUALITY: Final = ("TOST", "bootstrap")
_READ: Final = {"all samples", "shortest plans", "complete goals"}
_WITHOUT_CLAIMS: Final = {"tutorial"}
"""The papers whose studies decide no claim of the paper."""
_STOOD_IN: Final = {"cats-printed"}
"""The studies in which something stands in for a language model: their counts are in brackets."""
_CHARTS: Final = (
    "autotos-24game", "cats-appendix-a", "countdown-figure2", "simplan-ranker", "tutorial-problems",
)  # fmt: skip
"""The studies whose charts are pictures of the pages."""
_WITH_VERDICTS: Final = {"cats-printed", "simplan-table2", "simplan-table8"}
"""The studies whose own table has the verdicts."""
_UNABLATED: Final = {"ranker", "random", "goal-count"}
_TABLES: Final = {
    "states": Cells(
        "countdown-figure1", 1,
        {"size": "size", "bound": "bound", "mean": "mean states", "least": "least",
         "most": "most"},
        lambda row: row["instances"] != "0",
    ),
    "answers": Cells(
        "countdown-24game-logs", 1,
        {name: name for name in
         ("method", "model", "mean (%)", "accuracy@5 (%)", "one of all (%)")},
        lambda row: "GPT-4" in row["model"],
    ),
    "figure3": Cells("countdown-figure3", 1, _PHASES, _is_exact),
    "figure4": Cells("countdown-figure4", 1, _PHASES, _is_exact),
    "theorem1": Cells(
        "countdown-theorem1", 1,
        {name: name for name in ("planner", "T = 6", "T = 20", "false claims")},
    ),
    "goal_orders": Cells(
        "simplan-goal-ordering", 2,
        {name: name for name in
         ("goals", "landmarks say", "exact, whole task", "exact, the two alone", "pairs")},
    ),
    "naive": Cells(
        "simplan-table2", 1,
        {name: name for name in ("set", "n", "random: paper", "random: ours", "goal-count: paper",
                                 "goal-count: ours")},
        verdicts={
            f"verdict on {name}": lambda row, name=name: f"{row['set']}: fraction solved by {name}"
            for name in ("random", "goal-count")
        },
    ),
    "plan_lengths": Cells("simplan-table8", 1, {
        "set": _set, "paper": "paper's mean",
        "ours": lambda row: f"{row['mean']} [{row['low']}, {row['high']}]",
    }, verdicts={"verdict": lambda row: f"{_set(row)}: mean plan length"}),
    "printed_verdicts": Cells(
        "cats-printed", 1,
        {"budget": "budget", "paper: short": "short (%)", "mid": "mid (%)", "long": "long (%)"},
        lambda row: row["form"].startswith("paper"),
        {
            f"verdict: {name}": lambda row, name=name: (
                f"CATS, {row['budget']} budget, {name} tasks: success of the printed form"
            )
            for name in ("all", "short", "mid", "long")
        },
        has_tests=True,
    ),
    "shifts": Cells("cats-table1", 1, {
        "costs (pu, un, pd, st)": "costs (pu,un,pd,st)", "paper (%)": "paper (%)",
        "lowest": "lowest possible (%)",
        "highest": "highest possible (%)",
    }),
    "lengths_of_cats": Cells("cats-appendix-a", 2, {
        "tasks": "tasks", "mean steps": "mean steps", "longest": "longest",
        "chi-square": "chi-square", "degrees of freedom": "degrees of freedom",
        "p (four decimals)": "p",
    }, lambda row: row["tasks"] in _READ),
    "problems": Cells(
        "tutorial-problems", 1,
        {name: name for name in ("problem", "planner", "plans", "costs", "valid", "distance")},
    ),
}  # fmt: skip
_PIVOTS: Final = {
    "autotos_accuracy": Pivot(
        "autotos-logs", 1, ("logs of",), "soundness test",
        lambda row: ", ".join(cell for name, cell in row.items() if name.endswith("%")),
        lambda row: row["logs of"] in {"24game", "blocksworld", "sokoban"},
        "soundness test ",
    ),
    "solutions": Pivot(
        "countdown-figure2", 1, ("dataset",), "size",
        lambda row: f"{row['median']} ({row['median, 95 %']})", prefix="size ",
    ),
    "printed": Pivot(
        "cats-printed", 1, ("form", "omega"), "budget", lambda row: row["all (%)"],
        lambda row: "meeting" not in row["form"], "budget ",
    ),
    "ranker": Pivot(
        "simplan-ranker", 1, ("set", "n"), "method", _beside_ranker,
        lambda row: row["method"] in _UNABLATED,
    ),
    "ablations": Pivot(
        "simplan-ranker", 1, ("method",), "set", _beside_ranker,
        lambda row: row["method"].startswith("without"),
    ),
}  # fmt: skip
TABLES: Final[Mapping[str, Callable[[], TextTable]]] = {
    "results": _results,
    "holm": _corrected,
    **{paper: partial(_claims_of, paper) for paper in PAPERS if paper not in _WITHOUT_CLAIMS},
    **{name: partial(_cells, cells) for name, cells in _TABLES.items()},
    **{name: partial(_pivoted, pivot) for name, pivot in _PIVOTS.items()},
}


if __name__ == "__main__":
    from pddl_pipeline.papers.chart_plot import draw  # an extra

    for name in _CHARTS:
        picture = FOLDER.parent / "docs" / "pictures" / f"{name}.svg"
        picture.write_bytes(draw(stored(name).findings.charts, "svg"))
    for page in PAGES:
        page.write_text(updated(page.read_text(encoding="utf-8")), encoding="utf-8")
