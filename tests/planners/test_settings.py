"""Settings that follow a planner's name."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.planners.planner import read_settings, setting_key


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
def test_a_mistake_is_told(text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        read_settings("x", Settings, text)
    assert message in str(raised.value)


def test_the_key_tells_what_a_file_holds_and_not_where_it_is(tmp_path: Path) -> None:
    one, other = tmp_path / "a", tmp_path / "b"
    one.write_text("1")
    other.write_text("1")
    keys = [setting_key(read_settings("x", Settings, f"code={file}")) for file in (one, other)]
    assert keys[0] == keys[1]
    other.write_text("2")
    assert setting_key(read_settings("x", Settings, f"code={other}")) != keys[0]
