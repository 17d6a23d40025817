"""Batches of Arrow in, batches of Arrow out. Needs pyarrow: ``pip install unchaff[arrow]``.

Functions on batches, and nothing of any engine: ``extract_batch`` is what polars' and DuckDB's users call on a table, ``extract_batches``
what Spark's ``mapInArrow`` and Daft call with a stream of batches.

>>> import pyarrow as pa, unchaff.arrow
>>> batch = pa.record_batch({"url": ["https://example.org/a"], "html": ["<title>Rain</title><p>It rained all day."], "crawl": [7]})
>>> out = unchaff.arrow.extract_batch(batch, columns=["url", "title", "text"])
>>> out.to_pylist()
[{'url': 'https://example.org/a', 'title': 'Rain', 'text': 'It rained all day.\\n'}]
>>> unchaff.arrow.extract_batch(batch, columns=["title"], keep=["crawl"]).to_pylist()
[{'crawl': 7, 'title': 'Rain'}]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from ._columns import COLUMNS, Column, extract_columns
from ._errors import OptionError

__all__ = ["extract_batch", "extract_batches", "extract_table", "schema"]


def _type(column: str) -> pa.DataType:
    match column:
        case "confidence":
            return pa.float64()
        case "warnings":
            return pa.list_(pa.string())
        # Of many pages together the text may be longer than 32 bits can tell.
        case "markdown" | "text" | "html":
            return pa.large_string()
        case _:
            return pa.string()


def schema(columns: Iterable[Column] = COLUMNS) -> pa.Schema:
    """The schema of what comes out.

    >>> import unchaff.arrow
    >>> unchaff.arrow.schema(["title", "confidence"]).names
    ['title', 'confidence']
    """
    return pa.schema([pa.field(name, _type(name)) for name in columns])


def _column(batch: pa.RecordBatch, name: str) -> pa.Array:
    at = batch.schema.get_field_index(name)
    if at < 0:
        raise OptionError(f"the batch has no column `{name}`; it has {', '.join(batch.schema.names)}")
    return batch.column(at)


def extract_batch(
    batch: pa.RecordBatch,
    *,
    html: str = "html",
    url: str | None = "url",
    columns: Iterable[Column] = COLUMNS,
    keep: Iterable[str] = (),
    **options: Any,
) -> pa.RecordBatch:
    """Extracts from a batch, row by row.

    - ``html``, ``url``: the columns that have the pages (strings or binary) and their addresses; no addresses if ``url`` is None.
    - ``columns``: which columns come out, as in ``unchaff.extract_columns``.
    - ``keep``: columns that are handed on as they are, before the others.

    Other options are those of ``unchaff.extract_columns``.
    """
    names = list(columns)
    pages = (value.as_py() for value in _column(batch, html))
    addresses = None if url is None else (value.as_py() for value in _column(batch, url))
    found = extract_columns(pages, addresses, columns=names, **options)
    out: dict[str, pa.Array] = {name: _column(batch, name) for name in keep}
    for name in names:
        out[name] = pa.array(found[name], _type(name))
    return pa.RecordBatch.from_pydict(out)


def extract_batches(batches: Iterable[pa.RecordBatch], **options: Any) -> Iterator[pa.RecordBatch]:
    """Extracts from a stream of batches, one at a time. Options are those of ``extract_batch``.

    For Spark: ``frame.mapInArrow(unchaff.arrow.extract_batches, "url string, title string, ...")``.
    """
    for batch in batches:
        yield extract_batch(batch, **options)


def extract_table(table: pa.Table, **options: Any) -> pa.Table:
    """Extracts from a table. Options are those of ``extract_batch``.

    >>> import pyarrow as pa, unchaff.arrow
    >>> table = pa.table({"page": [b"<p>It rained all day.", None]})
    >>> unchaff.arrow.extract_table(table, html="page", url=None, columns=["text", "error"]).to_pylist()
    [{'text': 'It rained all day.\\n', 'error': None}, {'text': None, 'error': 'there is no page'}]
    """
    batches = list(extract_batches(table.to_batches(), **options))
    if not batches:
        empty = pa.RecordBatch.from_pydict({name: pa.array([], table.schema.field(name).type) for name in table.schema.names})
        batches = [extract_batch(empty, **options)]
    return pa.Table.from_batches(batches)
