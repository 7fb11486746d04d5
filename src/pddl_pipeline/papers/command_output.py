"""Prints the results of studies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from pddl_pipeline.cli.console import output_console
from pddl_pipeline.papers.comparison import Comparison, decision_text
from pddl_pipeline.papers.registry import studies
from pddl_pipeline.papers.section import Section
from pddl_pipeline.papers.study import PAPERS
from pddl_pipeline.tables.text_table import NO_NUMBER


def print_list() -> None:
    """Print the names and titles of the studies, by paper."""
    # The studies of a plug-in may belong to another paper.
    papers = dict.fromkeys([*PAPERS, *(study.paper for study in studies().values())])
    for paper in papers:
        click.echo(f"{paper}: {PAPERS.get(paper, 'from a plug-in')}")
        for study in studies().values():
            if study.paper == paper:
                click.echo(f"  {study.name:<24} {study.title}")


def _decided_by(comparison: Comparison) -> str:
    text = decision_text(comparison.decision)
    return "" if text == NO_NUMBER else text


def print_section(section: Section, files: Sequence[Path]) -> None:
    """Print a study: its conditions, its comparison with the paper and its tables."""
    console, findings = output_console(), section.findings
    console.print(f"{section.study}: {section.title}", soft_wrap=True)
    console.print(findings.conditions, soft_wrap=True)
    for each in findings.comparisons:
        line = f"{each.verdict}: {each.what}: paper {each.paper_text}; ours {each.our_text}"
        further = filter(None, (_decided_by(each), each.remarks))
        console.print(" | ".join((line, *further)), soft_wrap=True)
    for named in findings.tables:
        console.print(f"\n{named.caption}", soft_wrap=True)
        console.print(named.table)
    for note in findings.notes:
        console.print(f"\n{note}", soft_wrap=True)
    console.print(f"\n{section.seconds:.0f} s; {', '.join(map(str, files))}\n", soft_wrap=True)
