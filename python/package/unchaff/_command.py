"""The ``unchaff`` command: the same as the program that is built with cargo."""

from __future__ import annotations

import signal
import sys

from . import _engine


def main() -> None:
    """Runs the command with the arguments of this process, and ends it."""
    # Python would wait for the engine to return before it looks at Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    sys.exit(_engine.command(["unchaff", *sys.argv[1:]]))
