"""The files that Python needs: its library, installed packages, shared libraries, time zones."""

from __future__ import annotations

import re
import site
import sysconfig
from pathlib import Path
from typing import Final

import pddl_pipeline

_SYSTEM: Final = (
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64",
    "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/dev/urandom", "/dev/zero",
    "/sys/devices/system/cpu", "/sys/kernel/mm/transparent_hugepage",
)  # fmt: skip
_LIBRARY: Final = re.compile(r"(/.*)/[^/]+\.so[^/]*$")


def python_files() -> list[str]:
    """Return files and folders that Python reads when it imports installed packages.

    Packages that are installed in editable form are elsewhere, and only this one is among them.
    """
    paths = sysconfig.get_paths()
    packages = [*site.getsitepackages(), *([site.getusersitepackages()] * bool(_has_user_site()))]
    libraries = sysconfig.get_config_var("LIBDIR")
    found = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    found += [*packages, *filter(None, [libraries]), *_own_package(), *_loaded(), *_SYSTEM]
    return [*dict.fromkeys(found)]


def _own_package() -> list[str]:
    """Return the folder of this package, and those to which its links of a checkout lead."""
    package = Path(pddl_pipeline.__file__).parent
    links = [entry.resolve() for entry in package.iterdir() if entry.is_symlink()]
    return [str(folder) for folder in (package, *links)]


def _has_user_site() -> bool:
    return bool(site.ENABLE_USER_SITE)


def _loaded() -> list[str]:
    """Return the folders of the shared libraries of this process, wherever they are."""
    try:
        lines = Path("/proc/self/maps").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return []
    paths = (line.split(maxsplit=5)[-1] for line in lines.splitlines())
    return [match[1] for match in map(_LIBRARY.match, paths) if match]
