"""One page: what goes in, what comes out, and what is said if something is wrong."""

from __future__ import annotations

import json
import pickle
import threading
from pathlib import Path

import pytest

import unchaff

STORY = "<nav><a href=/>Home</a> <a href=/news>News</a></nav><h1>Rain</h1><p>It rained <b>all day</b>, and then <a href=sun>the sun</a> came out.</p>"


def test_the_first_lines_of_the_readme(lighthouse: bytes) -> None:
    doc = unchaff.extract(lighthouse)
    assert str(doc).startswith("# The lamp that would not go out\n\nBy [Ines Okafor](/people/okafor), 3 November 2024\n")
    assert str(doc) == doc.markdown
    assert doc.text.startswith("The lamp that would not go out\n")
    assert doc.html.startswith("<") and "<h1>The lamp that would not go out</h1>" in doc.html
    assert doc.metadata.title == "The lamp that would not go out"
    assert doc.metadata.author == "Ines Okafor" and doc.metadata.authors == ["Ines Okafor"]
    assert doc.technique == "auto" and doc.shows == "content" and doc.charset == "UTF-8"
    assert doc.confidence is not None and 0.5 < doc.confidence <= 1
    assert doc.error is None and doc.explanation is None and doc.url is None and doc.input is None
    assert [item.text for item in doc.menu] == ["Home", "Town", "Coast", "Weather", "Letters"]
    assert doc


def test_str_and_bytes_of_all_kinds_are_the_same_page() -> None:
    class Text(str):
        pass

    class Octets(bytes):
        pass

    data = STORY.encode()
    spread = memoryview(b"".join(bytes([octet, 0]) for octet in data))[::2]
    pages: list[str | bytes | bytearray | memoryview] = [
        STORY, Text(STORY), data, Octets(data), bytearray(data), memoryview(data), memoryview(b"x" + data)[1:], spread,
    ]
    assert {unchaff.extract(page).markdown for page in pages} == {unchaff.extract(STORY).markdown}


def test_text_has_no_charset_whatever_it_says() -> None:
    page = "<meta charset=windows-1252><p>Žluťoučký kůň pěl ďábelské ódy, a pršelo celý den.</p>"
    assert "Žluťoučký kůň" in unchaff.extract(page).text
    assert "Žluťoučký kůň" in unchaff.extract(page, charset="latin-1").text
    czech = page.replace("windows-1252", "windows-1250").encode("windows-1250")
    assert unchaff.extract(czech).charset == "windows-1250"
    assert "Žluťoučký kůň" in unchaff.extract(czech).text
    assert "Žluťoučký kůň" in unchaff.extract(page.encode("utf-16-le"), charset="utf-16le").text
    assert [warning.code for warning in unchaff.extract(b"<p>Rain", charset="klingon").warnings] == ["charset"]


def test_lone_surrogates_are_replaced() -> None:
    assert "rained \ufffd all day" in unchaff.extract("<p>It rained \udcff all day, and then the sun came out.</p>").text
    assert unchaff.extract("<p>Rain.", url="https://example.org/\udcff").url is not None


@pytest.mark.parametrize("page", ["", b"", "\0", b"\xff\xfe", "<", "only text", "<frameset>", "<p>" * 100_000, "<div>" * 5_000 + "deep"])
def test_any_page_has_an_answer(page: str | bytes) -> None:
    doc = unchaff.extract(page)
    assert isinstance(doc.markdown, str) and json.loads(doc.json())["schema"].startswith("unchaff/extraction/")
    assert isinstance(repr(doc), str) and isinstance(doc._repr_html_(), str)


def test_an_extraction_in_which_nothing_was_found_is_false() -> None:
    assert not unchaff.extract("")
    assert unchaff.extract(STORY)


def test_a_page_of_many_megabytes() -> None:
    paragraph = "<p>It rained all day long, and then the sun came out over the town and its harbour.</p>"
    doc = unchaff.extract("<body><nav><a href=/>Home</a></nav>" + paragraph * 200_000)
    assert doc.text.count("harbour") == 200_000


def test_links_are_resolved_against_the_address() -> None:
    class Address:
        def __str__(self) -> str:
            return "https://example.org/news/1"

    for url in ("https://example.org/news/1", Address()):
        doc = unchaff.extract(STORY, url=url)
        assert "[the sun](https://example.org/news/sun)" in doc.markdown
        assert doc.url == "https://example.org/news/1"
    assert [warning.code for warning in unchaff.extract(STORY, url="no address").warnings] == ["address"]


def test_parts_and_favor() -> None:
    assert "](" not in unchaff.extract(STORY, exclude="links").markdown
    assert "](" not in unchaff.extract(STORY, exclude=["links", "images"]).markdown
    lengths = [len(unchaff.extract(STORY, favor=favor).text) for favor in ("precision", "balanced", "recall")]
    assert lengths == sorted(lengths)


def test_techniques_and_their_settings() -> None:
    assert unchaff.extract(STORY, technique="ccb").technique == "ccb"
    doc = unchaff.extract(STORY, technique="ccb", settings={"range": 20}, explain=True)
    assert doc.explanation is not None and doc.explanation.columns and doc.table().splitlines()
    assert doc.explanation.rows[0].path.startswith("/")
    menu = unchaff.menu(STORY, url="https://example.org/", technique="menex")
    assert menu.shows == "menu"
    assert unchaff.template(STORY).shows == "template"
    by_name = {technique.name: technique for technique in unchaff.techniques()}
    assert by_name["auto"].is_default and by_name["temex"].needs == "site" and by_name["bcs"].needs == "boxes"
    assert {parameter.name for parameter in by_name["ccb"].parameters} >= {"range"}


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"technique": "nothing"}, unchaff.OptionError, ["no technique `nothing`", "auto", "unchaff.techniques()"]),
        ({"technique": "temex"}, unchaff.OptionError, ["temex compares pages", "site"]),
        ({"technique": "ccb", "settings": {"colour": 1}}, unchaff.OptionError, ["no parameter `colour`", "range"]),
        ({"technique": "ccb", "settings": {"range": "far"}}, unchaff.OptionError, ["`far`", "whole number"]),
        ({"favor": "both"}, unchaff.OptionError, ["`both`", "precision"]),
        ({"favor": "recall", "technique": "ccb"}, unchaff.OptionError, ["no parameter `favor`"]),
        ({"include": ["pictures"]}, unchaff.OptionError, ["`pictures`", "images"]),
        ({"include": "links", "exclude": ["links"]}, unchaff.OptionError, ["links", "both"]),
        ({"technique": "menex", "include": "links"}, unchaff.OptionError, ["content"]),
        ({"technique": 7}, TypeError, ["technique", "int"]),
        ({"site": 7}, TypeError, ["int"]),
        ({"site": "no/such/folder"}, unchaff.SourceError, ["no/such/folder"]),
        ({"nothing": 7}, TypeError, ["nothing"]),
    ],
)
def test_what_is_wrong_is_said_in_words_of_python(options: dict[str, object], error: type[Exception], words: list[str]) -> None:
    with pytest.raises(error) as raised:
        unchaff.extract(STORY, **options)  # type: ignore[arg-type]
    said = str(raised.value)
    assert all(word in said for word in words), said
    assert "--" not in said and "unchaff extract" not in said


@pytest.mark.parametrize("page", [None, 7, ["<p>"], Path("page.html"), object()])
def test_what_is_no_page_is_refused(page: object) -> None:
    with pytest.raises(TypeError, match=r"a page is str or bytes, not .*unchaff\.read"):
        unchaff.extract(page)  # type: ignore[arg-type]


def test_errors_are_one_family() -> None:
    for error in (unchaff.OptionError, unchaff.ModelError, unchaff.SourceError, unchaff.PageError):
        assert issubclass(error, unchaff.UnchaffError)
    assert issubclass(unchaff.OptionError, ValueError) and issubclass(unchaff.SourceError, OSError)


def test_blocks_have_nodes_that_stand_in_the_source(lighthouse: bytes) -> None:
    doc = unchaff.extract(lighthouse)
    [content] = doc.blocks
    assert content.kind == "content" and content.confidence == doc.confidence
    for node in content.nodes:
        start, end = node.source
        if node.tag != "#text":
            assert lighthouse[start:end].startswith(f"<{node.tag}".encode())
    assert "The lamp that would not go out" in content.text


def test_a_page_can_be_looked_at() -> None:
    page = unchaff.Page(STORY, url="https://example.org/news/1")
    [link] = page.select("p > a")
    assert (link.tag, link.text, link.attrs, link.get("href"), link.get("rel"), link.get("rel", "none")) == (
        "a", "the sun", {"href": "sun"}, "sun", None, "none"
    )
    assert link.parent is not None and link.parent.tag == "p" and link in link.parent.children
    assert page.body is not None and page.body.words == 13 and page.body.link_words == 4
    assert page.source[link.source[0] : link.source[1]] == "<a href=sun>the sun</a>"
    assert [element.tag for element in page.elements()][:3] == ["html", "head", "body"] and len(page) > 8
    assert page.root.parent is None and page.body.select("b")[0].path.startswith("/")
    assert len({link, page.select("p > a")[0]}) == 1 and repr(link) == "<Element html > body > p > a>"
    with pytest.raises(unchaff.OptionError):
        page.select("p >")
    assert unchaff.extract(STORY).page is not None


def test_pickled_and_detached_extractions_have_all_but_the_page(lighthouse: bytes) -> None:
    doc = unchaff.extract(lighthouse, url="https://example.org/", explain=True)
    for other in (pickle.loads(pickle.dumps(doc)), doc.detach(), pickle.loads(pickle.dumps(doc.detach()))):
        assert other.page is None
        for name in ("markdown", "text", "html", "metadata", "blocks", "menu", "warnings", "confidence", "technique", "shows", "url", "input", "charset", "explanation"):
            assert getattr(other, name) == getattr(doc, name), name
        assert other.json() == doc.json() and str(other) == str(doc) and bool(other)
        assert repr(other) == repr(doc) and "The lamp" in other._repr_html_()
        with pytest.raises(unchaff.PageError, match="left its page behind"):
            other.annotated()
    assert doc.detach().detach().page is None
    with pytest.raises(unchaff.ModelError):
        unchaff._engine.restored(b"nothing")


def test_threads_give_the_same_answer(lighthouse: bytes) -> None:
    shared = unchaff.extract(lighthouse)
    answers: list[str] = []

    def work() -> None:
        for _ in range(20):
            answers.append(unchaff.extract(lighthouse).markdown)
        answers.append(shared.markdown)
        answers.append(shared.html and shared.markdown)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 88 and set(answers) == {shared.markdown}


def test_other_threads_run_while_a_page_is_worked_on() -> None:
    page = "<body>" + "<div><p>It rained all day long, and then the sun came out.</p><a href=/>Home</a></div>" * 50_000
    working, ticks = threading.Event(), 0
    done = threading.Event()

    def work() -> None:
        working.set()
        unchaff.extract(page).markdown  # noqa: B018
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    working.wait(30)
    while not done.wait(0.001):
        ticks += 1
    thread.join()
    # With the lock held there would be no tick, or one at each end.
    assert ticks > 5


def test_how_it_shows_itself(lighthouse: bytes) -> None:
    doc = unchaff.extract(lighthouse, url="https://example.org/lamp")
    assert repr(doc).startswith("<Extraction of https://example.org/lamp 'The lamp that would not go out': ")
    shown = doc._repr_html_()
    assert "<iframe sandbox " in shown and "data-unchaff=&quot;content&quot;" in shown
    assert "default-src &#x27;none&#x27;" in shown and shown.count("<iframe") == 1 and "</iframe>" in shown
    hostile = unchaff.extract('<title>"><script>alert(1)</script></title><p>It rained all day, and <b>then</b> came <script>alert(2)</script>.')
    assert "<script" not in hostile._repr_html_()
    assert repr(unchaff.Page(STORY)).startswith("<Page of ") and "auto" in repr(unchaff.Extractor())
