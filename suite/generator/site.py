"""A site of the suite: its pages as labelled trees, how links between them resolve, and the files it becomes."""

import json
import re
from dataclasses import dataclass, field
from itertools import combinations
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from .gold_text import gold_text, must_and_must_not
from .tree import Style, write


@dataclass
class Page:
    path: str  # below pages/
    root: object  # the html element
    type: str  # article, forum, product, collection, listing, documentation or service
    language: str = ""  # that of the site unless given
    text: bool = True  # whether it is also a page of suite/pages/ours


@dataclass
class Site:
    id: str
    category: str
    language: str
    generator: str
    key_page: str
    base_url: str
    split: str
    pages: list
    style: Style = field(default_factory=Style)
    encoding: str = "utf-8"
    broken: tuple = ()  # links that lead nowhere on purpose, as in any mirror
    other_urls: tuple = ()

    @property
    def base_urls(self):
        return [self.base_url, *self.other_urls]

    def resolve(self, page, href):
        """The page that a link leads to, None if it leaves the mirror; raises if nothing is there."""
        if href in self.broken:
            return None
        target = href.partition("#")[0]
        if not target:
            return None
        for base in self.base_urls:
            if target.startswith(base):
                target = "/" + target[len(base) :]
                break
        if re.match(r"[a-z]+:", target):
            return None
        path = normpath(join("/", dirname(page.path), target)).lstrip("/")
        if target.endswith("/") or not path:
            path = join(path, "index.html")
        paths = {p.path for p in self.pages}
        for candidate in (path, unquote(path)):
            if candidate in paths:
                return candidate
        raise LookupError(f"{self.id}/{page.path} links to {href}, which is no page of the site; write it or name it in `broken`")

    def links(self, page):
        """The other pages that a page links to."""
        hrefs = [e.attributes["href"] for e, _ in page.root.walk() if e.tag == "a" and "href" in e.attributes]
        return {self.resolve(page, href) for href in hrefs} - {None, page.path}

    def mutually_linked(self):
        """The size of the largest set of pages around the key page that all link to each other."""
        links = {p.path: self.links(p) for p in self.pages}
        around = sorted(p for p in links[self.key_page] if self.key_page in links[p])
        for size in range(len(around), 0, -1):
            for chosen in combinations(around, size):
                if all(b in links[a] and a in links[b] for a, b in combinations(chosen, 2)):
                    return size + 1
        return 1

    def encode(self, text):
        return text.encode(self.encoding, "xmlcharrefreplace")

    def files(self):
        """Every file of the site, by its path below suite/."""
        folder = f"sites/{self.id}"
        golds = {}
        for page in self.pages:
            golds[page.path] = "gold.html" if page.path == self.key_page else f"gold/{page.path}"
            yield f"{folder}/pages/{page.path}", self.encode(write(page.root, self.style, gold=False))
            yield f"{folder}/{golds[page.path]}", self.encode(write(page.root, self.style, gold=True))
        description = {
            "id": self.id,
            "split": self.split,
            "category": self.category,
            "language": self.language,
            "generator": self.generator,
            "key_page": self.key_page,
            "base_url": self.base_url,
            "base_urls": self.base_urls,
            "pages": len(self.pages),
            "mutually_linked": self.mutually_linked(),
            "gold_pages": golds,
        }
        yield f"{folder}/site.json", json_bytes(description)


def suite_files(sites):
    """Every file of the suite as (path below suite/, bytes)."""
    for site in sites:
        yield from site.files()
    yield from text_set(sites)


def text_set(sites):
    """The files of the set of single pages: the same pages with gold text."""
    items = {}
    for site in sites:
        for page in site.pages:
            if not page.text:
                continue
            name = f"{site.id}-{re.sub(r'[^a-z0-9]+', '-', page.path.removesuffix('.html').lower()).strip('-')}"
            must, must_not = must_and_must_not(page.root)
            items[name] = {
                "url": site.base_url + page.path,
                "type": page.type,
                "language": page.language or site.language,
                "site": site.id,
                "split": site.split,
                "with": must,
                "without": must_not,
            }
            yield f"pages/ours/pages/{name}.html", site.encode(write(page.root, site.style, gold=False))
            yield f"pages/ours/gold/{name}.txt", gold_text(page.root).encode()
    yield "pages/ours/meta.json", json_bytes(
        {
            "name": "ours",
            "source": "suite/generate",
            "licence": "MIT OR Apache-2.0",
            "note": "pages of our own, gold by construction",
            "items": dict(sorted(items.items())),
        }
    )


def json_bytes(value):
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
