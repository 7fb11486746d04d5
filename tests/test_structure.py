"""The walls of the house: imports point one way, files and functions stay small."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Each layer may import itself and those before it. Some have no files yet.
LAYERS = (
    ("model",),
    ("validation",),
    ("pddl_domains", "translators"),
    ("search",),
    ("generators", "planners"),
    ("experiment",),
    ("cli", "integrations"),
)
FOLDERS = {
    "model": ROOT / "pddl_pipeline" / "model",
    "experiment": ROOT / "pddl_pipeline" / "experiment",
    "cli": ROOT / "pddl_pipeline" / "cli",
    "integrations": ROOT / "pddl_pipeline" / "integrations",
    **{
        name: ROOT / name
        for name in (
            "validation",
            "pddl_domains",
            "translators",
            "search",
            "generators",
            "planners",
        )
    },
}
FILES = [
    pytest.param(name, path, id=str(path.relative_to(ROOT)))
    for name, folder in FOLDERS.items()
    for path in sorted(folder.rglob("*.py"))
]
MAX_FILE, MAX_FUNCTION = 300, 40


def level(layer: str) -> int:
    return next(number for number, names in enumerate(LAYERS) if layer in names)


def imported(path: Path) -> set[str]:
    """Return the modules that a file imports, those inside functions included."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module or "")
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


@pytest.mark.parametrize(("layer", "path"), FILES)
def test_imports_point_one_way(layer: str, path: Path) -> None:
    for module in imported(path):
        assert module not in FOLDERS, f"import pddl_pipeline.{module}, not {module}"
        match = re.match(r"pddl_pipeline\.(\w+)", module)
        if match:
            allowed = level(match[1]) < level(layer) or match[1] in LAYERS[level(layer)]
            assert allowed, f"{layer} must not import {module}"


@pytest.mark.parametrize(("layer", "path"), FILES)
def test_files_and_functions_are_small(layer: str, path: Path) -> None:
    del layer
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= MAX_FILE
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno is not None
            lines = node.end_lineno - node.lineno + 1
            assert lines <= MAX_FUNCTION, f"{node.name} has {lines} lines"


def test_every_package_is_declared() -> None:
    """A folder with code that pyproject.toml does not name would be missing from the wheel."""
    text = (ROOT / "pyproject.toml").read_text()
    for name, folder in FOLDERS.items():
        if folder.exists():
            for init in folder.rglob("__init__.py"):
                inner = init.parent.relative_to(folder).parts
                assert f'"{".".join(("pddl_pipeline", name, *inner))}"' in text
