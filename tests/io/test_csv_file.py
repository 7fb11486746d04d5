"""CSV is read by the rules that its header shows; faults have the line where their row begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from pddl_pipeline.io.tables import CsvRules, csv_header, csv_rows
from pddl_pipeline.model.errors import RecordError

READ = {
    "comma": ("x.csv", b'a,b\n1,"2, 3"\n'),
    "the most frequent": ("x.csv", b"a;,b;c\n1;2;3\n"),
    "bar": ("x.txt", b"a|b\n1|2, 3\n"),
    "tab beside commas": ("x.tsv", b"a\tb, with, commas\n1\t2, 3\n"),
    "no tab": ("x.TSV", b"a;b\n1;2, 3\n"),
    "carriage returns": ("x.csv", b"a;b\r1;2, 3\r"),
    "name of two lines": ("x.csv", b'a;"b\nid"\n1;2, 3\n'),
    "column without a name": ("x.csv", b";a;b\n0;1;2, 3\n"),
    "blank rows": ("x.csv", b"\xef\xbb\xbf\n a ;b\n\n1;2, 3\n \n"),
}


@pytest.mark.parametrize(("name", "content"), READ.values(), ids=list(READ))
def test_the_header_decides(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    ((_, row),) = csv_rows(path)
    assert isinstance(row, dict)
    assert tuple(row) == tuple(name for name in csv_header(path) if name)
    assert [*row.values()] in (["1", "2, 3"], ["1", "2", "3"])


def test_faults_have_the_line_where_their_row_begins(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b'a,b\n1,"2\n2"\n1,\xff\n1\n1,"2"3\n4,5\n')
    rows = list(csv_rows(path))
    assert [line for line, _ in rows] == [2, 4, 5, 6, 7]
    faults = [row.message for _, row in rows if isinstance(row, RecordError)]
    assert faults == [
        "expected UTF-8 text, found byte 0xff",
        "found 1 column, expected 2: a, b",
        "not CSV: ',' expected after '\"'",
    ]
    assert dict(csv_rows(path, CsvRules(errors="replace")))[4] == {"a": "1", "b": "\ufffd"}


def test_the_longest_cell_is_a_rule(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,23456\n")
    rules = CsvRules(longest_cell=4)
    ((line, fault),) = csv_rows(path, rules)
    assert (line, str(fault)) == (2, f"{path}:2: not CSV: field larger than field limit (4)")
    assert [row for _, row in csv_rows(path)] == [{"a": "1", "b": "23456"}]
