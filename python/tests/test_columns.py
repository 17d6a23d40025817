"""Columns of pages: plain, pandas, polars, Arrow."""

from __future__ import annotations

import pytest

import unchaff

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

import unchaff.arrow  # noqa: E402

URLS = [f"https://example.org/{number}" for number in range(4)]
PAGES = [f"<html lang=en><title>Day {number}</title><p>It rained on day {number}, and <a href=x>then</a> the sun came out.</p>" for number in range(3)]


def check(rows: list[dict[str, object]]) -> None:
    assert [row["url"] for row in rows] == URLS
    assert [row["title"] for row in rows] == ["Day 0", "Day 1", "Day 2", None]
    assert [row["language"] for row in rows][:3] == ["en"] * 3
    assert "[then](https://example.org/x)" in str(rows[1]["markdown"])
    assert [row["error"] for row in rows] == [None, None, None, "there is no page"]
    assert list(rows[0]["warnings"]) == [] and isinstance(rows[0]["confidence"], float)  # type: ignore[call-overload]


def test_plain_columns() -> None:
    columns = unchaff.extract_columns([*PAGES, None], URLS)
    assert list(columns) == list(unchaff._columns.COLUMNS)
    check([dict(zip(columns, row)) for row in zip(*columns.values())])
    assert unchaff.extract_columns([], []) == {name: [] for name in columns}
    wrong = unchaff.extract_columns([7, "<p>Rain"], columns=["text", "error"])
    assert wrong["text"] == [None, "Rain\n"] and "int" in wrong["error"][0]
    with pytest.raises(unchaff.OptionError, match="no column `colour`"):
        unchaff.extract_columns(PAGES, columns=["colour"])  # type: ignore[list-item]


def test_pandas() -> None:
    frame = pd.DataFrame({"address": URLS, "html": [*PAGES, float("nan")]}, index=[9, 8, 7, 6])
    out = pd.DataFrame(unchaff.extract_columns(frame["html"], frame["address"]), index=frame.index)
    check(out.astype(object).where(out.notna(), None).to_dict("records"))
    assert list(out.index) == [9, 8, 7, 6]


def test_polars() -> None:
    frame = pl.DataFrame({"url": URLS, "html": [*(page.encode() for page in PAGES), None]})
    check(pl.DataFrame(unchaff.extract_columns(frame["html"], frame["url"])).to_dicts())
    check(pl.from_arrow(unchaff.arrow.extract_table(frame.to_arrow())).to_dicts())


@pytest.mark.parametrize("kind", ["string", "large_string", "binary", "large_binary"])
def test_arrow(kind: str) -> None:
    pages = [*PAGES, None] if "string" in kind else [*(page.encode() for page in PAGES), None]
    batch = pa.record_batch({"html": pa.array(pages, getattr(pa, kind)()), "url": URLS, "crawl": [1, 2, 3, 4]})
    out = unchaff.arrow.extract_batch(batch, jobs=2)
    assert out.schema == unchaff.arrow.schema()
    check(out.to_pylist())
    [kept] = unchaff.arrow.extract_batches([batch], keep=["crawl"], columns=["text"], url=None)
    assert kept.schema.names == ["crawl", "text"] and kept.column(0).to_pylist() == [1, 2, 3, 4]
    empty = unchaff.arrow.extract_batch(batch.slice(0, 0))
    assert empty.num_rows == 0 and empty.schema == unchaff.arrow.schema()
    assert unchaff.arrow.extract_table(pa.table(batch.slice(0, 0))).num_rows == 0
    with pytest.raises(unchaff.OptionError, match="no column `page`.*html"):
        unchaff.arrow.extract_batch(batch, html="page")
