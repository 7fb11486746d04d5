"""Fast Downward's parts, the translator and the search, started without its driver.

For a single search the driver, a Python program, does four things: it expands an alias, limits the
memory, starts the parts and prints their exit codes. Its start takes as long as a small search; a
shell does the same in two milliseconds. The driver keeps everything else, such as portfolios and
limits of single parts.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Final

_SHELL: Final = "/bin/sh"
_BINARIES: Final = Path("builds", "release", "bin")
_PACKAGE: Final = "_pddl_pipeline_fast_downward_driver"
# The exit codes are the driver's: negative for a signal, 30 if the translator ended with 1, 36 if
# the memory cannot be limited.
_SCRIPT: Final = """
part() {
    name=$1; shift
    "$@"; code=$?
    if [ $code -gt 128 ]; then code=$((128 - code)); fi
    if [ $name$code = translate1 ]; then code=30; fi
    echo "$name exit code: $code"
    if [ $code -ne 0 ]; then exit $((code & 255)); fi
}
ulimit -v "$1" || exit 36
export PYTHONPATH="$2${PYTHONPATH:+:$PYTHONPATH}"
python=$3 search=$4 domain=$5 problem=$6
shift 6
part translate "$python" -m fast_downward.translate "$domain" "$problem" --sas-file output.sas
part search "$search" "$@" < output.sas
"""


def parts_command(driver_command: Sequence[str], memory_mb: int) -> tuple[str, ...] | None:
    """Return the command line that starts the parts as a command line of the driver would.

    Args:
        driver_command: the command line that Unified Planning makes.
        memory_mb: limit of the address space of each part.

    Returns:
        None if only the driver can do it, or if the installation does not have the expected files.
    """
    python, script, *arguments = driver_command
    home = Path(script).parent
    match arguments:
        case ["--plan-file", plan, "--log-level", "info", "--alias", alias, domain, problem]:
            search = _expanded(alias, home / "driver")
        case ["--plan-file", plan, "--log-level", "info", domain, problem, "--search-options",
              "--search", text] if not text.startswith("-"):  # fmt: skip
            search = ["--search", text]
        case _:
            return None
    binary, translator = home / _BINARIES / "downward", home / _BINARIES / "fast_downward"
    if not (search and binary.is_file() and translator.is_dir() and Path(_SHELL).exists()):
        return None
    return (
        _SHELL, "-c", _SCRIPT, "sh", str(memory_mb << 10), str(translator.parent), python,
        str(binary), domain, problem, *search, "--internal-plan-file", plan,
    )  # fmt: skip


def _expanded(alias: str, driver: Path) -> list[str]:
    """Return the search options of an alias; none if it names a portfolio or nothing."""
    chosen = SimpleNamespace(search_options=[], portfolio=None)
    try:
        _aliases(driver).set_options_for_alias(alias, chosen)
    except (ImportError, AttributeError, KeyError):
        # An unknown alias, or a version of the driver with other modules.
        return []
    return list(chosen.search_options)


@cache
def _aliases(driver: Path) -> Any:
    """Return the driver's module of aliases, imported from its folder."""
    package = ModuleType(_PACKAGE)
    package.__path__ = [str(driver)]
    sys.modules[_PACKAGE] = package
    return import_module(f"{_PACKAGE}.aliases")
