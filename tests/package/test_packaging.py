"""Tests of the package as users get it: wheel, sdist and editable install have the same files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import jedi
import pytest
from places import PACKAGE, ROOT

from pddl_pipeline.pddl_domains import domain_names

SCRIPT = """
from pathlib import Path

from pddl_pipeline import Limits, Plan, Status, Task, generate, load_records, read_task, run, score
from pddl_pipeline import report, solve, translate, validate
from pddl_pipeline.planners.registry import planners
from pddl_pipeline.validation.task import Task as SameTask

task: Task = read_task("domain.pddl", Path("problem.pddl"))
same: SameTask = task
plan: Plan = task.read_plan(["(stack a b)"])
valid: bool = validate("domain.pddl", "problem.pddl", plan).status is Status.VALID
for instance in [*load_records("data.jsonl"), *generate("ferry", range(4, 6), count=2)]:
    text: str = translate(instance).problem_pddl
results = run(load_records("data.jsonl"), "runs", ["lama-first"], Limits(time_s=60))
solved: list[str] = [result.id for result in results if result.solved]
cost = solve("domain.pddl", "problem.pddl").verdict
right: int = [each.correct for each in score(load_records("data.jsonl"), [])].count(True)
rows: int = len(report("runs").rows) + len(planners())
"""
WRONG_LINE = "task.judge(plan).statsu\n"


def build(kind: str, place: Path) -> Path:
    """Build a distribution without leaving files in the checkout."""
    config = place / "build.cfg"
    config.write_text(f"[build]\nbuild_base = {place}/build\n[egg_info]\negg_base = {place}\n")
    code = f"from setuptools.build_meta import build_{kind}; build_{kind}({str(place)!r})"
    environment = {**os.environ, "DIST_EXTRA_CONFIG": str(config)}
    subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, check=True, capture_output=True
    )
    return next(place.glob("*.whl" if kind == "wheel" else "*.tar.gz"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the unpacked sdist."""
    place = tmp_path_factory.mktemp("sdist")
    with tarfile.open(build("sdist", place)) as archive:
        archive.extractall(place / "unpacked", filter="data")
    return next((place / "unpacked").iterdir())


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a package, including those behind its links, but for locks of runs."""
    return {
        str(Path(place, name).relative_to(folder)): Path(place, name).read_bytes()
        for place, folders, names in os.walk(folder, followlinks=True)
        if not place.endswith(("__pycache__", ".egg-info"))
        for name in names
        if not name.endswith(".lock")
    }


def test_the_wheel_has_the_files_of_the_checkout(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
        in_wheel = {name.removeprefix("pddl_pipeline/"): archive.read(name) for name in names}
    assert all(name.startswith("pddl_pipeline/") for name in names)
    here = contents(PACKAGE)
    assert {"py.typed", "validation/task.py", "pddl_domains/ferry/domain.pddl"} <= here.keys()
    assert in_wheel == here


USE_THE_WHEEL = """
import pddl_pipeline, sys
from pathlib import Path
from pddl_pipeline import read_task
from pddl_pipeline.pddl_domains import domain_folder, domain_names
assert Path(pddl_pipeline.__file__).is_relative_to(sys.argv[1])
for name in domain_names():
    folder = domain_folder(name)
    task = read_task(folder / "domain.pddl", folder / "p01.pddl")
    print(name, task.judge((folder / "p01.plan").read_text()).status)
"""


def test_installed_wheel_works_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)  # noqa: S202 -- our own
    done = subprocess.run(
        [sys.executable, "-c", USE_THE_WHEEL, tmp_path],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [word for name in domain_names() for word in (name, "valid")]


@pytest.mark.long  # `make dist` installs the sdist and uses it
def test_the_tests_run_in_the_unpacked_sdist(sdist: Path) -> None:
    """One file of tests is run here; `make test` in the sdist runs them all."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
         "tests/validation/test_plan_formats.py"],
        cwd=sdist, env={**os.environ, "PYTHONPATH": str(sdist / "src"),
                        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert contents(sdist / "src" / "pddl_pipeline") == contents(PACKAGE)
    assert not (sdist / "studies").exists()  # stored runs are part of the repository only
    assert (sdist / "Makefile").read_text() == (ROOT / "Makefile").read_text()
    assert (sdist / ".ci" / "run").exists()


@pytest.fixture
def scripts(tmp_path: Path) -> tuple[Path, Path]:
    """Return a user's script that uses the public names, and one with mistakes."""
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(SCRIPT)
    wrong.write_text(SCRIPT + WRONG_LINE + "import pddl_pipeline.validation.tsak\n")
    return right, wrong


@pytest.mark.long  # `make lint` checks the whole package
def test_mypy_knows_the_installed_package(scripts: tuple[Path, Path]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", ROOT / ".mypy_cache", *scripts],
        cwd=scripts[0].parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    faults = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert [line.partition(":")[0] for line in faults] == ["wrong.py"] * 2, done.stdout
    assert '"Verdict" has no attribute "statsu"' in done.stdout
    assert "pddl_pipeline.validation.tsak" in done.stdout


@pytest.mark.long  # as above
def test_pyright_resolves_every_name(scripts: tuple[Path, Path]) -> None:
    """Pyright runs in an editable install; `make lint` runs it on the complete package."""
    done = subprocess.run(
        [Path(sys.executable).with_name("pyright"), "--outputjson", "--pythonpath", sys.executable,
         *scripts],
        cwd=scripts[0].parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = [
        (Path(each["file"]).name, each["rule"])
        for each in json.loads(done.stdout)["generalDiagnostics"]
        if each["severity"] == "error"
    ]
    assert found == [
        ("wrong.py", "reportAttributeAccessIssue"),
        ("wrong.py", "reportMissingImports"),
    ]


def test_an_editor_goes_from_a_name_to_its_source() -> None:
    code = (
        "from pddl_pipeline.validation.task import read_task\nread_task('d', 'p').judge('').status"
    )
    project = jedi.Project(ROOT.parent, environment_path=sys.prefix)
    script = jedi.Script(code, project=project)
    (function,) = script.goto(1, 45, follow_imports=True)
    assert Path(function.module_path).resolve() == ROOT / "validation" / "task.py"
    assert [each.full_name for each in script.infer(2, len(code.splitlines()[1]))] == [
        "pddl_pipeline.model.verdict.Status"
    ]


def test_constraints_name_exact_versions_only() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert [line for line in lines if not re.fullmatch(r"[^=/ ]+==[^=/ ]+", line)] == []
