"""The forms of a table: terminal, CSV, HTML, Markdown and LaTeX."""

from __future__ import annotations

import csv
import io

from rich.console import Console

from pddl_pipeline.tables.text_table import TextTable

TABLE = TextTable(
    headings=("planner", "solved (%)"),
    rows=(("a, <b> & $c_1", "100.00"), ("lama", "-")),
    names=1,
    marked=(False, True),
)


def printed(table: TextTable, *, colours: bool = False) -> str:
    stream = io.StringIO()
    console = Console(
        file=stream, width=60, markup=False, highlight=False, force_terminal=colours,
        color_system="standard" if colours else None,
    )  # fmt: skip
    console.print(table)
    return stream.getvalue()


def test_numbers_are_aligned_to_the_right_on_a_terminal() -> None:
    lines = printed(TABLE).splitlines()
    assert [line.rstrip() for line in lines if "─" not in line] == [
        "planner        solved (%)",
        "a, <b> & $c_1      100.00",
        "lama                    -",
    ]


def test_only_marked_rows_have_a_colour() -> None:
    lines = printed(TABLE, colours=True).splitlines()
    assert ["\x1b[33m" in line for line in lines[-2:]] == [False, True]


def test_csv_leaves_cells_without_a_number_empty() -> None:
    rows = list(csv.reader(io.StringIO(TABLE.to_csv())))
    assert rows == [["planner", "solved (%)"], ["a, <b> & $c_1", "100.00"], ["lama", ""]]


def test_html_escapes_and_marks_rows_and_numbers() -> None:
    html = TABLE.to_html()
    assert "<td>a, &lt;b&gt; &amp; $c_1</td><td class=number>100.00</td>" in html
    assert "<tr class=gap><td>lama</td>" in html
    assert html.startswith("<div class='wide'>")
    assert TABLE.to_html(long=True).startswith("<div class='long'>")


def test_markdown_escapes_and_aligns_numbers() -> None:
    bar = TextTable(("a|b", "n"), (("<x>", "1"),), names=1)
    assert bar.to_markdown() == "| a\\|b | n |\n| --- | --: |\n| &lt;x> | 1 |\n"


def test_latex_has_the_lines_of_booktabs_and_escapes() -> None:
    assert TABLE.to_latex().splitlines() == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"planner & solved (\%) \\",
        r"\midrule",
        r"a, <b> \& \$c\_1 & 100.00 \\",
        r"lama & - \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    odd = TextTable(("a\\b", "~^{}#"), (), names=2)
    assert r"a\textbackslash{}b & \textasciitilde{}\textasciicircum{}\{\}\# \\" in odd.to_latex()
