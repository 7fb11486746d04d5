"""Creates the trace of an answer to a countdown task: one or more entries per line."""

from __future__ import annotations

from collections.abc import Sequence

from pddl_pipeline.model.answer import TraceLine
from pddl_pipeline.model.plan import Step
from pddl_pipeline.translators.answers.countdown.decisive import Decisive, Piece
from pddl_pipeline.translators.answers.countdown.described import DescribedOperation
from pddl_pipeline.translators.answers.lines import AnswerLine


def traces(
    lines: Sequence[AnswerLine],
    part: Decisive,
    described: DescribedOperation,
    steps: Sequence[tuple[Step, Piece]],
) -> tuple[TraceLine, ...]:
    """Return the entries of all lines, in order."""
    sources = _sources(lines, described, steps)
    notes = {**{o.piece.row: "not all numbers are known" for o in described.board.operations},
             **described.notes} if not steps else described.notes  # fmt: skip
    looked_at = {piece.row for piece in part.pieces} if part.place else ()
    found: list[TraceLine] = []
    for index, line in enumerate(lines):
        if index in sources:
            found += sources[index]
        elif index in notes:
            found.append(line.dropped(notes[index]))
        elif part.place is None or index in looked_at:
            found.append(line.dropped("no step"))
        else:
            found.append(line.dropped(f"{part.place} decides"))
    return tuple(found)


def _sources(
    lines: Sequence[AnswerLine], described: DescribedOperation, steps: Sequence[tuple[Step, Piece]]
) -> dict[int, list[TraceLine]]:
    """Return the entries of the lines with steps, by index of the line."""
    sources: dict[int, list[TraceLine]] = {}
    signs = ", with its signs resolved" if described.board.turned else ""
    for number, (step, piece) in enumerate(steps, start=1):
        line = lines[piece.row]
        is_complete = described.given and line.text == str(step)
        entry = line.used(number) if is_complete else line.changed(f"read as {step}{signs}", number)
        sources.setdefault(piece.row, []).append(entry)
    return sources
