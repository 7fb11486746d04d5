"""The locations of files for tests: the checkout, the package, the program, the public data."""

from __future__ import annotations

import os
import sys
from pathlib import Path

SUPPORT = Path(__file__).parent
TESTS = SUPPORT.parent
ROOT = TESTS.parent
PACKAGE = ROOT / "src" / "pddl_pipeline"
PROGRAM = Path(sys.executable).with_name("pddl-pipeline")
DATA = Path(os.environ.get("PDDL_PIPELINE_DATA", ROOT.parent / "shared" / "data"))
"""The public datasets. Tests that need them are skipped if the folder does not exist."""
