"""A cache of ENHSP's classes in their loaded form, which halves its start-up time.

Java 25 or later writes it in a training run (JEP 483 and 514), once for each runtime and each
version of ENHSP. Java ignores a cache that does not fit.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from filelock import FileLock, Timeout

from pddl_pipeline.pddl_domains import domain_folder

OLDEST: Final = 25
"""The first release of Java that creates the cache in one step."""
_PATIENCE_S: Final = 60.0
_TRAINING: Final = "training-"


def cache_folder() -> Path:
    """Return the folder for files that this program can create again."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "pddl-pipeline"


@cache
def class_cache(java: Path, jar: Path) -> Path | None:
    """Return the cache for a program in a JAR file; create it if it is missing.

    Return None if it cannot be created, for example because the user's cache folder is read-only.
    Then the program only starts more slowly.
    """
    folder = cache_folder()
    file = folder / f"{jar.stem}-{_fingerprint(java, jar)}.aot"
    with suppress(OSError, Timeout, subprocess.SubprocessError):
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "training.lock", timeout=_PATIENCE_S):
            for left in folder.glob(f"{_TRAINING}*"):
                shutil.rmtree(left, ignore_errors=True)
            if not file.exists():
                _train(java, jar, file)
        return file
    return None


def _fingerprint(java: Path, jar: Path) -> str:
    """Return a hash of the files on which the cache depends."""
    facts = [
        f"{path.resolve()} {path.stat().st_size} {path.stat().st_mtime_ns}" for path in (java, jar)
    ]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]


def _train(java: Path, jar: Path, file: Path) -> None:
    """Run Java on a small problem to write the cache."""
    sample = domain_folder("countdown")
    with TemporaryDirectory(dir=file.parent, prefix=_TRAINING) as place:
        draft = Path(place) / "draft.aot"
        subprocess.run(
            [
                java, f"-XX:AOTCacheOutput={draft}", "-XX:+UseSerialGC", "-jar", jar,
                "-o", sample / "domain.pddl", "-f", sample / "p01.pddl", "-sp", "plan", "-npm",
            ],
            cwd=place, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=_PATIENCE_S, check=True,
        )  # fmt: skip
        draft.replace(file)
