"""A crawl on Spark, on this machine: the same answers as the command, however pages are spread, and nothing lost to bad input."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sites_of_suite import all_pages, packed, said_by_command

import unchaff

pytest.importorskip("pyspark")
pytest.importorskip("pyarrow")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    if os.environ.get("CI"):
        raise RuntimeError("Spark needs Java 17")
    pytest.skip("Spark needs Java 17", allow_module_level=True)

from pyspark.sql import DataFrame, SparkSession  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402

from unchaff import crawl, spark_job  # noqa: E402
from unchaff import spark as us  # noqa: E402

SETTINGS = {"spark__ui__enabled": "false", "spark__sql__shuffle__partitions": "3", "spark__driver__memory": "1g", "spark__log__level": "ERROR"}


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    session = us.session("test", spark__master="local[2]", **SETTINGS)
    yield session
    session.stop()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sites of the suite in four archives: two whole, one cut off behind its pages, one of garbage."""
    folder = tmp_path_factory.mktemp("crawl")
    pages = all_pages()
    (folder / "a.warc.gz").write_bytes(packed(pages[::2]))
    (folder / "b.warc.gz").write_bytes(packed(pages[1::2]) + packed(pages[:1])[:300])
    (folder / "c.warc.gz").write_bytes(random.Random(1).randbytes(3000))
    return folder


def rows(frame: DataFrame) -> list[dict[str, Any]]:
    found = [row.asDict() for row in frame.collect()]
    return sorted(found, key=lambda row: (row["url"] or row.get("site") or "", str(row)))


def plan_of(frame: DataFrame) -> str:
    return str(frame._jdf.queryExecution().executedPlan().toString())


def test_the_same_as_the_command_however_pages_are_spread(spark: SparkSession, folder: Path, command: list[str]) -> None:
    pages = us.read_warc(spark, str(folder / "*.warc.gz"))
    assert pages.rdd.getNumPartitions() == 3
    models = us.learn(pages)
    result = us.extract(pages, models)
    assert result.columns == crawl.result_schema().names
    found = rows(result)
    said = said_by_command(command)
    good = [row for row in found if row["url"] is not None]
    assert [row["url"] for row in good] == sorted(said)
    for row in good:
        page = said[row["url"]]
        assert (row["markdown"], row["template"], row["words"]) == (page["markdown"], page.get("template"), page["words"]), row["url"]
    bad = [row for row in found if row["url"] is None]
    assert {row["status"] for row in bad} == {"error"} and all(row["markdown"] is None for row in bad)
    assert any("b.warc.gz" in row["error"] and "ends inside a record" in row["error"] for row in bad)
    assert any("c.warc.gz" in row["error"] and "no web archive" in row["error"] for row in bad)

    # The same rows, and the same bytes of models, by any number of tasks, in any order, from a table, and by an index of addresses.
    expected = {row["site"]: bytes(row["model"]) for row in models.collect()}
    assert len(expected) == 10
    table = pages.where("url is not null").repartition(7, F.rand(1)).select("url", "html", "charset")
    for other in (us.learn(table, partitions=2), us.learn(pages, index=pages.select("url")), us.merge(us.learn(table).union(models))):
        assert {row["site"]: bytes(row["model"]) for row in other.collect()} == expected
    assert rows(us.extract(table, models)) == good
    assert rows(us.extract(us.read_warc(spark, [str(folder / "a.warc.gz"), str(folder / "b.warc.gz")], split=20_000), models))[-len(good) :] == good


def test_pages_are_never_shuffled(spark: SparkSession, folder: Path) -> None:
    pages = us.read_warc(spark, str(folder))
    models = us.learn(pages)
    result = us.extract(pages, models)
    assert "Exchange" not in plan_of(result) and "html" in plan_of(result)
    learned = plan_of(models)
    assert "Exchange" in learned
    for line in learned.splitlines():
        if "Exchange" in line:
            assert "html" not in line and "site" in line, line
    # And so it runs: what the second pass shuffles is nothing.
    assert shuffled(spark, lambda: result.write.mode("overwrite").format("noop").save()) == 0
    html = sum(len(page) for _, page in all_pages())
    assert 0 < shuffled(spark, lambda: us.learn(pages, most=16).write.mode("overwrite").format("noop").save()) < html


def shuffled(spark: SparkSession, action: Any) -> int:
    """How many bytes an action has written for others to read."""
    context: Any = spark.sparkContext._jsc.sc()
    gateway: Any = spark.sparkContext._gateway

    def written() -> int:
        stages = context.statusStore().stageList(None, False, False, gateway.new_array(gateway.jvm.double, 0), None)
        return sum(stages.apply(at).shuffleWriteBytes() for at in range(stages.size()))

    before = written()
    action()
    return written() - before


def test_models_in_a_file_and_sites_by_domain_or_column(spark: SparkSession, tmp_path: Path) -> None:
    pages = [(f"https://{host}.shop.example/{at}", f"<nav><a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a></nav><p>It rained on day {at}.</p>", "x") for host in "ab" for at in range(3)]
    frame = spark.createDataFrame(pages, "url string, html string, crawl string")
    models = us.learn(frame, by="domain")
    assert [(row["site"], row["pages"], row["by"]) for row in models.collect()] == [("shop.example", 6, "domain")]
    small = us.extract(frame, models, format="text", keep=["crawl"])
    assert small.columns[-1] == "crawl" and {row["crawl"] for row in small.collect()} == {"x"}
    assert [row["text"] for row in rows(small)] == [f"It rained on day {at}.\n" for _ in "ab" for at in range(3)]
    large = us.share(models, most_broadcast=0)
    assert large.sent is None and large.added
    crawl.Models.write(us._local_batches(models), tmp_path / "models")
    for shared in (large, str(tmp_path / "models")):
        assert rows(us.extract(frame, shared, format="text", keep=["crawl"])) == rows(small)
    by_column = us.learn(frame, by="crawl")
    assert [(row["site"], row["pages"]) for row in by_column.collect()] == [("x", 6)]
    assert {row["site"] for row in us.extract(frame, by_column).collect()} == {"x"}
    with pytest.raises(unchaff.OptionError, match="no column `page`"):
        us.learn(frame, html="page")


def test_a_giant_site_a_site_of_one_page_and_pages_without_address(spark: SparkSession) -> None:
    giant = spark.range(0, 50_000, numPartitions=8).select(
        F.concat(F.lit("https://giant.example/"), "id").alias("url"),
        F.concat(F.lit("<nav><a href=/a>Home</a> <a href=/b>News</a></nav><p>It rained on day "), "id", F.lit(", all day long.</p>")).alias("html"),
    )
    alone = "<nav><a href=/a>Home</a></nav><p>The sun came out.</p>"
    others = spark.createDataFrame([("https://one.example/", alone), (None, alone), ("https://giant.example/x", None)], "url string, html string")
    pages = giant.union(others)
    models = us.learn(pages, index=pages)
    assert sorted((row["site"], row["pages"]) for row in models.collect()) == [("giant.example", 64), ("one.example", 1)]
    result = us.extract(pages, models, format="text")
    counts = {row["status"]: row["count"] for row in result.groupBy("status").count().collect()}
    assert counts == {"ok": 50_002, "error": 1}
    [missing] = result.where("status = 'error'").collect()
    assert (missing["url"], missing["error"]) == ("https://giant.example/x", "there is no page")
    single = result.where("site is null or site = 'one.example'").collect()
    assert {row["text"] for row in single} == {unchaff.extract(alone).text} and len(single) == 2
    # Copies are found by their hash: the two pages above, and none of the others.
    assert result.where("status = 'ok'").dropDuplicates(["content_hash"]).count() == 50_001


def job(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "unchaff.spark_job", *map(str, arguments), "--master", "local[2]"]
    return subprocess.run(program, capture_output=True, text=True, env={**os.environ, **environment})


def test_the_job_goes_on_where_it_was_stopped(spark: SparkSession, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    said: list[str] = []
    report = spark_job.run(spark, str(folder), str(out), group=1, say=said.append)
    assert (report["pages"], report["sites"], report["failed"], report["models"]["sites"]) == (len(all_pages()), 10, 0, 10)
    assert report["problems_of_files"] == sum(report["failures"].values()) > 1 and report["share_with_template"] > 0.5
    assert json.loads((out / "report.json").read_text()) == report
    assert [line.split(",")[0] for line in said] == [f"{step}: {at} of 3 groups of files" for step in ("learned", "extracted") for at in (1, 2, 3)]
    expected = rows(spark.read.parquet(*(str(out / f"pages/{at}") for at in range(3))))

    # One group is gone, as if it had been stopped there; the others stay as they are.
    before = {path: path.stat().st_mtime_ns for path in (out / "pages/0").iterdir()}
    (out / "pages/1/_SUCCESS").unlink()
    (out / "report.json").unlink()
    assert spark_job.run(spark, str(folder), str(out), group=1) == report
    assert {path: path.stat().st_mtime_ns for path in (out / "pages/0").iterdir()} == before
    assert rows(spark.read.parquet(*(str(out / f"pages/{at}") for at in range(3)))) == expected

    with pytest.raises(unchaff.OptionError, match="another job"):
        spark_job.run(spark, str(folder), str(out), group=1, format="text")
    assert spark_job.run(spark, str(folder), str(out), format="text", overwrite=True)["pages"] == report["pages"]


def test_the_command(folder: Path, tmp_path: Path) -> None:
    run = job(folder / "b.warc.gz", tmp_path / "out")
    assert run.returncode == 3, run.stderr
    hosts = {url.split("/")[2] for url, _ in all_pages()[1::2]}
    assert f"{len(all_pages()) // 2} pages of {len(hosts)} sites" in run.stdout and "ends inside a record" in run.stdout
    assert "extracted: 1 of 1 groups of files" in run.stderr
    wrong = job(tmp_path / "nothing", tmp_path / "other")
    assert wrong.returncode == 1 and "there is nothing at" in wrong.stderr and "Traceback" not in wrong.stderr


KILLED = """
import os, sys, time
from pathlib import Path
import pyarrow as pa
from unchaff import spark as us
spark = us.session("killed", spark__master="local-cluster[2,1,700]", spark__ui__enabled="false", spark__executor__memory="700m", spark__log__level="ERROR")
mark = Path(sys.argv[2])
pages = us.read_warc(spark, sys.argv[1])
models = us.learn(pages)
expected = sorted(us.extract(pages, models).toArrow().to_pylist(), key=str)

def slow(batches):
    # The first that comes here waits to be killed together with its executor.
    for batch in batches:
        try:
            with open(mark, "x") as file:
                file.write(str(os.getpid()))
            time.sleep(600)
        except FileExistsError:
            pass
        yield batch

held = pages.mapInArrow(slow, pages.schema)
found = sorted(us.extract(held, models).toArrow().to_pylist(), key=str)
print(len(found), found == expected)
spark.stop()
"""


def ancestor(process: int, name: bytes) -> int | None:
    """The nearest process above that runs this."""
    while process > 1:
        process = int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
        if name in Path(f"/proc/{process}/cmdline").read_bytes():
            return process
    return None


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked for as Linux shows them")
def test_an_executor_killed_in_mid_task(folder: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    with open(tmp_path / "log", "w") as log:
        run = subprocess.Popen([sys.executable, "-c", KILLED, str(folder / "a.warc.gz"), str(mark)], stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            deadline = time.monotonic() + 900
            while run.poll() is None and not (mark.exists() and mark.read_text()) and time.monotonic() < deadline:
                time.sleep(0.1)
            assert mark.exists(), (tmp_path / "log").read_text()[-2000:]
            executor = ancestor(int(mark.read_text()), b"CoarseGrainedExecutorBackend")
            assert executor is not None
            os.kill(executor, signal.SIGKILL)
            said, _ = run.communicate(timeout=900)
        finally:
            run.kill()
    assert said.split() == [str(len(all_pages()[::2])), "True"], (tmp_path / "log").read_text()[-2000:]
