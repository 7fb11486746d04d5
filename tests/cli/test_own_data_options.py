"""Options that do not apply to a dataset are errors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from command_line import CliHere


OK = '{"id": "a", "domain": "countdown", "numbers": [1], "target": 1}\n'
PROBLEM = "(define (problem p) (:domain d) (:objects a) (:init (on a)) (:goal (on a)))"
DOMAIN = "(define (domain d) (:predicates (on ?x)))"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("ok.jsonl", "--domain", "blockswrld"),
            "--domain: found neither a domain nor a file 'blockswrld'; did you mean 'blocksworld'?",
        ),
        (("ok.jsonl", "--folder", "x=."), "--folder does not apply to ok.jsonl, read as records"),
        (("pddl", "--column", "a=b"), "--column does not apply to pddl, read as pddl"),
        (("pddl", "--domain", "ferry"), "--domain does not apply to pddl, read as pddl"),
        (("pddl", "--rules", "paper"), "--rules does not apply: the data contain no countdown"),
    ],
)
def test_an_option_that_does_not_apply_is_an_error(
    options: tuple[str, ...], message: str, tmp_path: Path, cli_here: CliHere
) -> None:
    (tmp_path / "ok.jsonl").write_text(OK)
    (tmp_path / "pddl").mkdir()
    (tmp_path / "pddl" / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "pddl" / "p.pddl").write_text(PROBLEM)
    done = cli_here("translate", *options, "-o", "out", cwd=tmp_path)
    assert (done.status, done.err.splitlines()[-1].startswith(f"error: {message}")) == (2, True)
    assert not (tmp_path / "out").exists()


def test_an_option_may_apply_to_one_of_several_datasets(tmp_path: Path, cli_here: CliHere) -> None:
    (tmp_path / "ok.jsonl").write_text(OK)
    (tmp_path / "p.pddl").write_text(PROBLEM)
    (tmp_path / "other.txt").write_text(DOMAIN)
    data = ("ok.jsonl", "p.pddl", "--domain", "other.txt")
    done = cli_here("translate", *data, "-o", "out", cwd=tmp_path)
    assert (done.status, done.out) == (0, "2 problems in out\n"), done.err
