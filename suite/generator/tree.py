"""A small element tree whose elements carry labels, written as a page (without the labels) or as its gold (with them).

A label belongs to an element and everything below it, so that the two readings of TeCo classes, "on every element concerned" and
"inherited from the parent", give the same answer. Trees are written so that an HTML5 parser reads the same elements back: what a parser
would insert (`html`, `head`, `body`, `tbody`) is in the tree, and no element stands where a parser would move it.
"""

import re
from html import escape

NOT_TEMPLATE, CONTENT, MENU, COMMENTS = "TECO_notTemplate", "TECO_mainContent", "TECO_mainMenu", "TECO_comments"

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
RAW = {"script", "style"}
# Written on one line with the text around them; every other element may start a line.
INLINE = {
    "a",
    "abbr",
    "b",
    "bdi",
    "button",
    "cite",
    "code",
    "em",
    "font",
    "i",
    "img",
    "input",
    "kbd",
    "label",
    "q",
    "s",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "svg",
    "path",
    "time",
    "u",
    "br",
    "option",
    "textarea",
}
# Their end tags may be left out before a sibling of the same kind and at the end of the parent.
OPTIONAL_END = {
    "li": {"li"},
    "tr": {"tr"},
    "td": {"td", "th"},
    "th": {"td", "th"},
    "dt": {"dt", "dd"},
    "dd": {"dt", "dd"},
    "option": {"option"},
}


class Element:
    def __init__(self, tag, attributes, children):
        self.tag, self.attributes, self.children = tag, attributes, children
        self.labels = ()

    def walk(self, inherited=()):
        """Yields every element below and including this one with its labels, in document order."""
        labels = effective(self, inherited)
        yield self, labels
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk(labels)

    def text(self):
        return "".join(c if isinstance(c, str) else c.text() for c in self.children)


def effective(element, inherited):
    """The labels of an element: its own and, the menu's excepted, those of its parent."""
    return tuple(dict.fromkeys([l for l in inherited if l != MENU] + list(element.labels)))


def h(spec, *children, **attributes):
    """`h("div.card#first", "text", h("br"), href="…")`; lists among the children are flattened, None is left out.

    Attributes are written as Python names: `data_id` is `data-id`, `for_` is `for`."""
    tag, *names = re.split(r"(?=[.#])", spec)
    written = {"id": n[1:] for n in names if n[0] == "#"}
    if classes := [n[1:] for n in names if n[0] == "."]:
        written["class"] = " ".join(classes)
    for name, value in attributes.items():
        if value is not None:
            written[name.rstrip("_").replace("_", "-")] = value
    return Element(tag, written, list(flatten(children)))


def flatten(children):
    for child in children:
        if isinstance(child, (list, tuple)):
            yield from flatten(child)
        elif child is not None:
            yield child


def labelled(element, *labels):
    element.labels = tuple(element.labels) + labels
    return element


def specific(element):
    """Of this page alone, but not its subject: a date, a breadcrumb, a related link."""
    return labelled(element, NOT_TEMPLATE)


def content(element):
    """Of the subject of the page."""
    return labelled(element, NOT_TEMPLATE, CONTENT)


def comments(element):
    """Written by readers below the subject."""
    return labelled(element, NOT_TEMPLATE, COMMENTS)


def menu(element):
    """The main menu; an element of the template as any other."""
    return labelled(element, MENU)


class Style:
    """How a site's pages are written down."""

    def __init__(self, doctype="<!DOCTYPE html>", minified=False, uppercase=False, leave_out_end_tags=False):
        self.doctype, self.minified, self.uppercase, self.leave_out_end_tags = doctype, minified, uppercase, leave_out_end_tags


def write(root, style, gold):
    """The document as text; with `gold` every element shows its labels as classes."""
    out = [style.doctype + "\n" if style.doctype else ""]
    write_element(out, root, None, (), style, gold, "")
    return "".join(out) + "\n"


def write_element(out, element, following, inherited, style, gold, line):
    """`line` is what starts a new line at the element's depth, empty where the element follows on the same line."""
    labels = effective(element, inherited)
    name = element.tag.upper() if style.uppercase else element.tag
    attributes = dict(element.attributes)
    if gold and labels:
        attributes["class"] = " ".join([*attributes.get("class", "").split(), *labels])
    # A parser adds the tbody that nobody wrote before 2000; the gold needs the tag where it carries a label.
    silent = element.tag == "tbody" and style.leave_out_end_tags and not attributes
    if not silent:
        out.append(line + "<" + name)
        for key, value in attributes.items():
            out.append(f" {key.upper() if style.uppercase else key}")
            if value is not True:
                out.append(f'="{escape(value)}"')
        out.append(">")
    if element.tag in VOID:
        return
    apart = not style.minified and spreads(element)
    inner = (line or "\n") + " " * (not silent) if apart else ""
    for child, after in zip(element.children, element.children[1:] + [None]):
        if isinstance(child, str):
            out.append(child if element.tag in RAW else escape(child, quote=False))
        else:
            write_element(out, child, after, labels, style, gold, inner)
    if not silent and not end_left_out(element, following, style):
        out.append(f"{(line or chr(10)) if apart else ''}</{name}>")


def spreads(element):
    """Whether the children stand on lines of their own: only where white space between them means nothing."""
    return (
        bool(element.children)
        and all(isinstance(c, Element) for c in element.children)
        and any(c.tag not in INLINE for c in element.children)
    )


def end_left_out(element, following, style):
    if not style.leave_out_end_tags or element.tag not in OPTIONAL_END:
        return False
    return following is None or isinstance(following, Element) and following.tag in OPTIONAL_END[element.tag]
