"""The files of AutoToS's published conversations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from pddl_pipeline.papers.autotos.loop.published_log import PublishedLog, read_log
from pddl_pipeline.papers.autotos.published import PUBLISHED
from pddl_pipeline.papers.study_result import StudyResult
from pddl_pipeline.papers.workbench import Workbench

_LOGS: Final = "clean_logs"
"""The folder of the logs, in the folder ``autotos`` of the data."""
FOLDERS: Final = {"24game": "24game", "blocksworld": "blocks", "sokoban": "sokoban"}
"""The folders of the logs by domain; the others are of crosswords and PrOntoQA."""
MOST_STATES: Final = 1_000_000
"""The maximum number of states that a search stores."""
_KIND: Final = "-val_logs"
"""The end of the names of folders whose runs had the partial soundness test."""


class PublishedData(NamedTuple):
    """What AutoToS published, as the folder ``autotos`` of ``--data`` has it."""

    logs: Path
    domains: dict[str, Path]
    """The folder of unit tests and instances of each domain."""


def published_data(bench: Workbench) -> PublishedData | None:
    """Return the published files; None if one of the folders is missing."""
    logs = bench.dataset("autotos", _LOGS)
    found = {name: bench.dataset("autotos", name) for name in FOLDERS}
    domains = {name: folder for name, folder in found.items() if folder is not None}
    return None if logs is None or len(domains) < len(found) else PublishedData(logs, domains)


def without_data(what: str) -> StudyResult:
    """Return the result of a study for which `published_data` found nothing.

    Args:
        what: what the study does with the logs, such as ``replay``.
    """
    expected = ", ".join((_LOGS, *FOLDERS))
    return StudyResult(
        conditions=f"Nothing to {what}: requires {expected} in the folder autotos of --data.",
        comparisons=(),
        tables=(),
    )


def published_logs(folder: Path, number: int) -> Iterator[tuple[str, str, PublishedLog]]:
    """Yield logs with the partial soundness test, each after its domain and model.

    Args:
        folder: the folder of the logs.
        number: the maximum number of logs of each model and domain.
    """
    for domain, place in FOLDERS.items():
        for model in PUBLISHED.calls.models:
            for file in sorted((folder / place / f"{model}{_KIND}").glob("*.txt"))[:number]:
                yield domain, model, read_log(file)


def log_name(model: str, domain: str, log: PublishedLog) -> str:
    """Return a short name of a log: model, domain, date and time."""
    return f"{model}, {domain}, {Path(log.file).stem[-15:]}"
