"""Annotated pages parse, in html5lib, to the same elements as the pages themselves, numbered as unchaff numbers them.

    annotated_in_html5lib.py UNCHAFF FOLDER...

UNCHAFF is the command. Every .html file below the folders is annotated. Needs beautifulsoup4 and html5lib.
"""
import json, subprocess, sys, warnings
from pathlib import Path
from bs4 import BeautifulSoup, Tag

warnings.filterwarnings("ignore")


def elements(html):
    return [t for t in BeautifulSoup(html, "html5lib").descendants if isinstance(t, Tag)]


def main():
    command, folders = sys.argv[1], sys.argv[2:]
    pages = sorted(page for folder in folders for page in Path(folder).rglob("*.html"))
    failed = 0
    for page in pages:
        source = page.read_bytes()
        marked = subprocess.run([command, "extract", "--format", "annotated", "-"], input=source, capture_output=True, check=True).stdout
        before, after = [t.name for t in elements(source)], [t.name for t in elements(marked)]
        found = json.loads(subprocess.run([command, "extract", "--format", "json", "-"], input=source, capture_output=True, check=True).stdout)
        roots = sum(node["tag"][0] != "#" for block in found["blocks"] for node in block["nodes"])
        marks = sum("data-unchaff" in t.attrs for t in elements(marked))
        if before != after:
            failed += 1
            print(f"{page}: {len(before)} elements became {len(after)}")
        elif roots and not marks:
            failed += 1
            print(f"{page}: {roots} nodes found, none marked")
    print(f"{len(pages) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not pages else 0)


if __name__ == "__main__":
    main()
