"""The functions of the package."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, Union

from . import _engine, _technique
from ._engine import Extraction, Extractions, Extractor, SiteModel
from ._values import Clusters, Segmentation, TechniqueInfo

__all__ = ["cluster", "detect", "extract", "extract_many", "learn", "menu", "read", "read_warc", "segment", "techniques", "template"]

Html: TypeAlias = Union[str, bytes, bytearray, memoryview]
"""A page: text, or bytes in whatever charset."""
OnePage: TypeAlias = Union[Html, "tuple[object, Html]"]
"""A page, or a pair of its address (or None) and the page."""
Path: TypeAlias = Union[str, "os.PathLike[str]"]
Kind: TypeAlias = Literal["content", "template", "menu", "comments", "ads"]
Favor: TypeAlias = Literal["precision", "balanced", "recall"]
Part: TypeAlias = Literal["comments", "tables", "images", "links"]
Format: TypeAlias = Literal["markdown", "text", "html", "metadata"]
TechniqueLike: TypeAlias = Union[str, _technique.Technique, "type[_technique.Technique]"]
SiteLike: TypeAlias = Union[SiteModel, Path, Iterable[OnePage]]
Settings: TypeAlias = Mapping[str, object]

_default = Extractor()


def _extractor(
    technique: TechniqueLike | None,
    favor: Favor | None,
    include: Part | Iterable[Part] | None,
    exclude: Part | Iterable[Part] | None,
    settings: Settings | None,
    explain: bool,
    show: Kind | None,
    site: SiteLike | None,
) -> Extractor:
    if (technique, favor, include, exclude, settings, explain, show, site) == (None, None, None, None, None, False, None, None):
        return _default
    return Extractor(
        technique=technique,
        favor=favor,
        include=include,
        exclude=exclude,
        settings=None if settings is None else dict(settings),
        explain=explain,
        show=show,
        site=site,
    )


def extract(
    html: Html,
    *,
    url: object = None,
    charset: str | None = None,
    technique: TechniqueLike | None = None,
    favor: Favor | None = None,
    include: Part | Iterable[Part] | None = None,
    exclude: Part | Iterable[Part] | None = None,
    settings: Settings | None = None,
    explain: bool = False,
    site: SiteLike | None = None,
) -> Extraction:
    """Extracts what a page is about.

    >>> import unchaff
    >>> html = "<nav><a href=/>Home</a></nav><h1>Rain</h1><p>It rained <b>all day</b>, and then <a href=sun>the sun</a> came out.</p>"
    >>> doc = unchaff.extract(html, url="https://example.org/news/1")
    >>> print(doc)
    # Rain
    <BLANKLINE>
    It rained **all day**, and then [the sun](https://example.org/news/sun) came out.
    <BLANKLINE>
    >>> print(unchaff.extract(html, exclude="links").text)
    Rain
    <BLANKLINE>
    It rained all day, and then the sun came out.
    <BLANKLINE>

    Any ``str`` or bytes are a page, so there is always an answer; one in which nothing was found is false.

    - ``url``: the page's address, against which its links are resolved.
    - ``charset``: the charset of bytes, if you know better than the page; by default as browsers tell it. Text has none.
    - ``technique``: how to find the content, by name (``unchaff.techniques()``), or a technique of your own. Default: auto.
    - ``favor``: "precision" to take nothing that is no content, "recall" to leave nothing of it out.
    - ``include``, ``exclude``: comments, tables, images or links to take, or leave out, whatever the technique says.
    - ``settings``: parameters of the technique.
    - ``explain``: keep what led to the result, in ``doc.explanation``.
    - ``site``: what is known about the page's site (``unchaff.learn``), or other pages of it.
    """
    extractor = _extractor(technique, favor, include, exclude, settings, explain, None, site)
    return extractor.extract(html, url=url, charset=charset)


def menu(html: Html, *, url: object = None, charset: str | None = None, technique: TechniqueLike | None = None) -> Extraction:
    """Finds the main menu of a page. As text it is its entries, as Markdown nested lists; ``menu`` has it as a tree.

    >>> import unchaff
    >>> html = "<body><ul class=menu><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/town>Town</a></ul><p>It rained all day.</p></body>"
    >>> [item.text for item in unchaff.menu(html).menu]
    ['Home', 'News', 'Town']
    """
    return _extractor(technique, None, None, None, None, False, "menu", None).extract(html, url=url, charset=charset)


def template(
    html: Html, *, url: object = None, charset: str | None = None, technique: TechniqueLike | None = None, site: SiteLike | None = None
) -> Extraction:
    """Finds what a page shares with the others of its site; without ``site`` that is a guess."""
    return _extractor(technique, None, None, None, None, False, "template", site).extract(html, url=url, charset=charset)


def detect(
    html: Html,
    *,
    technique: TechniqueLike,
    url: object = None,
    charset: str | None = None,
    settings: Settings | None = None,
    explain: bool = False,
    site: SiteLike | None = None,
) -> Extraction:
    """Applies any technique to a page; what it is looking for is told by ``doc.shows``.

    A technique that compares pages needs them: as ``site``, pairs of address and page, or a folder, list or archive.

    >>> import unchaff
    >>> def page(name, main):
    ...     html = f"<ul><li><a href=/a>A</a><li><a href=/b>B</a><li><a href=/c>C</a></ul><main>{main}</main>"
    ...     return f"https://example.org/{name}", html
    >>> site = [page("a", "<p>Rain.</p>"), page("b", "<h2>Sun</h2>"), page("c", "<ol><li>Snow</ol>")]
    >>> doc = unchaff.detect(site[0][1], url=site[0][0], technique="temex", site=site)
    >>> doc.shows, "Rain" in doc.text
    ('template', False)
    """
    return _extractor(technique, None, None, None, settings, explain, None, site).extract(html, url=url, charset=charset)


def extract_many(
    pages: Iterable[OnePage],
    *,
    jobs: int | None = None,
    formats: Sequence[Format] = ("markdown",),
    charset: str | None = None,
    technique: TechniqueLike | None = None,
    favor: Favor | None = None,
    include: Part | Iterable[Part] | None = None,
    exclude: Part | Iterable[Part] | None = None,
    settings: Settings | None = None,
    show: Kind | None = None,
    site: SiteLike | None = None,
) -> Extractions:
    """Extracts from many pages on several threads, in order, however many they are.

    >>> import unchaff
    >>> pages = ((f"https://example.org/{n}", f"<h1>Day {n}</h1><p>It rained on day {n}, all day long.") for n in range(1, 4))
    >>> for doc in unchaff.extract_many(pages, jobs=2):
    ...     print(doc.url, doc.text.split()[1])
    https://example.org/1 1
    https://example.org/2 2
    https://example.org/3 3

    ``pages`` is any iterable of pages, or of pairs of address and page. No more than some pages a thread are held at a time. A page
    that cannot be worked on is an item like the others that holds its ``error``.

    - ``jobs``: how many threads. Default: one per core.
    - ``formats``: what the threads make of each page ahead of time, of markdown, text, html and metadata. The rest is made when it is asked for.

    The other options are those of ``extract``. An extraction holds its page; to keep many, keep ``doc.markdown``, or ``doc.detach()``.
    """
    extractor = _extractor(technique, favor, include, exclude, settings, False, show, site)
    return _engine.extract_many(extractor, pages, charset, list(formats), jobs)


def read(
    source: Path | Iterable[Path],
    *,
    jobs: int | None = None,
    formats: Sequence[Format] = ("markdown",),
    base_url: object = None,
    charset: str | None = None,
    max_bytes: int = 512_000_000,
    timeout: float = 30,
    technique: TechniqueLike | None = None,
    favor: Favor | None = None,
    include: Part | Iterable[Part] | None = None,
    exclude: Part | Iterable[Part] | None = None,
    settings: Settings | None = None,
    show: Kind | None = None,
    site: SiteLike | None = None,
) -> Extractions:
    """Extracts from the pages of a source: a file, a folder (with all below it), a web archive, a zip archive of pages or web archives (WACZ), JSON lines, a list of
    files with their addresses, a web address, or several of these. Archives and JSON lines are known by their first bytes, packed with gzip or not, and read as they go.

    A line of JSON has ``html``, or ``path`` or ``file`` (of a file beside it), or ``url`` alone, which is fetched; ``url`` is the address, and all other fields are in ``doc.given``.

    - ``base_url``: the address that a mirrored folder stands for, so that its pages have addresses.
    - ``max_bytes``, ``timeout``: the most bytes of a page, and the seconds that fetching one may take.

    The other options are those of ``extract_many``. ``doc.input`` tells what a page was read from; what cannot be read is an item
    with its ``error``.
    """
    extractor = _extractor(technique, favor, include, exclude, settings, False, show, site)
    return _engine.read(extractor, source, base_url, charset, max_bytes, timeout, list(formats), jobs, False)


def read_warc(
    archive: Path,
    *,
    jobs: int | None = None,
    formats: Sequence[Format] = ("markdown",),
    charset: str | None = None,
    max_bytes: int = 512_000_000,
    technique: TechniqueLike | None = None,
    favor: Favor | None = None,
    include: Part | Iterable[Part] | None = None,
    exclude: Part | Iterable[Part] | None = None,
    settings: Settings | None = None,
    show: Kind | None = None,
    site: SiteLike | None = None,
) -> Extractions:
    """Extracts from the pages of a web archive (WARC), packed or not, as it is read. Options are those of ``read``.

    What is wrong with the archive itself is told as a Python warning, and the rest is read.
    """
    extractor = _extractor(technique, favor, include, exclude, settings, False, show, site)
    return _engine.read(extractor, archive, None, charset, max_bytes, 30, list(formats), jobs, True)


def learn(pages: Iterable[OnePage] | Path, *, jobs: int | None = None) -> SiteModel:
    """Learns a site from its pages: pairs of address and page, or a folder, list or archive of one site.

    >>> import unchaff
    >>> def page(name, text):
    ...     html = f"<nav><a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a></nav><p>{text}</p>"
    ...     return f"https://example.org/{name}", html
    >>> pages = [page("a", "It rained all day."), page("b", "Then the sun came out."), page("c", "Snow fell in the night.")]
    >>> site = unchaff.learn(pages)
    >>> print(site.extract(pages[0][1], url=pages[0][0]).text.strip())
    It rained all day.
    >>> unchaff.SiteModel.from_bytes(bytes(site)) == site
    True

    A model is of a sample of at most 64 pages, whatever their order; so a stream of any length can be learned from, and two models
    that were learned apart can be merged.
    """
    return _engine.learn(pages, jobs)


def cluster(
    pages: Iterable[OnePage],
    *,
    distance: str = "tag-shingles",
    method: Literal["single-linkage", "k-median", "stream"] = "single-linkage",
    threshold: float | None = None,
    k: int | None = None,
    exact: bool = False,
    jobs: int | None = None,
) -> Clusters:
    """Finds which pages share a template: clusters of pages that are built alike, whatever they say.

    >>> import unchaff
    >>> article = "<header><h1>{0}</h1></header><main><p>{0}<p>{0}</main><footer><p>us</footer>"
    >>> listing = "<div><form><input></form></div><table><tr><td>{0}<td>{0}<tr><td>{0}</table>"
    >>> pages = [template.format(word) for template in (article, listing) for word in ("rain", "sun", "snow")]
    >>> unchaff.cluster(pages).labels
    [0, 0, 0, 1, 1, 1]
    """
    return _engine.cluster(pages, distance, method, threshold, k, exact, jobs)


def segment(
    html: Html,
    *,
    boxes: Mapping[str, Any] | str | None = None,
    browser: bool = False,
    technique: str | None = None,
    settings: Settings | None = None,
    url: object = None,
    charset: str | None = None,
) -> Segmentation:
    """Finds the parts that a person sees on a page.

    >>> import unchaff
    >>> parts = unchaff.segment("<body><div><p>One day</p><p>Two days</p></div><div><ul><li><a href=/>Home</a></ul></div></body>")
    >>> parts.technique, [part.text.strip() for part in parts][0].split()[0]
    ('dom-blocks', 'One')

    - ``boxes``: where things stand, as ``unchaff segment --format boxes`` writes it: a dictionary, or its JSON.
    - ``browser``: have the page rendered by Chromium or Chrome, if it is on this machine. What the page refers to is not loaded.
    - ``technique``: by default segments-auto if there are boxes, else dom-blocks, which looks at the tree alone.
    """
    given = boxes if boxes is None or isinstance(boxes, str) else json.dumps(boxes)
    return _engine.segment(html, url, charset, given, browser, technique, None if settings is None else dict(settings))


def techniques() -> list[TechniqueInfo]:
    """All techniques, with where they were published and their parameters; those of your own that are registered come last.

    >>> import unchaff
    >>> next(technique for technique in unchaff.techniques() if technique.name == "ccb").finds
    'content'
    """
    own = [
        TechniqueInfo(
            technique.name, technique.kind, "page", (type(technique).__doc__ or "").strip().split("\n")[0], "registered in Python", ""
        )
        for technique in _technique.registered()
    ]
    return [*_engine.technique_list(), *own]
