"""The protocols, datasets and stored runs of the papers, which are data of the package."""

from __future__ import annotations

from pathlib import Path

from pddl_pipeline.model.errors import EngineError


def study_folder(paper: str) -> Path:
    """Return the folder of a paper's protocols, datasets and stored runs.

    It is looked up in the folder ``studies`` of the current directory, then in the package.

    Raises:
        EngineError: neither exists.
    """
    here, packaged = Path("studies", paper), Path(__file__).parent / paper / "stored"
    for place in (here, packaged):
        if place.is_dir():
            return place
    raise EngineError(f"no stored runs: expected the folder {here} or {packaged}")
