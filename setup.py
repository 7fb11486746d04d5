"""Restore the links of the package that a source has lost; `pyproject.toml` has the rest.

A zip archive, and a checkout by git without links, have a text file with the path of the folder
in the place of each link. Without the links, most of the package would not be installed.
"""

import sys
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).resolve().parent
PACKAGE = ROOT / "src" / "pddl_pipeline"
# All other files of the package have a suffix.
for lost in [path for path in PACKAGE.rglob("*") if path.is_file() and not path.suffix]:
    folder = lost.read_text(encoding="utf-8").strip()
    if (lost.parent / folder).is_dir():
        lost.unlink()
        try:
            lost.symlink_to(folder, target_is_directory=True)
        except OSError as error:
            lost.write_text(folder, encoding="utf-8")
            sys.exit(
                f"cannot make the link {lost} to {folder} ({error}); install the sdist instead"
            )
# Other programs leave links out when they unpack an archive.
for file in ROOT.glob("*/__init__.py"):
    if not (PACKAGE / file.parent.name).is_dir():
        sys.exit(
            f"found no link {PACKAGE / file.parent.name} to ../../{file.parent.name}; unpack "
            "the archive with its links, or install the sdist"
        )

setup()
