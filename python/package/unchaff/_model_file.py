"""Models of many sites in one block of bytes, sorted, so that one is found without reading the others: in memory, or in a file that all
workers of a machine map into memory together.

    magic   8 bytes
    head    number of sites and length of how they were told, 8 bytes little-endian each; then that
    index   for each site, ascending by hash: hash of its name, where its entry begins, 8 bytes little-endian each
    entries name and model, each behind its length in 4 bytes little-endian
"""

from __future__ import annotations

import hashlib
import mmap
import os
import struct
from bisect import bisect_left
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

from ._errors import ModelError

__all__ = ["Models"]

_MAGIC = b"unchmod\x01"
_PAIR = struct.Struct("<QQ")
_LENGTH = struct.Struct("<I")


def _hash(site: str) -> int:
    return int.from_bytes(hashlib.blake2b(site.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


class _Index:
    """The hashes of an index as a sequence."""

    def __init__(self, data: Any, start: int, count: int) -> None:
        self.data, self.start, self.count = data, start, count

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, at: int) -> int:
        return int(_PAIR.unpack_from(self.data, self.start + 16 * at)[0])


class Models:
    """The models of many sites, found by the name of the site. ``Models.of`` makes them of batches, ``Models.write`` and ``Models.open`` a file of them, for which
    memory is shared by all processes of a machine, however large it is.

    >>> from unchaff.crawl import Models
    >>> len(Models.of([])), Models.of([]).get("example.org")
    (0, None)
    """

    def __init__(self, data: Any) -> None:
        self._data = data
        try:
            if bytes(data[:8]) != _MAGIC:
                raise ModelError("this is no file of models; write it by Models.write")
            self._count, length = _PAIR.unpack_from(data, 8)
            self.by: str | None = bytes(data[24 : 24 + length]).decode() or None
            self._index = _Index(data, 24 + length, self._count)
            if 24 + length + 16 * self._count > len(data):
                raise struct.error
        except (struct.error, UnicodeDecodeError):
            raise ModelError("the file of models is damaged; write it again") from None

    @staticmethod
    def of(batches: Iterable[Any]) -> Models:
        """Of batches as ``merge_batches`` returns them, in whatever order, in memory."""
        from io import BytesIO

        out = BytesIO()
        _write(batches, out)
        return Models(out.getvalue())

    @staticmethod
    def write(batches: Iterable[Any], path: str | os.PathLike[str]) -> None:
        """Writes a file of batches as ``merge_batches`` returns them. No more than one batch is held, and 24 bytes a site."""
        target = Path(path)
        part = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            with open(part, "wb") as file:
                _write(batches, file)
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)

    @staticmethod
    def open(path: str | os.PathLike[str]) -> Models:
        """Opens what ``write`` wrote; models are read when they are asked for."""
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size < 24:
                raise ModelError("the file of models is damaged; write it again")
            return Models(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))

    def get(self, site: str) -> bytes | None:
        """The bytes of a site's model; None if there is none."""
        wanted = _hash(site)
        at = bisect_left(self._index, wanted)
        name = site.encode("utf-8", "surrogatepass")
        try:
            while at < self._count:
                found, begin = _PAIR.unpack_from(self._data, self._index.start + 16 * at)
                if found != wanted:
                    return None
                (length,) = _LENGTH.unpack_from(self._data, begin)
                begin += 4 + length
                if bytes(self._data[begin - length : begin]) == name:
                    (length,) = _LENGTH.unpack_from(self._data, begin)
                    return bytes(self._data[begin + 4 : begin + 4 + length])
                at += 1
        except struct.error:
            raise ModelError("the file of models is damaged; write it again") from None
        return None

    @property
    def data(self) -> Any:
        """All of it as bytes, of which ``Models(data)`` is the same."""
        return self._data

    def __len__(self) -> int:
        return int(self._count)


def _write(batches: Iterable[Any], out: BinaryIO) -> None:
    """The index stands before the entries, whose number is known only behind them; so entries are kept in a temporary file first."""
    from shutil import copyfileobj
    from tempfile import SpooledTemporaryFile

    places: list[tuple[int, int]] = []
    by: set[str] = set()
    with SpooledTemporaryFile(max_size=64 << 20) as entries:
        at = 0
        for batch in batches:
            told = batch.column("by").to_pylist() if "by" in batch.schema.names else []
            by.update(name for name in told if name)
            for site, model in zip(batch.column("site").to_pylist(), batch.column("model").to_pylist()):
                name = site.encode("utf-8", "surrogatepass")
                places.append((_hash(site), at))
                at += entries.write(_LENGTH.pack(len(name)) + name + _LENGTH.pack(len(model)) + model)
        if len(by) > 1:
            raise ModelError(f"these models are of sites that were told in different ways: {', '.join(sorted(by))}; keep them apart")
        how = "".join(by).encode()
        begin = 24 + len(how) + 16 * len(places)
        out.write(_MAGIC + _PAIR.pack(len(places), len(how)) + how)
        for key, place in sorted(places):
            out.write(_PAIR.pack(key, begin + place))
        entries.seek(0)
        copyfileobj(entries, out)
