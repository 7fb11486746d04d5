"""Compare the validator with Unified Planning, the `pddl` library and VAL: CPU times, ratios.

    python benchmarks/validation.py [--only judging,reading,growth,process] [--quick]

All values of a line are measured in one run. VAL's column is filled if its program `Validate` is on
PATH. Each plan is judged once per reading of the problem, and all plans differ.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pddl
from clock import best, cpu_of, cpu_of_process
from rich.console import Console
from rich.table import Table
from tasks import Input, inputs, logistics, stretched, visitall
from unified_planning.engines.plan_validator import (
    SequentialPlanValidator,
    TimeTriggeredPlanValidator,
)
from unified_planning.io import PDDLReader

from pddl_pipeline import read_task
from pddl_pipeline.integrations.val_opinion import find_val
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.planners.unified_planning import environment

ROUNDS = 5
VAL = find_val()
_PROGRAMS = (
    ("pddl-pipeline validate", "main", (
        (), ("--json",), ("-v",), ("--plan-format", "auto"), ("--tolerance", "1e-4"), ("--lenient",)
    )),
    ("pddl-pipeline-val", "val_main", ((), ("-v",), ("-e",), ("-t", "0.1"), ("-S",))),
)  # fmt: skip
"""The programs whose start is measured: name, module and lists of options."""


def judging() -> Table:
    """Return the table of judging: from a plan's text to the verdict, on a problem already read."""
    table = _table(
        "Judging one plan, ms; and how many times our time the others take",
        "input", "steps", "ours", "UP first plan", "UP next plan", "VAL process", "VAL next plan",
    )  # fmt: skip
    for given in inputs():
        ours = best(lambda given=given: _judge_all(given), ROUNDS)
        theirs = (*_judge_up(given), *_judge_val(given))
        cells = (f"{_ms(other)} {_ratio(other, ours):>6}" for other in theirs)
        table.add_row(given.name, str(given.steps), _ms(ours), *cells)
    return table


def _judge_all(given: Input) -> float:
    """Return the mean CPU time per plan, with each plan judged once."""
    task = read_task(given.domain, given.problem)
    task.judge("(prepares-the-actions)")

    def judge() -> None:
        for plan in given.plans:
            if task.judge(plan).status is not Status.VALID:
                raise SystemExit(f"{given.name}: a plan is not valid")

    return cpu_of(judge) / len(given.plans)


def _judge_up(given: Input) -> tuple[float | None, float | None]:
    """Return the CPU time for the first plan of a problem, and the mean over ten more plans.

    Unified Planning caches expressions, so only the first plan starts with an empty cache.
    """
    reader = PDDLReader(environment())
    problem = reader.parse_problem_string(given.domain, given.problem)
    timed = "[" in given.plans[0]
    if timed and given.steps > 100:
        return None, None  # minutes
    validator = TimeTriggeredPlanValidator() if timed else SequentialPlanValidator()
    validator.skip_checks = True

    def judge(plan: str) -> None:
        result = validator.validate(problem, reader.parse_plan_string(problem, plan))
        if result.status.name != "VALID":
            raise SystemExit(f"{given.name}: Unified Planning says {result.status.name}")

    first = cpu_of(lambda: judge(given.plans[0]))
    return first, sum(cpu_of(lambda plan=plan: judge(plan)) for plan in given.plans[1:11]) / 10


def _judge_val(given: Input) -> tuple[float | None, float | None]:
    """Return VAL's CPU time for a process with one plan, and for each further plan in a process."""
    if VAL is None:
        return None, None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [VAL, *_written(folder, given.domain, given.problem)]
        files = []
        for number, plan in enumerate(given.plans):
            files.append(str(folder / f"plan{number}"))
            Path(files[-1]).write_text(plan, encoding="utf-8")
        one = best(lambda: cpu_of_process([*command, files[0]]), 4 * ROUNDS)
        many = best(lambda: cpu_of_process([*command, *files]), ROUNDS)
    return one, (many - one) / (len(files) - 1)


def reading(*, quick: bool) -> Table:
    """Return the table of reading: from the texts of domain and problem to a task."""
    table = _table(
        "Reading domain and problem, ms; and how many times our time the others take",
        "input", "KB", "ours", "UP", "pddl", "VAL process",
    )  # fmt: skip
    sizes = {
        "visitall 32x32": visitall(32),
        "logistics": logistics(100, 2000, random.Random(2), goals=1000),
        "visitall 59x59": visitall(59),
    }
    # Imports and the construction of grammars, once per process, are not compared.
    for warm in (_read_up, _read_pddl):
        with tempfile.TemporaryDirectory() as folder:
            small = visitall(2)
            warm(*(small if warm is _read_up else _written(Path(folder), *small)))
    for name, (domain, problem) in sizes.items():
        if quick and len(problem) > 300_000:
            continue
        ours = best(lambda d=domain, p=problem: cpu_of(lambda: read_task(d, p)), ROUNDS)
        theirs = cpu_of(lambda d=domain, p=problem: _read_up(d, p))
        with tempfile.TemporaryDirectory() as folder:
            files = _written(Path(folder), domain, problem)
            library = cpu_of(lambda files=files: _read_pddl(*files))
            empty = Path(folder) / "plan"
            empty.write_text("", encoding="utf-8")
            command = [VAL or "", *files, str(empty)]
            val = best(lambda c=command: cpu_of_process(c), ROUNDS) if VAL else None
        cells = (f"{_ms(other)} {_ratio(other, ours):>6}" for other in (theirs, library, val))
        table.add_row(name, f"{len(problem) / 1000:.0f}", _ms(ours), *cells)
    return table


def _read_up(domain: str, problem: str) -> None:
    PDDLReader(environment()).parse_problem_string(domain, problem)


def _read_pddl(domain: str, problem: str) -> None:
    pddl.parse_domain(domain)
    pddl.parse_problem(problem)


def growth() -> Iterator[Table]:
    """Yield the tables of time per step and per object while their number grows a thousandfold."""
    given = inputs()[0]
    task = read_task(given.domain, given.problem)
    base = list(task.read_plan(given.plans[0]).steps)
    steps = _table("Plans of growing length", "steps", "ms", "µs / step")
    for length in (10**2, 10**3, 10**4, 10**5):
        repeated = stretched(task, base[:100] if length == 100 else base, length, random.Random(3))
        plan = str(Plan(tuple(repeated)))
        count, taken = len(repeated), best(lambda p=plan: cpu_of(lambda: task.judge(p)), ROUNDS)
        steps.add_row(str(count), _ms(taken), f"{taken / count * 1e6:.2f}")
    yield steps
    objects = _table(
        "Problems of growing size", "objects", "KB", "read, ms", "µs / object", "judge, ms"
    )
    times: list[float] = []
    for side in (10, 32, 100, 316):
        domain, problem = visitall(side)
        rounds = 2 if side > 100 else ROUNDS
        taken = best(lambda d=domain, p=problem: cpu_of(lambda: read_task(d, p)), rounds)
        large = read_task(domain, problem)
        plan = "(move loc-x0-y0 loc-x0-y1)"
        judged = best(lambda t=large, p=plan: cpu_of(lambda: t.judge(p)), rounds + 1)
        count = side * side
        times.append(taken / count)
        objects.add_row(
            str(count), f"{len(problem) / 1000:.0f}", _ms(taken), f"{taken / count * 1e6:.1f}",
            _ms(judged),
        )  # fmt: skip
    objects.caption = f"100,000 objects take {times[-1] / times[-2]:.2f} times as long per object"
    objects.caption += " as 10,000"
    yield objects


def process() -> Table:
    """Return the table of complete processes on a small task, with and without options.

    The package is installed from the wheel in a separate environment. The commands take turns.
    """
    folder = domain_folder("blocksworld")
    files = [str(folder / name) for name in ("domain.pddl", "p01.pddl", "p01.plan")]
    table = _table("A process, CPU ms", "command", "ms", "/ python -c pass")
    with tempfile.TemporaryDirectory() as name:
        python = _installed(Path(name))
        commands = {"python -c pass": [python, "-c", "pass"]}
        for program, module, option_lists in _PROGRAMS:
            run = f"import sys; from pddl_pipeline.cli.{module} import main; main()"
            for options in option_lists:
                given = [*program.split()[1:], *options]
                commands[" ".join([program, *options])] = [python, "-c", run, *given, *files]
        if VAL:
            commands["VAL"] = [VAL, *files]
        times: dict[str, list[float]] = {key: [] for key in commands}
        for _ in range(6 * ROUNDS):
            for key, command in commands.items():
                times[key].append(cpu_of_process(command))
    base = times["python -c pass"]
    for key, taken in times.items():
        table.add_row(key, _ms(min(taken)), _ratio(min(taken), min(base)))
    return table


def _installed(folder: Path) -> str:
    """Install the wheel and compile it, as pip does; return the environment's Python."""
    project = Path(__file__).parent.parent
    subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet",
         "--no-deps", "--no-build-isolation", "--wheel-dir", folder, project],
        check=True, capture_output=True,
    )  # fmt: skip
    venv.create(folder / "venv")
    packages = next((folder / "venv" / "lib").glob("python*/site-packages"))
    (wheel,) = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "zipfile", "-e", wheel, packages], check=True)
    python = str(folder / "venv" / "bin" / "python")
    subprocess.run([python, "-m", "compileall", "-q", packages], check=True)
    return python


def _written(folder: Path, domain: str, problem: str) -> list[str]:
    files = [folder / "domain.pddl", folder / "problem.pddl"]
    for file, text in zip(files, (domain, problem), strict=True):
        file.write_text(text, encoding="utf-8")
    return [str(file) for file in files]


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title)
    for column in columns:
        table.add_column(column, justify="left" if column in ("input", "command") else "right")
    return table


def _ms(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds * 1e3:.2f}"


def _ratio(one: float | None, other: float | None) -> str:
    return "-" if one is None or other is None else f"{one / other:.1f}x"


def main() -> None:
    """Print the requested tables."""
    parser = argparse.ArgumentParser(description="Time the validator against its peers.")
    parser.add_argument("--only", default="judging,reading,growth,process")
    parser.add_argument("--quick", action="store_true", help="Skip the largest file.")
    arguments = parser.parse_args()
    console = Console()
    if VAL is None:
        console.print("VAL's program 'Validate' is not on PATH: its column stays empty")
    parts: dict[str, Callable[[], Any]] = {
        "judging": judging,
        "reading": lambda: reading(quick=arguments.quick),
        "growth": growth,
        "process": process,
    }
    wanted = arguments.only.split(",")
    if not set(wanted) <= parts.keys():
        parser.error(f"--only: expected names from {','.join(parts)}")
    for name in wanted:
        made = parts[name]()
        for table in [made] if isinstance(made, Table) else made:
            console.print(table)


if __name__ == "__main__":
    main()
