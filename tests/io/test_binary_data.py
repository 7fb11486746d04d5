"""Binary files are named in one line with status 2, and text with a few wrong bytes is read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.io.text_lines import text_lines
from pddl_pipeline.model.errors import InputError

if TYPE_CHECKING:
    from conftest import Cli

BINARY = [
    (b"\x89PNG\r\n\x1a\n\0\0", "binary data (byte 0x89 at offset 0)"),
    (b"(go a\0)", "binary data (byte 0x00 at offset 5)"),
    (b"\x1f\x8b\x08\0", "gzip data (byte 0x1f at offset 0)"),
    (b"PK\x03\x04", "a zip archive (byte 0x50 at offset 0)"),
]


@pytest.mark.parametrize(("content", "found"), BINARY)
def test_binary_content(tmp_path: Path, content: bytes, found: str) -> None:
    file = tmp_path / "x"
    file.write_bytes(content)
    for read in (read_file, lambda path: list(text_lines(path))):
        with pytest.raises(InputError) as error:
            read(file)
        assert str(error.value) == f"{file}: expected UTF-8 text, found {found}"


def test_a_comment_in_latin_1_is_harmless(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"; caf\xe9\n(go a b)\n")
    assert read_file(tmp_path / "x").endswith("(go a b)\n")


def test_check_code_of_a_binary_file_is_one_line(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "x.py").write_bytes(BINARY[0][0])
    done = cli("check-code", "x.py", "--domain", "24game")
    assert (done.status, done.out) == (2, "")
    assert done.err == f"error: x.py: expected UTF-8 text, found {BINARY[0][1]}\n"


def test_cut_json(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"id": "a", "target":')
    done = cli("translate", "x.jsonl", "-o", "out")
    said = "expected a JSON value, found the end of the line"
    assert (done.status, done.err) == (2, f"error: x.jsonl:1:22: {said}\n")
