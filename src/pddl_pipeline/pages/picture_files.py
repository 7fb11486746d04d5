"""The states of a plan as files of pictures: one of each, or some beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.model.text import shortened
from pddl_pipeline.pages.page_data import PageData
from pddl_pipeline.pages.pictures.marks import svg_file
from pddl_pipeline.pages.pictures.picture import Drawing
from pddl_pipeline.pages.pictures.svg import number, text

_CAPTION: Final = 24
"""The height of a line above a picture."""
# A page as large as its picture. Other programs refuse pages of more than 14,400 points.
_TYPST: Final = b"""
#set document(date: none)
#set page(width: auto, height: auto, margin: 0pt)
#let drawn = image(bytes(sys.inputs.svg), format: "svg")
#context scale(calc.min(1, 14400pt / measure(drawn).width) * 100%, reflow: true, drawn)
"""


def svg_files(data: PageData) -> Iterator[tuple[str, str]]:
    """Yield name and content of an SVG file for each state, with the marks of its step.

    Nothing if the task has too many objects for a picture; see `PageData.no_picture`.
    """
    digits = max(2, len(str(len(data.walk.frames))))
    pictures = zip(data.walk.frames, data.whys, data.drawings, data.pictures, strict=False)
    for frame, why, drawing, parts in pictures:
        failed = "-fails" if frame.failed else ""
        name = f"step-{frame.number:0{digits}}{failed}.svg"
        yield name, svg_file(drawing, parts, f"{data.say(frame)} {why}".strip())


def strip_file(data: PageData, steps: Sequence[int], form: str) -> bytes:
    """Return a file of the states after some steps, beside each other.

    Args:
        data: the plan and its pictures.
        steps: the steps; 0 is the initial state.
        form: ``.pdf``, which requires the extra ``pictures``; else the file is SVG.

    Raises:
        InputError: the plan has no such step, the task has no picture, or the extra is missing.
    """
    places = {frame.number: place for place, frame in enumerate(data.walk.frames)}
    for step in steps:
        if step not in places or data.no_picture:
            shown = data.no_picture or f"expected {shortened(', '.join(map(str, places)), 60)}"
            raise InputError(f"--strip: found step {step}: {shown}")
    strip = _beside(data, [(places[step], step) for step in steps])
    return _pdf(strip) if form == ".pdf" else strip.encode()


def _beside(data: PageData, places: Sequence[tuple[int, int]]) -> str:
    """Return an SVG file of states beside each other, given the place and the step of each."""
    width, height, x, ground = *data.drawings[0][:2], 0.0, ""
    for place, step in places:
        title = f"Step {step}" if step else "Initial state"
        ground += text(x + width / 2, 16, title, width=width - 16, bold=True)
        ground += f"<g transform='translate({number(x)} {_CAPTION})'>"
        ground += f"{data.drawings[place].ground}{''.join(data.pictures[place])}</g>"
        x += width
    return svg_file(Drawing(x, height + _CAPTION, ground, ()), (), "States of a plan")


def _pdf(picture: str) -> bytes:
    """Return an SVG file as a PDF file.

    Raises:
        InputError: the extra ``pictures`` is missing.
    """
    try:
        from typst import compile as compiled  # an extra
    except ImportError as error:
        fix = install_command("pictures")
        raise InputError(f"PDF files require typst; fix: {fix}") from error
    return compiled(_TYPST, format="pdf", sys_inputs={"svg": picture})
