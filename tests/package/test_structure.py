"""Tests of the structure: imports point one way, files and functions stay small."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from itertools import chain
from pathlib import Path

import pytest
from places import PACKAGE, ROOT

# Each room may import itself, the rooms of its line, and the rooms of the lines before.
LAYERS = (
    ("model",),
    ("io", "tables", "statistics"),
    ("validation",),
    ("pddl_domains", "translators"),
    ("answers", "endpoints", "search", "countdown"),
    ("prompts", "generators", "planners"),
    ("runs",),
    ("scoring", "questions"),
    ("reporting",),
    ("pages",),
    ("integrations", "cli"),
    ("papers",),
)
ROOMS = {name: PACKAGE / name for names in LAYERS for name in names}
# The top-level folders, which are links in the package.
LINKED = ("pddl_domains", "planners", "translators", "validation")
# The largest number of statements of some rooms together, without imports and docstrings. Who needs
# more raises the number here, or takes something away.
BUDGETS = {
    ("answers",): 2755,
    ("validation",): 5140,
    ("pddl_domains", "translators"): 2395,
    ("planners",): 3015,
    ("search", "countdown", "generators"): 2778,
    ("model", "io"): 1269,
    ("runs",): 836,
    ("scoring",): 1327,
    ("reporting", "tables", "statistics"): 1490,
    ("pages",): 1680,
    ("questions", "prompts"): 1436,
    ("endpoints",): 593,
    ("integrations",): 612,
    ("cli",): 1823,
    ("papers",): 5318,
}
SLACK = 1.03  # a room may exceed its number by this, but all rooms together not theirs
MAX_ALL = 32_739
# Above both, an addition of CONTRIBUTING.md's table fits, so that it changes no number here.
ADDITION = 60
MAX_SLOW = 9  # tests that take above 3 s
MAX_TESTS = 17_620
MAX_ASSETS = 1500  # lines of templates, JavaScript and CSS
FILES = {name: sorted(folder.rglob("*.py")) for name, folder in ROOMS.items()}
MAX_FILE, MAX_FUNCTION = 600, 50
# Three judge countdown's plans independently. Each computes in its own modules; everything else
# uses the shared arithmetic.
VALIDATOR = "pddl_pipeline.validation"
REFEREE = "pddl_pipeline.translators.domains.countdown_referee"
SOLVER = "pddl_pipeline.countdown"
JUDGES = {f"{VALIDATOR}.task": VALIDATOR, REFEREE: REFEREE, f"{SOLVER}.exact": SOLVER}
SHARED = "pddl_pipeline.model.operations"


def level(room: str) -> int:
    return next(number for number, names in enumerate(LAYERS) if room in names)


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(("pddl_pipeline", *parts)).removesuffix(".__init__")


def lines_of(node: ast.stmt) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements inside a node; `ast.walk` goes through all expressions, too."""
    for block in ("body", "handlers", "orelse", "finalbody", "cases"):
        for child in getattr(node, block, ()):
            if isinstance(child, ast.stmt):
                yield child
            yield from statements(child)


@cache
def imported(path: Path) -> set[str]:
    """Return the modules that a file imports, including imports inside functions.

    Names that are imported from a module are included, since they may be modules.
    """
    found = set()
    for node in statements(parsed(path)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {node.module or "", *(f"{node.module}.{each.name}" for each in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def counts(node: ast.stmt) -> bool:
    """Return whether a statement counts: imports, docstrings and other lone texts do not."""
    lone_text = isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)
    return not isinstance(node, ast.Import | ast.ImportFrom) and not lone_text


def size(files: Iterable[Path]) -> int:
    """Return the number of statements that count in files."""
    return sum(counts(node) for path in files for node in statements(parsed(path)))


def test_every_room_has_a_budget() -> None:
    assert sorted(chain.from_iterable(BUDGETS)) == sorted(ROOMS)


@pytest.mark.parametrize("rooms", BUDGETS, ids="+".join)
def test_rooms_stay_within_their_budgets(rooms: tuple[str, ...]) -> None:
    found = size(chain.from_iterable(FILES[room] for room in rooms))
    assert found <= SLACK * BUDGETS[rooms], "take something away, or raise the number in BUDGETS"


def test_all_rooms_and_the_tests_stay_within_their_budgets() -> None:
    rooms, tests = size(chain.from_iterable(FILES.values())), size((ROOT / "tests").rglob("*.py"))
    assert rooms <= MAX_ALL + ADDITION, "take away, or raise MAX_ALL"
    assert tests <= MAX_TESTS + ADDITION, "take away, or raise MAX_TESTS"


def test_the_changelog_stays_short() -> None:
    """One section until the first release; a merge must not bring back what it replaced."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert text.count("\n## ") == 1
    # The table of verdicts grows with each version.
    lines = [line for line in text.split("\n") if not re.match(r" *\| \d+ \|", line)]
    assert len(lines) <= 115, "shorten it: say what users of earlier commits must know"


def test_templates_stay_small() -> None:
    endings = (".html", ".js", ".css", ".j2", ".jinja")
    files = [path for path in PACKAGE.rglob("*") if path.suffix in endings]
    assert sum(path.read_text(encoding="utf-8").count("\n") for path in files) <= MAX_ASSETS


def test_every_folder_of_the_package_is_a_room() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} == set(ROOMS)


def test_links_point_to_the_folders_of_the_top_level() -> None:
    """Only a checkout has the links; an unpacked sdist contains the folders."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is not a checkout")
    for name in LINKED:
        assert (PACKAGE / name).readlink() == Path("..", "..", name)


def against_layers(room: str, path: Path) -> Iterator[str]:
    """Yield what is wrong with the imports of a file."""
    for module in sorted(imported(path)):
        if module in LINKED:
            yield f"{path}: import pddl_pipeline.{module}, not {module}"
        match = re.match(r"pddl_pipeline\.(\w+)", module)
        if match and not (level(match[1]) < level(room) or match[1] in LAYERS[level(room)]):
            yield f"{path}: {room} must not import {module}"


@pytest.mark.parametrize("room", FILES)
def test_imports_point_one_way(room: str) -> None:
    assert [fault for path in FILES[room] for fault in against_layers(room, path)] == []


def test_modules_of_unix_have_one_home() -> None:
    """`io.platform` imports them, so that all other modules can be imported on any platform."""
    unix = {"fcntl", "grp", "pty", "pwd", "resource", "termios"}
    files = chain.from_iterable(FILES.values())
    found = [module_name(path) for path in files if unix & imported(path)]
    assert found == ["pddl_pipeline.io.platform"]


@cache
def import_graph() -> dict[str, set[str]]:
    """Return the modules of the package that each of its modules imports."""
    files = {module_name(path): path for paths in FILES.values() for path in paths}
    return {name: imported(path) & files.keys() for name, path in files.items()}


def test_no_circle_of_imports() -> None:
    """Imports inside functions count, too, since they hide a circle and do not remove it."""
    TopologicalSorter(import_graph()).prepare()  # raises CycleError


def test_no_circle_among_the_benchmarks() -> None:
    files = {path.stem: path for path in (ROOT / "benchmarks").glob("*.py")}
    graph = {name: imported(path) & files.keys() for name, path in files.items()}
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("judge", JUDGES)
def test_judges_of_countdown_share_no_arithmetic(judge: str) -> None:
    """A fault in one judge must show as a disagreement with the others."""
    graph = import_graph()
    reached, queue = {judge}, [judge]
    while queue:
        new = graph[queue.pop()] - reached
        reached |= new
        queue += new
    for foreign in {SHARED, *JUDGES.values()} - {JUDGES[judge]}:
        found = sorted(name for name in reached if f"{name}.".startswith(f"{foreign}."))
        assert not found, f"{judge} imports {', '.join(found)}"


def too_long(path: Path) -> Iterator[str]:
    """Yield the lengths of a file and its functions that are above the limits."""
    lines = path.read_text(encoding="utf-8").count("\n")
    if lines > MAX_FILE:
        yield f"{path} has {lines} lines"
    for node in statements(parsed(path)):
        if isinstance(node, ast.FunctionDef):
            lines = lines_of(node) - (lines_of(node.body[0]) if ast.get_docstring(node) else 0)
            if lines > MAX_FUNCTION:
                yield f"{path}: {node.name} has {lines} lines beside its docstring"


@pytest.mark.parametrize("room", FILES)
def test_files_and_functions_are_small(room: str) -> None:
    assert [fault for path in FILES[room] for fault in too_long(path)] == []


def test_few_tests_are_slow() -> None:
    """Each test that takes above 3 s in `make test` is marked, with a reason."""
    files = (ROOT / "tests").rglob("test_*.py")
    marks = [
        re.findall(r"mark\.slow\(\s*(?:reason=)?(.?)", path.read_text("utf-8")) for path in files
    ]
    reasons = list(chain.from_iterable(marks))
    assert len(reasons) <= MAX_SLOW
    assert set(reasons) <= {'"'}
