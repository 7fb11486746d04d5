"""Tests of `import pddl_pipeline`: names, types, one-line texts, and one-line errors."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from inspect import isfunction, signature
from pathlib import Path
from typing import Any

import pytest
from places import PACKAGE

import pddl_pipeline
from pddl_pipeline import (
    InputError,
    Limits,
    PlanSyntaxError,
    Status,
    Step,
    Task,
    read_task,
    validate,
)
from pddl_pipeline.model.package_version import VERSION
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.validation.plan_reader import plan_file

BLOCKS = domain_folder("blocksworld")
DOMAIN, PROBLEM, PLAN = (BLOCKS / name for name in ("domain.pddl", "p01.pddl", "p01.plan"))
API: Any = pddl_pipeline
INITIAL = "(clear b1)", "(clear b3)", "(handempty)", "(on b3 b2)", "(ontable b1)", "(ontable b2)"
NAMES = {
    "load_records", "generate", "translate", "run", "solve", "read_task", "validate", "score",
    "report", "Task", "Verdict", "Status", "Plan", "Step", "State", "Instance", "Problem", "Limits",
    "reward", "rewards", "Reward",
    "Solution", "Attempt", "Outcome", "RunResult", "Score", "Report", "PipelineError", "InputError",
    "PddlError", "PlanSyntaxError", "__version__",
}  # fmt: skip


def test_names_are_listed_and_found() -> None:
    assert set(dir(pddl_pipeline)) == NAMES
    for name in NAMES:
        value = getattr(pddl_pipeline, name)
        text = f"{signature(value)} {value.__doc__}" if isfunction(value) else value
        assert "object object" not in str(text)
    assert pddl_pipeline.__version__ == VERSION
    with pytest.raises(AttributeError, match="has no attribute 'raed_task'"):
        pddl_pipeline.raed_task  # noqa: B018


def test_type_checkers_and_python_find_the_same() -> None:
    """The imports for type checkers and the loaded attributes name the same objects."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    declared = {
        alias.name: node.module
        for node in imports
        for alias in node.names
        if (node.module or "").startswith("pddl_pipeline.")
    }
    assert declared.keys() == NAMES - {"__version__"}
    for name, module in declared.items():
        assert getattr(import_module(module or ""), name) is getattr(pddl_pipeline, name)


def loaded(code: str, *options: str) -> set[str]:
    """Return the modules that Python has loaded after some code."""
    code = f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r}); {code}; print(*sys.modules)"
    command = [sys.executable, *options, "-c", code]
    return {*subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()}


def test_import_loads_nothing() -> None:
    """The import loads no subpackage and no slow module of the standard library."""
    names = loaded("import pddl_pipeline", "-S")
    assert {name for name in names if name.startswith("pddl_pipeline")} == {"pddl_pipeline"}
    assert not names & {"typing", "re", "dataclasses", "pathlib", "numpy"}


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (lambda task: task, "<Task blocksworld bw-3-0: 3 objects, 4 actions>"),
        (lambda task: task.judge(PLAN), "<Verdict valid: 6 steps, cost 6>"),
        (
            lambda task: task.judge(["(unstack b3 b2)", "(pick-up b1)"]),
            "<Verdict invalid at step 2: (handempty) does not hold>",
        ),
        (
            lambda task: task.judge("(fly b1)"),
            "<Verdict malformed at step 1: unknown action 'fly'>",
        ),
        (lambda task: task.read_plan("(pick-up b1)")[0], "<Step (pick-up b1)>"),
        (lambda task: task.read_plan("(pick-up b1)"), "<Plan of 1 step: (pick-up b1)>"),
        # Long ones are cut.
        (
            lambda task: task.read_plan("(pick-up b1)(put-down b1)" * 1000),
            f"<Plan of 2000 steps: {'(pick-up b1) (put-down b1) ' * 3}"[:-2] + "…>",
        ),
        (
            lambda task: task.judge(f"(unstack b3 {'b' * 300})"),
            f"<Verdict malformed at step 1: unknown object '{'b' * 63}…>",
        ),
        (
            lambda task: task.initial_state(),
            f"<State f66e503f: {' '.join(INITIAL)}>",
        ),
        (
            lambda _: next(pddl_pipeline.generate("ferry", 4, count=1)),
            "<Instance ferry ferry-4-0: size 4>",
        ),
    ],
)
def test_one_line_says_what_matters(made: Callable[[Task], object], text: str) -> None:
    assert repr(made(read_task(DOMAIN, PROBLEM))) == text


def test_runs_and_scores_are_one_line_each(tmp_path: Path) -> None:
    instances = list(pddl_pipeline.generate("ferry", range(4, 6), count=1, seed=7))
    runs = tmp_path / "runs"
    results = pddl_pipeline.run(instances, runs, ["lama-first", "dfs"], Limits(time_s=60))
    assert [(r.id, r.planner) for r in results] == [
        (instance.id, planner) for instance in instances for planner in ("lama-first", "dfs")
    ]
    assert repr(results[0]) == "<RunResult ferry-4-0 lama-first: plan-found, valid>"
    assert repr(pddl_pipeline.report(runs)) == "<Report: 4 runs, 4 claimed, 4 validated>"
    again = pddl_pipeline.run(instances, runs, ["lama-first", "dfs"], Limits(time_s=60))
    assert [r.started for r in again] == [r.started for r in results]  # nothing was run again
    plan = "\n".join(results[0].plan or ())
    answers = [{"id": "ferry-4-0", "answer": plan}, {"id": "x", "answer": plan}]
    assert [repr(score) for score in pddl_pipeline.score(instances, answers)] == [
        "<Score ferry-4-0, attempt 1: valid>",
        "<Score x, attempt None: undecided: unknown id 'x'>",
    ]
    problem = pddl_pipeline.translate(instances[0])
    solution = pddl_pipeline.solve(
        problem.domain_pddl, problem.problem_pddl, "lama-first", Limits(60)
    )
    assert repr(solution).startswith("<Solution lama-first: plan-found, valid, ")
    assert repr(solution.attempt).startswith("<Attempt plan-found, ")
    assert repr(problem).startswith("<Problem: domain ")


def test_a_plan_is_text_a_path_a_plan_or_steps() -> None:
    task = read_task(DOMAIN, PROBLEM)
    plan = task.read_plan(PLAN)
    given = (PLAN, PLAN.read_text(), plan, tuple(plan), [str(step) for step in plan])
    for form in given:
        assert task.judge(form).status is Status.VALID
        assert task.read_plan(form) == plan or [*map(str, task.read_plan(form))] == given[-1]
        assert validate(DOMAIN, PROBLEM, form) == task.judge(PLAN)
    assert task.judge([]).status is Status.INVALID
    assert task.judge([Step("pick-up", ("b1",))]).status is Status.INVALID
    with pytest.raises(PlanSyntaxError, match="unknown action 'fly'"):
        task.read_plan(["(pick-up b1)", "(fly b1)"])
    with pytest.raises(InputError, match=r"nothing\.plan: cannot be read"):
        task.judge(Path("nothing.plan"))


def test_time_stamps_count_in_every_form_of_a_plan() -> None:
    """The second step needs what the first one adds at the same time: no form may accept that."""
    domain = """(define (domain d) (:predicates (a) (b))
      (:action x :parameters () :precondition () :effect (a))
      (:action y :parameters () :precondition (a) :effect (b)))"""
    problem = "(define (problem p) (:domain d) (:init) (:goal (b)))"
    task = read_task(domain, problem)
    together, apart = "0.5: (x)\n0.5: (y)\n", "0.501: (y)\n0.5: (x)\n"
    for text, status in ((together, Status.INVALID), (apart, Status.VALID)):
        plan = task.read_plan(text)
        for form in (text, text.splitlines(), plan, tuple(plan)):
            assert task.judge(form).status is status, form
            assert validate(domain, problem, form).status is status, form
        again = task.read_plan(plan_file(plan))
        assert [(str(step), step.time) for step in again] == [(str(s), s.time) for s in plan]


def test_a_name_of_a_file_is_the_likely_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(BLOCKS)
    domain = shutil.copy(DOMAIN, tmp_path / "my domain (1).pddl")
    verdicts = [
        validate(str(domain), PROBLEM, "p01.plan", plan_format=form) for form in ("ipc", "auto")
    ]
    for verdict in (*verdicts, read_task(DOMAIN, PROBLEM).judge("p01.plan")):
        assert str(verdict.reason).endswith(
            "the text is the name of a file, expected Path('p01.plan')"
        )
    assert "file" not in str(validate(DOMAIN, PROBLEM, "p01.pla").reason)


def test_validate_asks_other_validators() -> None:
    verdict = validate(DOMAIN, PROBLEM, PLAN, cross_check=["up"], budget=5)
    assert verdict.opinions["up"].status is Status.VALID
    assert verdict.within_budget is False
    with pytest.raises(InputError, match="unknown validator 'vla'"):
        validate(DOMAIN, PROBLEM, PLAN, cross_check=["vla"])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            lambda task: task.judge(3),
            "plan: found int, expected text, a Path, a Plan or a",
        ),
        (lambda task: task.judge(b"(a)"), "plan: found bytes, expected text"),
        (lambda task: task.judge(None), "plan: found NoneType, expected text"),
        (lambda task: task.judge(Step("a")), "plan: found Step, expected text"),
        (lambda task: task.read_plan(["(a)", 1]), "plan: step 2 is int, expected text such as"),
        (lambda task: task.judge(["(a)", Step("a")]), "plan: step 2 is Step, expected text such"),
        (lambda _: read_task(3, PROBLEM), "domain: found int, expected a path or PDDL text"),
        (lambda _: read_task(DOMAIN, {}), "problem: found dict, expected a path or PDDL text"),
        (
            lambda _: pddl_pipeline.solve(DOMAIN, PROBLEM, limits=10),  # type: ignore[arg-type]
            "limits: found int, expected Limits, such as Limits(time_s=60)",
        ),
        (
            lambda _: pddl_pipeline.translate(7),  # type: ignore[call-overload]
            "data: found int, expected instances, records, a data frame or a file",
        ),
        (lambda _: API.Limits(time_s="60"), "time_s: found str, expected seconds such as 60"),
        (lambda _: API.Limits(memory_bytes=0.5), "memory_bytes: found float, expected a whole"),
        (lambda _: API.Limits(core="1"), "core: found str, expected the number of a core"),
        (lambda _: API.run([], 5), "store: found int, expected the folder of a run store"),
        (lambda _: API.run([], "r", 5), "planners: found int, expected names of planners"),
        (lambda _: API.run([], "r", workers="2"), "workers: found str, expected a whole number"),
        (lambda _: API.report(["r"]), "stores: found list, expected the folders of run stores"),
        (lambda _: API.generate("ferry", "4"), "sizes: found str, expected a size such as 4"),
        (lambda _: API.generate("ferry", 4, seed="x"), "seed: found str, expected a whole number"),
        (lambda _: API.generate("ferry", [4, "5"]), "sizes: found str, expected a size such as 4"),
        (lambda _: API.generate("ferry", 4, count=True), "count: found bool, expected a whole"),
        (lambda _: API.generate(3), "domain: found int, expected the name of a domain"),
        (lambda _: API.generate("ferry", method=3), "method: found int, expected the name of a"),
        (lambda _: API.run([], "r", [3]), "planners: found int, expected names of planners"),
        (lambda _: API.rewards([], processes="2"), "processes: found str, expected a whole number"),
        (lambda _: API.score([{}], id_field=3), "id_field: found int, expected the name of a"),
        (lambda _: API.score(3), "data: found int, expected instances, records, a data frame"),
        (lambda _: API.solve(DOMAIN, PROBLEM, 5), "planner: found int, expected the name of a"),
        (lambda _: API.validate(DOMAIN, PROBLEM, PLAN, budget="5"), "budget: found str, expected"),
        (lambda _: API.validate(DOMAIN, PROBLEM, PLAN, plan_format=5), "plan_format: found int"),
        (lambda _: API.reward({}, "", weights=5), "weights: found int, expected RewardWeights"),
    ],
)
def test_wrong_types_are_one_clear_line(wrong: Callable[..., object], message: str) -> None:
    with pytest.raises(TypeError) as error:
        wrong(read_task(DOMAIN, PROBLEM))
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"domain": "ferri"}, "no generator for domain 'ferri'; did you mean 'ferry'?"),
        ({"domain": "ferry", "method": "x"}, "ferry has no method 'x', known: simplan"),
        ({"domain": "ferry", "cars": 3}, "method simplan has no setting 'cars', known: locations"),
        ({"domain": "ferry", "sizes": []}, "sizes: found none, expected a size such as 4"),
        ({"domain": "ferry", "sizes": range(0)}, "sizes: found none, expected a size such as 4"),
        ({"domain": "ferry", "count": 0}, "count: found 0, expected at least 1"),
    ],
)
def test_generate_names_what_is_wrong(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message.replace("?", r"\?")):
        pddl_pipeline.generate(**arguments)
