"""Settings that follow a planner's name, and advice for a planner that is not installed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from planner_outcomes import command_of

from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.planners import other_engines
from pddl_pipeline.planners.planner import (
    Log,
    Needs,
    Planner,
    Plans,
    UpEngine,
    check_installed,
    package_folder,
    read_settings,
    setting_key,
)
from pddl_pipeline.planners.registry import planner_named


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings with a field of each type."""

    omega: float = 0.5
    node_limit: int = 500
    reward: str = "none"
    code: str = field(default="", metadata={"file": True})
    model: str = field(default="", metadata={"idle": {"reward": ("none", "uniform")}})

    def __post_init__(self) -> None:
        if not 0 <= self.omega <= 1:
            raise InputError(f"omega={self.omega}: expected 0 to 1")


def test_what_is_not_named_has_its_default() -> None:
    assert read_settings("x", Settings, "") == Settings()
    found = read_settings("x", Settings, "omega=0.25,node-limit=7,reward=a=b")
    assert found == Settings(0.25, 7, "a=b")
    assert read_settings("x", Settings, "model=m,reward=mine").model == "m"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("omga=1", "found 'omga=1', which is not a setting"),
        ("omega", "found 'omega', which is not a setting"),
        ("omega=1,omega=1", "omega is given twice"),
        ("omega=much", "x:omega=much"),
        ("node-limit=1.5", "x:node-limit=1.5"),
        ("omega=2", "omega=2.0: expected 0 to 1"),
        ("code=nowhere.py", "nowhere.py: no such file"),
        ("model=m", "x:model=m: model has no effect with reward=none"),
        ("model=,reward=uniform", "model has no effect with reward=uniform"),
    ],
)
def test_a_mistake_is_an_error(text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        read_settings("x", Settings, text)
    assert message in str(raised.value)


def test_the_key_depends_on_the_content_of_a_file_and_not_on_its_place(tmp_path: Path) -> None:
    one, other = tmp_path / "a", tmp_path / "b"
    one.write_text("1")
    other.write_text("1")
    keys = [setting_key(read_settings("x", Settings, f"code={file}")) for file in (one, other)]
    assert keys[0] == keys[1]
    other.write_text("2")
    assert setting_key(read_settings("x", Settings, f"code={other}")) != keys[0]


@pytest.mark.parametrize(
    ("planner", "message"),
    [
        ("enhsp:serach=gbfs", "did you mean 'search'"),
        ("enhsp:search=gbfs -h blind", "Expected `str` matching regex"),
        ("enhsp:tolerance=-1", "Expected `float` >= 0.0"),
        ("enhsp:tolerance=little", "Expected `float`"),
        ("bfs:states=0", "Expected `int` >= 1 - at `$.states`"),
        ("bfs:seconds=-1", "Expected `float` >= 0.0 - at `$.seconds`"),
        ("bfs:seconds=nan", "Expected `float` >= 0.0 - at `$.seconds`"),
        ("bfs:tolerance=0.1", "tolerance=0.1: applies only to numbers=float"),
        ("bfs:order=last", "found 'order=last', which is not a setting"),
        ("dfs:order=random", "order"),
        ("bfs:code=nothing.py", "nothing.py: no such file"),
        ("bfs:numbers=double", "numbers"),
        ("random:predictions=many", "predictions=many: Expected"),
        ("goal-count:predictions=many", "predictions=many: Expected"),
        ("simplan:seconds=0", "seconds=0: Expected"),
        ("cats:omega=1.5", "omega=1.5: Expected `float` <= 1.0"),
        ("cats:omega=nan", "omega=nan: Expected `float` >= 0.0"),
        ("cats:nodes=0", "nodes=0"),
        ("cats:meet=last", "meet"),
        ("cats:goal=whole", "goal"),
        ("cats:distance=cosine", "distance"),
        ("cats:omega=1,distance=printed", "distance has no effect with omega=1"),
        ("cats:reward=goalcount", "did you mean 'goal-count'"),
        ("cats:reward=url", "model=NAME"),
        ("cats:reward=url,model=m,url=ftp://x", "https?://"),
        ("tot:breadth=0", "breadth=0"),
        ("tot:threshold=1", "threshold=1"),
        ("tot:nodes=0", "nodes=0: Expected `int` >= 1"),
        ("rap:depth=0", "depth=0: Expected `int` >= 1"),
        ("rap:exploration=-1", "exploration=-1"),
        ("llm:model=m,stile=cot", "found 'stile=cot', which is not a setting; did you mean"),
        ("llm:model=m,attempts=0", "Expected `int` >= 1 - at `$.attempts`"),
        ("llm:model=m,max-tokens=x", "Expected"),
        ("llm:model=m,base-url=nowhere", "found the address 'nowhere'"),
        ("llm:model=m,style=long", "Invalid enum value 'long'"),
        ("llm:model=m,form=completion,system=x", "a system message applies to the form chat"),
    ],
)
def test_a_mistake_in_settings_of_a_planner_is_one_line(planner: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        planner_named(planner)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("look", [check_installed, lambda name: package_folder(name, "missing")])
def test_a_planner_that_is_not_installed_has_advice(look: Callable[[str], object]) -> None:
    with pytest.raises(EngineError) as error:
        look("no-such-planner")
    advice = "no-such-planner is not installed; fix: pip install no-such-planner"
    assert str(error.value) == advice


SEEDED = {
    "mine=cmd:/bin/echo {seed} {{seed}} {plan}": (" 1 {seed} ", " 3 {seed} "),
    "fd:eager_greedy([ff(),random({seed})])": ("random(1)", "random(3)"),
    "lpg": ("-seed 2003 ", "-seed 2005 "),
    "random:seed=7": ('"seed": 7', '"seed": 9'),
    "llm:model=m,seed=4,attempts=10": ('"seed": 4', '"seed": 24'),
}


@pytest.mark.parametrize("name", SEEDED)
def test_a_repetition_has_another_seed_and_the_same_name(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first repetition is the planner without repetitions; Fast Downward is not started."""
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setattr(other_engines, "package_folder", lambda *_: tmp_path)
    planner = planner_named(name)
    for number, expected in zip((1, 3), SEEDED[name], strict=True):
        each = planner.repetition(number)
        start = command_of(each)
        words = start.words()
        filled = words if start.fill is None else start.fill(words, tmp_path, Limits())
        assert (each.name, each.specification) == (planner.name, planner.specification)
        assert expected in " ".join(filled)
        assert each.seed == int("".join(filter(str.isdigit, expected)))
    assert planner.seed == planner.repetition(1).seed


PARTS = partial(Planner, "mine", "", "", command=tuple)


@pytest.mark.parametrize(
    ("part", "values", "says"),
    [
        (Plans, {"files": (), "several": True}, "a log contains one plan"),
        (Plans, {"format": "plain"}, "found 'plain', expected one of auto"),
        (Log, {"statistics": {"steps": ("", 1)}}, "found 'steps', expected one of expanded"),
        (Log, {"statistics": {"expanded": ("a", 1)}}, "found 0 groups in 'a', expected 1"),
        (Log, {"statistics": {"expanded": ("(", 1)}}, "'(' is not a regular expression"),
        (PARTS, {"features": frozenset({"time"})}, "mine: unknown features: time"),
        (PARTS, {"seed": 3}, "expected both seed and with_seed"),
        (PARTS, {"command": UpEngine("tamer"), "needs": Needs(record=True)}, "read no record"),
    ],
)
def test_parts_that_do_not_fit_are_refused(
    part: Callable[..., object], values: dict[str, Any], says: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        part(**values)
