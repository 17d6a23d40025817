"""A crawl as batches of Arrow: what all engines call."""

from __future__ import annotations

import gzip
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sites_of_suite import all_pages, packed, said_by_command

import unchaff

pytest.importorskip("pyarrow")

import pyarrow as pa  # noqa: E402

from unchaff import _archives, crawl  # noqa: E402


def batch(pages: Sequence[tuple[str | None, bytes | None]]) -> pa.RecordBatch:
    return pa.record_batch({"url": pa.array([url for url, _ in pages], pa.string()), "html": pa.array([html for _, html in pages], pa.binary())})


def by_site(batches: list[pa.RecordBatch]) -> list[pa.RecordBatch]:
    sorted_by_site: list[pa.RecordBatch] = pa.Table.from_batches(batches, crawl.MODELS).sort_by("site").to_batches()
    return sorted_by_site


def learned(batches: list[pa.RecordBatch], **options: Any) -> list[dict[str, object]]:
    merged = crawl.merge_batches(by_site([sketch for one in batches for sketch in crawl.sketch_batches([one], **options)]), most=options.get("most", 64))
    return [row for batch in merged for row in batch.to_pylist()]


def models(rows: list[dict[str, object]]) -> crawl.Models:
    return crawl.Models.of([pa.RecordBatch.from_pylist(rows, crawl.MODELS)])


def site(number: int, pages: int) -> list[tuple[str, bytes]]:
    frame = f"<nav><a href=/a>Home {number}</a> <a href=/b>News</a> <a href=/c>Town</a></nav>"
    return [(f"https://site{number}.example/{at}", f"{frame}<main><p>On day {at} it rained in town {number}, and then the sun came out.</main>".encode()) for at in range(pages)]


def test_a_crawl_is_what_the_command_says_of_each_site(command: list[str]) -> None:
    pages = all_pages()
    found = models(learned([batch(pages[:30]), batch(pages[30:])]))
    [out] = crawl.extract_batches([batch(pages)], found)
    assert out.schema == crawl.result_schema()
    said = said_by_command(command)
    assert out.num_rows == len(said) == len(pages) > 80
    for row in out.to_pylist():
        page = said[row["url"]]
        metadata = page["metadata"]
        assert isinstance(metadata, dict)
        assert (row["markdown"], row["template"], row["technique"]) == (page["markdown"], page.get("template"), page["technique"]), row["url"]
        assert row["title"] == (metadata.get("title") or {}).get("value") and row["words"] == page["words"]
        assert row["simhash"] is None or f"{row['simhash'] % 2**64:016x}" == page["fingerprint"]
        assert row["status"] == ("ok" if page["words"] else "empty") and row["error"] is None
        assert row["site"] == row["url"].split("/")[2] and row["version"] == unchaff.__version__
        assert 0 < row["content_ratio"] <= 1


def test_models_are_the_same_in_whatever_order_and_steps_they_are_merged() -> None:
    pages = [page for number in range(3) for page in site(number, 90)]
    expected = learned([batch(pages)])
    assert [row["pages"] for row in expected] == [64, 64, 64]
    for seed in range(3):
        mixed = pages[:]
        random.Random(seed).shuffle(mixed)
        parts = [batch(mixed[at : at + 7]) for at in range(0, len(mixed), 7)]
        assert learned(parts) == expected
        halves = [learned(parts[::2]), learned(parts[1::2])]
        again = crawl.merge_batches(by_site([pa.RecordBatch.from_pylist(half, crawl.MODELS) for half in halves]))
        assert [row for one in again for row in one.to_pylist()] == expected
    for row, number in zip(expected, range(3)):
        assert row["model"] == bytes(unchaff.learn(site(number, 90)))


def test_rows_come_in_the_order_of_their_pages_however_sites_are_mixed() -> None:
    nothing: list[tuple[str | None, bytes | None]] = [(None, b"<p>No address, and no site."), ("https://site1.example/x", None), ("https://other.example/", b"<p>It rained.")]
    pages = [*(page for number in range(3) for page in site(number, 9)), *nothing]
    found = models(learned([batch(pages)]))
    alone = [row for page in pages for out in crawl.extract_batches([batch([page])], found, format="text") for row in out.to_pylist()]
    for seed in range(3):
        order = random.Random(seed).sample(range(len(pages)), len(pages))
        out = crawl.extract_batches([batch([pages[at] for at in order])], found, format="text")
        assert [row for one in out for row in one.to_pylist()] == [alone[at] for at in order]


def test_a_sample_is_chosen_by_addresses_before_pages_are_looked_at() -> None:
    pages = [*site(1, 500), *site(2, 5)]
    for most in (64, 16):
        expected = learned([batch(pages)], most=most)
        assert [row["pages"] for row in expected] == [most, 5]
        orders = [found for at in range(0, 505, 50) for found in crawl.order_batches([batch(pages[at : at + 50])], most=most)]
        table = pa.Table.from_batches(orders, crawl.ORDERS).sort_by("site")
        sample = crawl.Sample.of(crawl.merge_orders(table.to_batches(), most=most), most)
        chosen = [(url, html if sample.has(str(crawl.site_of(url)), unchaff._engine.sample_order(url) or 0) else None) for url, html in pages]
        assert most < sum(html is not None for _, html in chosen) - 5 < 2 * most
        # Of others not even the bytes are asked for.
        assert learned([batch(chosen)], most=most, sample=sample) == expected == learned([batch(pages)], most=most, sample=sample)


def test_pages_that_teach_nothing_and_pages_that_fail() -> None:
    alone = b"<nav><a href=/>Home</a></nav><h1>Rain</h1><p>It rained all day, and then the sun came out."
    pages: list[tuple[str | None, bytes | None]] = [
        *site(1, 5), (None, alone), ("no address", alone), ("https://single.example/", alone), ("https://site1.example/x", None), ("https://site1.example/y", b""),
    ]
    rows = learned([batch(pages)])
    assert [(row["site"], row["pages"]) for row in rows] == [("single.example", 1), ("site1.example", 6)]
    [out] = crawl.extract_batches([batch(pages)], models(rows), format="text")
    found = out.to_pylist()
    assert [row["status"] for row in found] == ["ok"] * 8 + ["error", "empty"]
    assert found[8]["error"] == "there is no page" and found[8]["text"] is None
    assert [row["site"] for row in found[5:8]] == [None, None, "single.example"]
    expected = unchaff.extract(alone).text
    assert [row["text"] for row in found[5:8]] == [expected] * 3
    assert [row["site_pages"] for row in found[4:8]] == [6, 0, 0, 1] and [row["template"] for row in found[5:7]] == [None] * 2
    assert found[5]["content_hash"] == found[6]["content_hash"] == found[7]["content_hash"] != found[0]["content_hash"]
    empty = crawl.extract_batches([batch([])], models([]))
    assert next(empty).schema == crawl.result_schema()


def test_what_a_site_is() -> None:
    pages = batch([("https://a.example.co.uk/1", b"<p>One"), ("https://b.example.co.uk/1", b"<p>Two"), ("https://[::1]/", b"<p>Three"), ("mailto:x", b"<p>Four")])
    assert {row["site"] for row in learned([pages])} == {"a.example.co.uk", "b.example.co.uk", "[::1]"}
    assert {(row["site"], row["by"]) for row in learned([pages], by="domain")} == {("example.co.uk", "domain"), ("[::1]", "domain")}
    named = pages.append_column("shop", pa.array([7, 7, None, None]))
    rows = learned([named], by="shop")
    assert [(row["site"], row["pages"], row["by"]) for row in rows] == [("7", 2, "shop")]
    [out] = crawl.extract_batches([named], models(rows), keep=["shop"])
    assert out.column("site").to_pylist() == ["7", "7", None, None] and out.column("shop").to_pylist() == [7, 7, None, None]
    with pytest.raises(unchaff.OptionError, match="no column `shop`"):
        list(crawl.extract_batches([pages], models(rows)))
    with pytest.raises(unchaff.OptionError, match="no column `page`"):
        list(crawl.sketch_batches([pages], html="page"))
    with pytest.raises(unchaff.OptionError, match="from 1 to 64"):
        list(crawl.sketch_batches([pages], most=65))


def test_a_file_of_models(tmp_path: Path) -> None:
    rows = learned([batch([page for number in range(20) for page in site(number, 2)])])
    batches = [pa.RecordBatch.from_pylist(rows[:7], crawl.MODELS), pa.RecordBatch.from_pylist(rows[7:], crawl.MODELS)]
    crawl.Models.write(batches, tmp_path / "models")
    opened = crawl.Models.open(tmp_path / "models")
    assert len(opened) == 20 and opened.by == "host" and list(tmp_path.iterdir()) == [tmp_path / "models"]
    for row in rows:
        assert opened.get(str(row["site"])) == row["model"] == crawl.Models.of(batches).get(str(row["site"]))
    assert opened.get("site20.example") is None and opened.get("") is None
    assert bytes(opened.data) == crawl.Models.of(reversed(batches)).data[:0] + (tmp_path / "models").read_bytes()
    whole = (tmp_path / "models").read_bytes()
    for data in (b"", b"something", whole[:30], b"unchmod\x01" + b"\xff" * 30):
        (tmp_path / "damaged").write_bytes(data)
        with pytest.raises(unchaff.ModelError):
            crawl.Models.open(tmp_path / "damaged")
    cut = crawl.Models(whole[: 24 + 4 + 16 * 20 + 10])
    for row in rows:
        with pytest.raises(unchaff.ModelError):
            unchaff.SiteModel.from_bytes(cut.get(str(row["site"])) or b"")
    with pytest.raises(unchaff.ModelError, match="different ways"):
        crawl.Models.of([batches[0], pa.RecordBatch.from_pylist([{**rows[0], "by": "domain"}], crawl.MODELS)])


def read(path: Path, split: int | None = None) -> list[dict[str, object]]:
    parts = _archives.archives(str(path))
    parts = parts if split is None else [part for archive in parts for part in _archives.ranges(archive, split)]
    return [row for found in _archives.archive_batches(parts) for row in found.to_pylist()]


def test_archives_and_what_is_wrong_with_them(tmp_path: Path) -> None:
    pages = all_pages()[:12]
    whole = packed(pages)
    (tmp_path / "a.warc.gz").write_bytes(whole)
    rows = read(tmp_path / "a.warc.gz")
    assert [(row["url"], row["html"], row["error"]) for row in rows] == [(url, html, None) for url, html in pages]
    (tmp_path / "b.warc.gz").write_bytes(whole[:-50])
    (tmp_path / "c.warc.gz").write_bytes(random.Random(1).randbytes(5000))
    (tmp_path / "d.warc").write_bytes(gzip.decompress(whole))
    (tmp_path / "e.txt").write_text("no archive")
    cut = read(tmp_path / "b.warc.gz")
    assert [row["url"] for row in cut] == [url for url, _ in pages[:11]] + [None]
    assert "ends inside a record" in str(cut[-1]["error"]) and "b.warc.gz" in str(cut[-1]["error"])
    garbage = read(tmp_path / "c.warc.gz")
    assert garbage and all(row["url"] is None and row["error"] for row in garbage) and "no web archive" in str(garbage[-1]["error"])
    assert len(read(tmp_path / "d.warc", split=1000)) == 12
    assert len(read(tmp_path)) == 12 + 12 + len(garbage) + 12
    assert len(read(tmp_path / "[ad].warc*")) == 24
    with pytest.raises(unchaff.SourceError, match="nothing at"):
        read(tmp_path / "nothing")
    gone = _archives.Archive(str(tmp_path / "gone.warc"))
    [row] = [row for found in _archives.archive_batches([gone]) for row in found.to_pylist()]
    assert "cannot be read" in row["error"]


@pytest.mark.parametrize("size", [300, 700, 5000, 10**9])
def test_an_archive_in_parts_has_each_page_once(tmp_path: Path, size: int) -> None:
    pages = all_pages()[:10]
    (tmp_path / "a.warc.gz").write_bytes(packed(pages))
    assert [(row["url"], row["html"]) for row in read(tmp_path / "a.warc.gz", split=size)] == pages
    (tmp_path / "one.warc.gz").write_bytes(gzip.compress(gzip.decompress(packed(pages))))
    assert [row["url"] for row in read(tmp_path / "one.warc.gz", split=size)] == [url for url, _ in pages]
    (tmp_path / "cut.warc.gz").write_bytes(packed(pages)[:-50])
    rows = read(tmp_path / "cut.warc.gz", split=size)
    assert [row["url"] for row in rows] == [url for url, _ in pages[:-1]] + [None] and "ends inside" in str(rows[-1]["error"])
