"""The folder ``studies`` of the repository, with protocols, datasets and stored runs.

It is not part of the installed package.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pddl_pipeline
from pddl_pipeline.model.errors import EngineError

_FOLDER: Final = "studies"


def study_folder(paper: str) -> Path:
    """Return the folder of a paper's protocols, datasets and stored runs.

    It is looked up in the current directory, then in the checkout that contains the package.

    Raises:
        EngineError: neither exists.
    """
    checkout = Path(pddl_pipeline.__file__).resolve().parents[2]
    for place in (Path(_FOLDER), checkout / _FOLDER):
        if (place / paper).is_dir():
            return place / paper
    expected = Path(_FOLDER, paper)
    raise EngineError(
        f"the stored runs are part of the repository: expected the folder {expected} in the "
        "current directory; run the command in a checkout"
    )
