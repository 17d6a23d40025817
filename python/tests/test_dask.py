"""The example of docs/scale.md for Dask, run as it stands there: it gives the rows that the functions on batches give."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import REPOSITORY
from sites_of_suite import all_pages
from test_crawl import batch, learned, models

from unchaff import crawl

pytest.importorskip("dask")


def example(engine: str) -> str:
    """The code below the line that begins so."""
    text = (REPOSITORY / "docs/scale.md").read_text()
    found = re.search(rf"^With {engine}[^\n]*\n\n```python\n(.*?)^```", text, re.M | re.S)
    assert found, engine
    return found[1]


def test_the_same_rows_as_everywhere(tmp_path: Path) -> None:
    pages = all_pages()
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(3):
        pq.write_table(pa.Table.from_batches([batch(pages[number::3])]), folder / f"{number}.parquet")
    run = subprocess.run([sys.executable, "-c", example("Dask")], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-3000:]
    found = pq.read_table(tmp_path / "result").to_pylist()
    [expected] = crawl.extract_batches([batch(pages)], models(learned([batch(pages)])))
    assert sorted(found, key=str) == sorted(expected.to_pylist(), key=str)

