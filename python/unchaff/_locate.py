"""Finds a node of an extraction again in a tree that another library has built of the same page.

BeautifulSoup with html5lib builds the tree of the HTML standard, which is ours: there the path decides. libxml2 (lxml, parsel) builds other trees
of pages with faults and never adds a ``tbody``; there an XPath is tried, then elements of the same name, and the text has to be the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._values import Node

_STEP = re.compile(r"(?P<name>.*?)(?::nth-of-type\((?P<rank>\d+)\))?$", re.DOTALL)
_ESCAPE = re.compile(r"\\([0-9a-f]{1,6}) |\\(.)", re.DOTALL)


def _unescaped(name: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[2], name)


def _quoted(text: str) -> str:
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    return "concat(" + ", \"'\", ".join(f"'{part}'" for part in text.split("'")) + ")"


def xpath(css: str) -> str:
    """The XPath of one of our own CSS paths."""
    out = ""
    for step in re.split(r"(?<!\\) > ", css):
        if step.startswith("#"):
            out = f"//*[@id={_quoted(_unescaped(step[1:]))}]"
            continue
        found = _STEP.match(step)
        assert found is not None
        name, rank = _unescaped(found["name"]), found["rank"]
        # Names with a colon or the like are no names of XPath.
        test = name if re.fullmatch(r"[A-Za-z_][\w.-]*", name) else f"*[local-name()={_quoted(name)}]"
        out += f"/{test}" + (f"[{rank}]" if rank else "")
    return out or "/"


def _letters(text: str) -> str:
    # Not digits, which lists are numbered with, nor signs, which lists and tables are written with.
    return "".join(character for character in text if character.isalpha())


def find(node: Node, tree: Any) -> Any:
    """The element of a node in a tree of BeautifulSoup, lxml or parsel."""
    if hasattr(tree, "contents") and hasattr(tree, "descendants"):
        return _in_soup(node, tree)
    if hasattr(tree, "root") and hasattr(tree, "xpath") and not hasattr(tree, "tag"):
        return _in_parsel(node, tree)
    if hasattr(tree, "getroot"):
        tree = tree.getroot()
    if hasattr(tree, "xpath") and hasattr(tree, "tag"):
        return _first(node, _lxml_candidates(node, tree), _lxml_text)
    raise TypeError(f"a tree is of BeautifulSoup, lxml or parsel, not {type(tree).__name__}")


def _first(node: Node, candidates: Iterable[Any], text: Any) -> Any:
    """The first candidate that has the node's text. Of text and of what has pieces taken out, the text must be in it."""
    wanted = _letters(node.text)
    whole = node.tag != "#text" and not node.without
    for candidate in candidates:
        letters = _letters(text(candidate))
        if letters == wanted or (not whole and wanted in letters):
            return candidate
    return None


def _in_soup(node: Node, soup: Any) -> Any:
    at = soup
    for step in node.path.strip("/").split("/"):
        contents = getattr(at, "contents", None)
        if contents is None or not step or int(step) >= len(contents):
            return None
        at = contents[int(step)]
    name = getattr(at, "name", None) or "#text"
    return at if name == node.tag else None


def _lxml_candidates(node: Node, root: Any) -> Iterator[Any]:
    path = node.xpath
    yield from root.getroottree().xpath(path)
    yield from root.getroottree().xpath(re.sub(r"/tbody(\[\d+\])?", "", path))
    if node.tag != "#text":
        yield from root.iter(node.tag)


def _lxml_text(element: Any) -> str:
    from lxml import etree

    unread = {"script", "style", "template", "noscript"}
    pieces: list[str] = []
    for event, at in etree.iterwalk(element, events=("start", "end")):
        is_read = isinstance(at.tag, str) and at.tag not in unread
        if event == "start" and is_read and at.text:
            pieces.append(at.text)
        if event == "end" and at is not element and at.tail:
            pieces.append(at.tail)
    return "".join(pieces)


def _in_parsel(node: Node, selector: Any) -> Any:
    found = _first(node, _lxml_candidates(node, selector.root), _lxml_text)
    if found is None:
        return None
    # parsel makes a selector of an element by its place in the document.
    return selector.xpath(found.getroottree().getpath(found))[0]
