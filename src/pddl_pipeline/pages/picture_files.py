"""The states of a plan as files of pictures: one of each, some beside each other, an animation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import repeat
from typing import Final, Literal, cast

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.extras import install_command
from pddl_pipeline.model.text import shortened
from pddl_pipeline.pages.page_data import PageData
from pddl_pipeline.pages.pictures.marks import svg_file
from pddl_pipeline.pages.pictures.picture import Drawing
from pddl_pipeline.pages.pictures.svg import number, text

_CAPTION: Final = 24
"""The height of a line above a picture."""
_STATE_MS: Final = 1000
_LAST_STATE_MS: Final = 3000
# A page as large as its picture. Other programs refuse pages of more than 14,400 points.
_TYPST: Final = b"""
#set document(date: none)
#set page(width: auto, height: auto, margin: 0pt)
#let drawn = image(bytes(sys.inputs.svg), format: "svg")
#context scale(calc.min(1, 14400pt / measure(drawn).width) * 100%, reflow: true, drawn)
"""


@contextmanager
def _extra() -> Iterator[None]:
    """Report a missing package as an `InputError`."""
    try:
        yield
    except ImportError as error:
        fix = install_command("pictures")
        raise InputError(f"PDF and GIF files require typst and Pillow; fix: {fix}") from error


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


@_extra()
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
    strip = _beside(
        data, [(places[step], [f"Step {step}" if step else "Initial state"]) for step in steps]
    )
    return next(_compiled([strip], "pdf")) if form == ".pdf" else strip.encode()


@_extra()
def animation(data: PageData) -> bytes:
    """Return an animated GIF of all states, each below what its step does and why it fails.

    Raises:
        InputError: the task has no picture, or the extra ``pictures`` is missing.
    """
    from PIL import Image  # an extra

    if data.no_picture:
        raise InputError(f"--gif: {data.no_picture}")
    lines = 1 + any(data.whys)
    said = ([data.say(frame), why] for frame, why in zip(data.walk.frames, data.whys, strict=True))
    drawn = (_beside(data, [(place, each[:lines])]) for place, each in enumerate(said))
    pages = (Image.open(BytesIO(page)).convert("RGB") for page in _compiled(drawn, "png"))
    stream = BytesIO()
    next(pages).save(
        stream, "GIF", save_all=True, append_images=pages, loop=0,
        duration=[*repeat(_STATE_MS, len(data.drawings) - 1), _LAST_STATE_MS],
    )  # fmt: skip
    return stream.getvalue()


def _beside(data: PageData, titles: Sequence[tuple[int, Sequence[str]]]) -> str:
    """Return an SVG file of states beside each other.

    Args:
        data: the plan and its pictures.
        titles: for each state its place in the plan, and the lines above it, equally many.
    """
    width, height, x, ground = *data.drawings[0][:2], 0.0, ""
    top = _CAPTION * len(titles[0][1])
    for place, lines in titles:
        for row, line in enumerate(lines):
            ground += text(x + width / 2, row * _CAPTION + 16, line, width=width - 16, bold=not row)
        ground += f"<g transform='translate({number(x)} {top})'>"
        ground += f"{data.drawings[place].ground}{''.join(data.pictures[place])}</g>"
        x += width
    return svg_file(Drawing(x, height + top, ground, ()), (), "States of a plan")


def _compiled(pictures: Iterable[str], form: Literal["pdf", "png"]) -> Iterator[bytes]:
    """Yield each SVG file as a PDF or PNG file."""
    from typst import Compiler  # an extra

    compiler = Compiler()
    for picture in pictures:
        made = compiler.compile(_TYPST, format=form, ppi=96, sys_inputs={"svg": picture})
        yield cast("bytes", made)
