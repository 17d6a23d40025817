"""A crawl on Spark: the template of each site is learned once, and applied to all of its pages, without moving pages between machines.

Needs PySpark 4 and Java 17: ``pip install "unchaff[spark]"``. What is done is in ``unchaff.crawl``; here is how Spark calls it.

    from unchaff import spark as us

    pages = us.read_warc(spark, "crawl/*.warc.gz")
    models = us.learn(pages, by="host")
    us.extract(pages, models, format="markdown").write.parquet("result")

``unchaff-spark IN OUT`` is all of that as a command that goes on where it was stopped (``unchaff.spark_job``).
"""

from __future__ import annotations

import atexit
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
from pyspark import Broadcast, SparkFiles
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema

from . import crawl
from ._archives import Archive, archives, archive_batches, ranges
from ._errors import OptionError
from .crawl import MOST_PAGES, Models, RowFormat, Sample, Sites

__all__ = ["SharedModels", "WarcSource", "extract", "learn", "merge", "read_warc", "session", "share"]

MOST_BROADCAST = 64 << 20
"""Models of more bytes are not sent along with the work, but lie in a file on each machine."""

_BATCH_BYTES = 16 << 20
_BATCHES = "spark.sql.execution.arrow.maxBytesPerBatch"
_OF_SPARK = (None, "268435456b", "2147483647b", "2147483647")
"""What it is if nobody has said something else: 256 MB, or no limit."""

_Batches = Iterator[pa.RecordBatch]


def session(name: str = "unchaff", **settings: str) -> SparkSession:
    """A session: the one there is, or on this machine alone. Workers run the Python that runs this, and batches of pages are bounded in bytes."""
    import os

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName(name)
    for key, value in settings.items():
        builder = builder.config(key.replace("__", "."), value)
    return _bounded(builder.getOrCreate())


def _bounded(spark: SparkSession) -> SparkSession:
    """What Spark puts into a batch by itself takes a worker half a gigabyte and more; so it is less, unless somebody has said how much."""
    if spark.conf.get(_BATCHES, None) in _OF_SPARK:
        spark.conf.set(_BATCHES, str(_BATCH_BYTES))
    return spark


class _Part(InputPartition):
    def __init__(self, archive: Archive) -> None:
        super().__init__(archive.path)
        self.archive = archive


class _WarcReader(DataSourceReader):
    def __init__(self, options: dict[str, str]) -> None:
        self.archives = [Archive(*archive) for archive in json.loads(options["archives"])]
        self.max_bytes = int(options["maxbytes"])

    def partitions(self) -> list[InputPartition]:
        return [_Part(archive) for archive in self.archives]

    def read(self, partition: InputPartition) -> _Batches:
        return archive_batches([cast(_Part, partition).archive], max_bytes=self.max_bytes)


class WarcSource(DataSource):
    """The pages of web archives as a source of Spark. ``read_warc`` registers it and reads from it."""

    @classmethod
    def name(cls) -> str:
        return "unchaff-warc"

    def schema(self) -> Any:
        return from_arrow_schema(crawl.PAGES)

    def reader(self, schema: Any) -> DataSourceReader:
        # Names of options are not told apart by case.
        return _WarcReader({name.lower(): value for name, value in self.options.items()})


def read_warc(
    spark: SparkSession, paths: str | Iterable[str], *, split: int | None = None, max_bytes: int = 64 << 20
) -> DataFrame:
    """The pages of web archives: url, charset, html, file and error.

    An archive that is damaged or cut off gives what can be read, and a row with the ``error`` and without a page for what is wrong; so does one that cannot be read at
    all.

    - ``paths``: names of files or folders, with ``*`` if you like; here, or where pyarrow can read: ``s3://``, ``gs://``, ``hdfs://``.
    - ``split``: one task a file, or if this says so, one for each so many bytes. Only archives can be split that are packed record by record, as all
      ``.warc.gz`` should be; others are one task all the same.
    - ``max_bytes``: larger pages are passed over.
    """
    found = archives(paths)
    parts = found if split is None else [part for archive in found for part in ranges(archive, split)]
    _bounded(spark).dataSource.register(WarcSource)
    told = json.dumps([(part.path, part.begin, part.end) for part in parts])
    return spark.read.format("unchaff-warc").option("archives", told).option("maxbytes", str(max_bytes)).load()


def _columns(frame: DataFrame, wanted: Iterable[str | None], needed: Iterable[str]) -> DataFrame:
    """No more than these columns, so that no other is read."""
    missing = [name for name in needed if name not in frame.columns]
    if missing:
        raise OptionError(f"the pages have no column `{missing[0]}`; they have {', '.join(frame.columns)}")
    names = [name for name in dict.fromkeys(wanted) if name is not None and name in frame.columns]
    return frame.select(*(F.col(f"`{name}`") for name in names))


def _given(by: Sites | None) -> list[str]:
    return [] if by in (None, "host", "domain") else [str(by)]


def _mapped(frame: DataFrame, work: Callable[[_Batches], _Batches], schema: pa.Schema) -> DataFrame:
    _bounded(frame.sparkSession)
    # The annotation of Spark is of iterables of batches.
    return frame.mapInArrow(cast(Any, work), from_arrow_schema(schema))


def _by_site(frame: DataFrame, partitions: int | None) -> DataFrame:
    """Rows of one site next to each other."""
    placed = frame.repartition("site") if partitions is None else frame.repartition(partitions, "site")
    return placed.sortWithinPartitions("site")


def learn(
    pages: DataFrame,
    by: Sites = "host",
    *,
    most: int = MOST_PAGES,
    index: DataFrame | None = None,
    partitions: int | None = None,
    html: str = "html",
    url: str = "url",
    charset: str = "charset",
) -> DataFrame:
    """Learns the sites of pages: a row with ``site``, ``pages``, ``model`` and ``by`` for each.

    Each task makes one small model of what it has seen of a site, and these are merged; pages stay where they are. It is the same model, byte by byte, however pages are
    spread over tasks.

    - ``pages``: with the columns ``url`` and ``html`` (strings or binary), and perhaps ``charset``; or as these are called.
    - ``by``: a site is a ``"host"``, a ``"domain"`` (registrable domain), or what a column of this name says.
    - ``most``: a model is of no more pages than this, and at most 64, those whose addresses have the least hashes; fewer make smaller models.
    - ``index``: addresses of all pages, if they can be had without reading pages (a column of a table, the index of a crawl; ``pages`` itself, if it is
      stored by columns). The sample is then chosen before, and no other page is looked at, nor is anything of it sent.
    - ``partitions``: of the result; by default as Spark is set up.
    """
    sample = None if index is None else _sample(index, by, most, partitions, url)
    wanted = _columns(pages, [url, html, charset, *_given(by)], [url, html, *_given(by)])

    def sketch(batches: _Batches) -> _Batches:
        return crawl.sketch_batches(
            batches, by=by, html=html, url=url, charset=charset, most=most, sample=None if sample is None else Sample(sample.value)
        )

    if not 1 <= most <= MOST_PAGES:
        raise OptionError(f"most is the number of pages that a model is of, from 1 to {MOST_PAGES}")
    return merge(_mapped(wanted, sketch, crawl.MODELS), most=most, partitions=partitions)


def merge(models: DataFrame, *, most: int = MOST_PAGES, partitions: int | None = None) -> DataFrame:
    """Merges models of the same sites, as ``learn`` returns them: of parts of a crawl that were learned apart, or of last month's and this one's."""
    return _mapped(_by_site(models, partitions), lambda batches: crawl.merge_batches(batches, most=most), crawl.MODELS)


def _sample(index: DataFrame, by: Sites, most: int, partitions: int | None, url: str) -> Broadcast[dict[str, int]]:
    addresses = _columns(index, [url, *_given(by)], [url, *_given(by)])
    orders = _mapped(addresses, lambda batches: crawl.order_batches(batches, by=by, url=url, most=most), crawl.ORDERS)
    merged = _mapped(_by_site(orders, partitions), lambda batches: crawl.merge_orders(batches, most=most), crawl.ORDERS)
    # Of sites with few pages all are learned from.
    rows = merged.where(F.size("orders") > most).select("site", "orders").toArrow()
    return index.sparkSession.sparkContext.broadcast(Sample.of(rows.to_batches(), most).last)


class SharedModels:
    """Models as they get to workers: sent along with the work, in a file that Spark puts on each machine, or in one that is there. ``share`` makes them."""

    def __init__(self, by: str | None, sent: Broadcast[bytes] | None = None, added: str | None = None, path: str | None = None) -> None:
        self.by: str | None = by
        self.sent: Broadcast[bytes] | None = sent
        self.added: str | None = added
        self.path: str | None = path

    def open(self) -> Models:
        """The models, for a worker."""
        if self.sent is not None:
            return Models(self.sent.value)
        return Models.open(SparkFiles.get(self.added) if self.added is not None else cast(str, self.path))


def share(models: DataFrame | str | Path, *, most_broadcast: int = MOST_BROADCAST) -> SharedModels:
    """Gets models to where pages are, once for several calls of ``extract``: along with the work if they are small, else in one sorted file that Spark puts on each
    machine and that workers map into memory together.

    - ``models``: what ``learn`` returned, which is done now; or the name of a file of models (``crawl.Models.write``) that every machine has.
    - ``most_broadcast``: models of more bytes are put into a file.
    """
    if not isinstance(models, DataFrame):
        return SharedModels(Models.open(models).by, path=str(models))
    context = models.sparkSession.sparkContext
    folder = Path(tempfile.mkdtemp(prefix="unchaff-models-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    file = folder / f"{folder.name}.models"
    Models.write(_local_batches(models), file)
    by = Models.open(file).by
    if file.stat().st_size <= most_broadcast:
        return SharedModels(by, sent=context.broadcast(file.read_bytes()))
    context.addFile(str(file))
    return SharedModels(by, added=file.name)


def _local_batches(models: DataFrame) -> _Batches:
    for row in models.select("site", "pages", "model", "by").toLocalIterator():
        values = row.asDict()
        yield pa.RecordBatch.from_pylist([{**values, "model": bytes(values["model"])}], crawl.MODELS)


def extract(
    pages: DataFrame,
    models: DataFrame | SharedModels | str | Path,
    *,
    by: Sites | None = None,
    format: RowFormat = "markdown",
    keep: Iterable[str] = (),
    html: str = "html",
    url: str = "url",
    charset: str = "charset",
    error: str = "error",
    **options: Any,
) -> DataFrame:
    """A row of each page, with the model of its site (``crawl.result_schema``). Pages stay in the tasks that read them: nothing is shuffled.

    - ``models``: what ``learn`` returned, which is done now; what ``share`` made of it; or the name of a file of models that every machine has.
    - ``by``: how sites are told; by default as they were when they were learned.
    - ``format``: ``"markdown"`` or ``"text"``, which is also the name of the column.
    - ``keep``: columns that are handed on as they are.

    Other options are those of ``unchaff.extract``: ``favor``, ``include``, ``exclude``.

    To keep one page of each content: ``result.dropDuplicates(["site", "content_hash"])``.
    """
    kept = list(keep)
    shared = models if isinstance(models, SharedModels) else share(models)
    how = by or shared.by or "host"
    given = _given(how)
    frame = _columns(pages, [url, html, charset, error, *given, *kept], [url, html, *given, *kept])

    def extracted(batches: _Batches) -> _Batches:
        return crawl.extract_batches(
            batches, shared.open(), by=how, format=format, html=html, url=url, charset=charset, error=error, keep=kept, **options
        )

    own = from_arrow_schema(crawl.result_schema(format))
    for name in kept:
        own = own.add(frame.schema[name])
    _bounded(frame.sparkSession)
    return frame.mapInArrow(cast(Any, extracted), own)
