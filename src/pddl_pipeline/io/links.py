"""Links from a page to the files beside it."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from pddl_pipeline.io.standard_streams import STANDARD


def relative_link(folder: Path, page: Path) -> str:
    """Return the link from a page to a folder, as part of an address.

    Args:
        folder: the folder.
        page: the file of the page; for standard output, links start in the working directory.
    """
    start = Path.cwd() if str(page) == STANDARD else page.absolute().parent
    return quote(os.path.relpath(folder.absolute(), start).replace(os.sep, "/"))
