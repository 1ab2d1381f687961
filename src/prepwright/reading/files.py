"""Which files a path names: one file, a folder, or a pattern."""

import re
import stat
import unicodedata
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from prepwright.errors import InputError, closest, listed
from prepwright.reading.reader import by_suffix, readers

_PATTERN = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class Found:
    """The files behind a path. `many` says that a folder or a pattern was given."""

    path: Path
    files: tuple[Path, ...]
    many: bool = False

    def label(self, file: Path) -> str:
        """Return a file's name, with its folders where a pattern went into several."""
        root = _fixed_part(self.path) if self.many and not self.path.is_dir() else file.parent
        return file.relative_to(root).as_posix()


def find_files(path: str | Path) -> Found:
    """Return the file or files that a path names, sorted by name.

    Raises: `InputError` when there are none, or they are not of one format.
    """
    given = Path(path)
    with access(given):
        if given.is_dir():
            return Found(given, _in_folder(given), many=True)
        if given.exists() or given.is_symlink():
            return Found(given, (_regular(given),))
        if _PATTERN.search(str(given)):
            return Found(given, _matching(given), many=True)
    raise _missing(given)


@contextmanager
def access(path: Path) -> Generator[None]:
    """Turn what the operating system refuses into an `InputError`."""
    try:
        yield
    except PermissionError as error:
        raise InputError(
            "no permission to read this",
            where=str(error.filename or path),
            found=str(error.strerror),
            fix="ask its owner, or copy the file to a folder of your own",
        ) from None
    except (OSError, ValueError) as error:
        raise InputError(
            "this cannot be read",
            where=str(path),
            found=getattr(error, "strerror", None) or str(error),
            fix="check the path and the disk",
        ) from None


def identifier(stem: str, taken: Iterable[str] = ()) -> str:
    """Return a file's stem as a table name: letters, digits and `_`, not one of `taken`."""
    plain = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
    name = re.sub(r"\W+", "_", plain).strip("_") or "table"
    name = f"t_{name}" if name[0].isdigit() else name
    known = {one.casefold() for one in taken}
    number, free = 1, name
    while free.casefold() in known:
        number += 1
        free = f"{name}_{number}"
    return free


def _regular(path: Path) -> Path:
    if not stat.S_ISREG(path.stat().st_mode):
        raise InputError(
            "this is not a file with data in it",
            where=str(path),
            found="a device, a pipe or a socket",
            fix="write the data to a file first",
        )
    return path


def _in_folder(folder: Path) -> tuple[Path, ...]:
    every = sorted(one for one in folder.iterdir() if one.is_file() and one.name[0] not in ".~")
    known = [one for one in every if by_suffix(one)]
    if not known:
        raise InputError(
            "there is no readable file in this folder",
            where=str(folder),
            found=listed(one.name for one in every),
            fix=f"give a folder with {', '.join(sorted(readers()))} files, or a pattern",
        )
    return _of_one_format(folder, known)


def _matching(pattern: Path) -> tuple[Path, ...]:
    root = _fixed_part(pattern)
    rest = str(pattern.relative_to(root))
    files = sorted(one for one in root.glob(rest) if one.is_file()) if root.is_dir() else []
    if not files:
        here = sorted(one.name for one in root.iterdir()) if root.is_dir() else []
        raise InputError(
            "no file matches this pattern",
            where=str(pattern),
            found=f"in {root}: {listed(here)}" if root.is_dir() else f"no folder {root}",
            fix="change the pattern",
        )
    return _of_one_format(pattern, files)


def _of_one_format(where: Path, files: Sequence[Path]) -> tuple[Path, ...]:
    kinds: dict[str, list[Path]] = {}
    for file in files:
        reader = by_suffix(file)
        kinds.setdefault(reader.name if reader else "unknown", []).append(file)
    if len(kinds) > 1:
        counts = ", ".join(f"{len(group)} {kind}" for kind, group in sorted(kinds.items()))
        suffix = max(kinds.values(), key=len)[0].suffix
        folder = where if where.is_dir() else where.parent
        raise InputError(
            "the files are not of one format",
            where=str(where),
            found=counts,
            fix=f"give a pattern, such as {folder / f'*{suffix}'}",
        )
    return tuple(files)


def _fixed_part(pattern: Path) -> Path:
    """Return the folders in front of the first part with a wildcard."""
    root = pattern
    while _PATTERN.search(str(root)) and root != root.parent:
        root = root.parent
    return root


def _missing(path: Path) -> InputError:
    folder = path.parent
    while not folder.is_dir():
        folder = folder.parent
    names = sorted(one.name for one in folder.iterdir())
    near = closest(path.name, names) if folder == path.parent else None
    return InputError(
        "there is no such file",
        where=str(path),
        found=f"in {folder}: {listed(names)}" if folder == path.parent else f"no {path.parent}",
        fix=f"did you mean {str(folder / near)!r}?" if near else "check the path",
    )
