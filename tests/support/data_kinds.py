"""The kinds of data that the commands read, as small files in their published formats."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
from places import SUPPORT
from pyarrow import parquet

from pddl_pipeline.pddl_domains import domain_folder, domain_names

FOREIGN = SUPPORT / "foreign_pddl"
GYM = {
    "question": "Make 11 from 3, 4, 2.", "answer": "3*4 - 2 + 1",
    "metadata": {
        "source_dataset": "countdown", "source_index": 7, "numbers": [3, 4, 2, 1],
        "target": 11, "difficulty": {},
    },
}  # fmt: skip
SEARCH = {
    "nums": [2, 3, 4, 5], "target": 29, "search_path": "", "optimal_path": [],
    "solution": ["2*3=6", "4*6=24", "24+5=29"],
}  # fmt: skip
BLOCKS = {
    "state": {
        "clear": ["b"], "on-table": ["a"], "arm-empty": True, "holding": None, "on": [["b", "a"]],
    },
    "goal": {"clear": [], "on-table": [], "arm-empty": False, "holding": None, "on": [["a", "b"]]},
}  # fmt: skip
PROBLEM = """(define (problem BW-rand-3)
  (:domain blocksworld-4ops)
  (:objects a b c)
  (:init (handempty) (ontable a) (on b a) (ontable c) (clear b) (clear c))
  (:goal (and (on a b))))
"""
SWAP = ("(unstack b a)", "(put-down b)", "(pick-up a)", "(stack a b)")


@dataclass(frozen=True)
class Kind:
    """A kind of data, and the further arguments that a user needs."""

    write: Callable[[Path], None]
    """Writes the data into a folder."""
    data: tuple[str, ...]
    """The arguments of commands that read datasets."""
    answer: tuple[str, tuple[str, ...]]
    """The id of an instance and a plan for it."""
    planner: tuple[str, ...] = ()
    """The option that names a planner; empty to let the program choose one."""
    task: tuple[str, ...] = ()
    """The domain, the problem, a valid plan and an invalid plan, if the data are PDDL files."""
    first: tuple[str, ...] = ()
    """A command that creates the data from the written files."""


def _own(name: str) -> Kind:
    source = domain_folder(name) / "solved.jsonl"
    record = json.loads(source.read_text().splitlines()[0])

    def write(folder: Path) -> None:
        lines = source.read_text().splitlines(keepends=True)
        (folder / "data.jsonl").write_text("".join(lines[:2]))

    return Kind(write, ("data.jsonl",), (record["id"], tuple(record["witness"])))


def _plan(name: str) -> tuple[str, ...]:
    return tuple((FOREIGN / name / "good.plan").read_text().splitlines())


def _copy(name: str, folder: Path) -> None:
    shutil.copytree(FOREIGN / name, folder / name, dirs_exist_ok=True)


def _foreign(name: str, planner: str = "", *, data: str = "") -> Kind:
    task = ("domain.pddl", "p01.pddl", "good.plan", "bad.plan")
    return Kind(
        lambda folder: _copy(name, folder),
        (data or name,),
        ("p01", _plan(name)),
        ("--planner", planner) if planner else (),
        tuple(f"{name}/{file}" for file in task),
    )


def _translated(kind: Kind) -> Kind:
    """Return the kind of the output of `translate` for another kind."""

    def write(folder: Path) -> None:
        kind.write(folder)
        for name, steps in (("good.plan", kind.answer[1]), ("bad.plan", kind.answer[1][:-1])):
            (folder / name).write_text("\n".join(steps))

    name = kind.answer[0]
    task = ("pddl/domain.pddl", f"pddl/problems/{name}.pddl", "good.plan", "bad.plan")
    return Kind(write, ("pddl",), kind.answer, kind.planner, task,
                first=("translate", *kind.data, "-o", "pddl"))  # fmt: skip


def _file(name: str, text: str, answer: tuple[str, tuple[str, ...]]) -> Kind:
    return Kind(lambda folder: _write(folder / name, text), (name,), answer)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _write_blocks(folder: Path) -> None:
    """Write PDDL in the layout of AutoToS: the domain is above the folder of the problems."""
    text = (domain_folder("blocksworld") / "domain.pddl").read_text()
    _write(
        folder / "domain.pddl", text.replace("(domain blocksworld)", "(domain blocksworld-4ops)")
    )
    _write(folder / "instances" / "instance-0.pddl", PROBLEM)
    _write(folder / "good.plan", "\n".join(SWAP))
    _write(folder / "bad.plan", "\n".join(SWAP[1:]))


def _listed(path: str, plan: tuple[str, ...]) -> Kind:
    """Return the kind of a list that names a problem in another folder."""

    def write(folder: Path) -> None:
        _write_blocks(folder)
        _write(folder / "list.json", json.dumps([[path, "".join(f"{s}\n" for s in plan), 4]]))

    first = ("translate", "list.json", "--folder", "generated_basic=instances", "-o", "pddl")
    listed = ("list.json",) * 3
    return Kind(write, ("pddl",), ("generated_basic-instance-0", SWAP), task=listed, first=first)


def _acpbench() -> str:
    item: dict[str, Any] = {
        "id": 7, "group": "applicable_actions_gen", "context": "", "question": "", "answer": [],
        "PDDL_domain": (FOREIGN / "gripper" / "domain.pddl").read_text(),
        "PDDL_problem": (FOREIGN / "gripper" / "p01.pddl").read_text(),
    }  # fmt: skip
    return json.dumps([item])


def _without_domain(name: str) -> Kind:
    """Return the kind of a JSON list of records that do not name their domain."""
    own = _own(name)

    def write(folder: Path) -> None:
        own.write(folder)
        records = map(json.loads, (folder / "data.jsonl").read_text().splitlines())
        plain = [{key: each[key] for key in each if key != "domain"} for each in records]
        _write(folder / "list.json", json.dumps(plain))

    return Kind(write, ("list.json", "--domain", name), own.answer)


def _write_pddl_table(folder: Path) -> None:
    domain, *problems = (
        (FOREIGN / "gripper" / f"{name}.pddl").read_text() for name in ("domain", "p01", "p02")
    )
    rows = ((f"p0{number}", domain, text) for number, text in enumerate(problems, start=1))
    with (folder / "mine.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("id", "domain_pddl", "problem_pddl"), *rows])


def _write_parquet(folder: Path) -> None:
    columns = {"numbers": [[1, 2, 3, 4], [2, 3, 4, 5]], "target": [24, 29]}
    parquet.write_table(pa.table(columns), folder / "mine.parquet")


def write_data(path: Path, content: object) -> None:
    """Write a frame as Parquet, bytes, a text, or JSON."""
    if isinstance(content, pd.DataFrame):
        content.to_parquet(path)
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8", newline="")


LAMA = ("--planner", "lama-first")
TRIPLES = (
    "(multiply n3 n4)", "(multiply n3 n6)", "(multiply n5 n1)", "(multiply n5 n2)", "(add n3 n5)",
    "(checkgoal n3)",
)  # fmt: skip
SUM = ("(multiply n1 n2)", "(multiply n1 n3)", "(add n1 n4)", "(checkgoal n1)")
PRODUCT = ("(multiply n1 n2)", "(multiply n1 n3)", "(multiply n1 n4)", "(checkgoal n1)")
KINDS: dict[str, Kind] = {
    **{f"own-{name}": _own(name) for name in domain_names()},
    "translated-ferry": _translated(_own("ferry")),
    "translated-gripper": _translated(_foreign("gripper", "lama-first")),
    "foreign-gripper-folder": _foreign("gripper", "lama-first"),
    "foreign-gripper-problem": _foreign("gripper", data="gripper/p01.pddl"),
    "foreign-mystery-folder": _foreign("mystery", "lama-first"),
    "foreign-numeric-folder": _foreign("numeric", "enhsp"),
    "foreign-derived-folder": _foreign("derived", "lama-first"),
    "foreign-costs-folder": _foreign("costs", "seq-opt-lmcut"),
    "foreign-temporal-folder": _foreign("satellite"),
    "foreign-plus-folder": _foreign("tank"),
    "generated-3-partition": Kind(
        lambda _: None, ("made.jsonl",), ("3p-6-0", TRIPLES), ("--planner", "dfs"),
        first=("generate", "countdown", "--method", "3-partition", "--size", "6", "--count", "2",
               "-o", "made.jsonl"),
    ),
    "24game": _file(
        "24.csv", "Rank,Puzzles,AMT (s)\n1,2 3 4 6,4.4\n2,1 2 3 4,5\n",
        ("24game-2", PRODUCT),
    ),
    "reasoning-gym": _file(
        "gym.jsonl", json.dumps(GYM),
        ("gym-7", ("(multiply n1 n2)", "(subtract n1 n3)", "(add n1 n4)", "(checkgoal n1)")),
    ),
    "stream-of-search": _file("search.json", json.dumps([SEARCH]), ("search-0", SUM)),
    "llm-reasoners": _listed("LLMs-Planning/instances/generated_basic/instance-0.pddl", SWAP),
    "rap": _listed(
        "gpt-plan-benchmark/instances/generated_basic/instance-0.pddl",
        ("(unstack blue red)", "(put-down blue)", "(pick-up red)", "(stack red blue)"),
    ),
    "autotos-folder": Kind(
        _write_blocks, ("instances",), ("instance-0", SWAP),
        task=("domain.pddl", "instances/instance-0.pddl", "good.plan", "bad.plan"),
    ),
    "autotos-states": _file("blocks_goals.jsonl", json.dumps([BLOCKS]), ("blocks_goals-0", SWAP)),
    "acpbench": _file(
        "dev.gen.json", _acpbench(), ("applicable_actions_gen-7", _plan("gripper"))
    ),
    "user-csv": _file(
        "mine.csv", 'id,nums,goal,level\nmy 1,1 2 3 4,24,hard\n2/ä,"[2, 3, 4, 5]",29,easy\n',
        ("my 1", PRODUCT),
    ),
    "user-pddl-table": Kind(_write_pddl_table, ("mine.csv",), ("p01", _plan("gripper")), LAMA),
    "user-json-list": _without_domain("ferry"),
    "user-parquet": Kind(_write_parquet, ("mine.parquet",), ("mine-1", SUM)),
}  # fmt: skip
