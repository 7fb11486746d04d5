"""Binary files are named in one line with status 2, and text with a few wrong bytes is read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.io.text_lines import text_lines
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import Cli

BINARY = [
    (b"\x89PNG\r\n\x1a\n\0\0", "1:1", "byte 0x89"),
    (b"(go a\0)", "1:6", "byte 0x00"),
    (b"(go a)\n(\xc3\xa9\0)", "2:3", "byte 0x00"),
    (b"\x1f\x8b\x08\0", "1:1", "gzip data, byte 0x1f"),
    (b"PK\x03\x04", "1:1", "a zip archive, byte 0x50"),
]


@pytest.mark.parametrize(("content", "place", "found"), BINARY)
def test_binary_content(tmp_path: Path, content: bytes, place: str, found: str) -> None:
    file = tmp_path / "x"
    file.write_bytes(content)
    for read in (read_file, lambda path: list(text_lines(path))):
        with pytest.raises(InputError) as error:
            read(file)
        assert str(error.value) == f"{file}:{place}: expected UTF-8 text, found {found}"


def test_a_plan_may_end_in_nul_bytes_and_a_problem_may_not(cli: Cli, tmp_path: Path) -> None:
    ferry = domain_folder("ferry")
    for name in ("p01.plan", "p01.pddl"):
        (tmp_path / name).write_bytes((ferry / name).read_bytes() + b"\0\x1a\0\n")
    domain, problem = ferry / "domain.pddl", ferry / "p01.pddl"
    assert cli("validate", domain, problem, "p01.plan").status == 0
    done = cli("validate", domain, "p01.pddl", "p01.plan")
    said = "after (define …), which ends at"
    assert (done.status, done.err.count("\n"), said in done.err) == (2, 1, True)


ROW = b'{"id": "a%d", "domain": "countdown", "numbers": [1, 2], "target": 3}'
FAR = {
    "x.jsonl": b"\n".join(ROW % number for number in range(1000)) + b"\n",
    "x.json": b"[" + b",\n".join(ROW % number for number in range(999)) + b",\n",
    "x.csv": b"id,numbers,target\n" + b"".join(b"a%d,1 2,3\n" % n for n in range(999)),
}


@pytest.mark.parametrize("name", FAR)
@pytest.mark.parametrize("byte", [b"\0", b"\xff"])
def test_a_bad_byte_anywhere_in_rows(cli: Cli, tmp_path: Path, name: str, byte: bytes) -> None:
    """The byte is far behind what is read to detect the format."""
    (tmp_path / name).write_bytes(FAR[name] + b'{"id": "' + byte + b'"}')
    done = cli("translate", name, "-o", "out")
    place = "1000" if name == "x.json" else "1001:9"
    hint = "" if name == "x.json" else "; --skip-bad skips invalid records"
    said = f"error: {name}:{place}: expected UTF-8 text, found byte 0x{byte[0]:02x}{hint}"
    assert (done.status, done.err.splitlines()[-1]) == (2, said)


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.json"])
def test_a_bad_byte_in_answers(cli: Cli, tmp_path: Path, name: str) -> None:
    """Answers may be cut within a character, but have no NUL byte."""
    (tmp_path / "x.jsonl").write_bytes(ROW % 0)
    head = {"a.csv": b"id,answer\n", "a.json": b"["}.get(name, b"")
    row = b"a0,%b\n" if name == "a.csv" else b'{"id": "a0", "answer": "%b"}'
    filler = b"\n" * 9000  # more than is read to detect the format
    end = b"]" if name == "a.json" else b""
    for byte, status in ((b"\xe9", 0), (b"\0", 2)):
        (tmp_path / name).write_bytes(head + filler + row % (b"1 + 2 " + byte) + end)
        done = cli("score", "x.jsonl", name)
        assert done.status == status, done.err
    place = {"a.csv": "9002:10", "a.json": "9001", "a.jsonl": "9001:31"}[name]
    assert f"{name}:{place}: expected UTF-8 text, found byte 0x00" in done.err


def test_a_comment_in_latin_1_is_harmless(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"; caf\xe9\n(go a b)\n")
    assert read_file(tmp_path / "x").endswith("(go a b)\n")


@pytest.mark.parametrize(
    ("name", "content", "arguments", "said"),
    [
        ("x.py", BINARY[0][0], ("autotos", "check", "x.py", "--domain", "24game"),
         f"x.py:1:1: expected UTF-8 text, found {BINARY[0][2]}"),
        ("x.jsonl", b'{"id": "a", "target":', ("translate", "x.jsonl", "-o", "out"),
         ("x.jsonl:1:22: expected a JSON value, found the end of the line"
          "; --skip-bad skips invalid records")),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_one_line(
    cli: Cli, tmp_path: Path, name: str, content: bytes, arguments: tuple[str, ...], said: str
) -> None:
    (tmp_path / name).write_bytes(content)
    done = cli(*arguments)
    assert (done.status, done.out, done.err) == (2, "", f"error: {said}\n")
