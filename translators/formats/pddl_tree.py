"""Folders and archives of PDDL: finds the problems, and the domain of each."""

from __future__ import annotations

import re
import tarfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath, PurePosixPath
from typing import Final, Protocol, TypeVar

from pddl_pipeline.io.binary_data import text_of
from pddl_pipeline.io.spool import Spool
from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.translators.field_checks import natural

_SUFFIX: Final = ".pddl"
_COMMENT: Final = re.compile(r";.*")
_DEFINE: Final = re.compile(r"\(\s*define\s*\(\s*(domain|problem)\s+([^\s()]+)", re.IGNORECASE)
_OF_DOMAIN: Final = re.compile(r"\(\s*:domain\s+([^\s()]+)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d+$")
Declared = dict[str, str]
"""The names of the domains that files declare, by file name."""
ARCHIVES: Final = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


class Tree(Protocol):
    """A collection of PDDL files."""

    name: str

    def files(self) -> list[PurePosixPath]:
        """Return the paths of the PDDL files in the tree, in natural order."""

    def text(self, file: PurePosixPath) -> str:
        """Return the text of a file."""

    def close(self) -> None:
        """Free the resources for reading."""


class Folder:
    """A folder and its subfolders, or a single file."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._root = path if path.is_dir() else path.parent
        self._only = None if path.is_dir() else path.name

    def files(self) -> list[PurePosixPath]:
        """See `Tree`."""
        if self._only is not None:
            return [PurePosixPath(self._only)]
        found = (path for path in self._root.rglob("*") if _is_pddl(path.name) and path.is_file())
        return _sorted(PurePosixPath(path.relative_to(self._root)) for path in found)

    def text(self, file: PurePosixPath) -> str:
        """See `Tree`."""
        return read_file(self._root / file)

    def close(self) -> None:
        """See `Tree`."""


class Archive:
    """A tar file. Texts are kept in a spool, as a compressed archive can only be read in order."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._contents = Spool()
        try:
            self._places = self._read(path)
        except BaseException:
            self.close()
            raise

    def _read(self, path: Path) -> dict[PurePosixPath, int]:
        """Store the contents of the PDDL files in the spool; return the index of each file."""
        places: dict[PurePosixPath, int] = {}
        try:
            with tarfile.open(path) as archive:
                for member in archive:
                    if _is_pddl(member.name) and not member.isdir():
                        places[PurePosixPath(member.name)] = len(self._contents)
                        self._contents.add(_content(archive, member))
                _check_end(archive)
        except (tarfile.TarError, KeyError, EOFError, zlib.error) as error:
            # KeyError: a link to a file that is not in the archive.
            raise InputError("the archive is cut off or damaged", file=self.name) from error
        except OSError as error:
            reason = error.strerror or str(error)
            raise InputError(f"cannot be read: {reason}", file=self.name) from error
        return places

    def files(self) -> list[PurePosixPath]:
        """See `Tree`."""
        return _sorted(self._places)

    def text(self, file: PurePosixPath) -> str:
        """See `Tree`."""
        return text_of(self._contents[self._places[file]], str(file))

    def close(self) -> None:
        """See `Tree`."""
        self._contents.close()


def _check_end(archive: tarfile.TarFile) -> None:
    """Check that an archive ends with empty blocks.

    The library treats an unreadable header, or the end of a file truncated at a header, as the end
    of the archive.

    Raises:
        tarfile.TarError: the archive does not end with empty blocks.
    """
    file = archive.fileobj
    if file is None:
        return
    file.seek(archive.offset)
    rest = file.read(tarfile.RECORDSIZE)
    if len(rest) < tarfile.BLOCKSIZE:
        raise tarfile.ReadError
    while rest:
        if any(rest):
            raise tarfile.ReadError
        rest = file.read(tarfile.RECORDSIZE)


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(member)
    return b"" if file is None else file.read()


def _is_pddl(name: str) -> bool:
    return name.lower().endswith(_SUFFIX)


def _sorted(files: Iterable[PurePosixPath]) -> list[PurePosixPath]:
    return sorted(files, key=lambda file: (natural(str(file.parent)), natural(file.name)))


def open_tree(path: Path) -> Tree:
    """Return the tree of a folder, an archive or a single file.

    Raises:
        InputError: the path does not exist or cannot be read.
    """
    if not path.exists():
        raise InputError("cannot be read: No such file or directory", file=str(path))
    return Archive(path) if is_archive(path) else Folder(path)


def is_archive(path: Path) -> bool:
    """Return whether a file has the name of an archive."""
    return path.name.lower().endswith(ARCHIVES)


def kind_of(text: str) -> tuple[str, str]:
    """Return ``domain`` or ``problem`` and its name; both are empty if a text is neither."""
    match = _DEFINE.search(_COMMENT.sub("", text))
    return (match[1].lower(), match[2].lower()) if match else ("", "")


def domain_named_by(problem: str) -> str:
    """Return the name of a problem's domain as the problem declares it, or an empty string."""
    match = _OF_DOMAIN.search(_COMMENT.sub("", problem))
    return match[1].lower() if match else ""


class DomainFolders:
    """The domain files of folders on disk; each folder is read once."""

    def __init__(self) -> None:
        self._known: dict[Path, Declared] = {}

    def domains_in(self, folder: Path) -> Declared:
        """Return the domains that a folder's files declare, by file name."""
        if folder not in self._known:
            found: Declared = {}
            files = sorted(folder.iterdir()) if folder.is_dir() else []
            for path in files:
                if _is_pddl(path.name) and path.is_file():
                    kind, name = kind_of(read_file(path))
                    if kind == "domain":
                        found[path.name] = name
            self._known[folder] = found
        return self._known[folder]


class Domains:
    """Finds the domain file of a problem.

    In order of preference: the file with a name that Fast Downward's driver expects, or with the
    problem's number (``domain-7.pddl`` for ``instance-7.pddl``), if it declares the domain that
    the problem names; the only file that declares this domain; the file with the expected name. It
    is searched in the problem's folder and then in the folders above it, and in the folder
    ``domains`` of each.
    """

    def __init__(self, tree: Tree, above: Path, folders: DomainFolders) -> None:
        """Find the domain files of a tree.

        Args:
            tree: the tree with the problems.
            above: the folder on disk that contains the tree.
            folders: the domain files of folders on disk.
        """
        self._tree = tree
        self._above = [above.resolve(), *above.resolve().parents][:2]
        self._folders = folders
        self._found: dict[PurePosixPath, Declared] = {}
        self.others: list[PurePosixPath] = []
        """The files that are not domains."""
        for file in tree.files():
            kind, name = kind_of(tree.text(file))
            if kind == "domain":
                self._found.setdefault(file.parent, {})[file.name] = name
            else:
                self.others.append(file)

    def of(self, file: PurePosixPath, problem: str) -> tuple[str, str] | None:
        """Return name and text of a problem's domain file, or None."""
        found = self.place_of(file, problem)
        if found is None:
            return None
        if isinstance(found, Path):
            return found.name, read_file(found)
        return found.name, self._tree.text(PurePosixPath(found))

    def place_of(self, file: PurePosixPath, problem: str) -> PurePath | None:
        """Return a problem's domain file: its place in the tree, or a `Path` outside the tree."""
        wanted = domain_named_by(problem)
        for folder in _with_domains((file.parent, *file.parent.parents)):
            chosen = _choose(file.name, wanted, self._found.get(folder, {}))
            if chosen:
                return folder / chosen
        for place in _with_domains(self._above):
            chosen = _choose(file.name, wanted, self._folders.domains_in(place))
            if chosen:
                return place / chosen
        return None


_Place = TypeVar("_Place", bound=PurePath)


def _with_domains(folders: Iterable[_Place]) -> Iterator[_Place]:
    for folder in folders:
        yield folder
        yield folder / "domains"


def _choose(name: str, wanted: str, found: Declared) -> str | None:
    """Return the file among ``found`` that declares the domain of the problem file ``name``."""
    stem = name[: -len(_SUFFIX)]
    number = _NUMBER.search(stem)
    # The order of Fast Downward's driver.
    files = [
        f"domain{_SUFFIX}", f"{stem}-domain{_SUFFIX}", f"{name[:3]}-domain{_SUFFIX}",
        f"domain_{name}", f"domain-{name}",
    ]  # fmt: skip
    if number:
        files.append(f"domain-{number[0]}{_SUFFIX}")
    by_file = [file for file in files if file in found]
    by_name = [file for file, declared in found.items() if declared == wanted]
    both = [file for file in by_file if file in by_name]
    chosen = both or (by_name if len(by_name) == 1 else by_file)
    return chosen[0] if chosen else None
