"""What tests share: the pages of the repository, which are our own, and the command that the package is compared with."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = sorted(page for folder in ("examples", "suite/pages", "suite/sites", "tests/pages") for page in (REPOSITORY / folder).rglob("*.html"))

LIGHTHOUSE = (REPOSITORY / "examples/lighthouse.html").read_bytes()


@pytest.fixture
def lighthouse() -> bytes:
    return LIGHTHOUSE


@pytest.fixture
def command() -> list[str]:
    """The command as cargo builds it, if the environment names it, else that of the package."""
    program = os.environ.get("UNCHAFF")
    return [program] if program else [sys.executable, "-m", "unchaff"]


@pytest.fixture
def site_pages() -> list[tuple[str, str]]:
    """Pages of a small site: a menu, a text, and a footer that says something."""

    def page(name: str, text: str) -> tuple[str, str]:
        menu = "<nav><ul><li><a href=/a>Art</a><li><a href=/b>Books</a><li><a href=/c>Cinema</a><li><a href=/d>Dance</a></ul></nav>"
        footer = "<div><p>Write to us with whatever you think, we read everything that reaches us.</p></div>"
        return f"https://example.org/{name}", f"<title>{name}</title>{menu}<main><h1>{name}</h1><p>{text}</p></main>{footer}"

    texts = {
        "a": "It rained all day, and nobody went to see the pictures.",
        "b": "Then the sun came out and people read on the benches.",
        "c": "Snow fell in the night and the cinema stayed closed.",
        "d": "A storm took the roof from the hall where they dance.",
    }
    return [page(name, text) for name, text in texts.items()]


