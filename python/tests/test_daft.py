"""A crawl on Daft: the same models and the same rows."""

from __future__ import annotations

from typing import Any

import pytest
from sites_of_suite import all_pages
from test_crawl import batch, learned, models

import unchaff

daft = pytest.importorskip("daft")

from unchaff import crawl  # noqa: E402
from unchaff import daft as ud  # noqa: E402


def rows(frame: Any) -> list[dict[str, Any]]:
    return sorted(frame.to_pylist(), key=str)


def test_the_same_as_everywhere() -> None:
    pages = all_pages()
    frame = daft.from_arrow(batch(pages))
    expected = learned([batch(pages)])
    found = ud.learn(frame).collect()
    assert rows(found) == sorted(expected, key=str)
    assert rows(ud.merge(found.concat(ud.learn(frame.limit(20))))) == sorted(expected, key=str)
    [out] = crawl.extract_batches([batch(pages)], models(expected))
    result = ud.extract(frame, found)
    assert result.column_names == crawl.result_schema().names
    assert rows(result) == sorted(out.to_pylist(), key=str)


def test_bad_pages_and_columns_of_ones_own() -> None:
    page = "<nav><a href=/a>A</a></nav><p>It rained all day.</p>"
    frame = daft.from_pydict({"address": ["https://a.example/1", "https://b.example/1", None], "page": [page, None, page], "shop": [7, 7, 8]})
    found = ud.learn(frame, by="shop", html="page", url="address")
    assert rows(found.select("site", "pages", "by")) == [{"site": "7", "pages": 1, "by": "shop"}]
    out = ud.extract(frame, found, html="page", url="address", format="text", keep=["shop"]).to_pylist()
    assert [row["status"] for row in out] == ["ok", "error", "ok"] and [row["shop"] for row in out] == [7, 7, 8]
    assert out[1]["error"] == "there is no page" and out[0]["text"] == "It rained all day.\n"
    with pytest.raises(unchaff.OptionError, match="no column `url`"):
        ud.learn(frame)
