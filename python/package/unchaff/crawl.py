"""A crawl of any size, over batches of Arrow: what Spark, Daft, Ray and Dask call. Needs pyarrow: ``pip install unchaff[arrow]``.

Templates are learned once for each site and then applied to all of its pages, in two passes over the pages, neither of which moves them:

1. ``sketch_batches`` makes of pages small rows, a model of what was seen of each site; ``merge_batches`` makes one of all of a site. Merging may be done in
   any order and in any number of steps, and always gives the same bytes.
2. ``extract_batches`` makes a row of each page, with the model of its site from a ``Models``.

Where the addresses are known before the pages are read (an index of a crawl, a column of a table), ``order_batches``, ``merge_orders`` and ``Sample`` choose
the pages to learn from by their addresses, so that no others are looked at in the first pass.

>>> import pyarrow as pa
>>> from unchaff import crawl
>>> def page(name, text):
...     html = f"<nav><a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a></nav><p>{text}</p>"
...     return {"url": f"https://example.org/{name}", "html": html}
>>> pages = pa.RecordBatch.from_pylist([page("a", "It rained all day."), page("b", "Then the sun came out."), page("c", "Snow fell in the night.")])
>>> sketches = list(crawl.sketch_batches([pages.slice(0, 1)])) + list(crawl.sketch_batches([pages.slice(1)]))
>>> merged = list(crawl.merge_batches(sketches))
>>> [(row["site"], row["pages"]) for row in merged[0].to_pylist()]
[('example.org', 3)]
>>> [out] = crawl.extract_batches([pages], crawl.Models.of(merged), format="text")
>>> out.column("text").to_pylist()
['It rained all day.\\n', 'Then the sun came out.\\n', 'Snow fell in the night.\\n']
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Literal, TypeAlias

import pyarrow as pa

from . import _engine
from ._engine import VERSION, Extractor, SiteModel
from ._errors import ModelError, OptionError, UnchaffError
from ._model_file import Models
from .arrow import _column

__all__ = [
    "MODELS",
    "MOST_PAGES",
    "ORDERS",
    "PAGES",
    "Models",
    "Sample",
    "Sites",
    "extract_batches",
    "merge_batches",
    "merge_orders",
    "order_batches",
    "result_schema",
    "site_of",
    "sketch_batches",
]

Sites: TypeAlias = str
"""How sites are told: ``"host"``, ``"domain"`` (registrable domain), or the name of a column that says it."""
RowFormat: TypeAlias = Literal["markdown", "text"]

MOST_PAGES: Final = 64
"""A model is of no more pages; of fewer, if you say so."""

PAGES: Final = pa.schema(
    [("url", pa.string()), ("charset", pa.string()), ("html", pa.binary()), ("file", pa.string()), ("error", pa.string())]
)
"""Pages as archives are read: address, charset that the server named, bytes, the archive; or what is wrong with the archive."""

MODELS: Final = pa.schema([("site", pa.string()), ("pages", pa.int32()), ("model", pa.binary()), ("by", pa.string())])
"""Sketches and models: the site, of how many pages, the bytes of a ``SiteModel``, and how sites were told."""

ORDERS: Final = pa.schema([("site", pa.string()), ("orders", pa.list_(pa.int64())), ("by", pa.string())])
"""The first pages of each site in the order of samples, by their numbers there."""

_HELD: Final = 4096
"""So many pages are held of all sites together before what was learned of them is handed on."""
_ROWS: Final = 64
"""Models in a batch: at some 100 kB each a few megabytes."""
_CACHED: Final = 64
"""Models that are kept ready for the next pages."""


def site_of(url: object, by: Sites = "host") -> str | None:
    """The site of an address, by ``"host"`` or by ``"domain"``; None if it is no web address.

    >>> from unchaff import crawl
    >>> crawl.site_of("https://news.example.co.uk/1"), crawl.site_of("https://news.example.co.uk/1", "domain"), crawl.site_of("rain")
    ('news.example.co.uk', 'example.co.uk', None)
    """
    return _engine.site_of(url, by)


def _name_of(by: Sites) -> Callable[[object, object], str | None]:
    if by in ("host", "domain"):
        return lambda url, _: None if url is None else _engine.site_of(url, by)
    return lambda _, given: None if given is None else str(given)


def _cells(batch: pa.RecordBatch, name: str | None, needed: bool = False) -> list[Any]:
    """The values of a column; as many times None if none is asked for, or if it is not needed and not there."""
    if name is None or not needed and name not in batch.schema.names:
        return [None] * batch.num_rows
    return _column(batch, name).to_pylist()  # type: ignore[no-any-return]


def _given(by: Sites) -> str | None:
    return None if by in ("host", "domain") else by


def _batches(rows: Iterable[dict[str, Any]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    held: list[dict[str, Any]] = []
    for row in rows:
        held.append(row)
        if len(held) == _ROWS:
            yield pa.RecordBatch.from_pylist(held, schema)
            held = []
    if held:
        yield pa.RecordBatch.from_pylist(held, schema)


class Sample:
    """Which pages are learned from, chosen by their addresses: up to which number in the order of samples, by site.

    Sites that have no more pages than are wanted need not be in it: all of their pages are learned from.
    """

    def __init__(self, last: dict[str, int]) -> None:
        self.last: dict[str, int] = last

    @staticmethod
    def of(batches: Iterable[pa.RecordBatch], most: int = MOST_PAGES) -> Sample:
        """The sample of what ``merge_orders`` returned."""
        wanted = _spare(most)
        last = {}
        for batch in batches:
            for site, orders in zip(_cells(batch, "site"), _cells(batch, "orders")):
                if len(orders) >= wanted:
                    last[site] = _unsigned(orders[-1])
        return Sample(last)

    def has(self, site: str, order: int) -> bool:
        """Whether a page of a site is in the sample."""
        return order <= self.last.get(site, order)


def _spare(most: int) -> int:
    """A quarter more than are kept: some cannot be read, or are empty."""
    return most + most // 4 + 1


def _signed(order: int) -> int:
    return order - (1 << 64) if order >= 1 << 63 else order


def _unsigned(order: int) -> int:
    return order % (1 << 64)


def _first(orders: Iterable[int], most: int) -> list[int]:
    return sorted(set(orders))[:most]


def order_batches(batches: Iterable[pa.RecordBatch], *, by: Sites = "host", url: str = "url", most: int = MOST_PAGES) -> Iterator[pa.RecordBatch]:
    """Batches with addresses in, the first pages of each site in the order of samples out (``ORDERS``); ``merge_orders`` merges them."""
    wanted, name_of = _spare(most), _name_of(by)
    found: dict[str, list[int]] = {}
    held = 0

    def rows() -> Iterator[dict[str, Any]]:
        for site, orders in found.items():
            yield {"site": site, "orders": [_signed(order) for order in _first(orders, wanted)], "by": by}

    for batch in batches:
        for address, given in zip(_cells(batch, url, needed=True), _cells(batch, _given(by), needed=True)):
            site = name_of(address, given)
            order = None if address is None else _engine.sample_order(address)
            if site is None or order is None:
                continue
            orders = found.setdefault(site, [])
            orders.append(order)
            held += 1
            if len(orders) >= 4 * wanted:
                held -= len(orders)
                orders[:] = _first(orders, wanted)
                held += len(orders)
        if held > 1 << 20:
            yield from _batches(rows(), ORDERS)
            found, held = {}, 0
    yield from _batches(rows(), ORDERS)


def merge_orders(batches: Iterable[pa.RecordBatch], *, most: int = MOST_PAGES) -> Iterator[pa.RecordBatch]:
    """Merges what ``order_batches`` returned. Rows of one site have to be next to each other, or all rows of it in one call are merged at its end."""
    wanted = _spare(most)

    def merged(rows: list[dict[str, Any]]) -> dict[str, Any]:
        orders = _first((_unsigned(order) for row in rows for order in row["orders"]), wanted)
        return {**rows[0], "orders": [_signed(order) for order in orders]}

    yield from _batches(map(merged, _groups(batches)), ORDERS)


def _groups(batches: Iterable[pa.RecordBatch]) -> Iterator[list[dict[str, Any]]]:
    """Rows that are next to each other and of one site."""
    rows: list[dict[str, Any]] = []
    for batch in batches:
        for row in batch.to_pylist():
            if rows and row["site"] != rows[0]["site"]:
                yield rows
                rows = []
            rows.append(row)
    if rows:
        yield rows


def sketch_batches(
    batches: Iterable[pa.RecordBatch],
    *,
    by: Sites = "host",
    html: str = "html",
    url: str = "url",
    charset: str = "charset",
    most: int = MOST_PAGES,
    sample: Sample | None = None,
) -> Iterator[pa.RecordBatch]:
    """Pages in, what is to be learned of them out (``MODELS``): a few kilobytes a page, and for each site at most so many pages.

    Pages without an address, and what is no page, are passed over; of a page that is not in the sample nothing but its address is looked at.

    - ``by``: how sites are told: ``"host"``, ``"domain"``, or the name of a column that says it.
    - ``most``: a model is of no more pages than this, and at most 64. ``sample`` tells beforehand which.
    """
    if not 1 <= most <= MOST_PAGES:
        raise OptionError(f"most is the number of pages that a model is of, from 1 to {MOST_PAGES}")
    name_of = _name_of(by)
    models: dict[str, SiteModel] = {}
    held = 0

    def rows() -> Iterator[dict[str, Any]]:
        for site, model in models.items():
            if model.pages:
                yield {"site": site, "pages": model.pages, "model": bytes(model), "by": by}

    for batch in batches:
        pages = _column(batch, html)
        for at, (address, given, told) in enumerate(zip(_cells(batch, url, needed=True), _cells(batch, _given(by), needed=True), _cells(batch, charset))):
            site = name_of(address, given)
            if site is None or address is None:
                continue
            if sample is not None:
                order = _engine.sample_order(address)
                if order is None or not sample.has(site, order):
                    continue
            model = models.setdefault(site, SiteModel())
            if not model.wants(address, most):
                continue
            page = pages[at].as_py()
            if page is None:
                continue
            before = model.pages
            try:
                model.add(page, url=address, charset=told)
            except UnchaffError:
                # It will be an error of the second pass too, which tells it.
                continue
            model.keep(most)
            held += model.pages - before
            if held >= _HELD:
                yield from _batches(rows(), MODELS)
                models, held = {}, 0
    yield from _batches(rows(), MODELS)


def merge_batches(batches: Iterable[pa.RecordBatch], *, most: int = MOST_PAGES) -> Iterator[pa.RecordBatch]:
    """Merges what was learned of the same sites: ``MODELS`` in, ``MODELS`` out.

    Rows of one site that are next to each other become one, whatever their order; so sort by site first. No more than one site is held.
    """

    def merged() -> Iterator[dict[str, Any]]:
        site: str | None = None
        by: str | None = None
        model = SiteModel()
        for batch in batches:
            columns = (_cells(batch, "site", needed=True), _cells(batch, "model", needed=True), _cells(batch, "by"))
            for name, data, how in zip(*columns):
                if name != site and site is not None:
                    yield {"site": site, "pages": model.pages, "model": bytes(model), "by": by}
                if name != site:
                    site, by, model = name, how, SiteModel()
                model.merge(SiteModel.from_bytes(data))
                model.keep(most)
        if site is not None:
            yield {"site": site, "pages": model.pages, "model": bytes(model), "by": by}

    yield from _batches(merged(), MODELS)


_FOUND: Final = (
    ("title", pa.string()),
    ("author", pa.string()),
    ("date", pa.string()),
    ("language", pa.string()),
    ("body", pa.string()),
    ("words", pa.int64()),
    ("content_ratio", pa.float64()),
    ("confidence", pa.float64()),
    ("template", pa.string()),
    ("technique", pa.string()),
    ("warnings", pa.list_(pa.string())),
    ("content_hash", pa.int64()),
    ("simhash", pa.int64()),
)
"""What `_engine.row` returns, in its order."""


def result_schema(format: RowFormat = "markdown", keep: pa.Schema | None = None) -> pa.Schema:
    """The columns of results.

    ==================  =====================================================================================================
    url, site           the address of the page and the site it was taken for
    status              ``ok``, ``empty`` if there is no content, ``error``
    title, author,      what the page says of itself, as in ``Metadata``
    date, language
    markdown or text    the content
    words               how many it has
    content_ratio       the part of the text of the page that is content, 0 to 1
    confidence          how far to trust it, 0 to 1
    site_pages          of how many pages the model of the site is; 0 if there is none, and the page was judged alone
    template            the name of the page's template among those of its site; null if no page of the sample has it
    technique, version  what found it
    warnings            names of what should be known
    content_hash        a hash of the words of the content: equal content has the same
    simhash             a SimHash of them: near-duplicates differ in few bits
    error               why there is nothing; all others are null then
    ==================  =====================================================================================================

    >>> from unchaff import crawl
    >>> crawl.result_schema("text").names[:8]
    ['url', 'site', 'status', 'title', 'author', 'date', 'language', 'text']
    """
    found = [(format if name == "body" else name, type) for name, type in _FOUND]
    own = [("url", pa.string()), ("site", pa.string()), ("status", pa.string()), *found, ("site_pages", pa.int32()), ("version", pa.string()), ("error", pa.string())]
    fields = [pa.field(name, type) for name, type in own]
    return pa.schema([*fields, *(keep or [])])


def extract_batches(
    batches: Iterable[pa.RecordBatch],
    models: Models,
    *,
    by: Sites | None = None,
    format: RowFormat = "markdown",
    html: str = "html",
    url: str = "url",
    charset: str = "charset",
    error: str = "error",
    keep: Iterable[str] = (),
    **options: Any,
) -> Iterator[pa.RecordBatch]:
    """Pages in, results out (``result_schema``), one row a page and in their order, with the models of their sites.

    A page of a site that has no model is judged alone. What is no page, or cannot be worked on, is a row with its ``error``. A row that comes with an
    ``error``, as archives that are cut off give, is handed on.

    - ``by``: how sites are told; by default as they were when they were learned.
    - ``format``: ``"markdown"`` or ``"text"``.
    - ``keep``: columns that are handed on as they are, behind the others.

    Other options are those of ``unchaff.extract``: ``favor``, ``include``, ``exclude``.
    """
    how = by or models.by or "host"
    name_of = _name_of(how)
    names = list(keep)
    extractors = _Extractors(models, options)
    for batch in batches:
        schema = result_schema(format, pa.schema([batch.schema.field(name) for name in names]))
        pages, addresses, given = _column(batch, html), _cells(batch, url), _cells(batch, _given(how), needed=True)
        told, wrongs = _cells(batch, charset), _cells(batch, error)
        sites = list(map(name_of, addresses, given))
        rows: list[tuple[Any, ...]] = [()] * batch.num_rows
        # Pages of one site one after the other, so that its model is made ready once and stays near.
        for at in sorted(range(batch.num_rows), key=lambda at: sites[at] or ""):
            page, wrong = pages[at].as_py(), wrongs[at]
            cells: tuple[Any, ...] = (None,) * len(_FOUND)
            known: int | None = None
            if wrong is None and page is None:
                wrong = "there is no page"
            if wrong is None:
                try:
                    extractor, known = extractors.of(sites[at])
                    cells = _engine.row(extractor, page, addresses[at], told[at], format)
                except (UnchaffError, TypeError) as failed:
                    wrong = str(failed)
            status = "error" if wrong is not None else "ok" if cells[5] else "empty"
            rows[at] = (addresses[at], sites[at], status, *cells, known, VERSION, wrong)
        own = [pa.array([row[at] for row in rows], field.type) for at, field in enumerate(schema) if at < len(schema) - len(names)]
        kept = [batch.column(batch.schema.get_field_index(name)) for name in names]
        yield pa.RecordBatch.from_arrays([*own, *kept], schema=schema)


class _Extractors:
    """Models that were asked for last, ready for use."""

    def __init__(self, models: Models, options: dict[str, Any]) -> None:
        self.models = models
        self.options = options
        self.alone = (Extractor(site=SiteModel(), **options), 0)
        self.cached: OrderedDict[str, tuple[Extractor, int]] = OrderedDict()

    def of(self, site: str | None) -> tuple[Extractor, int]:
        """What finds the content of pages of a site, and of how many pages its model is."""
        if site is None:
            return self.alone
        found = self.cached.get(site)
        if found is None:
            data = self.models.get(site)
            if data is None:
                return self.alone
            try:
                model = SiteModel.from_bytes(data)
            except ModelError as error:
                raise ModelError(f"{site}: {error}") from None
            found = (Extractor(site=model, **self.options), model.pages)
            self.cached[site] = found
            if len(self.cached) > _CACHED:
                self.cached.popitem(last=False)
        self.cached.move_to_end(site)
        return found
