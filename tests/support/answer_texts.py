"""Files of answers for tests: written, and read again."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_files import read_answers


def lines(values: list[Any]) -> str:
    return "".join(f"{json.dumps(value)}\n" for value in values)


def read(folder: Path, content: str | bytes, name: str = "answers", **how: Any) -> list[Answer]:
    file = folder / name
    data = content if isinstance(content, bytes) else content.encode()
    file.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return list(read_answers(file, **how))
