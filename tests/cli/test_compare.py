"""``score --compare`` and ``--by length`` on the command line."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from places import SUPPORT

if TYPE_CHECKING:
    from command_line import Cli

GRIPPER = SUPPORT / "foreign_pddl" / "gripper"
PLAN = (GRIPPER / "good.plan").read_text()
WRONG = "\n".join(PLAN.splitlines()[:-1])


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    """Return a folder with six problems of a domain that is not one of the project's."""
    folder = tmp_path / "problems"
    folder.mkdir()
    shutil.copy(GRIPPER / "domain.pddl", folder / "domain.pddl")
    for number in range(6):
        shutil.copy(GRIPPER / "p01.pddl", folder / f"q{number}.pddl")
    return folder


def answers(path: Path, right: dict[str, str]) -> Path:
    """Write answers: 1 right, 0 wrong, u unreadable, - none."""
    texts = {"1": PLAN, "0": WRONG, "u": "I have no plan."}
    rows = [
        {"id": f"q{number}", "answer": texts[sign], "model": model}
        for model, signs in right.items()
        for number, sign in enumerate(signs)
        if sign != "-"
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def lines(text: str, table: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in text.splitlines()]
    return [line for line in found if line["table"] == table]


def test_three_models_are_compared(cli: Cli, problems: Path, tmp_path: Path) -> None:
    file = answers(tmp_path / "a.jsonl", {"x": "111111", "y": "00000u", "z": "-----1"})
    done = cli("score", problems, file, "--compare", "--json")
    assert done.status == 1
    rows = lines(done.out, "compare")
    assert [(row["first"], row["second"], row["shared"], row["few"]) for row in rows] == [
        ("x", "y", 6, False), ("x", "z", 1, True), ("y", "z", 1, True),
    ]  # fmt: skip
    assert [row["p"] for row in rows] == pytest.approx([2 / 2**6, 1, 1])
    assert [row["p_holm"] for row in rows] == pytest.approx([6 / 2**6, 1, 1])
    # Six of six: at most 1 - 0.025 ** (1 / 6) of all instances differ.
    low, high = rows[0]["difference_interval"]
    assert (low, high) == pytest.approx((1 - 2 * (1 - 0.025 ** (1 / 6)), 1))
    assert done.out == cli("score", problems, file, "--compare", "--json").out
    (row,) = (row for row in lines(done.out, "models") if row["model"] == "y")
    found = [row[f"{stage}_errors"] for stage in ("reading", "step", "planning")]
    assert found == [1, 0, 5]
    assert [(row["accuracy_few"], row["strict_few"]) for row in lines(done.out, "models")] == [
        (False, False), (False, False), (True, True),
    ]  # fmt: skip
    assert {(row["error"], row["of"]) for row in lines(done.out, "errors")} == {
        ("goal", "planning"), ("unreadable", "reading"),
    }  # fmt: skip


def test_the_tables_mark_few_instances_and_name_pairs_apart(
    cli: Cli, problems: Path, tmp_path: Path
) -> None:
    file = answers(tmp_path / "a.jsonl", {"x": "111---", "y": "---000", "z": "00u111"})
    done = cli("score", problems, file, "--compare")
    assert done.status == 1
    printed = done.out.splitlines()
    assert next(line for line in printed if line.startswith("x ")).endswith("43.9 to 100.0 (n<5)")
    assert next(line for line in printed if line.startswith("z ")).endswith("18.8 to 81.2")
    first, second = (line.split() for line in printed if "exact McNemar" in line)
    assert first[:8] == ["x", "z", "3", "of", "6", "100.00", "0.00", "100.00"]
    assert second[:8] == ["y", "z", "3", "of", "6", "0.00", "100.00", "-100.00"]
    assert (first[-2:], first.count("(n<5)")) == (["0.2500", "0.5000"], 1)
    assert printed[-1] == (
        "x and y: not compared, they share no answered instance (3 and 3 answered)"
    )
    at = next(n for n, line in enumerate(printed) if line.startswith("Wrong answers by"))
    assert [line.split() for line in printed[at + 3 : at + 6]] == [
        ["x", "3", "0", "0", "0", "0"], ["y", "3", "3", "0", "0", "3"],
        ["z", "6", "3", "1", "0", "2"],
    ]  # fmt: skip


def test_one_model_is_an_error_after_its_tables(cli: Cli, problems: Path, tmp_path: Path) -> None:
    file = answers(tmp_path / "a.jsonl", {"x": "10"})
    done = cli("score", problems, file, "--compare")
    assert done.status == 2
    assert "\nx " in done.out
    assert "--compare: found answers of 1 model, expected two or more" in done.err


def test_without_scipy_the_command_says_what_to_install(
    cli: Cli, problems: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = answers(tmp_path / "a.jsonl", {"x": "10", "y": "11"})
    monkeypatch.setitem(sys.modules, "scipy", None)
    done = cli("score", problems, file, "--compare", "-o", "s.jsonl")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert "--compare requires SciPy; fix: pip install " in done.err
    assert "[statistics]" in done.err
    assert not (tmp_path / "s.jsonl").exists()


def test_lengths_are_of_reference_plans_and_unknown_without(cli: Cli, tmp_path: Path) -> None:
    texts = {"domain": (GRIPPER / "domain.pddl").read_text(),
             "problem": (GRIPPER / "p01.pddl").read_text()}  # fmt: skip
    record = {"domain": "gripper-strips", "pddl": texts}
    known = [{}, {"optimal_cost": 11}, {"witness": PLAN.splitlines()}, *[{}] * 3]
    (tmp_path / "d.jsonl").write_text("".join(
        f"{json.dumps({'id': f'q{number}', **record, **fields})}\n"
        for number, fields in enumerate(known)
    ))  # fmt: skip
    file = answers(tmp_path / "a.jsonl", {"x": "110110"})
    done = cli("score", "d.jsonl", file, "--by", "horizon", "--json")
    assert done.status == 1, done.err
    rows = [(row["group"], row["instances"]) for row in lines(done.out, "horizon")]
    assert rows == [(str(len(PLAN.splitlines())), 1), ("11", 1), ("unknown", 4)]
