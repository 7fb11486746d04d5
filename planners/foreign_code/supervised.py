"""The process above a worker, outside of the sandbox: ``python -m … PARENT MEBIBYTES``.

The worker is a new Python that never imports this package. It imports two files of it, which stand
alone, before it enters the sandbox, and cannot read them again.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, NoReturn

import pddl_pipeline
from pddl_pipeline.io.platform import resource
from pddl_pipeline.planners.sandbox import confinement
from pddl_pipeline.planners.sandbox.supervisor import Supervisor

_PACKAGE: Final = Path(pddl_pipeline.__file__).resolve().parent
_FOLDERS: Final = (Path(confinement.__file__).parent, Path(__file__).parent)
_WORKER: Final = (
    "import sys; sys.path[:0] = sys.argv[1:3]; import confinement, worker; del sys.path[:2]; "
    "worker.work(confinement.confine, sys.argv[3])"
)
_LOOK_S: Final = 0.1
_FILE_BYTES: Final = 2**24
_FOLDER_BYTES: Final = 4 * _FILE_BYTES
_FOLDER_FILES: Final = 1000
_THREADS: Final = 64
_BLOCK_BYTES: Final = 512
_OPEN_FILES: Final = 64
# The checker ends calls after seconds; this ends what the checker does not end.
_CPU_S: Final = 24 * 3600


def main() -> NoReturn:
    """Run a worker, and end when it has ended.

    This process runs no code of others. It keeps the stream of answers open, so that the checker
    sees its end only when all is cleaned up. How the worker ended is the last line on standard
    error.
    """
    parent, memory_bytes, folder = int(sys.argv[1]), int(sys.argv[2]) * 2**20, Path.cwd()
    if sys.platform != "linux":
        _become_worker(memory_bytes)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    supervisor = Supervisor(parent, folder)
    number = supervisor.fork(partial(_become_worker, memory_bytes))
    exceeded = supervisor.watch(number, partial(_exceeded, folder, number), _LOOK_S)
    supervisor.end(0)
    status = supervisor.family.statuses.get(number, 1)
    ended = f"exit status {status}" if status >= 0 else f"signal {-status}"
    print(exceeded or f"its process ended with {ended}", file=sys.stderr, flush=True)  # noqa: T201
    os._exit(0)


def _become_worker(memory_bytes: int) -> NoReturn:
    """Limit this process, irrevocably, and start another Python in it."""
    limits = {
        resource.RLIMIT_AS: memory_bytes,
        resource.RLIMIT_FSIZE: _FILE_BYTES,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: _CPU_S,
    }
    if confinement.usable_architecture() is None:
        # It may start no other process or thread. The kernel ignores this for root, and counts all
        # processes of the user, so any other number would mean little.
        limits[resource.RLIMIT_NPROC] = 0
    for kind, wanted in limits.items():
        _, most = resource.getrlimit(kind)
        value = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(kind, (value, value))
    # Of a checkout, the tests are hidden, too.
    hidden = _PACKAGE.parents[1] if _PACKAGE.parent.name == "src" else _PACKAGE
    flags = ["-P"] if sys.flags.no_user_site == 0 else ["-P", "-s"]
    words = [sys.executable, *flags, "-c", _WORKER, *map(str, (*_FOLDERS, hidden))]
    os.execv(sys.executable, words)  # noqa: S606 -- there is no shell


def _exceeded(folder: Path, number: int) -> str | None:
    """Return the limit that a process and its folder exceed; takes a tenth of a millisecond."""
    files = used = threads = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            files += 1
            with suppress(FileNotFoundError):
                used += entry.stat(follow_symlinks=False).st_blocks * _BLOCK_BYTES
            if files > _FOLDER_FILES:
                return f"it created more than {_FOLDER_FILES} files"
    if used > _FOLDER_BYTES:
        return f"it wrote more than {_FOLDER_BYTES // 2**20} MiB"
    with suppress(FileNotFoundError, ProcessLookupError):
        threads = len(os.listdir(f"/proc/{number}/task"))  # noqa: PTH208 -- names
    return f"it started more than {_THREADS} threads" if threads > _THREADS else None


if __name__ == "__main__":
    main()
