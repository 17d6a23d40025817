"""Nodes of an extraction are found again in the trees of other libraries, on all pages of the repository."""

from __future__ import annotations

import html
import re

import pytest
from conftest import PAGES

import unchaff

bs4 = pytest.importorskip("bs4")
lxml_html = pytest.importorskip("lxml.html")
parsel = pytest.importorskip("parsel")


# Elements that the standard has where the source says nothing.
IMPLIED = {"tbody", "colgroup", "tr", "html", "head", "body"}


def letters(text: str) -> str:
    return "".join(character for character in text if character.isalpha())


def has(text: str, wanted: str) -> bool:
    """Whether a text has the letters of another, in their order."""
    rest = iter(letters(text))
    return all(letter in rest for letter in letters(wanted))


def nodes() -> list[tuple[str, unchaff.Node]]:
    """Of every page its text, and the nodes of content, template and menu."""
    found = []
    for path in PAGES:
        page = unchaff.Page(path.read_bytes())
        for technique in ("auto", "template-page", "menu-auto"):
            doc = unchaff.detect(page.source, technique=technique)
            found += [(page.source, node) for block in doc.blocks for node in block.nodes]
    return found


NODES = nodes()


def test_there_are_nodes_enough() -> None:
    assert len(NODES) > 1000 and len({node.tag for _, node in NODES}) > 10


def test_source_ranges_are_those_of_the_text() -> None:
    for source, node in NODES:
        piece = source.encode()[node.source[0] : node.source[1]].decode()
        if node.tag == "#text":
            # Text that stands in a table is moved before it, to the text that is there: then the tag is between the two.
            assert letters(node.text) == letters(html.unescape(re.sub("<[^>]*>", "", piece)))
        elif not node.tag.startswith("#") and node.tag not in IMPLIED:
            # An end tag can make an element too, and the standard reads `image` as `img`.
            assert piece.lower().startswith((f"<{node.tag}", f"</{node.tag}", "<image")), piece


def test_in_beautiful_soup_with_html5lib_every_node_is_found() -> None:
    soups = {source: bs4.BeautifulSoup(source, "html5lib") for source, _ in NODES}
    for source, node in NODES:
        found = node.find(soups[source])
        assert found is not None, node
        assert (found.name or "#text") == node.tag
        assert has(found.get_text(), node.text), node
        if node.tag not in ("#text", "#comment"):
            assert soups[source].select(node.css) == [found], node.css


@pytest.mark.parametrize("library", ["lxml", "parsel"])
def test_in_lxml_and_parsel_what_is_found_is_the_same_and_nearly_all_is(library: str) -> None:
    trees = {source: lxml_html.document_fromstring(source) if library == "lxml" else parsel.Selector(source) for source, _ in NODES if source.strip()}
    wanted = [(source, node) for source, node in NODES if letters(node.text)]
    missed = []
    for source, node in wanted:
        found = node.find(trees[source])
        if found is None:
            missed.append(node)
            continue
        element = found if library == "lxml" else found.root
        assert has("".join(element.itertext()), node.text)
        # libxml2 adds no elements that are not in the source; then it is the one around.
        assert element.tag == node.tag or node.tag == "#text" or node.tag in IMPLIED
    assert len(missed) <= len(wanted) * 0.01, [node.css for node in missed[:10]]


def test_paths_of_our_own_as_xpath() -> None:
    page = "<body><div id=\"a'b\"><p>It rained.</p></div><div id='1\"'><p>Then</p></div><svg:x>odd</svg:x></body>"
    tree = lxml_html.document_fromstring(page)
    for element in unchaff.Page(page).select("p"):
        node = unchaff.Node(element.path, element.css, element.tag, element.source, element.text)
        [found] = tree.getroottree().xpath(node.xpath)
        assert found.text == element.text and node.find(tree) is found
    with pytest.raises(TypeError, match="BeautifulSoup, lxml or parsel, not int"):
        node.find(7)
