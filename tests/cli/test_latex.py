"""LaTeX compiles every table that the commands write, whatever the names in it."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from store_results import RESULT, write_store

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import CliHere

FERRY = domain_folder("ferry") / "examples.jsonl"
HOSTILE = "a_b%c&d#e~f\\g^{h}$i<j>k|l\"m'n`o  größe → 日本 😀 e\u0301 --x [1]* \u202e\x07"
FAILED = replace(RESULT, plan=None, status=None, cost=None, reason=f"ended {HOSTILE}")
RUNS = [
    replace(
        run, id=f"{start}{n}{HOSTILE}", key=f"{n}{start}", domain=HOSTILE, planner=f"p{HOSTILE}"
    )
    for (n, run), start in product(
        enumerate([
            RESULT, replace(RESULT, status=Status.INVALID, reason=HOSTILE),
            *(replace(FAILED, outcome=each) for each in Outcome),
        ]), ("[1]", "*"),
    )
]  # fmt: skip


@pytest.mark.long
@pytest.mark.skipif(
    shutil.which("pdflatex") is None,
    reason="pdflatex is not installed; fix: apt-get install texlive-latex-recommended",
)
def test_every_table_compiles(cli_here: CliHere, tmp_path: Path) -> None:
    write_store(tmp_path / "r", *RUNS, *(replace(run, planner=f"q{HOSTILE}") for run in RUNS[:2]))
    (tmp_path / "a.jsonl").write_text("\n".join(
        json.dumps({"id": name, "answer": answer, "model": model + HOSTILE, HOSTILE: HOSTILE})
        for name, model, answer in product(("ferry-2-0", "ferry-3-1"), "mn", ("board c0", "x"))
    ))  # fmt: skip
    for line in (
        ("report", "r", "--table", "report.tex", "--compare", f"p{HOSTILE},q{HOSTILE}"),
        ("score", FERRY, "a.jsonl", "--table", "score.tex", "--compare", "--by", HOSTILE),
    ):
        assert (done := cli_here(*line, cwd=tmp_path)).status in (0, 1), done.err
    compiled = subprocess.run(
        ("pdflatex", "-halt-on-error", (
            r"\documentclass{article}\usepackage{booktabs,longtable}"
            r"\begin{document}\input{report}\input{score}\end{document}"
        )),
        cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert compiled.returncode == 0, compiled.stdout[-2000:]
