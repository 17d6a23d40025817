"""Sites: models, techniques that compare pages, clusters, segments, techniques written in Python."""

from __future__ import annotations

import itertools
import json
import pickle
import random
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from conftest import NEWS, NEWS_FOLDER, REPOSITORY

import unchaff

Pages = list[tuple[str, str]]


def test_a_model_tells_content_template_and_menu(site_pages: Pages) -> None:
    site = unchaff.learn(site_pages)
    assert site.pages == 9 and repr(site) == "<SiteModel of 9 pages>"
    url, html = site_pages[0]
    doc = site.extract(html, url=url)
    assert doc.technique == "site" and {block.kind for block in doc.blocks} == {"content", "template", "menu"}
    assert "add six minutes to every crossing" in doc.text and "in your inbox" not in doc.text
    assert doc.template_name and [warning.code for warning in doc.warnings] == ["technique"]
    template = site.template(html, url=url)
    assert template.shows == "template" and "The island in your inbox" in template.text and "six minutes" not in template.text
    menu = site.menu(html, url=url)
    assert menu.shows == "menu" and [item.text for item in menu.menu] == ["News", "Harbour", "Council", "Culture", "Sport", "About us"]
    assert menu.menu[0].url == NEWS + "news/index.html" and menu.markdown.startswith(f"- [News]({NEWS}news/index.html)\n")
    assert "six minutes" in site.extract(html, url=url, favor="recall", exclude="links").text
    assert unchaff.extract(html, url=url, site=site).markdown == doc.markdown
    assert unchaff.template(html, url=url, site=site).text == template.text
    assert next(unchaff.extract_many([(url, html)], site=site)).markdown == doc.markdown
    with pytest.raises(unchaff.OptionError, match="favor"):
        site.extract(html, favor="both")  # type: ignore[arg-type]


def test_models_are_the_same_in_whatever_order_they_are_learned(site_pages: Pages) -> None:
    site = unchaff.learn(iter(site_pages), jobs=1)
    shuffled = random.Random(1).sample(site_pages, len(site_pages))
    assert unchaff.learn(shuffled, jobs=3) == site and site != unchaff.SiteModel()
    one, two = unchaff.learn(site_pages[:2]), unchaff.learn(site_pages[2:])
    one.merge(two)
    assert one == site and two != site
    added = unchaff.SiteModel()
    for url, html in site_pages:
        added.add(html, url=url)
    assert added == site
    assert unchaff.SiteModel.from_bytes(bytes(site)) == site == pickle.loads(pickle.dumps(site))
    assert bytes(pickle.loads(pickle.dumps(site))) == bytes(site)
    for data in (b"", b"nothing", bytes(site)[:-1]):
        with pytest.raises(unchaff.ModelError):
            unchaff.SiteModel.from_bytes(data)


def test_a_stream_of_any_length_is_learned_in_bounded_memory() -> None:
    def pages() -> Iterator[tuple[str, str]]:
        for number in range(3_000):
            yield f"https://example.org/{number}", f"<nav><a href=/>Home</a></nav><h1>{number}</h1><p>It rained on day {number}, all day."

    site = unchaff.learn(pages(), jobs=2)
    assert site.pages == 64 and len(bytes(site)) < 200_000


def test_what_is_no_page_stops_learning() -> None:
    with pytest.raises(TypeError, match="a page is str or bytes"):
        unchaff.learn([("https://example.org/", 7)])  # type: ignore[list-item]
    with pytest.raises(ZeroDivisionError):
        unchaff.learn(("https://example.org/", str(1 // number)) for number in (1, 0))


def test_techniques_that_compare_pages(site_pages: Pages) -> None:
    url, html = site_pages[0]
    doc = unchaff.detect(html, url=url, technique="temex", site=site_pages, explain=True)
    assert doc.technique == "temex" and doc.shows == "template" and doc.explanation is not None
    # A page that is not among those of the site.
    other = unchaff.detect(html.replace("six minutes", "an hour"), url=NEWS + "new.html", technique="template-auto", site=site_pages)
    assert "The island in your inbox" in other.text and "an hour" not in other.text
    by_folder = unchaff.detect(html, url=url, technique="content-site", site=NEWS_FOLDER)
    assert by_folder.shows == "content" and "six minutes" in by_folder.text
    with pytest.raises(unchaff.OptionError, match="ccb looks at one page alone"):
        unchaff.detect(html, technique="ccb", site=site_pages)
    assert unchaff.learn(NEWS_FOLDER).pages == 9


def test_every_technique_answers(site_pages: Pages) -> None:
    url, html = site_pages[1]
    for technique in unchaff.techniques():
        match technique.needs:
            case "site":
                doc = unchaff.detect(html, url=url, technique=technique.name, site=site_pages)
                assert doc.shows == technique.finds
            case "page" if technique.finds != "segments":
                assert unchaff.detect(html, url=url, technique=technique.name).shows == technique.finds
            case "page":
                assert unchaff.segment(html, technique=technique.name).technique == technique.name


def test_clusters(site_pages: Pages) -> None:
    table = "<table><tr><td>{0}<td>{0}<td>{0}<tr><td>{0}<td>{0}<td>{0}</table><form><input><select><option>{0}</select></form>"
    others = [(f"https://example.org/t{number}", table.format(number)) for number in range(3)]
    articles = [page for page in site_pages if "/news/" in page[0] and "index" not in page[0]][:3]
    mixed = list(itertools.chain(*zip(articles, others)))
    found = unchaff.cluster(mixed, jobs=2)
    assert found.labels == [0, 1] * 3 and [len(cluster) for cluster in found] == [3, 3] and len(found) == 2
    assert found.clusters[1].urls == [url for url, _ in others] and found.clusters[1].representative in (1, 3, 5)
    assert unchaff.cluster(mixed, method="k-median", k=2).labels == found.labels
    assert unchaff.cluster([]).labels == []
    for wrong in ({"distance": "miles"}, {"method": "guess"}, {"threshold": 2.0}, {"k": 2, "threshold": 0.5}, {"method": "k-median"}):
        with pytest.raises(unchaff.OptionError):
            unchaff.cluster(mixed, **wrong)


def test_segments() -> None:
    html = "<body><p>One</p><p>Two</p></body>"
    boxes = {"width": 200, "height": 100, "boxes": [{"rect": [10, 10, 60, 26], "kind": "text", "node": 4}, {"rect": [10, 30, 60, 46], "kind": "text", "node": 6}]}
    for given in (boxes, json.dumps(boxes)):
        found = unchaff.segment(html, boxes=given, technique="bcs")
        assert [(part.text, part.box) for part in found] == [("One\n\nTwo\n", (10, 10, 60, 46))] and found.width == 200
    assert unchaff.segment(html, boxes=boxes).technique == "segments-auto"
    tree = unchaff.segment(html, boxes=boxes, technique="vips", settings={"pdoc": 10})
    assert all(part.level >= 1 and part.coherence is not None and 1 <= part.coherence <= 10 for part in tree)
    assert all(tree.segments[part.parent].level == part.level - 1 for part in tree if part.parent is not None)
    assert unchaff.segment(html).technique == "dom-blocks"
    with pytest.raises(unchaff.OptionError, match="boxes"):
        unchaff.segment(html, technique="vips")
    with pytest.raises(unchaff.OptionError, match="no technique `guess`"):
        unchaff.segment(html, technique="guess")
    with pytest.raises(unchaff.OptionError):
        unchaff.segment(html, boxes="[]")


class Longest(unchaff.Technique):
    """Takes the longest paragraph."""

    name = "longest-paragraph"

    def detect(self, page: unchaff.Page) -> Iterable[unchaff.Element]:
        return sorted(page.select("p"), key=lambda paragraph: -paragraph.words)[:1]


class Both(unchaff.Technique):
    name = "both"
    kind = "menu"

    def detect(self, page: unchaff.Page) -> dict[str, list[unchaff.Element]]:
        return {"menu": page.select("nav")[:1], "content": page.select("article")}


class Broken(unchaff.Technique):
    name = "broken"

    def detect(self, page: unchaff.Page) -> list[unchaff.Element]:
        raise KeyError("no such thing")


def test_techniques_written_in_python(site_pages: Pages) -> None:
    url, html = site_pages[0]
    for technique in (Longest, Longest(), unchaff.register(Longest()).name):
        doc = unchaff.extract(html, url=url, technique=technique)
        assert doc.technique == "longest-paragraph" and doc.text.startswith("The coast guard has suggested a third way") and doc.text.count("\n") == 1
        assert json.loads(doc.json())["technique"] == "longest-paragraph"
    both = unchaff.detect(html, url=url, technique=Both())
    assert both.shows == "menu" and {block.kind for block in both.blocks} == {"menu", "content"} and len(both.menu) == 6
    docs = list(unchaff.extract_many(site_pages * 10, technique=Longest(), jobs=2))
    assert len(docs) == 90 and docs[0].text == docs[9].text == unchaff.extract(html, technique=Longest()).text
    assert "longest-paragraph" in [technique.name for technique in unchaff.techniques()]
    with pytest.raises(KeyError, match="no such thing"):
        unchaff.extract(html, technique=Broken())
    assert isinstance(next(unchaff.extract_many([html], technique=Broken())).error, KeyError)


def test_what_a_technique_may_not_do(site_pages: Pages) -> None:
    elsewhere = unchaff.Page("<p>Another page").select("p")

    def returns(found: object) -> unchaff.Technique:
        class Odd(unchaff.Technique):
            name = "odd"

            def detect(self, page: unchaff.Page) -> list[unchaff.Element]:
                return found  # type: ignore[return-value]

        return Odd()

    for found, error in ((7, TypeError), (["p"], TypeError), (elsewhere, unchaff.OptionError), ({"meal": []}, unchaff.OptionError)):
        with pytest.raises(error):
            unchaff.extract(site_pages[0][1], technique=returns(found))
    with pytest.raises(unchaff.OptionError, match="auto already"):
        unchaff.register(type("Auto", (Longest,), {"name": "auto"})())
    with pytest.raises(TypeError):
        unchaff.register("auto")  # type: ignore[type-var]
    with pytest.raises(unchaff.OptionError):
        unchaff.extract("<p>Rain", technique=Longest(), site=site_pages)


def test_a_technique_written_in_python_in_the_workbench(tmp_path: Path, command: list[str]) -> None:
    """As a command that the workbench runs beside the engine's own."""
    import sys

    (tmp_path / "mine.py").write_text(
        "import unchaff\n\nclass Main(unchaff.Technique):\n    name = 'main'\n\n    def detect(self, page):\n        return page.select('main, article, p')\n"
    )
    marked = subprocess.run(
        [sys.executable, "-m", "unchaff.external", "mine:Main"], cwd=tmp_path, input=b"<p>It rained.<div>No.</div>", capture_output=True, check=True
    )
    assert b"<p data-unchaff=\"content\">" in marked.stdout or b"data-unchaff" in marked.stdout
    refused = subprocess.run([sys.executable, "-m", "unchaff.external", "mine:Nothing"], cwd=tmp_path, capture_output=True, input=b"", text=False)
    assert refused.returncode == 2 and b"mine:Nothing" in refused.stderr and b"Traceback" not in refused.stderr
    suite = REPOSITORY / "suite/pages"
    run = subprocess.run(
        [*command, "bench", "run", "--suite", str(suite), "--external", f"main={sys.executable} -m unchaff.external mine:Main", "--db", str(tmp_path / "r.db"), "--limit", "3"],
        cwd=tmp_path, capture_output=True, text=True,
    )
    assert run.returncode == 0, run.stderr
    assert "main" in run.stdout
