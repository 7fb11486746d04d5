"""What each public format is read as: small files in the form of the public ones."""

from __future__ import annotations

import gzip
import json
import tarfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from pddl_pipeline import load_records, read_task, translate
from pddl_pipeline.experiment.solving import judge_plan
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.translators.datasets import Source
from pddl_pipeline.translators.formats.registry import formats, guess_format
from pddl_pipeline.translators.records import from_record, to_record

CSV = "Rank,Puzzles,AMT (s),Solved rate\n1,1 1 4 6,4.4,99.20%\n901,4 5 6 10,7.2,90.80%"
AUTOTOS = "Rank,Puzzles,AMT (s),solvable\n1350,3 3 8 8,4.4,0\n"
GYM = {
    "question": "Calculate 309 …",
    "answer": "94*4 - 61 - 6",
    "metadata": {
        "source_dataset": "countdown", "source_index": 7, "numbers": [6, 61, 94, 4],
        "target": 309, "difficulty": {},
    },
}  # fmt: skip
PUZZLE = {
    "question": "Make 24 using 4, 3, 9, 8. …",
    "answer": "4 + 3 + 9 + 8",
    "metadata": {"source_dataset": "puzzle24", "source_index": 0, "numbers": [4, 3, 9, 8]},
}
SEARCH = {
    "nums": [90, 11, 37, 95], "target": 55, "search_path": "…", "optimal_path": [],
    "solution": ["90+95=185", "11*185=2035", "2035/37=55"],
}  # fmt: skip
STATE = {
    "state": {
        "clear": ["b"], "on-table": ["d"], "arm-empty": True, "holding": None,
        "on": [["a", "c"], ["b", "a"], ["c", "d"]],
    },
    "goal": {"clear": [], "on-table": [], "arm-empty": False, "holding": None, "on": [["c", "a"]]},
}  # fmt: skip
SOKOBAN = {
    "state": {"at-player": [1, 1], "at-stone": [[1, 2]]},
    "grid": [[1, 1, 1, 1, 1], [1, 0, 0, 2, 1], [1, 1, 1, 1, 1]],
}
FLOATS = {"negatives": True, "division": "nonzero"}

# File name, content, format, and of each instance the id and a part of its record.
CASES: dict[str, tuple[str, str, str, dict[str, dict[str, Any]]]] = {
    "24.csv": (
        "24.csv", CSV, "24game",
        {
            "24game-1": {"numbers": [1, 1, 4, 6], "target": 24, "rules": FLOATS},
            "24game-901": {"numbers": [4, 5, 6, 10], "source": "24 game"},
        },
    ),
    "with line ends of Windows": (
        "24.csv", "\ufeff" + CSV.replace("\n", "\r\n"), "24game",
        {"24game-1": {"numbers": [1, 1, 4, 6]}, "24game-901": {}},
    ),
    "model_test.csv": (
        "model_test.csv", AUTOTOS, "autotos-24game",
        {"24game-1350": {"numbers": [3, 3, 8, 8], "rules": FLOATS | {"tolerance": "0.001"}}},
    ),
    "reasoning-gym": (
        "rg.jsonl", f"{json.dumps(GYM)}\n", "reasoning-gym",
        {"rg-7": {"numbers": [6, 61, 94, 4], "target": 309, "source": "reasoning-gym countdown"}},
    ),
    "puzzle24": (
        "my puzzles.json", json.dumps([PUZZLE], indent=1), "reasoning-gym",
        {"my-puzzles-puzzle24-0": {"numbers": [4, 3, 9, 8], "target": 24}},
    ),
    "stream of search": (
        "train1_b4.json", json.dumps([SEARCH], indent=4),
        "stream-of-search",
        {
            "train1_b4-0": {
                "numbers": [90, 11, 37, 95], "target": 55,
                "witness": ["(add n1 n4)", "(multiply n2 n1)", "(divide n2 n3)", "(checkgoal n2)"],
                "rules": {"fractions": False, "division": "exact"},
            }
        },
    ),
    "target-nums": (
        "tiny.jsonl", '{"target": 98, "nums": [44, 19, 35]}\n{"nums": [1, 2], "target": 3}\n',
        "target-nums",
        {"tiny-0": {"numbers": [44, 19, 35], "target": 98}, "tiny-1": {"numbers": [1, 2]}},
    ),
    "states of blocks": (
        "blocks_goals.jsonl", json.dumps([STATE], indent=4), "autotos-states",
        {
            "blocks_goals-0": {
                "domain": "blocksworld", "init": [["d", "c", "a", "b"]], "holding": None,
                "goal": [["on", "c", "a"]],
            }
        },
    ),
    "states of Sokoban": (
        "sokoban_goals.jsonl", f"{json.dumps(SOKOBAN)}\n", "autotos-states",
        {"sokoban_goals-0": {"domain": "sokoban", "map": ["#####", "#@$.#", "#####"]}},
    ),
}  # fmt: skip


def as_json(instance: Instance[Any]) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(json.dumps(to_record(instance)))
    return record


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_read_as(case: tuple[str, str, str, dict[str, dict[str, Any]]], tmp_path: Path) -> None:
    name, content, form, expected = case
    for path in (tmp_path / name, tmp_path / f"{name}.gz"):
        packed = path.suffix == ".gz"
        path.write_bytes(gzip.compress(content.encode()) if packed else content.encode())
        assert guess_format(path).name == form
        found = list(load_records(path))
        assert [instance.id for instance in found] == list(expected)
        for instance in found:
            record = as_json(instance)
            assert record == record | expected[instance.id]
            # What is written is read again, as the project's own form.
            assert from_record(record) == instance


def test_witness_of_stream_of_search_is_a_plan(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text(json.dumps([SEARCH]))
    (instance,) = load_records(tmp_path / "s.json")
    assert verdict_on_witness(instance) is Status.VALID


def verdict_on_witness(instance: Instance[Any]) -> Status:
    texts = translate(instance)
    plan = "\n".join(instance.extras["witness"])
    return judge_plan(plan, read_task(texts.domain, texts.problem), instance).status


def test_parquet_in_batches(tmp_path: Path) -> None:
    table = pa.table({"target": range(10, 10_010), "nums": [[1, i % 50, 7] for i in range(10_000)]})
    parquet.write_table(table, tmp_path / "train-00000.parquet")
    found = list(load_records(tmp_path / "train-00000.parquet"))
    assert len(found) == 10_000
    record = as_json(found[9_999])
    assert (record["id"], record["numbers"], record["target"]) == (
        "train-00000-9999", [1, 49, 7], 10_009
    )  # fmt: skip


def pddl_folder(folder: Path, domain_file: str = "domain.pddl") -> Path:
    """Make a folder of two blocksworld problems, in the names of pddl-generators."""
    folder.mkdir(parents=True)
    variant = domain_folder("blocksworld") / "variants" / "pickup.pddl"
    (folder / domain_file).write_text(variant.read_text())
    for name in ("p2", "p10"):
        (folder / f"{name}.pddl").write_text(
            "(define (problem BW-rand-3) ; (define (domain no))\n(:domain blocksworld-4ops)\n"
            "(:objects b1 b2 b3)\n(:init (arm-empty) (on-table b1) (on b2 b1) (on-table b3)\n"
            "(clear b2) (clear b3))\n(:goal (and (on b1 b2))))\n"
        )
    return folder


def test_pddl_stays_as_it_is_and_is_recognised(tmp_path: Path) -> None:
    folder = pddl_folder(tmp_path / "bw")
    instances = list(load_records(folder))
    assert [instance.id for instance in instances] == ["p2", "p10"]
    for instance in instances:
        texts = translate(instance)
        assert texts.problem == (folder / f"{instance.id}.pddl").read_text()
        assert texts.domain == (folder / "domain.pddl").read_text()
        assert (instance.domain, instance.size) == ("blocksworld", 3)
        task = read_task(texts.domain, texts.problem)
        good = "(unstack b2 b1)(putdown b2)(pickup b1)(stack b1 b2)"
        verdict = judge_plan(good, task, instance)
        assert (verdict.status, verdict.opinions["referee"].status) == (Status.VALID, Status.VALID)
        bad = judge_plan("(pickup b1)", task, instance)
        assert (bad.status, bad.opinions["referee"].status) == (Status.INVALID, Status.INVALID)
        assert from_record(as_json(instance)) == instance


@pytest.mark.parametrize("name", ["domain.pddl", "p2-domain.pddl", "domain_p2.pddl", "other.pddl"])
def test_domain_file_is_found(tmp_path: Path, name: str) -> None:
    folder = pddl_folder(tmp_path / "bw", name)
    (folder / "p10.pddl").unlink()
    assert [i.id for i in load_records(folder)] == ["p2"]
    assert [i.id for i in load_records(folder / "p2.pddl")] == ["p2"]


def test_domain_that_the_problem_names_comes_first(tmp_path: Path) -> None:
    folder = pddl_folder(tmp_path / "bw", "blocks.pddl")
    ferry = domain_folder("ferry")
    (folder / "domain.pddl").write_text((ferry / "domain.pddl").read_text())
    (folder / "f1.pddl").write_text((ferry / "p01.pddl").read_text())
    domains = {instance.id: instance.domain for instance in load_records(folder)}
    assert domains == {"f1": "ferry", "p2": "blocksworld", "p10": "blocksworld"}


def test_domain_file_above_the_folder_and_given(tmp_path: Path) -> None:
    folder = pddl_folder(tmp_path / "set" / "instances")
    (folder / "domain.pddl").rename(tmp_path / "set" / "blocks.pddl")
    assert len(list(load_records(folder))) == 2
    away = tmp_path / "d.pddl"
    (tmp_path / "set" / "blocks.pddl").rename(away)
    assert len(list(load_records(folder, source=Source(domain=away)))) == 2


def test_domain_of_the_same_name_is_ours_where_none_lies_there(tmp_path: Path) -> None:
    folder = pddl_folder(tmp_path / "bw")
    (folder / "domain.pddl").unlink()
    (instance, _) = load_records(folder)
    pickup = domain_folder("blocksworld") / "variants" / "pickup.pddl"
    assert translate(instance).domain == pickup.read_text()


def test_another_domain_is_not_recognised(tmp_path: Path) -> None:
    """One condition less, and it is another game: its plans must not be played as ours."""
    folder = pddl_folder(tmp_path / "bw")
    text = (folder / "domain.pddl").read_text()
    changed = text.replace("(and (clear ?ob) (on-table ?ob) (arm-empty))", "(on-table ?ob)")
    assert changed != text
    (folder / "domain.pddl").write_text(changed)
    for instance in load_records(folder):
        assert (instance.domain, instance.size) == ("blocksworld-4ops", 3)
        task = read_task(*(folder / name for name in ("domain.pddl", "p2.pddl")))
        verdict = judge_plan("(pickup b1)(stack b1 b2)", task, instance)
        assert (verdict.status, dict(verdict.opinions)) == (Status.VALID, {})


def test_both_names_of_one_thing_are_not_recognised(tmp_path: Path) -> None:
    """Of an unused `ontable` beside `on-table`, one would be taken for the other."""
    folder = pddl_folder(tmp_path / "bw")
    text = (folder / "domain.pddl").read_text()
    (folder / "domain.pddl").write_text(text.replace("(arm-empty)", "(arm-empty) (ontable ?x)", 1))
    assert [i.domain for i in load_records(folder)] == ["blocksworld-4ops"] * 2


def test_a_cost_that_counts_twice_is_not_recognised(tmp_path: Path) -> None:
    folder = domain_folder("budget-blocksworld")
    text = (folder / "domain.pddl").read_text()
    cost = "(increase (total-cost) (pick-up-cost))"
    (tmp_path / "domain.pddl").write_text(text.replace(cost, f"{cost} {cost}"))
    (tmp_path / "p.pddl").write_text((folder / "p01.pddl").read_text())
    (instance,) = load_records(tmp_path)
    assert instance.task.known is None


def test_archive_is_read_without_being_unpacked(tmp_path: Path) -> None:
    folder = pddl_folder(tmp_path / "bw")
    pddl_folder(tmp_path / "bw" / "more")
    with tarfile.open(tmp_path / "bw.tar.gz", "w:gz") as archive:
        archive.add(folder, "bw")
        archive.add(folder / "p2.pddl", "../../outside.pddl")
        link = tarfile.TarInfo("bw/P3.PDDL")
        link.type, link.linkname = tarfile.LNKTYPE, "bw/p2.pddl"
        archive.addfile(link)
    before = sorted(tmp_path.rglob("*"))
    found = [instance.id for instance in load_records(tmp_path / "bw.tar.gz")]
    assert found == ["outside", "P3", "bw-p2", "bw-p10", "bw-more-p2", "bw-more-p10"]
    assert sorted(tmp_path.rglob("*")) == before


def test_list_of_instances(tmp_path: Path) -> None:
    folder = pddl_folder(tmp_path / "problems")
    plan = "(unstack b2 b1)\n(putdown b2)\n(pickup b1)\n(stack b1 b2)\n"
    rows = [["LLMs/instances/generated_basic/p2.pddl", plan, 4]]
    (tmp_path / "step_4.json").write_text(json.dumps(rows))
    source = Source(folders={"generated_basic": folder})
    (instance,) = load_records(tmp_path / "step_4.json", source=source)
    assert instance.id == "generated_basic-p2"
    assert instance.extras["optimal_cost"] == 4
    assert verdict_on_witness(instance) is Status.VALID


@pytest.mark.parametrize(
    ("plan", "length", "message"),
    [
        ("(unstack b2 b1)(putdown b2)(pickup b1)(stack b1 b2)", 5, "the plan has 4 steps"),
        ("(unstack b2 b1)(stack b2 b1)", 2, "is no plan of"),
    ],
)
def test_list_with_a_plan_that_is_none(
    tmp_path: Path, plan: str, length: int, message: str
) -> None:
    folder = pddl_folder(tmp_path / "problems")
    (tmp_path / "l.json").write_text(json.dumps([["generated_basic/p2.pddl", plan, length]]))
    with pytest.raises(InputError, match=message):
        list(
            load_records(
                tmp_path / "l.json",
                source=Source(folders={"": tmp_path, "generated_basic": folder}),
            )
        )


@pytest.mark.parametrize("names", [["red", "blue"], ["a", "b"]])
def test_colours_of_a_list_are_letters_unless_they_are_objects(
    tmp_path: Path, names: list[str]
) -> None:
    """RAP writes red for a; a problem whose objects are colours keeps them."""
    folder = pddl_folder(tmp_path / "step")
    one, two = names
    text = (folder / "p2.pddl").read_text()
    for old, new in (("b1", one), ("b2", two), ("b3", "x")):
        text = text.replace(old, new)
    (folder / "p2.pddl").write_text(text)
    plan = "(unstack blue red)(putdown blue)(pickup red)(stack red blue)"
    (tmp_path / "l.json").write_text(json.dumps([["step/p2.pddl", plan, 4]]))
    (instance,) = load_records(tmp_path / "l.json")
    assert instance.extras["witness"][0] == f"(unstack {two} {one})"


def test_what_does_not_fit_is_not_recognised(tmp_path: Path) -> None:
    """A metric that is missing, a derived predicate, a constraint: each makes it another task."""
    folder = domain_folder("budget-blocksworld")
    domain, problem = ((folder / name).read_text() for name in ("domain.pddl", "p01.pddl"))
    given = {
        "same": (domain, problem),
        "metric": (domain, problem.replace("(:metric minimize (total-cost))", "")),
        "maximised": (domain, problem.replace("minimize", "maximize")),
        "derived": (
            domain.replace("(:predicates", "(:predicates (free)").rstrip()[:-1]
            + "(:derived (free) (handempty)))",
            problem,
        ),
        "constraint": (domain, problem.rstrip()[:-1] + "(:constraints (and)))"),
    }
    known = {}
    for name, (d, p) in given.items():
        place = tmp_path / name
        place.mkdir()
        (place / "domain.pddl").write_text(d)
        (place / "p.pddl").write_text(p)
        (instance,) = load_records(place)
        known[name] = instance.task.known is not None
    assert known == {name: name == "same" for name in given}


def test_acpbench_item(tmp_path: Path) -> None:
    folder = domain_folder("ferry")
    texts = {name: (folder / name).read_text() for name in ("domain.pddl", "p01.pddl")}
    item = {
        "id": 4896696031890359153, "group": "validation_gen", "context": "…", "question": "…",
        "answer": "4", "PDDL_domain": texts["domain.pddl"], "PDDL_problem": texts["p01.pddl"],
    }  # fmt: skip
    (tmp_path / "dev.gen.json").write_text(json.dumps([item]))
    (instance,) = load_records(tmp_path / "dev.gen.json")
    assert (instance.id, instance.domain) == ("validation_gen-4896696031890359153", "ferry")
    plan = (folder / "p01.plan").read_text()
    task = read_task(texts["domain.pddl"], texts["p01.pddl"])
    assert judge_plan(plan, task, instance).status is Status.VALID


def test_every_format_is_tested() -> None:
    tested = {form for _, _, form, _ in CASES.values()}
    assert set(formats()) == tested | {"records", "pddl", "llm-reasoners", "acpbench"}
