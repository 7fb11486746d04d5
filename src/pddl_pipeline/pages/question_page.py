"""The marks of answers to questions as one self-contained HTML page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from pddl_pipeline.model.text import counted, shortened
from pddl_pipeline.pages.html_page import rendered, visible
from pddl_pipeline.pages.score_page import MOST_ENTRIES, AnswerEntries
from pddl_pipeline.questions.marking import Marked
from pddl_pipeline.questions.question import Question
from pddl_pipeline.questions.summary import accuracy_table, mistake_table, summarise, task_table
from pddl_pipeline.scoring.score_rows import shown_name
from pddl_pipeline.statistics.intervals import FEW
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.tables.text_table import TextTable

_LONGEST = 20_000
_READING = (
    "An answer is right if it is the exact answer or, where several are possible, one of them. "
    "Undecided answers do not count."
)


def question_html(
    questions: Mapping[str, Question], marked: Sequence[Marked], facts: Mapping[str, str]
) -> str:
    """Return the page: the tables, all answers, and what was scored.

    Args:
        questions: the questions by id.
        marked: the answers.
        facts: what was scored, by name.
    """
    entries, summaries = AnswerEntries(), summarise(marked, questions.values())
    for each in marked:
        entries.write(_entry_line(each))
    tables = [
        NamedTable("Accuracy (%) by domain and task", task_table(questions, marked)),
        NamedTable("Accuracy by kind of question", accuracy_table(summaries)),
        NamedTable("Mistakes", mistake_table(summaries)),
    ]
    rows = tuple((name, visible(text)) for name, text in facts.items())
    return rendered(
        "score.html.j2", title=f"Answers to {counted(len(questions), 'question')}",
        tables=tables, notes=[], figures=[], fix=None, few=FEW, reading=_READING,
        facts=TextTable(("property", "value"), rows, names=2), entries=entries, most=MOST_ENTRIES,
    )  # fmt: skip


def _entry_line(each: Marked) -> str:
    verdict = {True: "valid", False: "invalid", None: "undecided"}[each.mark.correct]
    entry = {
        "id": visible(each.id or ""),
        "attempt": 1,
        "model": shown_name(each.model),
        "verdict": verdict,
        "errors": ", ".join(each.mark.mistakes),
        "why": visible(each.mark.reason or ""),
        "cost": "",
        "text": "\n".join(map(visible, shortened(each.text, _LONGEST).splitlines())),
    }
    return f"{json.dumps(entry)}\n"
