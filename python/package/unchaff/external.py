"""A technique written in Python as a command, so that the workbench measures it beside the engine's own.

    unchaff bench run --suite suite/ -t auto --external 'mine=python -m unchaff.external mine:Mine'

The argument names a module, which is looked for in this folder first, and a class or object in it. A page is read on standard input; out
comes the same page with its blocks marked.
"""

from __future__ import annotations

import importlib
import os
import sys

from . import _technique
from ._api import detect


def main() -> None:
    """Reads a page, and prints it with its blocks marked."""
    name = sys.argv[1] if len(sys.argv) == 2 else ""
    module, _, attribute = name.partition(":")
    sys.path.insert(0, os.getcwd())
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        sys.exit(_refusal(f"`{name}` names no technique: {error}"))
    technique = _technique.find(found)
    if technique is None:
        sys.exit(_refusal(f"`{name}` is no unchaff.Technique; write it like module:Class"))
    doc = detect(sys.stdin.buffer.read(), technique=technique)
    sys.stdout.buffer.write(doc.annotated().encode())


def _refusal(why: str) -> int:
    print(f"unchaff.external: {why}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    main()
