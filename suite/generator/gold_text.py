"""The text that a labelled page is about, and sentences that must or must not be in it."""

import re

from .tree import CONTENT, INLINE, RAW, effective

SENTENCE = re.compile(r".+?[.!?。！？؟](?=\s|$|[\u3400-\u9fff])")
UNSEEN = RAW | {"title", "option", "textarea"}


def content_lines(root):
    """The text of the content, a line for each run between the borders of blocks and each line of preformatted text."""
    lines = [""]

    def visit(element, inherited, preformatted):
        labels = effective(element, inherited)
        preformatted |= element.tag == "pre"
        block = element.tag not in INLINE or element.tag == "br"
        if block:
            lines.append("")
        for child in element.children:
            if not isinstance(child, str):
                visit(child, labels, preformatted)
            elif CONTENT in labels and element.tag not in UNSEEN:
                first, *rest = child.split("\n") if preformatted else [child]
                lines[-1] += first
                lines.extend(rest)
        if block:
            lines.append("")

    visit(root, (), False)
    return [line.strip() for line in lines if line.strip()]


def gold_text(root):
    return "\n".join(content_lines(root)) + "\n"


def texts_around(root):
    """Text nodes outside the content, each alone: where two inline elements meet, extractors differ on the white space between."""
    for element, labels in root.walk():
        if CONTENT not in labels and element.tag not in UNSEEN:
            yield from (c.strip() for c in element.children if isinstance(c, str) and c.strip())


def first_sentence(text):
    found = SENTENCE.match(text)
    return found.group(0) if found else text


def longest(texts, number):
    """The longest of them, in the order they stand in."""
    distinct = list(dict.fromkeys(texts))
    chosen = set(sorted(distinct, key=lambda t: (-len(t), t))[:number])
    return [t for t in distinct if t in chosen]


def must_and_must_not(root):
    """Sentences of the longest lines of content, and of the longest texts around it that the content does not contain."""
    whole = gold_text(root)
    around = [first_sentence(t) for t in texts_around(root)]
    return longest(map(first_sentence, content_lines(root)), 4), longest([t for t in around if t not in whole], 4)
