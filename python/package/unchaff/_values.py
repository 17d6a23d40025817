"""What the engine says, as values of Python. The functions at the end make them of the engine's JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from . import _locate

__all__ = [
    "Block", "Cluster", "Clusters", "Comment", "Explanation", "MenuItem", "Metadata", "Node", "Notice", "Parameter", "Row", "Segment", "Segmentation",
    "SegmentNode", "TechniqueInfo", "Value",
]


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a page's metadata, and where on the page it stands."""

    value: str
    source: str

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says about itself.

    >>> import unchaff
    >>> page = '<html lang=en><title>Rain</title><meta name=author content="Ines Okafor"><p>It rained all day.'
    >>> metadata = unchaff.extract(page).metadata
    >>> metadata.title, metadata.author, metadata.language, metadata.date
    ('Rain', 'Ines Okafor', 'en', None)
    >>> metadata.values["title"].source
    'html'
    """

    values: dict[str, Value]
    """All values by name, with where they stand; the first of several authors."""
    authors: list[str]
    """Who wrote it."""

    def _get(self, name: str) -> str | None:
        value = self.values.get(name)
        return value.value if value else None

    @property
    def title(self) -> str | None:
        """The title of what the page is about."""
        return self._get("title")

    @property
    def author(self) -> str | None:
        """Who wrote it; several with semicolons between them."""
        return "; ".join(self.authors) or None

    @property
    def date(self) -> str | None:
        """When it was published, or if that is not known, modified; ISO 8601."""
        return self.published or self.modified

    @property
    def published(self) -> str | None:
        """When it was published; ISO 8601."""
        return self._get("published")

    @property
    def modified(self) -> str | None:
        """When it was changed; ISO 8601."""
        return self._get("modified")

    @property
    def language(self) -> str | None:
        """Its language, as a BCP 47 tag."""
        return self._get("language")

    @property
    def site_name(self) -> str | None:
        """What the site calls itself."""
        return self._get("site_name")

    @property
    def description(self) -> str | None:
        """What it is about, in a sentence or two."""
        return self._get("description")

    @property
    def image(self) -> str | None:
        """The address of its picture."""
        return self._get("image")

    @property
    def canonical(self) -> str | None:
        """The address that it wants to be known by."""
        return self._get("canonical")

    @property
    def kind(self) -> str | None:
        """What kind of page it is, such as article."""
        return self._get("kind")

    def as_dict(self) -> dict[str, str | list[str]]:
        """Everything that is known, by name: strings, and ``authors`` as a list."""
        values: dict[str, str | list[str]] = {name: value.value for name, value in self.values.items() if name != "author"}
        return {**values, "authors": list(self.authors)} if self.authors else values


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a block. It stands for all that is below it, except for what is listed in ``without``."""

    path: str
    """Positions among all children, from the document down: ``/1/1/0``."""
    css: str
    """A selector that matches this element alone; for text, its element."""
    tag: str
    """The element's name, or ``#text``."""
    source: tuple[int, int]
    """Where it stands in the page as UTF-8: start and end in bytes."""
    text: str
    """Its text."""
    confidence: float | None = None
    """How sure the technique is of this part, if it can say."""
    without: list[str] = field(default_factory=list)
    """Paths of what is below it and not in the block."""

    @property
    def xpath(self) -> str:
        """An XPath that finds this element; for text, its element.

        >>> import unchaff
        >>> doc = unchaff.extract("<body><nav><a href=/>Home</a></nav><div id=story><p>It rained all day.</p></div>")
        >>> doc.blocks[0].nodes[0].css, doc.blocks[0].nodes[0].xpath
        ('#story', "//*[@id='story']")
        """
        return _locate.xpath(self.css)

    def find(self, tree: Any) -> Any:
        """The same element in a tree of another library: BeautifulSoup, lxml or parsel; None if it is not there.

        Found with certainty where the tree is that of the HTML standard (``BeautifulSoup(html, "html5lib")``); libxml2, which
        lxml and parsel use, builds other trees of pages with faults, so there what is found has to have the node's text.
        """
        return _locate.find(self, tree)


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a page and what it is: content, template, menu, comments or ads."""

    kind: str
    nodes: list[Node]
    confidence: float | None = None
    """How far to trust it, 0 to 1, if the technique can say."""

    @property
    def text(self) -> str:
        """The texts of its nodes."""
        return "\n".join(node.text.strip("\n") for node in self.nodes)


@dataclass(frozen=True, slots=True)
class MenuItem:
    """An entry of a menu."""

    text: str
    url: str | None
    """Where it leads; None for a heading that is no link."""
    items: list[MenuItem] = field(default_factory=list)
    """The entries of its sub-menu."""


@dataclass(frozen=True, slots=True)
class Comment:
    """What one reader wrote about a page."""

    author: str | None
    date: str | None
    """ISO 8601 where that can be read, else as it stands on the page."""
    text: str
    depth: int = 0
    """How many comments it answers, one answering the other."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that the user should know: a short, stable name and a sentence."""

    code: str
    message: str

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Row:
    """What was computed for one node."""

    path: str
    tag: str
    values: list[float]
    remark: str = ""
    why: str = ""
    """What speaks for it and against it, if the technique can say."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What led to a result."""

    columns: list[str]
    rows: list[Row]
    notes: list[str]
    threshold: float | None = None
    """From which value of the first column on nodes are taken, if that decides."""


@dataclass(frozen=True, slots=True)
class SegmentNode:
    """A node of a segment: its position in document order, and its path."""

    node: int
    path: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a page that a person sees as one."""

    text: str
    nodes: list[SegmentNode]
    kind: str | None = None
    """What it is for, if that is known."""
    box: tuple[int, int, int, int] | None = None
    """Left, top, right and bottom, if the page was rendered."""
    level: int = 1
    """1 for the areas of the page, 2 for their parts, and so on."""
    parent: int | None = None
    """The segment that it is a part of, by its position in the list; None for areas."""
    coherence: float | None = None
    """The degree of coherence, from 1 to 10, if the technique has one."""


@dataclass(frozen=True, slots=True)
class Segmentation:
    """The parts that a person sees on a page, each before its own parts."""

    technique: str
    segments: list[Segment]
    width: int | None = None
    height: int | None = None
    unclustered: int = 0
    """How many lines of text and images are in no segment."""
    notes: list[str] = field(default_factory=list)

    def __iter__(self) -> Iterator[Segment]:
        return iter(self.segments)

    def __len__(self) -> int:
        return len(self.segments)


@dataclass(frozen=True, slots=True)
class Cluster:
    """Pages that are built alike."""

    pages: list[int]
    """Their positions among the pages that were given."""
    urls: list[str | None]
    """Their addresses."""
    representative: int
    """The position of the page that stands for them."""
    spread: float
    """The mean distance of its pages to that one."""

    def __len__(self) -> int:
        return len(self.pages)


@dataclass(frozen=True, slots=True)
class Clusters:
    """Which pages share a template."""

    labels: list[int]
    """For every page that was given, the position of its cluster in ``clusters``."""
    clusters: list[Cluster]
    """The clusters, the largest first."""
    threshold: float | None
    """The distance up to which pages belong together, unless their number was given."""
    exact: bool
    """Whether all pairs were compared."""

    def __iter__(self) -> Iterator[Cluster]:
        return iter(self.clusters)

    def __len__(self) -> int:
        return len(self.clusters)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a technique, for ``settings``."""

    name: str
    default: str
    takes: str
    meaning: str


@dataclass(frozen=True, slots=True)
class TechniqueInfo:
    """What is known about a technique."""

    name: str
    finds: str
    """content, template, menu, comments, ads or segments."""
    needs: str
    """page, site (other pages) or boxes (a rendered page)."""
    summary: str
    source: str
    """Where it was published."""
    cost: str
    is_default: bool = False
    parameters: list[Parameter] = field(default_factory=list)


def metadata(text: str) -> Metadata:
    found = json.loads(text)
    authors = found.pop("author", None) or []
    values = {name: Value(**value) for name, value in found.items() if isinstance(value, dict) and value.keys() == {"value", "source"}}
    if authors:
        values["author"] = Value(**authors[0])
    return Metadata(values, [author["value"] for author in authors])


def blocks(text: str) -> list[Block]:
    def node(found: dict[str, Any]) -> Node:
        start, end = found.pop("source")
        return Node(source=(start, end), **found)

    return [
        Block(block["kind"], [node(found) for found in block["nodes"]], block.get("confidence")) for block in json.loads(text)
    ]


def menu(text: str) -> list[MenuItem]:
    def item(found: dict[str, Any]) -> MenuItem:
        return MenuItem(found["text"], found["url"], [item(below) for below in found.get("items", [])])

    return [item(found) for found in json.loads(text)]


def comments(text: str) -> list[Comment]:
    return [Comment(**found) for found in json.loads(text)]


def warnings(text: str) -> list[Notice]:
    return [Notice(**found) for found in json.loads(text)]


def given(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    return found


def explanation(text: str) -> Explanation:
    found = json.loads(text)["explanation"]
    return Explanation(found["columns"], [Row(**row) for row in found["rows"]], found["notes"], found.get("threshold"))


def segments(text: str) -> Segmentation:
    found = json.loads(text)

    def segment(part: dict[str, Any]) -> Segment:
        box = tuple(part["box"]) if "box" in part else None
        nodes = [SegmentNode(node["node"], node["path"]) for node in part["nodes"]]
        return Segment(part["text"], nodes, part.get("kind"), box, part["level"], part.get("parent"), part.get("coherence"))

    parts = [segment(part) for part in found["segments"]]
    width, height = found.get("width"), found.get("height")
    return Segmentation(found["technique"], parts, width, height, found.get("unclustered", 0), found.get("notes", []))


def clusters(text: str) -> Clusters:
    found = json.loads(text)
    members: list[list[int]] = [[] for _ in found["representatives"]]
    for page, label in enumerate(found["labels"]):
        members[label].append(page)
    by_size = sorted(range(len(members)), key=lambda label: -len(members[label]))
    rank = {label: at for at, label in enumerate(by_size)}
    made = [
        Cluster(members[label], [found["urls"][page] for page in members[label]], found["representatives"][label], found["spread"][label])
        for label in by_size
    ]
    return Clusters([rank[label] for label in found["labels"]], made, found["threshold"], found["exact"])


def techniques(text: str) -> list[TechniqueInfo]:
    def technique(found: dict[str, Any]) -> TechniqueInfo:
        return TechniqueInfo(**{**found, "parameters": [Parameter(**parameter) for parameter in found["parameters"]]})

    return [technique(found) for found in json.loads(text)]


