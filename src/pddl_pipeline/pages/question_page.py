"""The marks of answers to questions as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pddl_pipeline.model.text import counted
from pddl_pipeline.pages.html_page import rendered, visible
from pddl_pipeline.pages.score_page import MOST_ENTRIES, AnswerEntries, shown_entry
from pddl_pipeline.questions.kind import kinds
from pddl_pipeline.questions.marking import Marked
from pddl_pipeline.questions.question import Question
from pddl_pipeline.questions.summary import accuracy_table, mistake_table, summarise, task_table
from pddl_pipeline.statistics.intervals import FEW
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.tables.text_table import facts_table

_VERDICTS: Final = {True: "valid", False: "invalid", None: "undecided"}
_READING: Final = (
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
        # The page of scores shows plans; marks are put into its words.
        line = shown_entry(
            each.id, each.model, _opened(each, questions), verdict=_VERDICTS[each.mark.correct],
            errors=each.mark.mistakes, why=each.mark.reason,
        )  # fmt: skip
        entries.write(line)
    tables = [
        NamedTable("Accuracy (%) by domain and task", task_table(questions, marked)),
        NamedTable("Accuracy by kind of question", accuracy_table(summaries)),
        NamedTable("Mistakes", mistake_table(summaries)),
    ]
    return rendered(
        "score.html.j2", title=f"Answers to {counted(len(questions), 'question')}",
        tables=tables, notes=[], figures=[], fix=None, few=FEW, reading=_READING,
        facts=facts_table((name, visible(text)) for name, text in facts.items()),
        entries=entries, most=MOST_ENTRIES,
    )  # fmt: skip


def _opened(marked: Marked, questions: Mapping[str, Question]) -> str:
    """Return the question, the model's answer, and the exact answer unless a search finds it."""
    asked = questions.get(marked.id or "")
    if asked is None:
        return marked.text
    parts = {"Question": asked.question, "Answer of the model": marked.text}
    if asked.answer is not None:
        parts["Exact answer"] = kinds()[asked.kind].answer_text(asked)
    return "\n\n".join(f"{name}:\n{text}" for name, text in parts.items())
