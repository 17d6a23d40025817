"""``python -m unchaff`` is the command."""

from ._command import main

main()
