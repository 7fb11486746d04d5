"""The lock of what has at most one writer at a time, such as a run store."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

from pddl_pipeline.model.errors import StoreError


def lock_for_writing(lock: Path, target: Path, what: str, *, wait_s: float = 0.0) -> FileLock:
    """Acquire a lock, and return it; its folder is created if it does not exist.

    The kernel releases the lock when the process ends, for whatever reason.

    Args:
        lock: the file of the lock.
        target: what is written, for messages.
        what: what another process is writing, such as ``to this folder``.
        wait_s: seconds to wait for another writer.

    Raises:
        StoreError: another process has the lock, or the file cannot be created.
    """
    acquired = FileLock(lock)
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        acquired.acquire(timeout=wait_s)
    except Timeout:
        raise StoreError(f"{target}: another process is writing {what}") from None
    except OSError as error:
        raise StoreError(f"{target}: {error.strerror}") from error
    return acquired
