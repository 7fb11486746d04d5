"""Files of answers for tests: written, and read again."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_files import AnswerSource, answer_file
from pddl_pipeline.scoring.answer_formats import InstanceNumbers


def lines(values: list[Any]) -> str:
    return "".join(f"{json.dumps(value)}\n" for value in values)


def read_answers(path: Path, ids: Iterable[str] = (), *, raw: bool = False) -> Iterator[Answer]:
    """Return the answers of a file in order; the ids are those of its dataset."""
    source, numbers = AnswerSource([answer_file(path)], raw=raw), InstanceNumbers(ids)
    return chain.from_iterable(source.answers(batch, numbers) for batch in source.batches())


def read(folder: Path, content: str | bytes, name: str = "answers", **how: Any) -> list[Answer]:
    file = folder / name
    data = content if isinstance(content, bytes) else content.encode()
    file.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return list(read_answers(file, **how))
