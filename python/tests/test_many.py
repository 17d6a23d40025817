"""Many pages: order, bounds, errors, Ctrl-C, processes, and where pages come from."""

from __future__ import annotations

import gzip
import http.server
import json
import multiprocessing
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import unchaff


def page(number: int) -> tuple[str, str]:
    return f"https://example.org/{number}", f"<title>Day {number}</title><nav><a href=/>Home</a></nav><p>On day {number} it rained all day, and then the sun came out.</p>"


def test_results_come_in_order_with_their_addresses() -> None:
    for jobs in (1, 2, 5, None):
        docs = list(unchaff.extract_many((page(number) for number in range(200)), jobs=jobs))
        assert [doc.url for doc in docs] == [page(number)[0] for number in range(200)]
        assert all(f"On day {number} " in doc.text for number, doc in enumerate(docs))
        assert docs[7].markdown == unchaff.extract(page(7)[1], url=page(7)[0]).markdown


def test_pages_without_addresses_and_other_formats() -> None:
    docs = unchaff.extract_many([page(1)[1], page(2)[1].encode(), (None, page(3)[1])], formats=["text", "html", "metadata"], technique="ccb")
    assert [(doc.metadata.title, doc.url, doc.technique) for doc in docs] == [(f"Day {number}", None, "ccb") for number in (1, 2, 3)]
    assert list(unchaff.extract_many([])) == []


def test_one_bad_page_is_an_item_that_holds_its_error() -> None:
    docs = list(unchaff.extract_many([page(0), 7, ("https://example.org/bad", None), page(3), (1, 2, 3)]))  # type: ignore[list-item]
    assert [doc.error is None for doc in docs] == [True, False, False, True, False]
    assert isinstance(docs[1].error, TypeError) and docs[1].url is None and "int" in str(docs[1].error)
    bad = docs[2]
    assert bad.url == "https://example.org/bad" and str(bad) == "" and not bad and bad.blocks == [] and bad.menu == []
    assert bad.metadata.title is None and bad.confidence is None and "failed" in repr(bad) and "failed" in bad._repr_html_()
    with pytest.raises(TypeError):
        bad.json()
    again = pickle.loads(pickle.dumps(bad))
    assert isinstance(again.error, unchaff.PageError) and str(again.error) == str(bad.error) and again.url == bad.url


def test_a_source_that_raises_loses_nothing() -> None:
    def pages() -> Iterator[tuple[str, str]]:
        yield from (page(number) for number in range(5))
        raise OSError("the connection is gone")

    docs, seen = unchaff.extract_many(pages(), jobs=2), []
    with pytest.raises(OSError, match="the connection is gone"):
        for doc in docs:
            seen.append(doc.url)
    assert len(seen) == 5
    assert list(docs) == []


def test_wrong_options_are_refused_at_once() -> None:
    with pytest.raises(unchaff.OptionError, match="jobs"):
        unchaff.extract_many([], jobs=0)
    with pytest.raises(unchaff.OptionError, match="`pdf`.*markdown"):
        unchaff.extract_many([], formats=["pdf"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="iterable of pages"):
        unchaff.extract_many("<p>Rain")
    with pytest.raises(TypeError):
        unchaff.extract_many(7)  # type: ignore[arg-type]


def test_a_slow_source_is_not_read_ahead_of_what_is_done() -> None:
    given: list[int] = []

    def crawl() -> Iterator[tuple[str, str]]:
        for number in range(6):
            given.append(number)
            yield page(number)
            time.sleep(0.05)

    for number, _ in enumerate(unchaff.extract_many(crawl(), jobs=2)):
        assert len(given) <= number + 3


def test_memory_is_flat() -> None:
    text = "<p>It rained all day long, and then the sun came out over the town.</p>" * 100

    def pages(count: int) -> Iterator[str]:
        return (f"<title>{number}</title>{text}" for number in range(count))

    for _ in unchaff.extract_many(pages(1_000), jobs=2):
        pass
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in unchaff.extract_many(pages(8_000), jobs=2):
        pass
    # All pages together would take some hundred megabytes.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000


def test_ctrl_c_stops_it() -> None:
    program = """
import itertools, unchaff
page = "<body>" + "<div><p>It rained all day long.</p></div>" * 20_000
print("ready", flush=True)
try:
    for doc in unchaff.extract_many(itertools.repeat(page), jobs=2): pass
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    assert child.stdout.read() == "stopped\n"
    assert child.wait(60) == 0


def _length(number: int) -> int:
    return sum(len(doc.text) for doc in unchaff.extract_many([page(number)] * 5, jobs=2)) + len(unchaff.cluster([page(number)] * 3).labels)


def _document(number: int) -> unchaff.Extraction:
    return unchaff.extract(page(number)[1], url=page(number)[0])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(method: str) -> None:
    # Threads have run in this process before.
    expected = [_length(number) for number in range(8)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(_length, range(8)) == expected
        docs = pool.map(_document, range(8))
    assert [doc.url for doc in docs] == [page(number)[0] for number in range(8)]
    assert docs[3].markdown == _document(3).markdown


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_stream_does_not_go_on_in_a_forked_process() -> None:
    docs = unchaff.extract_many((page(number) for number in range(100)), jobs=2)
    next(docs)
    child = os.fork()
    if child == 0:
        try:
            next(docs)
        except unchaff.OptionError:
            os._exit(0)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(list(docs)) == 99


def record(url: str, html: str, head: str = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n") -> bytes:
    body = (head + html).encode()
    return (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    ).encode() + body + b"\r\n\r\n"


def test_archives(tmp_path: Path) -> None:
    plain, packed = tmp_path / "crawl.warc", tmp_path / "crawl.warc.gz"
    records = [record(*page(number)) for number in range(40)]
    plain.write_bytes(b"".join(records))
    packed.write_bytes(b"".join(gzip.compress(entry) for entry in records))
    for docs in (unchaff.read_warc(plain, jobs=2), unchaff.read_warc(str(packed)), unchaff.read(packed, formats=())):
        assert [(doc.url, doc.metadata.title, doc.error) for doc in docs] == [(page(number)[0], f"Day {number}", None) for number in range(40)]
    packed.write_bytes(packed.read_bytes()[:-20])
    with pytest.warns(UserWarning):
        assert len(list(unchaff.read_warc(packed))) == 39
    with pytest.raises(unchaff.SourceError, match="nothing.warc"):
        unchaff.read_warc(tmp_path / "nothing.warc")
    plain.rename(tmp_path / "crawl")
    assert len(list(unchaff.read(tmp_path / "crawl"))) == 40


def test_folders_files_and_lists(tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    (mirror / "news").mkdir(parents=True)
    for number in range(3):
        (mirror / "news" / f"{number}.html").write_text(page(number)[1])
    (mirror / "style.css").write_text("p {}")
    docs = list(unchaff.read(mirror, jobs=2))
    assert [doc.input for doc in docs] == [str(mirror / "news" / f"{number}.html") for number in range(3)]
    assert [doc.metadata.title for doc in docs] == ["Day 0", "Day 1", "Day 2"]
    at_address = list(unchaff.read(mirror, base_url="https://example.org/"))
    assert sorted(doc.url or "" for doc in at_address) == [f"https://example.org/news/{number}.html" for number in range(3)]
    [one] = unchaff.read(str(mirror / "news/1.html"))
    assert one.metadata.title == "Day 1"
    several = list(unchaff.read([mirror / "news/1.html", "no/such/page.html", str(mirror / "news/2.html")]))
    assert [doc.error is None for doc in several] == [True, False, True]
    assert isinstance(several[1].error, unchaff.SourceError) and several[1].input == "no/such/page.html"
    listed = tmp_path / "pages.tsv"
    listed.write_text("".join(f"https://example.org/{number}\tmirror/news/{number}.html\n" for number in range(3)))
    assert [doc.url for doc in unchaff.read(listed)] == [f"https://example.org/{number}" for number in range(3)]


class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        number = int(self.path.strip("/"))
        body = page(number)[1].replace("it rained", "es regnete überall").encode("iso-8859-1")
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=iso-8859-1")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


def test_a_crawl_loop() -> None:
    """As a crawler would use it: bytes, the charset of the header, the address."""
    import urllib.request

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        base = f"http://127.0.0.1:{server.server_port}"
        for number in range(5):
            with urllib.request.urlopen(f"{base}/{number}", timeout=30) as answer:
                doc = unchaff.extract(answer.read(), url=answer.url, charset=answer.headers.get_content_charset())
            assert f"On day {number} es regnete überall" in doc.text and doc.url == f"{base}/{number}"

        def crawl() -> Iterator[tuple[str, bytes]]:
            for number in range(5, 10):
                with urllib.request.urlopen(f"{base}/{number}", timeout=30) as answer:
                    yield answer.url, answer.read()

        assert ["überall" in doc.text for doc in unchaff.extract_many(crawl(), charset="iso-8859-1")] == [True] * 5
    finally:
        server.shutdown()
        server.server_close()


def test_files_of_many_pages(tmp_path: Path) -> None:
    lines = [{"url": page(0)[0], "html": page(0)[1], "id": 7, "tags": ["a"]}, {"path": "one.html"}, {"file": "one.html", "url": page(1)[0]}, {"id": 8}]
    (tmp_path / "one.html").write_text(page(1)[1])
    text = "\n".join(map(json.dumps, lines))
    (tmp_path / "pages.jsonl").write_text(text)
    (tmp_path / "packed").write_bytes(gzip.compress(text.encode()))
    for name in ("pages.jsonl", "packed"):
        docs = list(unchaff.read(tmp_path / name, jobs=2))
        assert [doc.metadata.title for doc in docs] == ["Day 0", "Day 1", "Day 1", None]
        assert [doc.url for doc in docs] == [page(0)[0], None, page(1)[0], None]
        assert [doc.given for doc in docs] == [{"id": 7, "tags": ["a"]}, {}, {}, {}]
        assert json.loads(docs[0].json())["given"] == {"id": 7, "tags": ["a"]} and "given" not in json.loads(docs[1].json())
        assert docs[0].detach().given == pickle.loads(pickle.dumps(docs[0])).given == docs[0].given
        assert "line 4" in str(docs[3].error) and str(tmp_path / name) == docs[3].input
    with zipfile.ZipFile(tmp_path / "site.zip", "w") as archive:
        archive.writestr("a/one.html", page(1)[1])
        archive.writestr("logo.png", "no page")
        archive.writestr("archive/data.warc.gz", gzip.compress(record(*page(2))))
    docs = list(unchaff.read([tmp_path / "site.zip", tmp_path / "one.html"]))
    assert sorted(str(doc.metadata.title) for doc in docs) == ["Day 1", "Day 1", "Day 2"]
    (tmp_path / "cut.warc").write_bytes(record(*page(3)) + record(*page(4))[:-100])
    whole, cut = unchaff.read(tmp_path / "cut.warc")
    assert whole.url == page(3)[0] and "ends inside a record" in str(cut.error)
