#!/usr/bin/env python3
"""Tests of the suite itself: `python3 suite/test.py`. Needs the standard library; with html5lib two more tests run."""

import json
import re
import sys
import unittest
from html.parser import HTMLParser
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from generator.readers import READERS, Labelled, reader_files  # noqa: E402
from generator.segments import segment_files  # noqa: E402
from generator.site import suite_files  # noqa: E402
from generator.sites import SITES  # noqa: E402
from generator.tree import COMMENTS, CONTENT, MENU, NOT_TEMPLATE, VOID, write  # noqa: E402

try:
    import html5lib
except ImportError:
    html5lib = None

LABEL = re.compile(r"\s*TECO_\w+")


class StartTags(HTMLParser):
    """The start tags of a page with their attributes; those of tbody are left out, they are optional."""

    def __init__(self, html):
        super().__init__()
        self.tags = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        attributes = {k: LABEL.sub("", v or "").strip() if k == "class" else v for k, v in attributes}
        if tag != "tbody":
            self.tags.append((tag, {k: v for k, v in attributes.items() if (k, v) != ("class", "")}))


def parsed(html):
    """Every element as an HTML5 parser sees it: name and classes."""
    tree = html5lib.parse(html, namespaceHTMLElements=False)
    return [(e.tag, e.get("class", "").split()) for e in tree.iter() if isinstance(e.tag, str)]


def pages():
    return [(site, page) for site in SITES for page in site.pages]


class Suite(unittest.TestCase):
    def test_pages_with_comments_are_nested_and_their_gold_is_the_same_tree(self):
        for name, (split, _, html) in READERS.items():
            made = Labelled(html)
            self.assertEqual(made.open, [()], name)
            self.assertEqual(StartTags("".join(made.page)).tags, StartTags("".join(made.gold)).tags, name)
            self.assertIn("TECO_comments", "".join(made.gold), name)
            self.assertNotIn(" l=", "".join(made.page), name)

    def test_the_files_here_are_those_that_generate_writes(self):
        new = dict([*suite_files(SITES), *segment_files(), *reader_files()])
        here = {
            str(f.relative_to(HERE).as_posix()): f
            for part in ("sites", "pages", "segments", "readers")
            for f in (HERE / part).rglob("*")
            if f.is_file() and f.parent.name != "layouts"
        }
        self.assertEqual(sorted(here), sorted(new), "run suite/generate")
        for path, data in new.items():
            self.assertEqual(here[path].read_bytes(), data, f"{path} is not what suite/generate writes")

    def test_every_link_leads_to_a_page_or_is_named_as_broken(self):
        for site, page in pages():
            site.links(page)  # raises where a link leads nowhere
        for site in SITES:
            used = {e.attributes.get("href") for p in site.pages for e, _ in p.root.walk()}
            self.assertLessEqual(set(site.broken), used, f"{site.id} names broken links that no page has")

    def test_page_and_gold_differ_in_labels_only(self):
        for site, page in pages():
            plain, gold = (write(page.root, site.style, gold=g) for g in (False, True))
            self.assertNotIn("TECO_", plain)
            self.assertEqual(StartTags(plain).tags, StartTags(gold).tags, f"{site.id}/{page.path}")

    def test_labels_nest_as_they_should(self):
        for site, page in pages():
            where = f"{site.id}/{page.path}"
            labels = [set(l) for _, l in page.root.walk()]
            self.assertTrue(any(CONTENT in l for l in labels), f"{where} has no content")
            for l in labels:
                self.assertFalse(CONTENT in l and COMMENTS in l, f"{where}: comments are no content")
                self.assertTrue(NOT_TEMPLATE in l or not l & {CONTENT, COMMENTS}, where)
                self.assertFalse(MENU in l and NOT_TEMPLATE in l, f"{where}: the menu belongs to the template")
            self.assertEqual(sum(MENU in l for l in labels), 0 if site.id == "sentieri" else 1, where)

    def test_every_label_is_used(self):
        used = {l for site, page in pages() for _, labels in page.root.walk() for l in labels}
        self.assertEqual(used, {NOT_TEMPLATE, CONTENT, MENU, COMMENTS})

    def test_the_template_recurs_and_the_content_does_not(self):
        for site in SITES:
            texts = {}
            lists = {p.path for p in site.pages if p.type in ("listing", "collection")}
            for page in site.pages:
                for element, labels in page.root.walk():
                    own = [c for c in element.children if isinstance(c, str) and len(c) > 40]
                    for text in own if element.tag not in ("script", "style", "title") else []:
                        texts.setdefault((text, CONTENT in labels, NOT_TEMPLATE in labels), set()).add(page.path)
            for (text, is_content, is_specific), where in texts.items():
                if not is_specific:
                    self.assertGreater(len(where), 2, f"{site.id}: template text on {where} only: {text}")
                elif is_content:
                    whole = where - lists  # lists repeat the first lines of what they list
                    self.assertLessEqual(len(whole), 1, f"{site.id}: content on several pages {where}: {text}")

    def test_sites_are_many_and_varied(self):
        self.assertGreaterEqual(len(SITES), 8)
        self.assertGreaterEqual(len({s.language for s in SITES}), 8)
        for site in SITES:
            self.assertTrue(6 <= len(site.pages) <= 12, site.id)
        self.assertTrue(any(s.mutually_linked() <= 2 for s in SITES))
        self.assertTrue(any(s.key_page == "index.html" for s in SITES))
        self.assertTrue(any("?" in p.path for _, p in pages()))

    def test_sentences_of_the_text_gold_are_in_it_or_not(self):
        folder = HERE / "pages" / "ours"
        for name, item in json.loads((folder / "meta.json").read_text("utf-8"))["items"].items():
            gold = (folder / "gold" / f"{name}.txt").read_text("utf-8")
            self.assertTrue(item["with"] and item["without"], name)
            for sentence in item["with"]:
                self.assertIn(sentence, gold, name)
            for sentence in item["without"]:
                self.assertNotIn(sentence, gold, name)

    def test_segments_are_marked_in_one_of_two_copies_and_those_of_level_2_lie_in_one_of_level_1(self):
        files = {path: data.decode() for path, data in segment_files()}
        for path in files:
            if not path.endswith("index.dom.html"):
                continue
            plain, marked = files[path], files[path.replace(".dom.", ".blocks.")]
            self.assertEqual(re.sub(r' data-block(-type)?="[^"]*"', "", marked), plain, path)
            levels = re.findall(r'data-block="(\d)"', marked)
            self.assertTrue(levels.count("1") >= 4 and levels.count("2") >= 2 and set(levels) == {"1", "2"}, path)
            open_levels = []

            class Nesting(HTMLParser):
                def handle_starttag(parser, tag, attributes):
                    level = dict(attributes).get("data-block")
                    inside = [known for known in open_levels if known]
                    self.assertEqual(inside if level else [], ["1"] if level == "2" else [], f"{path}: {tag}")
                    if tag not in VOID:
                        open_levels.append(level)

                def handle_endtag(parser, tag):
                    open_levels.pop()

            Nesting().feed(marked)

    def test_files_stay_small(self):
        self.assertLess(sum(len(d) for d in dict(suite_files(SITES)).values()), 1_500_000)

    @unittest.skipUnless(html5lib, "needs html5lib")
    def test_an_html5_parser_reads_back_the_elements_of_the_tree(self):
        for site, page in pages():
            tree = [e.tag for e, _ in page.root.walk()]
            for gold in (False, True):
                self.assertEqual([tag for tag, _ in parsed(write(page.root, site.style, gold))], tree, f"{site.id}/{page.path}")

    @unittest.skipUnless(html5lib, "needs html5lib")
    def test_every_element_concerned_carries_its_labels_in_the_gold(self):
        for site, page in pages():
            gold = parsed(write(page.root, site.style, gold=True))
            for (tag, classes), (_, labels) in zip(gold, page.root.walk()):
                self.assertEqual([c for c in classes if c.startswith("TECO_")], list(labels), f"{site.id}/{page.path} {tag}")


if __name__ == "__main__":
    unittest.main()
