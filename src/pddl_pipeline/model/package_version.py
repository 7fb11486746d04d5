"""The version of this package: the one place that states it for the code.

`pyproject.toml` reads it from here, so that a checkout prints the version of its files, even if it
was installed at an older commit.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = "1.0.0"
