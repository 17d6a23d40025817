"""``unchaff-spark IN OUT``: a whole crawl on Spark, from web archives or tables of pages to a table of contents, in steps that are not done twice.

``IN`` is archives (``.warc``, ``.warc.gz``) or Parquet files with the columns ``url`` and ``html``: names, folders, patterns. ``OUT`` gets

    job.json        what was asked for; another job is refused
    learned/N       what was learned of the Nth group of files
    models          the models of all sites
    pages/N         the results of the Nth group of files (unchaff.crawl.result_schema)
    report.json     sites, pages, share with a template, failures

A group that is done is not done again, so a job that was stopped goes on when it is started again. To run it on a cluster:

    spark-submit --master ... $(python -c "import unchaff.spark_job as job; print(job.__file__)") IN OUT
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from typing import Any, Final

from pyarrow import fs
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import unchaff
from unchaff import spark as us
from unchaff._archives import _place, files, is_archive
from unchaff._errors import OptionError, UnchaffError
from unchaff.crawl import MOST_PAGES

__all__ = ["main", "run"]

_FAILURES: Final = 20


class _Out:
    """The folder of results, wherever it lies."""

    def __init__(self, path: str) -> None:
        # Spark takes names without a scheme for those of its default file system.
        self.system, self.path = _place(path)
        self.uri = path if "://" in path else self.path

    def at(self, name: str) -> str:
        return f"{self.uri}/{name}"

    def is_done(self, name: str) -> bool:
        """Whether Spark has finished writing this."""
        return bool(self.system.get_file_info(f"{self.path}/{name}/_SUCCESS").type == fs.FileType.File)

    def read(self, name: str) -> Any:
        if self.system.get_file_info(f"{self.path}/{name}").type != fs.FileType.File:
            return None
        with self.system.open_input_stream(f"{self.path}/{name}") as file:
            return json.loads(file.read())

    def write(self, name: str, value: Any) -> None:
        self.system.create_dir(self.path, recursive=True)
        with self.system.open_output_stream(f"{self.path}/{name}") as file:
            file.write(json.dumps(value, indent=2, ensure_ascii=False).encode() + b"\n")


def _is_wanted(name: str) -> bool:
    return is_archive(name) or name.lower().endswith(".parquet")


def _pages(spark: SparkSession, group: Sequence[str], split: int | None) -> DataFrame:
    if is_archive(group[0]):
        return us.read_warc(spark, group, split=split)
    return spark.read.parquet(*group)


def _groups(found: Sequence[str], size: int) -> list[list[str]]:
    kinds = {is_archive(path) for path in found}
    if len(kinds) > 1:
        raise OptionError("there are archives and Parquet files among the input; give them to two jobs")
    return [list(found[at : at + size]) for at in range(0, len(found), size)]


def run(
    spark: SparkSession,
    source: str | Sequence[str],
    out: str,
    *,
    by: str = "host",
    format: str = "markdown",
    most: int = MOST_PAGES,
    group: int | None = None,
    split: int | None = None,
    overwrite: bool = False,
    say: Any = lambda text: None,
) -> dict[str, Any]:
    """Does the job and returns its report. ``group`` is how many files are done before they are noted as done; by default four for each core."""
    found = files(source, _is_wanted)
    place = _Out(out)
    size = group or 4 * spark.sparkContext.defaultParallelism
    job = {"unchaff": unchaff.__version__, "by": by, "format": format, "most": most, "group": size, "files": found}
    known = place.read("job.json")
    if known is not None and known != job and not overwrite:
        raise OptionError(f"{out} has the results of another job (job.json); give another folder, or --overwrite")
    if known != job:
        if known is not None:
            place.system.delete_dir_contents(place.path)
        place.write("job.json", job)
    groups = _groups(found, size)
    begun = time.monotonic()

    def told(step: str, at: int) -> None:
        say(f"{step}: {at + 1} of {len(groups)} groups of files, {time.monotonic() - begun:.0f} s")

    if not place.is_done("models"):
        for at, names in enumerate(groups):
            if not place.is_done(f"learned/{at}"):
                us.learn(_pages(spark, names, split), by, most=most).write.mode("overwrite").parquet(place.at(f"learned/{at}"))
            told("learned", at)
        learned = spark.read.parquet(*(place.at(f"learned/{at}") for at in range(len(groups))))
        us.merge(learned, most=most).write.mode("overwrite").parquet(place.at("models"))
    models = spark.read.parquet(place.at("models"))
    if not all(place.is_done(f"pages/{at}") for at in range(len(groups))):
        shared = us.share(models)
        for at, names in enumerate(groups):
            if not place.is_done(f"pages/{at}"):
                result = us.extract(_pages(spark, names, split), shared, by=by, format=format)  # type: ignore[arg-type]
                result.write.mode("overwrite").parquet(place.at(f"pages/{at}"))
            told("extracted", at)
    report = _report(models, spark.read.parquet(*(place.at(f"pages/{at}") for at in range(len(groups)))))
    place.write("report.json", report)
    return report


def _report(models: DataFrame, pages: DataFrame) -> dict[str, Any]:
    count = F.count(F.lit(1))
    is_page = F.col("url").isNotNull() | (F.col("status") != "error")
    row = pages.select(
        F.count_if(is_page).alias("pages"),
        F.count_if(F.col("status") == "ok").alias("with_content"),
        F.count_if(F.col("status") == "empty").alias("empty"),
        F.count_if(F.col("template").isNotNull() & (F.col("site_pages") > 1)).alias("with_template"),
        F.count_if(is_page & (F.col("status") == "error")).alias("failed"),
        F.count_if(~is_page).alias("problems_of_files"),
        F.count_distinct("site").alias("sites"),
        F.count_distinct("site", "content_hash").alias("different_contents"),
    ).first()
    assert row is not None
    why = pages.where(F.col("error").isNotNull()).groupBy("error").agg(count.alias("count"))
    failures = why.orderBy(F.col("count").desc(), "error").limit(_FAILURES).collect()
    size = models.select(F.count(F.lit(1)), F.coalesce(F.sum(F.length("model")), F.lit(0))).first()
    assert size is not None
    report: dict[str, Any] = row.asDict()
    report["share_with_template"] = round(report["with_template"] / report["pages"], 4) if report["pages"] else 0.0
    report["models"] = {"sites": size[0], "bytes": size[1]}
    report["failures"] = {failure["error"]: failure["count"] for failure in failures}
    return report


def _shown(report: dict[str, Any]) -> str:
    lines = [
        f"{report['pages']} pages of {report['sites']} sites, {report['with_content']} with content, {report['empty']} without, {report['failed']} failed",
        f"{100 * report['share_with_template']:.1f} % have a template of their site; models of {report['models']['sites']} sites, {report['models']['bytes']} bytes",
        f"{report['different_contents']} different contents",
    ]
    lines += [f"  {count} x {error}" for error, count in report["failures"].items()]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser("unchaff-spark", description="The contents of a crawl, with the template of each site learned once.")
    parser.add_argument("source", metavar="IN", nargs="+", help="web archives, or Parquet files with url and html: files, folders, patterns")
    parser.add_argument("out", metavar="OUT", help="the folder of the results")
    parser.add_argument("--by", default="host", help="what a site is: host (default), domain, or the name of a column")
    parser.add_argument("--format", choices=["markdown", "text"], default="markdown", help="the form of contents (default: markdown)")
    parser.add_argument("--most", type=int, default=MOST_PAGES, help="pages that a model is of, at most 64 (default)")
    parser.add_argument("--group", type=int, help="files that are done together (default: four for each core)")
    parser.add_argument("--split", type=int, help="bytes of an archive for one task (default: all)")
    parser.add_argument("--overwrite", action="store_true", help="replace the results of another job")
    parser.add_argument("--master", help="where Spark runs (default: as spark-submit says, else on all cores here)")
    given = parser.parse_args(arguments)
    try:
        # What is not there is told before Spark is started.
        files(given.source, _is_wanted)
    except UnchaffError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    settings = {"spark__master": given.master} if given.master else {}
    spark = us.session("unchaff-spark", **settings)
    try:
        report = run(
            spark, given.source, given.out, by=given.by, format=given.format, most=given.most, group=given.group, split=given.split,
            overwrite=given.overwrite, say=lambda text: print(text, file=sys.stderr, flush=True),
        )
    except UnchaffError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    finally:
        spark.stop()
    print(_shown(report))
    return 0 if not report["problems_of_files"] else 3


if __name__ == "__main__":
    sys.exit(main())
