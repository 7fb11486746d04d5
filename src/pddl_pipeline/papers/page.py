"""All studies of a folder as one self-contained HTML page."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Final

from pddl_pipeline.io.files import write_file
from pddl_pipeline.pages.html_page import folded, html_figure, html_page
from pddl_pipeline.papers.comparison import comparison_table
from pddl_pipeline.papers.registry import studies
from pddl_pipeline.papers.section import Section, read_sections
from pddl_pipeline.papers.study import PAPERS

PAGE: Final = "reproduction.html"


def write_page(folder: Path) -> Path:
    """Write the page with all studies of a folder, in the order of the papers.

    Raises:
        InputError: a study's file cannot be read, or the page cannot be written.
    """
    order = list(studies())
    found = [each for each in read_sections(folder) if each[0].study in order]
    found.sort(key=lambda each: order.index(each[0].study))
    parts = ["<h1>The papers' experiments</h1>"]
    paper = ""
    for section, picture in found:
        of_section = studies()[section.study].paper
        if of_section != paper:
            paper = of_section
            parts.append(f"<h2>{escape(PAPERS.get(paper, paper))}</h2>")
        parts.append(_section(section, picture))
    write_file(folder / PAGE, html_page("pddl-pipeline: the papers' experiments", parts))
    return folder / PAGE


def _section(section: Section, picture: bytes | None) -> str:
    findings = section.findings
    made = f"{section.made[:10]}, {section.machine}, {section.seconds:.0f} s"
    parts = [
        f"<h3 id='{escape(section.study)}'>{escape(section.study)}: {escape(section.title)}</h3>",
        f"<p class='note'>{escape(findings.conditions)}</p>",
        f"<p class='note'><code>{escape(section.command)}</code>, {escape(made)}</p>",
    ]
    if findings.comparisons:
        parts.append(comparison_table(findings.comparisons).to_html(form="long"))
    if picture is not None:
        parts.append(html_figure(section.title, "image/png", picture))
    parts += [folded(each.caption, each.table) for each in findings.tables]
    parts += [f"<p class='note'>{escape(note)}</p>" for note in findings.notes]
    return "\n".join(parts)
