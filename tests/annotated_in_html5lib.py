"""Annotated pages parse, in html5lib, to the same elements as the pages themselves, and html5lib numbers elements as unchaff does.

    annotated_in_html5lib.py UNCHAFF ELEMENTS FOLDER...

UNCHAFF is the command, ELEMENTS the example of unchaff-dom that prints the names of a page's elements. Every .html file
below the folders is tried. Needs beautifulsoup4 and html5lib.
"""
import json, subprocess, sys, warnings
from pathlib import Path
from bs4 import BeautifulSoup, Tag

warnings.filterwarnings("ignore")


def elements(html):
    return [t for t in BeautifulSoup(html, "html5lib").descendants if isinstance(t, Tag)]


def main():
    command, numbering, folders = sys.argv[1], sys.argv[2], sys.argv[3:]
    pages = sorted(page for folder in folders for page in Path(folder).rglob("*.html"))
    failed = 0
    for page in pages:
        source = page.read_bytes()
        marked = subprocess.run([command, "extract", "--format", "annotated", "-"], input=source, capture_output=True, check=True).stdout
        before, after = [t.name for t in elements(source)], [t.name for t in elements(marked)]
        found = json.loads(subprocess.run([command, "extract", "--format", "json", "-"], input=source, capture_output=True, check=True).stdout)
        roots = sum(node["tag"][0] != "#" for block in found["blocks"] for node in block["nodes"])
        marks = sum("data-unchaff" in t.attrs for t in elements(marked))
        numbered = subprocess.run([numbering, page], capture_output=True, check=True, text=True).stdout.split()
        if numbered != before:
            failed += 1
            at = next((i for i, (a, b) in enumerate(zip(numbered, before)) if a != b), min(len(numbered), len(before)))
            print(f"{page}: element {at} is {numbered[at:at + 3]} here, {before[at:at + 3]} in html5lib")
        elif before != after:
            failed += 1
            print(f"{page}: {len(before)} elements became {len(after)}")
        elif roots and not marks:
            failed += 1
            print(f"{page}: {roots} nodes found, none marked")
    print(f"{len(pages) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not pages else 0)


if __name__ == "__main__":
    main()
