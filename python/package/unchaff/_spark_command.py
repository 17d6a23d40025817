"""The command ``unchaff-spark``, which says what is missing where Spark is."""

from __future__ import annotations

import sys


def main() -> int:
    try:
        from .spark_job import main as job
    except ModuleNotFoundError as error:
        print(f'error: {error}; unchaff-spark needs Spark: pip install "unchaff[spark]"', file=sys.stderr)
        return 1
    return job()
