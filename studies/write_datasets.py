"""Generate the datasets of cards and write their checksums into the cards.

``python studies/write_datasets.py studies/cats/data/budget-blocksworld.toml ...``
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from pddl_pipeline.papers.data import write_dataset


def main() -> None:
    """Write the dataset of each card that the command line names."""
    for path in map(Path, sys.argv[1:]):
        checksum = write_dataset(path)
        text = path.read_text(encoding="utf-8")
        path.write_text(
            re.sub(r'(?m)^sha256 = ".*"$', f'sha256 = "{checksum}"', text), encoding="utf-8"
        )
        sys.stdout.write(f"{path}: {checksum}\n")


if __name__ == "__main__":
    main()
