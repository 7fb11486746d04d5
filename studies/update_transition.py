"""Write the tables and sentences of docs/reproduction/countdown-transition.md from the stored runs.

Tables and sentences are about the runs of both studies, the conditions about those of the first.
The page says how many of its runs it is about: the first ones of the file, so that it stays true
when runs are added. ``python studies/update_transition.py`` takes all runs that are stored now.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

from pddl_pipeline.papers.countdown import zeros
from pddl_pipeline.papers.countdown.transition import report
from pddl_pipeline.papers.countdown.transition_data import Case, read_cases, read_runs, store_file
from pddl_pipeline.papers.stored_runs import StoredRun, read_lines
from pddl_pipeline.papers.study import StudyResult

PAGE = Path(__file__).parents[1] / "docs" / "reproduction" / "countdown-transition.md"
_NUMBER = re.compile(r"(?<=<!-- runs: )\d+(?= -->)")
_BLOCK = re.compile(
    r"(<!-- (conditions|summary|table)(?:: ([^>]+))? -->\n).*?(?=<!-- end -->)", re.DOTALL
)


def updated(text: str, number: int) -> str:
    """Return the page about the first runs of the first study, and all of the second."""
    cases = read_cases()
    first = report(cases, read_runs(cases, store_file(), number))
    result = replace(report(*both_studies(number)), conditions=first.conditions)
    return _BLOCK.sub(
        lambda block: f"{block[1]}{_content(result, block[2], block[3])}\n",
        _NUMBER.sub(str(number), text),
    )


def both_studies(number: int) -> tuple[list[Case], list[StoredRun]]:
    """Return the instances of both studies, the first runs of the first, and all of the second."""
    cases, new = read_cases(), zeros.read_cases()
    runs = read_runs(cases, store_file(), number)
    return [*cases, *new], [*runs, *read_runs(new, store_file(zeros.STORE))]


def number_of(text: str) -> int:
    """Return the number of runs that the page is about."""
    return int(_NUMBER.findall(text)[0])


def _content(result: StudyResult, kind: str, caption: str) -> str:
    """Return the conditions, the notes with these beginnings, or the table with this caption."""
    if kind == "conditions":
        return result.conditions
    if kind == "summary":
        beginnings = tuple(caption.split("; "))
        return "\n".join(f"- {note}" for note in result.notes if note.startswith(beginnings))
    (table,) = (named.table for named in result.tables if named.caption == caption)
    text = table.to_markdown(marked_up=True).rstrip("\n")
    return text.replace(" --- ", "---").replace(" --: ", "--:")


if __name__ == "__main__":
    PAGE.write_text(updated(PAGE.read_text(), len(read_lines(store_file()))))
    sys.stdout.write(f"{PAGE}: the first {number_of(PAGE.read_text())} runs\n")
