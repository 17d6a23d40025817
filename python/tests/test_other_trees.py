"""Nodes of an extraction are found again in the trees of other libraries, on all pages of the repository."""

from __future__ import annotations

import pytest
from conftest import PAGES

import unchaff

bs4 = pytest.importorskip("bs4")
lxml_html = pytest.importorskip("lxml.html")
parsel = pytest.importorskip("parsel")


def letters(text: str) -> str:
    return "".join(character for character in text if character.isalpha())


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
        if node.tag not in ("#text", "#comment"):
            assert piece[1 : 1 + len(node.tag)].lower() == node.tag or not piece.startswith("<") or piece == ""


def test_in_beautiful_soup_with_html5lib_every_node_is_found() -> None:
    soups = {source: bs4.BeautifulSoup(source, "html5lib") for source, _ in NODES}
    for source, node in NODES:
        found = node.find(soups[source])
        assert found is not None, node
        assert (found.name or "#text") == node.tag
        if not node.without and node.tag not in ("#text", "#comment"):
            assert letters(node.text) in letters(found.get_text()), node
            assert len(soups[source].select(node.css)) == 1, node.css


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
        assert letters(node.text) in letters("".join(element.itertext()))
        assert node.tag == "#text" or element.tag == node.tag
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
