"""The pictures of a plan's states as SVG files for papers."""

from __future__ import annotations

from collections.abc import Iterator

from pddl_pipeline.pages.page_data import PageData
from pddl_pipeline.pages.pictures.marks import svg_file


def svg_files(data: PageData) -> Iterator[tuple[str, str]]:
    """Yield name and content of an SVG file for each state, with the marks of its step.

    Nothing if the task has too many objects for a picture; see `PageData.no_picture`.
    """
    digits = max(2, len(str(len(data.walk.frames))))
    pictures = zip(data.walk.frames, data.drawings, data.pictures, strict=False)
    for frame, drawing, parts in pictures:
        failed = "-fails" if frame.failed else ""
        name = f"step-{frame.number:0{digits}}{failed}.svg"
        yield name, svg_file(drawing, parts, data.say(frame))
