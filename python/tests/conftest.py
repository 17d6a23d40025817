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


NEWS = "https://www.skarholm-courier.example/"
NEWS_FOLDER = REPOSITORY / "suite/sites/harbour-news/pages"


@pytest.fixture
def site_pages() -> list[tuple[str, str]]:
    """The pages of a newspaper; the first is an article on ferries."""
    pages = [(NEWS + str(page.relative_to(NEWS_FOLDER)), page.read_text()) for page in sorted(NEWS_FOLDER.rglob("*.html"))]
    return sorted(pages, key=lambda page: "ferry" not in page[0])
