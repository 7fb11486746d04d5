"""The locations of files for tests: the checkout, the package, the program, the public data."""

from __future__ import annotations

import os
import sys
import tarfile
from functools import cache
from pathlib import Path
from shutil import copy
from tempfile import mkdtemp

SUPPORT = Path(__file__).parent
TESTS = SUPPORT.parent
ROOT = TESTS.parent
PACKAGE = ROOT / "src" / "pddl_pipeline"
PROGRAM = Path(sys.executable).with_name("pddl-pipeline")
DATA = Path(os.environ.get("PDDL_PIPELINE_DATA", ROOT.parent / "shared" / "data"))
"""The public datasets. Tests that need them are skipped if the folder does not exist."""


@cache
def public_data(name: str) -> Path:
    """Return a public dataset; a packed one is unpacked, beside the domains beside its archive."""
    if not name.endswith(".tar.gz"):
        return DATA / name
    folder = Path(mkdtemp())
    for domain in (DATA / name).parent.glob("*.pddl"):
        copy(domain, folder)
    with tarfile.open(DATA / name) as archive:
        archive.extractall(folder / "instances", filter="data")
    return folder / "instances"
