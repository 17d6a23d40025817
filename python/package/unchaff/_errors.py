"""What can go wrong, in one family."""

from __future__ import annotations

__all__ = ["UnchaffError", "OptionError", "ModelError", "SourceError", "PageError"]


class UnchaffError(Exception):
    """Everything that unchaff raises by itself is one of these; a wrong type is a ``TypeError``, as everywhere in Python."""

    __module__ = "unchaff"


class OptionError(UnchaffError, ValueError):
    """An argument has a value that makes no sense: a technique that does not exist, a parameter it does not have."""

    __module__ = "unchaff"


class ModelError(UnchaffError, ValueError):
    """Bytes that are no model of a site, or one of another version."""

    __module__ = "unchaff"


class SourceError(UnchaffError, OSError):
    """A file, folder, archive or address that cannot be read."""

    __module__ = "unchaff"


class PageError(UnchaffError, RuntimeError):
    """A single page that could not be worked on."""

    __module__ = "unchaff"
