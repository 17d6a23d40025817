"""Columns of pages in, columns of extractions out: what data frames, Arrow and clusters of machines need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal, TypeAlias

from ._api import Favor, Part, Settings, SiteLike, TechniqueLike, extract_many
from ._engine import Extraction
from ._errors import OptionError

__all__ = ["COLUMNS", "Column", "extract_columns"]

Column: TypeAlias = Literal[
    "url", "title", "author", "date", "language", "site_name", "description", "markdown", "text", "html", "confidence", "warnings", "error"
]

COLUMNS: Final[tuple[Column, ...]] = (
    "url", "title", "author", "date", "language", "site_name", "description", "markdown", "confidence", "warnings", "error"
)
"""The columns that come out if nobody says."""

_METADATA = frozenset({"title", "author", "date", "language", "site_name", "description"})
_RENDERED = frozenset({"markdown", "text", "html"})
_KNOWN = _METADATA | _RENDERED | {"url", "confidence", "warnings", "error"}


def extract_columns(
    html: Iterable[Any],
    url: Iterable[Any] | None = None,
    *,
    columns: Iterable[Column] = COLUMNS,
    jobs: int | None = None,
    technique: TechniqueLike | None = None,
    favor: Favor | None = None,
    include: Part | Iterable[Part] | None = None,
    exclude: Part | Iterable[Part] | None = None,
    settings: Settings | None = None,
    site: SiteLike | None = None,
) -> dict[str, list[Any]]:
    """Extracts from a column of pages, with their addresses in another; returns columns by name.

    >>> import unchaff
    >>> pages = ["<title>Rain</title><p>It rained all day.", None, "<title>Sun</title><p>Then the sun came out."]
    >>> columns = unchaff.extract_columns(pages, columns=["title", "text", "error"])
    >>> columns["title"]
    ['Rain', None, 'Sun']
    >>> columns["error"]
    [None, 'there is no page', None]

    Made for data frames: ``pd.DataFrame(unchaff.extract_columns(df["html"], df["url"]))`` and the same with polars. A row that
    cannot be done has its ``error`` and is empty otherwise.

    - ``columns``: which, of url, title, author, date, language, site_name, description, markdown, text, html, confidence, warnings (a
      list of their names) and error. Default: all but text and html.
    """
    names: list[str] = list(columns)
    unknown = [name for name in names if name not in _KNOWN]
    if unknown:
        raise OptionError(f"there is no column `{unknown[0]}`; there are {', '.join(sorted(_KNOWN))}")
    formats: list[Any] = [name for name in names if name in _RENDERED]
    if _METADATA.intersection(names):
        formats.append("metadata")
    out: dict[str, list[Any]] = {name: [] for name in names}
    rows: list[tuple[str | None, bool]] = []
    options: dict[str, Any] = {
        "technique": technique, "favor": favor, "include": include, "exclude": exclude, "settings": settings, "site": site,
    }
    docs = extract_many(_pages(html, url, rows), jobs=jobs, formats=formats, **options)
    for (address, is_missing), doc in _beside(rows, docs):
        error = "there is no page" if is_missing else None if doc.error is None else str(doc.error)
        for name, column in out.items():
            column.append(address if name == "url" else _cell(doc, name, error))
    return out


def _beside(rows: list[tuple[str | None, bool]], docs: Iterable[Extraction]) -> Iterator[tuple[tuple[str | None, bool], Extraction]]:
    # The rows grow while the extractions are asked for.
    for at, doc in enumerate(docs):
        yield rows[at], doc


def _pages(html: Iterable[Any], url: Iterable[Any] | None, rows: list[tuple[str | None, bool]]) -> Iterator[tuple[str | None, Any]]:
    """Pages with their addresses; what is missing is None, or in data frames also a number that is none (NaN)."""
    addresses = iter(url) if url is not None else None
    for page in html:
        address = next(addresses, None) if addresses is not None else None
        known = str(address) if address is not None and address == address else None
        is_missing = page is None or page != page
        rows.append((known, is_missing))
        yield known, "" if is_missing else page


def _cell(doc: Extraction, name: str, error: str | None) -> Any:
    if name == "error":
        return error
    if error is not None:
        return [] if name == "warnings" else None
    if name == "warnings":
        return [warning.code for warning in doc.warnings]
    return getattr(doc.metadata if name in _METADATA else doc, name)


