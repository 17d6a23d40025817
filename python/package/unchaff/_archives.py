"""Web archives by name, on this machine or where pyarrow can read, as batches of pages; whole, or in parts."""

from __future__ import annotations

import glob
import os
import zlib
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from pyarrow import fs

from ._engine import ArchivePages
from ._errors import SourceError
from .crawl import PAGES

__all__ = ["Archive", "archive_batches", "archives", "ranges"]

_BATCH_BYTES = 8 << 20
_GZIP = b"\x1f\x8b\x08"
_LOOKED_AT = 1 << 20


class Archive(NamedTuple):
    """A web archive, or the part of it from one byte to before another."""

    path: str
    begin: int = 0
    end: int | None = None


def _place(path: str) -> tuple[fs.FileSystem, str]:
    if "://" not in path:
        return fs.LocalFileSystem(), os.path.abspath(path)
    # Hadoop has names of its own for the same places.
    return fs.FileSystem.from_uri(path.replace("s3a://", "s3://", 1).replace("s3n://", "s3://", 1))  # type: ignore[no-any-return]


def is_archive(name: str) -> bool:
    return name.lower().endswith((".warc", ".warc.gz"))


def files(paths: str | Iterable[str], wanted: Any = is_archive) -> list[str]:
    """The files that names, folders and patterns stand for, in order and each once. In folders it is those that are wanted by their names."""
    found: list[str] = []
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        path = os.fspath(path)
        here = sorted(_named(path, wanted))
        if not here:
            raise SourceError(f"there is nothing at {path}; check the name")
        found += here
    return list(dict.fromkeys(found))


def _named(path: str, wanted: Any) -> Iterator[str]:
    if "://" not in path:
        for name in glob.glob(path) if glob.has_magic(path) else [path]:
            if os.path.isdir(name):
                yield from (str(file) for file in Path(name).rglob("*") if file.is_file() and wanted(file.name))
            elif os.path.exists(name):
                yield name
        return
    scheme = path.split("://", 1)[0]
    system, below = _place(path)
    plain = below.split("*", 1)[0].split("?", 1)[0].split("[", 1)[0]
    folder = below if plain == below else plain.rsplit("/", 1)[0]
    if system.get_file_info(folder).type == fs.FileType.File:
        yield path
        return
    for info in system.get_file_info(fs.FileSelector(folder, recursive=True, allow_not_found=True)):
        if info.type == fs.FileType.File and (wanted(info.base_name) if plain == below else fnmatchcase(info.path, below)):
            yield f"{scheme}://{info.path}" if scheme != "file" else f"file://{info.path}"


def archives(paths: str | Iterable[str]) -> list[Archive]:
    """The web archives that names, folders and patterns stand for."""
    return [Archive(path) for path in files(paths)]


def ranges(archive: Archive, size: int) -> list[Archive]:
    """Parts of an archive of about this many bytes, each of whole members; one if it is not packed record by record."""
    if not archive.path.lower().endswith(".gz"):
        return [archive]
    system, path = _place(archive.path)
    try:
        total = system.get_file_info(path).size
    except OSError:
        return [archive]
    if not total or total <= size:
        return [archive]
    return [Archive(archive.path, begin, min(begin + size, total)) for begin in range(0, total, size)]


def _member(file: Any, begin: int, total: int) -> int:
    """Where the first record begins that is packed by itself and begins here or later."""
    if begin == 0:
        return 0
    at = begin
    while at < total:
        file.seek(at)
        # A few bytes more than the step, so that what begins at its end is seen whole.
        block = file.read(_LOOKED_AT + 512)
        found = block.find(_GZIP)
        while 0 <= found < _LOOKED_AT:
            if _is_record(block[found : found + 512]):
                return int(at + found)
            found = block.find(_GZIP, found + 1)
        at += _LOOKED_AT
    return total


def _is_record(packed: bytes) -> bool:
    try:
        return zlib.decompressobj(31).decompress(packed, 16).startswith(b"WARC/")
    except zlib.error:
        return False


class _Part:
    """Some bytes of a file as a stream."""

    def __init__(self, file: Any, left: int) -> None:
        self.file, self.left = file, left

    def read(self, count: int) -> bytes:
        data: bytes = self.file.read(min(count, self.left))
        self.left -= len(data)
        return data


def _stream(file: Any, archive: Archive) -> Any:
    if archive.end is None:
        return file
    total = file.size()
    begin, end = _member(file, archive.begin, total), _member(file, archive.end, total)
    file.seek(begin)
    return _Part(file, end - begin)


def archive_batches(parts: Iterable[Archive], *, max_bytes: int = 64 << 20) -> Iterator[pa.RecordBatch]:
    """The pages of archives (``PAGES``). What is wrong with one is a row behind its pages."""
    for archive in parts:
        rows: list[dict[str, Any]] = []
        size = 0
        for row in _rows(archive, max_bytes):
            rows.append(row)
            size += len(row["html"] or b"")
            if size >= _BATCH_BYTES:
                yield pa.RecordBatch.from_pylist(rows, PAGES)
                rows, size = [], 0
        if rows:
            yield pa.RecordBatch.from_pylist(rows, PAGES)


def _rows(archive: Archive, max_bytes: int) -> Iterator[dict[str, Any]]:
    def wrong(what: str) -> dict[str, Any]:
        return {"url": None, "charset": None, "html": None, "file": archive.path, "error": what}

    try:
        system, path = _place(archive.path)
        with system.open_input_file(path) as file:
            stream = _stream(file, archive)
            if isinstance(stream, _Part) and stream.left == 0:
                return
            pages = ArchivePages(stream, max_bytes)
            count = 0
            for url, charset, html in pages:
                count += 1
                yield {"url": url, "charset": charset, "html": html, "file": archive.path, "error": None}
            for warning in pages.warnings:
                yield wrong(f"{archive.path}: {warning}")
            if pages.records == 0:
                yield wrong(f"{archive.path} is no web archive, or packed other than with gzip; give a .warc or .warc.gz")
    except (OSError, pa.ArrowException) as error:
        yield wrong(f"{archive.path} cannot be read: {error}")
