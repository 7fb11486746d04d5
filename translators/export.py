"""Writes a translated dataset as a folder of PDDL files: whole, or not at all."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators import translate
from pddl_pipeline.translators.records import to_record

MANIFEST: Final = "manifest.jsonl"
_WRITTEN: Final = {MANIFEST, "instances.jsonl", "problems", "domain.pddl", "domains"}


def export(instances: Iterable[Instance[Any]], folder: Path) -> int:
    """Write the instances into a new folder, or over an earlier export in it.

    The folder gets ``problems/<id>.pddl``, ``domain.pddl`` (``domains/<hash>.pddl`` where the
    instances have several domains), ``manifest.jsonl`` and ``instances.jsonl``.

    Returns:
        The number of instances.

    Raises:
        InputError: the folder holds something else, or cannot be written; and whatever reading
            the instances raises. The folder is then as it was.
    """
    _check_target(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=str(folder)) from error
    try:
        count = _write(instances, draft)
        draft.chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return count


def _check_target(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise InputError("is a file, expected a folder to write to", file=str(folder))
    found = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if found and (MANIFEST not in found or found - _WRITTEN):
        other = min(found - _WRITTEN or found)
        raise InputError(f"holds '{other}'; choose an empty or new folder", file=str(folder))


def _write(instances: Iterable[Instance[Any]], draft: Path) -> int:
    (draft / "problems").mkdir()
    domains: dict[str, str] = {}
    entries: list[dict[str, Any]] = []
    with (draft / "instances.jsonl").open("w", encoding="utf-8") as records:
        for instance in instances:
            texts = translate(instance)
            file = f"problems/{instance.id}.pddl"
            (draft / file).write_text(texts.problem, encoding="utf-8")
            digest = hashlib.sha256(texts.domain.encode()).hexdigest()[:16]
            domains[f"domains/{digest}.pddl"] = texts.domain
            records.write(json.dumps(to_record(instance)) + "\n")
            entries.append({
                "id": instance.id,
                "domain": instance.domain,
                "domain_file": f"domains/{digest}.pddl",
                "problem_file": file,
                "source": instance.extras.get("source"),
                "size": instance.size,
            })  # fmt: skip
    if len(domains) == 1:
        domains = {"domain.pddl": next(iter(domains.values()))}
    for name, text in domains.items():
        (draft / name).parent.mkdir(exist_ok=True)
        (draft / name).write_text(text, encoding="utf-8")
    with (draft / MANIFEST).open("w", encoding="utf-8") as manifest:
        for entry in entries:
            if len(domains) == 1:
                entry["domain_file"] = "domain.pddl"
            manifest.write(json.dumps(entry) + "\n")
    return len(entries)
