"""How an extraction shows itself: in a line, and in a notebook."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._engine import Extraction

_COLORS = {"content": "#2a9d4a", "template": "#c9662b", "menu": "#3b6fd4", "comments": "#8e44ad", "ads": "#b5179e"}

# A page larger than this would make a notebook of which nobody could scroll.
_MOST_BYTES = 2_000_000


def shown(doc: Extraction) -> str:
    """A line that tells which page it is of, and how much was found."""
    where = f" of {doc.url or doc.input}" if doc.url or doc.input else ""
    if doc.error is not None:
        return f"<Extraction{where} failed: {doc.error}>"
    title = doc.metadata.title
    words = len(doc.text.split())
    sure = "" if doc.confidence is None else f", confidence {doc.confidence:.2f}"
    return f"<Extraction{where}{f' {title!r}' if title else ''}: {words} words of {doc.shows} by {doc.technique}{sure}>"


def shown_in_notebook(doc: Extraction) -> str:
    """The page with its blocks coloured, in a frame in which no script runs and which loads nothing."""
    heading = f"<div><code>{html.escape(shown(doc))}</code></div>"
    page = doc.annotated() if doc.page is not None else ""
    if not page or len(page) > _MOST_BYTES:
        return f"{heading}<pre style='white-space:pre-wrap'>{html.escape(doc.markdown)}</pre>"
    kinds = [block.kind for block in doc.blocks]
    legend = " ".join(f"<span style='border-left:1em solid {_COLORS[kind]};padding:0 .5em'>{kind}</span>" for kind in kinds)
    rules = "".join(
        f"[data-unchaff~={kind}],[data-unchaff-text*={kind}]"
        f"{{outline:1px solid {_COLORS[kind]}!important;background-color:{_COLORS[kind]}26!important}}"
        for kind in kinds
    )
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}"><style>{rules}</style>'
    frame = html.escape(head + page, quote=True)
    return f'{heading}<div>{legend}</div><iframe sandbox style="width:100%;height:30em;border:1px solid #ccc" srcdoc="{frame}"></iframe>'
