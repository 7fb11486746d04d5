"""Write the tables of docs/reproduction.md from the stored results of studies.

Each table stands between ``<!-- table: NAME -->`` and ``<!-- end -->``; NAME is a key of `TABLES`.
``python studies/update_reproduction.py`` writes the page again after a result was stored, and a
test compares the two. A result is stored by ``pddl-pipeline reproduce STUDY … -o
studies/PAPER/results``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from pddl_pipeline.studies.comparison import Comparison
from pddl_pipeline.studies.section import Section

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
    return _BLOCK.sub(lambda block: block[1] + _markdown(TABLES[block[2]]()), text)


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _summary() -> list[list[str]]:
    return [["study", "claim of the paper", "n", "limit", "verdict"], *map(_claim, CLAIMS)]


def _claim(claim: Claim) -> list[str]:
    found = comparison(claim)
    if claim.limit not in stored(claim.study).findings.conditions:
        raise ValueError(f"{claim.study}: no limit '{claim.limit}' in its conditions")
    decision = found.decision
    n = "exact" if decision.test == "exact" else " and ".join(f"{n:,}" for n in decision.n)
    verdict = f"{found.verdict}{', a fit' if found.is_fit else ''}"
    if decision.needed is not None:
        verdict += f" (n={decision.needed:,} would decide)"
    return [f"`{claim.study}`", claim.text, n or "-", claim.limit or "-", verdict]


def _cells(cells: Cells) -> list[list[str]]:
    return [list(cells.columns), *_rows(cells)]


def _rows(cells: Cells) -> Iterator[list[str]]:
    table = stored(cells.study).findings.tables[cells.number - 1].table
    for row in table.rows:
        named = dict(zip(table.headings, row, strict=True))
        if cells.keeps(named):
            yield [named[heading] for heading in cells.columns.values()]


_CD: Final = "countdown"
CLAIMS: Final = (
    Claim("countdown-figure1", "around 4,500 states of the 24 game: the bound for 4 numbers",
          "states of the 24 game: the bound for 4 numbers", ""),
)  # fmt: skip
TABLES: Final[Mapping[str, Callable[[], list[list[str]]]]] = {
    "summary": _summary,
    "states": lambda: _cells(Cells(
        "countdown-figure1", 1,
        {"size": "size", "bound": "bound", "instances": "instances", "mean": "mean states",
         "least": "least", "most": "most", "mean / bound": "states / bound"},
        lambda row: row["instances"] != "0",
    )),
}  # fmt: skip


if __name__ == "__main__":
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
