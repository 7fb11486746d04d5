"""The pictures of domains: a profile in a TOML file, or a module that draws one."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pddl_pipeline.pages.pictures.picture_file import read_picture

PICTURES: Final = tuple(map(read_picture, sorted(Path(__file__).parent.glob("*.toml"))))
