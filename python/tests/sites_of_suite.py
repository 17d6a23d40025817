"""The sites of the suite as crawls: pages with addresses, archives, and what the command says of them."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path

from conftest import REPOSITORY

SITES = sorted(path for path in (REPOSITORY / "suite/sites").iterdir() if (path / "pages").is_dir())


def base_of(site: Path) -> str:
    return f"https://{site.name}.example/"


def pages_of(site: Path) -> list[tuple[str, bytes]]:
    folder = site / "pages"
    return [(base_of(site) + str(page.relative_to(folder)), page.read_bytes()) for page in sorted(folder.rglob("*")) if page.is_file()]


def all_pages() -> list[tuple[str, bytes]]:
    """The pages of all sites, mixed as in a crawl."""
    by_site = [pages_of(site) for site in SITES]
    longest = max(map(len, by_site))
    return [pages[at] for at in range(longest) for pages in by_site if at < len(pages)]


def record(url: str, html: bytes) -> bytes:
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body + b"\r\n\r\n"


def packed(pages: list[tuple[str, bytes]]) -> bytes:
    """An archive, packed record by record."""
    return b"".join(gzip.compress(record(url, html)) for url, html in pages)


def said_by_command(command: list[str]) -> dict[str, dict[str, object]]:
    """What `unchaff site` writes of each page, by address."""
    found = {}
    for site in SITES:
        run = subprocess.run([*command, "site", str(site / "pages"), "--base-url", base_of(site)], capture_output=True, check=True)
        for line in run.stdout.decode().splitlines():
            said = json.loads(line)
            found[said["url"]] = said
    return found
