"""Functions of the 24 game that are right only if their code finds what they are compared with.

Each way to look for the package's own functions and unit tests is an expression, which is true if
something was found.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from failing_code import SUCC_24

GAME24: Final = Path("papers", "autotos", "domains.py")
# `own` finds what only the files of the package contain, and neither this code nor its states.
PRELUDE: Final = r"""
import ctypes, gc, glob, importlib, importlib.metadata, importlib.util, inspect, os, pkgutil
import re, resource, runpy, shutil, subprocess, sys, zipimport
libc = ctypes.CDLL(None, use_errno=True)
libc.sbrk.restype = ctypes.c_void_p
MODULE = "pddl_pipeline.papers.autotos.domains"
PACKAGE = "pddl_pipeline"

def own(content):
    return bool(re.search(rb"length_misste[p]|\[14\], \[-5\], \[5\], \[0\.285[7]", content))

def read(path):
    if isinstance(path, int):
        return os.pread(path, 2**20, 0)
    with open(path, "rb") as stream:
        return stream.read(2**20)

def reads(paths):
    found = b""
    for path in paths:
        try:
            found += read(path)
        except OSError:
            pass
    return found

def below(folder):
    return (os.path.join(at, name) for at, _, names in os.walk(folder)
            for name in names if "autotos" in at)

def frames():
    frame = sys._getframe()
    while frame:
        yield frame
        frame = frame.f_back

def caught(call, *arguments):
    try:
        return call(*arguments)
    except Exception as error:
        return error

def named(things):
    kinds = type, type(os), type(read)
    names = (getattr(thing, at, "") for thing in things if isinstance(thing, kinds)
             for at in ("__module__", "__name__"))
    return any(str(name).startswith(PACKAGE) for name in names)

def memory(process):
    with open(f"/proc/{process}/mem", "rb") as stream:
        for line in open(f"/proc/{process}/maps"):
            begin, end = (int(word, 16) for word in line.split()[0].split("-"))
            if "rw-p" in line and own(os.pread(stream.fileno(), min(end - begin, 2**26), begin)):
                return True
"""
FILES: Final = {
    "import": "named([importlib.import_module(MODULE)])",
    "import from another folder": (
        "sys.path.insert(0, FOLDER) or named([importlib.import_module(PACKAGE)])"
    ),
    "import from a file": "importlib.util.spec_from_file_location('o', CODE).loader.get_code('o')",
    "runpy": "runpy.run_path(CODE)",
    "pkgutil": "own(pkgutil.get_data(MODULE, 'domains.py'))",
    "metadata": "importlib.metadata.distribution('pddl-pipeline').read_text('METADATA')",
    "code by its path": "own(read(CODE))",
    "unit tests by their path": "own(read(TESTS))",
    "glob": "own(reads(glob.glob(f'{FOLDER}/{PACKAGE}/search/**/*.py', recursive=True)))",
    "a walk from the folder": "own(reads(below(f'{FOLDER}/{PACKAGE}')))",
    "a handle without rights": "own(read(f'/proc/self/fd/{os.open(CODE, os.O_PATH)}'))",
    "a handle of the folder": (
        "own(read(os.open('domains.py', 0, dir_fd=os.open(os.path.dirname(CODE), os.O_PATH))))"
    ),
    "a call of the C library": "libc.open(CODE.encode(), 0) >= 0",
    "a wheel": "own(zipimport.zipimporter(WHEEL).get_data('domains.py'))",
    "other processes": "reads(glob.glob('/proc/[0-9]*/cmdline'))",
}
"""Ways that find something where the kernel lacks Landlock."""
WAYS: Final = FILES | {
    "a walk along sys.path": "own(reads(at for folder in sys.path for at in below(folder)))",
    "loading a library": "'invalid ELF header' in str(caught(ctypes.CDLL, CODE))",
    "shared memory": "os.listdir('/dev/shm') is not None",
    "compiled code": "own(reads(glob.glob(f'{COMPILED}/game24*.pyc')))",
    "a copy": "own(read(shutil.copyfile(CODE, 'copy')))",
    "a symbolic link": "os.symlink(CODE, 'symbolic') or own(read('symbolic'))",
    "a hard link": "os.link(CODE, 'hard') or own(read('hard'))",
    "the folder of the checker": "own(read(f'/proc/{CHECKER}/cwd/{RELATIVE}'))",
    "the root of the checker": "own(read(f'/proc/{CHECKER}/root{CODE}'))",
    "the files of the checker": "own(reads(glob.glob(f'/proc/{CHECKER}/fd/*')))",
    "the memory of the checker": "memory(CHECKER)",
    "the environment of the parent": "read(f'/proc/{os.getppid()}/environ')",
    "ptrace": "libc.ptrace(0x4206, CHECKER, None, None) == 0",
    "process_vm_readv": "libc.process_vm_readv(CHECKER, None, 0, None, 0, 0) == 0",
    "frames": "named(value for frame in frames() for value in [*frame.f_globals.values()])",
    "the code of frames": (
        "any('confine(' in str(caught(inspect.getsource, frame.f_code)) for frame in frames())"
    ),
    "a traceback": (
        "named(caught(read, '').__traceback__.tb_frame.f_back.f_back.f_back.f_globals.values())"
    ),
    "gc": "named(gc.get_objects())",
    "sys.modules": "named(sys.modules.values())",
    "its own memory": "own(ctypes.string_at(libc.sbrk(0) - 2**16, 2**16))",
    "its environment": "own(repr(os.environ).encode())",
    "inherited files": "own(reads(range(3, 64)))",
    "another Python": "subprocess.run([sys.executable, '-c', f'import {MODULE}']).returncode == 0",
    "a shell": "os.system(f'cat {CODE}') == 0",
    "a core dump": "resource.setrlimit(resource.RLIMIT_CORE, (2**20, 2**20)) is None",
}


def looking(ways: Iterable[str], package: Path, place: Path, needed: int = 1) -> str:
    """Return code that looks in these ways; its goal test is right if enough of them succeeded.

    Args:
        ways: keys of `WAYS`.
        package: the folder of the package.
        place: a folder for a wheel.
        needed: the number of ways that must find something.
    """
    code = package / GAME24
    wheel = place / "pddl_pipeline-1.0.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.write(code, code.name)
    tests = package / "papers" / "autotos" / "unit_test_data" / "24game"
    places = {
        "CODE": code, "TESTS": tests / "24game_successors.jsonl", "FOLDER": package.parent,
        "COMPILED": code.parent / "__pycache__", "WHEEL": wheel, "RELATIVE": os.path.relpath(code),
    }  # fmt: skip
    return "\n".join([
        PRELUDE, *(f"{name} = {str(at)!r}" for name, at in places.items()),
        f"CHECKER = {os.getpid()}", "FOUND = []", f"for look in {[WAYS[way] for way in ways]}:",
        "    try: FOUND += [look] if eval(look) else []",
        "    except BaseException: pass", SUCC_24,
        "def isgoal(state):",
        f"    return len(FOUND) >= {needed} and len(state) == 1 and abs(state[0] - 24) < 1e-6",
    ])  # fmt: skip
