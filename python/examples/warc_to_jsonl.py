"""The content of every page of a web archive, a line of JSON each.

    python warc_to_jsonl.py crawl.warc.gz > content.jsonl
"""

from __future__ import annotations

import json
import sys

import unchaff


def main(archive: str) -> None:
    for doc in unchaff.read_warc(archive, formats=["markdown", "metadata"]):
        if doc.error is not None:
            print(f"{doc.url}: {doc.error}", file=sys.stderr)
            continue
        if not doc or (doc.confidence is not None and doc.confidence < 0.5):
            continue
        line = {"url": doc.url, "text": doc.markdown, "confidence": doc.confidence, **doc.metadata.as_dict()}
        print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1])
