"""A crawl on Daft, by the functions that Spark calls too (``unchaff.crawl``). Needs Daft: ``pip install "unchaff[daft]"``.

    import daft
    from unchaff import daft as ud

    pages = daft.read_parquet("pages/*.parquet")             # url, html
    models = ud.learn(pages, by="host").collect()
    ud.extract(pages, models, format="markdown").write_parquet("result")

It is the same models, byte by byte, and the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import daft
import pyarrow as pa
from daft import DataType, Series, col

from . import crawl
from ._errors import OptionError
from .crawl import MOST_PAGES, Models, RowFormat, Sites

__all__ = ["extract", "learn", "merge"]

_Work = Callable[[pa.RecordBatch], list[pa.RecordBatch]]


def _type(schema: pa.Schema) -> Any:
    return DataType.struct({field.name: DataType.from_arrow_type(field.type) for field in schema})


def _mapped(frame: daft.DataFrame, names: list[str], work: _Work, schema: pa.Schema) -> daft.DataFrame:
    """Some columns of a frame through a function of batches that returns no more rows than it gets; what is left of them are nulls."""

    def rows(*columns: Series) -> Series:
        batch = pa.RecordBatch.from_arrays([_whole(column) for column in columns], names)
        found = [row for out in work(batch) for row in out.to_pylist()]
        nothing = dict.fromkeys(schema.names)
        return Series.from_arrow(pa.array([*found, *[nothing] * (batch.num_rows - len(found))], pa.struct(list(schema))))

    done: Any = daft.func.batch(return_dtype=_type(schema), unnest=True)(rows)
    return frame.select(done(*(col(name) for name in names)))


def _whole(column: Series) -> Any:
    array: Any = column.to_arrow()
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _names(frame: daft.DataFrame, wanted: Iterable[str], needed: Iterable[str]) -> list[str]:
    missing = [name for name in needed if name not in frame.column_names]
    if missing:
        raise OptionError(f"the pages have no column `{missing[0]}`; they have {', '.join(frame.column_names)}")
    return [name for name in dict.fromkeys(wanted) if name in frame.column_names]


def _given(by: Sites | None) -> list[str]:
    return [] if by in (None, "host", "domain") else [str(by)]


def learn(
    pages: daft.DataFrame, by: Sites = "host", *, most: int = MOST_PAGES, html: str = "html", url: str = "url", charset: str = "charset"
) -> daft.DataFrame:
    """Learns the sites of pages: a row with ``site``, ``pages``, ``model`` and ``by`` for each. Options are those of ``unchaff.spark.learn``."""
    names = _names(pages, [url, html, charset, *_given(by)], [url, html, *_given(by)])

    def sketch(batch: pa.RecordBatch) -> list[pa.RecordBatch]:
        return list(crawl.sketch_batches([batch], by=by, html=html, url=url, charset=charset, most=most))

    sketches = _mapped(pages, names, sketch, crawl.MODELS)
    return merge(sketches.where(col("model").not_null()), most=most)


def merge(models: daft.DataFrame, *, most: int = MOST_PAGES) -> daft.DataFrame:
    """Merges models of the same sites, as ``learn`` returns them."""

    def merged(batch: pa.RecordBatch) -> list[pa.RecordBatch]:
        rows = (
            {"site": row["site"], "pages": 0, "model": model, "by": row["by"]} for row in batch.to_pylist() for model in row["models"]
        )
        # One site after the other.
        each = (pa.RecordBatch.from_pylist([row], crawl.MODELS) for row in rows)
        return list(crawl.merge_batches(each, most=most))

    grouped = models.groupby("site", "by").agg(col("model").list_agg().alias("models"))
    return _mapped(grouped, ["site", "by", "models"], merged, crawl.MODELS)


def extract(
    pages: daft.DataFrame,
    models: daft.DataFrame | Models,
    *,
    by: Sites | None = None,
    format: RowFormat = "markdown",
    keep: Iterable[str] = (),
    html: str = "html",
    url: str = "url",
    charset: str = "charset",
    error: str = "error",
    **options: Any,
) -> daft.DataFrame:
    """A row of each page, with the model of its site (``crawl.result_schema``). Pages stay where they are. Options are those of ``unchaff.spark.extract``."""
    known = models if isinstance(models, Models) else Models.of(models.to_arrow().to_batches())
    kept, how = list(keep), by or known.by or "host"
    names = _names(pages, [url, html, charset, error, *_given(how), *kept], [url, html, *_given(how), *kept])
    schema = crawl.result_schema(format, pa.schema([pa.field(name, pages.schema()[name].dtype.to_arrow_dtype()) for name in kept]))

    def extracted(batch: pa.RecordBatch) -> list[pa.RecordBatch]:
        return list(
            crawl.extract_batches(
                [batch], known, by=how, format=format, html=html, url=url, charset=charset, error=error, keep=kept, **options
            )
        )

    return _mapped(pages, names, extracted, schema)
