"""Writes a translated dataset as a folder of PDDL files, completely or not at all."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators import translate
from pddl_pipeline.translators.ids import FileNames
from pddl_pipeline.translators.records import to_record
from pddl_pipeline.translators.translator import PAPER

MANIFEST: Final = "manifest.jsonl"
_INSTANCES: Final = "instances.jsonl"
_DRAFT: Final = ".translate-"
_OLD: Final = "old"
# The files that an export writes. A manifest from another program may name any file.
_OURS: Final = re.compile(r"domain\.pddl|domains/[0-9a-f]{16}\.pddl|problems/[^/]+\.pddl").fullmatch


def export(instances: Iterable[Instance[Any]], folder: Path, *, encoding: str = PAPER) -> int:
    """Write the instances into a new folder, or replace an earlier export in it.

    The folder gets ``problems/<id>.pddl`` (see `FileNames` for ids that are no file names),
    ``domain.pddl`` (``domains/<hash>.pddl`` if the instances have several domains),
    ``manifest.jsonl`` and ``instances.jsonl``. `translate` writes the PDDL in the given encoding.

    Returns:
        The number of instances.

    Raises:
        InputError: the folder contains other files or cannot be written, or reading the instances
            failed. The folder is left unchanged, also if reading raises another error.
    """
    created = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        _check_target(folder)
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=_DRAFT, dir=folder) as draft:
            count = _write(instances, Path(draft), encoding)
            _take_over(Path(draft), folder)
    except BaseException as error:
        for path in created:
            with suppress(OSError):
                path.rmdir()
        if isinstance(error, OSError):
            reason = f"cannot be written: {error.strerror}"
            raise InputError(reason, file=str(folder)) from error
        raise
    return count


def _check_target(folder: Path) -> None:
    """Check that the folder contains nothing but an earlier export."""
    if folder.exists() and not folder.is_dir():
        raise InputError("is a file, expected a folder to write to", file=str(folder))
    found = {
        str(path.relative_to(folder))
        for path in (folder.rglob("*") if folder.is_dir() else ())
        if not path.is_dir() and not path.relative_to(folder).parts[0].startswith(_DRAFT)
    }
    foreign = found - _earlier(folder)
    if foreign:
        reason = f"contains '{min(foreign)}'; choose an empty or new folder"
        raise InputError(reason, file=str(folder))


def _earlier(folder: Path) -> set[str]:
    """Return the files of an earlier export, read from its manifest.

    If a process was killed while it replaced one, return the files of both.
    """
    files = set[str]()
    # Also of an export that was killed while its files were moved.
    for manifest in (folder / MANIFEST, *folder.glob(f"{_DRAFT}*/**/{MANIFEST}")):
        # No manifest, or one from another program: then the folder holds no earlier export.
        with suppress(OSError, ValueError, KeyError, TypeError):
            entries = map(json.loads, manifest.read_text(encoding="utf-8").splitlines())
            named = {entry[key] for entry in entries for key in ("domain_file", "problem_file")}
            files |= {MANIFEST, _INSTANCES, *filter(_OURS, named)}
    return files


def check_complete(folder: Path) -> None:
    """Check that no process was killed while it replaced an export in a folder.

    Raises:
        InputError: a process was; the folder has parts of two exports.
    """
    if any((old.parent / MANIFEST).exists() for old in folder.glob(f"{_DRAFT}*/{_OLD}")):
        reason = "an interrupted `translate` left parts of two exports; run it again"
        raise InputError(reason, file=str(folder))


def _take_over(draft: Path, folder: Path) -> None:
    """Replace an earlier export with a complete draft.

    `check_complete` fails meanwhile: the folder ``old`` comes first, and the manifest last.
    """
    old = draft / _OLD
    old.mkdir()
    for path in list(folder.iterdir()):
        if path != draft:  # an earlier export, or the draft of a process that was killed
            path.rename(old / path.name)
    # The manifest comes last, so that a folder with it is complete.
    for path in sorted(draft.iterdir(), key=lambda path: path.name == MANIFEST):
        if path != old:
            path.rename(folder / path.name)


def _write(instances: Iterable[Instance[Any]], draft: Path, encoding: str) -> int:
    """Write all files, one instance at a time; memory does not grow with their number."""
    (draft / "problems").mkdir()
    problems = str(draft / "problems")
    domains: dict[str, str] = {}
    count = 0
    with (
        (draft / _INSTANCES).open("w", encoding="utf-8") as records,
        (draft / MANIFEST).open("w", encoding="utf-8") as manifest,
        FileNames() as names,
    ):
        for instance in instances:
            texts = translate(instance, encoding=encoding)
            name = f"{names.name_of(instance.id)}.pddl"
            # Creating a path object would take a third of the time for a small instance.
            with open(f"{problems}/{name}", "w", encoding="utf-8") as file:  # noqa: PTH123
                file.write(texts.problem_pddl)
            if texts.domain_pddl not in domains:
                digest = hashlib.sha256(texts.domain_pddl.encode()).hexdigest()[:16]
                domains[texts.domain_pddl] = f"domains/{digest}.pddl"
            records.write(json.dumps(to_record(instance)) + "\n")
            entry = {
                "id": instance.id,
                "domain": instance.domain,
                "domain_file": domains[texts.domain_pddl],
                "problem_file": f"problems/{name}",
                "source": instance.extras.get("source"),
                "size": instance.size,
                **({"extra": instance.extra} if instance.extra else {}),
            }
            manifest.write(json.dumps(entry) + "\n")
            count += 1
    if len(domains) == 1:
        (text,) = domains
        domains[text] = "domain.pddl"
        _name_the_only_domain(draft / MANIFEST)
    for text, name in domains.items():
        (draft / name).parent.mkdir(exist_ok=True)
        (draft / name).write_text(text, encoding="utf-8")
    return count


def _name_the_only_domain(manifest: Path) -> None:
    """Rewrite the manifest: only at the end is it known that there is one domain."""
    draft = manifest.with_suffix(".draft")
    with manifest.open(encoding="utf-8") as lines, draft.open("w", encoding="utf-8") as file:
        for line in lines:
            file.write(json.dumps(json.loads(line) | {"domain_file": "domain.pddl"}) + "\n")
    draft.replace(manifest)
