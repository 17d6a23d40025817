"""Techniques that are written in Python."""

from __future__ import annotations

import abc
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, TypeVar

from ._errors import OptionError

if TYPE_CHECKING:
    from ._engine import Element, Page

__all__ = ["Technique", "register"]


class Technique(abc.ABC):
    """A technique of your own. It looks at one page and returns the elements that it takes, each with all that is below it.

    >>> import unchaff
    >>> class Paragraphs(unchaff.Technique):
    ...     name = "paragraphs"
    ...     def detect(self, page):
    ...         return [element for element in page.select("p") if element.words > 3 * element.link_words]
    >>> html = "<body><p><a href=/>Home page</a></p><p>It rained <b>all day</b>.</p></body>"
    >>> print(unchaff.extract(html, technique=Paragraphs()).text.strip())
    It rained all day.

    Registered, it is known by its name:

    >>> unchaff.register(Paragraphs())
    <Technique paragraphs>
    >>> unchaff.extract(html, technique="paragraphs").technique
    'paragraphs'

    To find several kinds of blocks at once, return them by kind: ``{"content": [...], "menu": [...]}``. It runs under Python's lock, in whatever
    thread a page is worked on.
    """

    name: ClassVar[str]
    """What it is called."""
    kind: ClassVar[str] = "content"
    """What its elements are: content, template, menu, comments or ads."""

    @abc.abstractmethod
    def detect(self, page: Page) -> Iterable[Element] | Mapping[str, Iterable[Element]]:
        """The elements that it takes of a page."""

    def __repr__(self) -> str:
        return f"<Technique {self.name}>"


_registered: dict[str, Technique] = {}

T = TypeVar("T", bound=Technique)


def register(technique: T) -> T:
    """Makes a technique known by its name, in this process. A name of the engine's own is refused; of two the later counts."""
    from ._api import techniques

    if not isinstance(technique, Technique):
        raise TypeError(f"register() takes an object of a class that derives from unchaff.Technique, not {technique!r}")
    if any(known.name == technique.name for known in techniques() if known.name not in _registered):
        raise OptionError(f"the engine has a technique {technique.name} already; choose another name")
    _registered[technique.name] = technique
    return technique


def find(technique: object) -> Technique | None:
    """The technique of Python's that is meant, if it is one."""
    if isinstance(technique, Technique):
        return technique
    if isinstance(technique, type) and issubclass(technique, Technique):
        return technique()
    return _registered.get(technique) if isinstance(technique, str) else None


def registered() -> list[Technique]:
    """All that were registered."""
    return list(_registered.values())
