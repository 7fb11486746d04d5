"""Keys that a store keeps: the same as new ones, whatever has changed or been damaged."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pddl_pipeline import load_records
from pddl_pipeline.io.synced_lines import checked_line
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.pddl_domains import files_named
from pddl_pipeline.runs import jobs, kept_keys
from pddl_pipeline.runs.jobs import JobQueue
from pddl_pipeline.runs.kept_keys import KEYS, KeptKeys
from pddl_pipeline.translators import translate

INSTANCES = [*load_records([*map(str, files_named("examples.jsonl").values())])]
FIRST = next(each for each in INSTANCES if each.domain == "countdown")
PROGRAM_HASH = kept_keys.program_hash.__wrapped__
# What determines a run; the last two are numbers of other types that mean the same.
OTHERS: tuple[tuple[Instance[Any], dict[str, Any]], ...] = (
    (FIRST, {}),
    (replace(FIRST, id="b"), {}),
    (replace(FIRST, size=99), {}),
    (replace(FIRST, budget=99), {}),
    (replace(FIRST, record=replace(FIRST.record, target=99)), {}),
    (FIRST, {"encoding": "rational"}),
    (FIRST, {"names": ["lama"]}),
    (FIRST, {"limits": Limits(memory_bytes=2**30)}),
    (FIRST, {"limits": Limits(cpu_s=1.0)}),
    (FIRST, {"limits": Limits(time_s=30.0)}),
    (FIRST, {"limits": Limits(time_s=30)}),
    (FIRST, {"limits": Limits(cpu_s=1)}),
)  # fmt: skip


@pytest.fixture(autouse=True)
def translated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the ids of the instances that are translated for a key."""
    found: list[str] = []
    monkeypatch.setattr(
        jobs, "translate", lambda each, **how: found.append(each.id) or translate(each, **how)
    )
    monkeypatch.setattr(kept_keys, "program_hash", lambda: "program 1")
    return found


def keys(kept: KeptKeys, *instances: Instance[Any], **options: Any) -> list[str]:
    """Return the keys of the runs on instances."""
    with JobQueue(**{"names": ["random"], "limits": Limits(), **options}, keys=kept) as queue:
        for instance in instances:
            queue.add(instance)
    return [*queue.runs]


def test_what_has_changed_gets_the_key_that_is_made_anew(tmp_path: Path) -> None:
    kept, found = KeptKeys(), list[str]()
    for instance, options in OTHERS:
        found += keys(kept, instance, **options)
        kept.save(tmp_path)
        kept = KeptKeys(tmp_path)
    assert found == [keys(KeptKeys(), instance, **options)[0] for instance, options in OTHERS]
    assert len(set(found[:-2])) == len(OTHERS) - 2
    assert {*found[-2:]} == {*found[-4:-2]}


@pytest.mark.parametrize(
    ("damage", "times"),
    [
        (lambda line: line, 1),
        (lambda line: line[:-1], 2),
        (lambda line: line.replace(b'"}', b'0"}', 1), 2),
        (
            lambda line: checked_line(line[: line.rindex(b",")].replace(b"program 1", b"2") + b"}"),
            2,
        ),
        (lambda line: line[: line.rindex(b", ")] + b"}\n", 2),
        (lambda _: b"\xff", 2),
        (lambda _: b"", 2),
    ],
)
def test_a_second_start_writes_pddl_only_if_the_file_is_damaged(
    tmp_path: Path, translated: list[str], damage: Callable[[bytes], bytes], times: int
) -> None:
    first, file = KeptKeys(), tmp_path / KEYS
    expected = keys(first, *INSTANCES, names=["lama-first", "random"], repeat=2)
    first.save(tmp_path)
    file.write_bytes(damage(file.read_bytes()))
    again = KeptKeys(tmp_path)
    assert keys(again, *INSTANCES, names=["lama-first", "random"], repeat=2) == expected
    again.save(tmp_path)
    assert keys(KeptKeys(tmp_path), *INSTANCES) == expected[2::4]
    assert translated == [each.id for each in INSTANCES] * times


def test_keys_are_of_the_files_of_this_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_keys, "_PACKAGE", tmp_path)
    for start, expected in ((time.time() + 60, 3), (time.time(), 1)):
        monkeypatch.setattr(kept_keys.psutil.Process, "create_time", lambda _, at=start: at)
        found = {PROGRAM_HASH()}
        for text in ("a", "b"):
            (tmp_path / "model").mkdir(exist_ok=True)
            (tmp_path / "model" / "domain.pddl").write_text(text)
            found.add(PROGRAM_HASH())
        assert len(found) == expected
