"""The forms of a table: terminal, CSV, HTML, Markdown and LaTeX."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from pddl_pipeline.tables.linked_text import Link, LinkedText
from pddl_pipeline.tables.named_table import NamedTable, latex_document, markdown_document
from pddl_pipeline.tables.text_table import TextTable

TABLE = TextTable(
    headings=("planner", "solved (%)"),
    rows=(("a, <b> & $c_1", "100.00"), ("lama", "-")),
    names=1,
    marked=(False, True),
)


def test_a_terminal_has_numbers_to_the_right_and_colours_of_marked_rows() -> None:
    stream = io.StringIO()
    Console(file=stream, force_terminal=True, color_system="standard", width=60).print(TABLE)
    lines = stream.getvalue().splitlines()
    assert ["\x1b[33m" in line for line in lines[-2:]] == [False, True]
    plain = (re.sub(r"\x1b\[[\d;]*m", "", line).rstrip() for line in lines)
    assert [line for line in plain if "─" not in line] == [
        "planner        solved (%)",
        "a, <b> & $c_1      100.00",
        "lama                    -",
    ]


CELLS = st.text("ab-. 1", max_size=30) | st.sampled_from(["seq-opt-lmcut", "stopped at the limit"])
NUMBERS = st.decimals(-(10**6), 10**6, places=2).map(str) | st.just("-")
HEADINGS = st.sampled_from(["instances", "mean time (s)", "coverage (%)", "IPC sat", "x"])


@given(st.data(), st.integers(1, 4), st.integers(0, 16), st.sampled_from([60, 80, 120]))
def test_a_narrow_terminal_loses_no_digit_and_no_word_of_a_heading(
    data: st.DataObject, names: int, numbers: int, width: int
) -> None:
    row = st.tuples(*[CELLS] * names, *[NUMBERS] * numbers)
    rows = tuple(data.draw(st.lists(row, min_size=1, max_size=4)))
    headings = data.draw(st.tuples(*[HEADINGS] * (names + numbers)))
    Console(file=(stream := io.StringIO()), width=width).print(TextTable(headings, rows, names))
    printed = stream.getvalue()
    gaps = printed.count("\n\n") - printed.count("─\n") + 1  # a blank line between two parts
    assert (max(map(len, printed.splitlines())) <= width, gaps >= 0) == (True, True)
    words = Counter(printed.split())
    needed = Counter(word for heading in headings for word in heading.split())
    assert needed + Counter(cell for row in rows for cell in row[names:]) <= words
    assert Counter("".join(chain(*rows)).replace(" ", "")) <= Counter(printed)


def test_csv_leaves_cells_without_a_number_empty() -> None:
    expected = [["planner", "solved (%)"], ["a, <b> & $c_1", "100.00"], ["lama", ""]]
    assert list(csv.reader(io.StringIO(TABLE.to_csv()))) == expected


def test_csv_has_no_formulas_and_keeps_numbers() -> None:
    texts = (
        "=1+1", "+1+1", "-1+cmd|'x'!A1", "@SUM(A1)", "\t=1", "--", " =1", "\n=1", "\xa0-x",
        "\uff1d1", "\ufe62a", "\uff20x", "a=b",
    )  # fmt: skip
    numbers = ("-3", "+4.5", "-1e-05", "-25/2", "-1,000", "7")
    for cells, quoted in ((texts[:-1], "'"), ((texts[-1], *numbers), "")):
        table = TextTable(("x",), tuple((cell,) for cell in cells), 1)
        rows = list(csv.reader(io.StringIO(table.to_csv())))
        assert rows == [["x"], *([f"{quoted}{cell}"] for cell in cells)]


def test_html_escapes_and_marks_rows_and_numbers() -> None:
    assert TABLE.to_html("<n> & so on", "long") == (
        "<div class=long><table><caption>&lt;n&gt; &amp; so on</caption><thead><tr>"
        "<th scope=col>planner</th><th scope=col class=number>solved (%)</th></tr></thead><tbody>\n"
        "<tr><th scope=row>a, &lt;b&gt; &amp; $c_1</th><td class=number>100.00</td></tr>\n"
        "<tr class=gap><th scope=row>lama</th><td class=number>\N{EN DASH}</td></tr>\n"
        "</tbody></table></div>"
    )
    assert TABLE.to_html().startswith("<div class=wide><table><thead>")


def test_links_are_of_pages_only() -> None:
    cell = LinkedText("5 <s>", (Link("5 <s>", "a'b.html"), Link("log", "l.html")), 'says "no"')
    table = TextTable(("x", "y"), (("a", cell), ("b", LinkedText("-", (Link("log", "m"),)))), 2)
    assert re.findall("<td.*?</td>", table.to_html()) == [
        (
            "<td title='says &quot;no&quot;'><a href='a&#x27;b.html'>5 &lt;s&gt;</a> "
            "<a href='l.html'>log</a></td>"
        ),
        "<td>- <a href='m'>log</a></td>",
    ]
    assert table.to_csv() == "x,y\na,5 <s>\nb,\n"


def test_markdown_escapes_and_aligns_numbers() -> None:
    bar = TextTable(("a|b", "n"), (("<x>", "1"),), names=1)
    assert bar.to_markdown(marked_up=True) == "| a\\|b | n |\n| --- | --: |\n| &lt;x> | 1 |\n"
    assert bar.to_markdown() == "| a\\|b | n |\n| --- | --: |\n| \\<x\\> | 1 |\n"


def test_hostile_cells() -> None:
    cell = "a_b %c & d|e <script>x</script> `f` *g* [h](i) $j$ \\k\nl\x00 ~^{}# --a"
    table = TextTable(("h",), ((cell,),), 1)
    (line,) = table.to_markdown().splitlines()[2:]
    assert line == (
        r"| a\_b %c \& d\|e \<script\>x\</script\> \`f\` \*g\* \[h\](i) \$j\$ \\k l� \~^\{\}# --a |"
    )
    line = table.to_latex("c", "l").splitlines()[8]
    assert line == (
        r"a\_b \%c \& d\textbar{}e \textless{}script\textgreater{}x\textless{}/script"
        r"\textgreater{} `f` {*}g{*} {[}h](i) \$j\$ \textbackslash{}k l� "
        r"\textasciitilde{}\textasciicircum{}\{\}\# -{}-a \\"
    )


def test_tables_with_captions_make_documents() -> None:
    tables = [NamedTable("A & b", TABLE), NamedTable("none", TextTable(("x",), (), 1))]
    latex, markdown = latex_document(tables), markdown_document(tables)
    assert latex.endswith("\n" + TABLE.to_latex("A & b", "tab:a-b"))
    assert markdown.startswith("## A \\& b\n\n| planner | solved (%) |\n")
    assert "none" not in latex + markdown


def test_latex_has_the_lines_of_booktabs_and_escapes() -> None:
    assert TABLE.to_latex("C & d", "tab:c").splitlines() == [
        r"\begin{longtable}{lr}",
        r"\caption{C \& d}\label{tab:c}\\",
        r"\toprule",
        r"planner & solved (\%) \\",
        r"\midrule",
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
        r"a, \textless{}b\textgreater{} \& \$c\_1 & 100.00 \\",
        r"lama & - \\",
        r"\end{longtable}",
    ]
