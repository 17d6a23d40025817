"""Finds a node of an extraction again in a tree that another library has built of the same page.

BeautifulSoup with html5lib builds the tree of the HTML standard, which is ours: there the path decides. libxml2 (lxml, parsel) builds other trees
of pages with faults and never adds a ``tbody``; there an XPath is tried, then elements of the same name, and the text has to be there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
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
        return _in_lxml(node, tree)
    raise TypeError(f"a tree is of BeautifulSoup, lxml or parsel, not {type(tree).__name__}")


def _has(letters: str, wanted: str) -> bool:
    """Whether letters have those that are wanted, in their order: what was taken out of a node, and scripts, stand between them."""
    rest = iter(letters)
    return all(letter in rest for letter in wanted)


def _choice(node: Node, at_path: Iterable[Any], of_its_name: Iterable[Any], text: Callable[[Any], str]) -> Any:
    """The element at the node's path, if it has its text; else of those of its name that have it the one that has least besides."""
    wanted = _letters(node.text)
    for element in at_path:
        if _has(_letters(text(element)), wanted):
            return element
    if not wanted:
        return None
    found = [(len(letters), element) for element in of_its_name if _has(letters := _letters(text(element)), wanted)]
    return min(found, key=lambda pair: pair[0])[1] if found else None


def _in_soup(node: Node, soup: Any) -> Any:
    at = soup
    for step in node.path.strip("/").split("/"):
        contents = getattr(at, "contents", None)
        if contents is None or not step or int(step) >= len(contents):
            return None
        at = contents[int(step)]
    name = getattr(at, "name", None) or "#text"
    return at if name == node.tag else None


def _in_lxml(node: Node, root: Any) -> Any:
    path, tree = node.xpath, root.getroottree()
    without_tbody = re.sub(r"/tbody(\[\d+\])?", "", path)
    at_path = [*tree.xpath(path), *(tree.xpath(without_tbody) if without_tbody != path else [])]
    of_its_name = [] if node.tag.startswith("#") else root.iter(node.tag)
    return _choice(node, at_path, of_its_name, lambda element: "".join(element.itertext()))


def _in_parsel(node: Node, selector: Any) -> Any:
    found = _in_lxml(node, selector.root)
    if found is None:
        return None
    # parsel makes a selector of an element by its place in the document.
    return selector.xpath(found.getroottree().getpath(found))[0]
