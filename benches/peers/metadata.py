#!/usr/bin/env python3
"""What other extractors say of the pages that a gold names, each with its own defaults: NAME.json with date, title and author a page.

    metadata.py FOLDER OUTPUT
"""
import json
import pathlib
import sys

from htmldate import find_date
from trafilatura.metadata import extract_metadata
from trafilatura.utils import decode_file


def main(folder, output):
    gold = json.loads((folder / "gold.json").read_text())
    answers = {"htmldate": {}, "trafilatura": {}}
    for name, known in gold.items():
        page = decode_file((folder / "pages" / name).read_bytes())
        try:
            answers["htmldate"][name] = {"date": find_date(page, original_date=True, url=known.get("url")) or ""}
            found = extract_metadata(page, default_url=known.get("url"))
            answers["trafilatura"][name] = {field: getattr(found, field) or "" for field in ("date", "title", "author")}
        except Exception as error:
            print(f"{name}: {error!r}", file=sys.stderr)
    for name, pages in answers.items():
        (output / f"{name}.json").write_text(json.dumps(pages))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
