"""How things look: the measures of each look, whose drawing is a macro of ``looks.svg.j2``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Look(NamedTuple):
    """The measures of a look, in pixels. What is inside stands between top and bottom."""

    top: float
    bottom: float = 0
    side: float = 8
    least: float = 44
    """The smallest width."""
    most: float = 120
    """The largest width that its name may require."""
    room: float = 0
    """The least height for what is inside."""
    badge: float = 11
    """The size of the font of its badges."""
    row: int = 0
    """What has a higher number stands in a row below."""
    is_place: bool = False
    """Whether it is drawn below all shapes, without marks, if it never moves."""
    equal: str = ""
    """The group of looks whose things all have the size of the largest one."""


LOOKS: Final[Mapping[str, Look]] = {
    "box": Look(38, 4, least=64, most=200),
    "holder": Look(38, 4, least=64, most=200, is_place=True),
    "place": Look(28, 10, 10, 110, 180, row=2, is_place=True, equal="place"),
    "block": Look(22, badge=9),
    "hand": Look(26, 8, 12, 76, room=32, is_place=True),
    "table": Look(0, 24, 12, 260, room=64, row=1, is_place=True),
    "car": Look(31, least=50),
    "boat": Look(4, 28, 34, 96, room=31, row=1),
    "ball": Look(26, least=48),
    "robot": Look(28, 6, 6, 96, row=1),
    "gripper": Look(18, 6, 6, 60, 64, room=26),
    "hoist": Look(34, 2, 6, 56, room=32),
    "pallet": Look(19, least=56, row=1),
    "truck": Look(0, 30, 34, 110, room=28, row=2),
    "cell": Look(17, 3, 3, 44, 44, is_place=True, equal="cell"),
    "goal": Look(17, 3, 3, 44, 44, is_place=True, equal="cell"),
    "wall": Look(17, 3, 3, 44, 44, is_place=True, equal="cell"),
    "tile": Look(17, 3, 4, 44, 60, is_place=True, equal="cell"),
    "hidden": Look(0),
    "stone": Look(34, least=34, most=34),
    "player": Look(28, least=24, most=24),
    "key": Look(29, least=40, most=40),
}
