"""The package and the command answer alike, byte by byte, on all pages of the repository."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import NEWS, NEWS_FOLDER, PAGES, REPOSITORY

import unchaff


def lines(command: list[str], *arguments: str) -> list[str]:
    run = subprocess.run([*command, *arguments], capture_output=True, check=True, cwd=REPOSITORY)
    return run.stdout.decode().splitlines()


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((), {}),
        (("--favor", "recall", "--include", "comments", "--exclude", "images,links"), {"favor": "recall", "include": ["comments"], "exclude": ["images", "links"]}),
        (("-t", "ccb", "--set", "range=20"), {"technique": "ccb", "settings": {"range": 20}}),
    ],
)
def test_json(command: list[str], arguments: tuple[str, ...], options: dict[str, object]) -> None:
    names = [str(page.relative_to(REPOSITORY)) for page in PAGES]
    printed = lines(command, "extract", "-f", "json", *arguments, *names)
    assert len(printed) == len(names) > 200
    for name, line in zip(names, printed):
        assert unchaff.extract((REPOSITORY / name).read_bytes(), **options).json(name) == line, name  # type: ignore[arg-type]


def test_json_of_what_is_read(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    printed = lines(command, "extract", "suite/sites")
    assert [doc.json() for doc in unchaff.read("suite/sites", jobs=2)] == printed


def test_json_with_a_site(command: list[str]) -> None:
    printed = lines(command, "site", str(NEWS_FOLDER), "--base-url", NEWS)
    docs = list(unchaff.read(NEWS_FOLDER, base_url=NEWS))
    site = unchaff.learn((doc.url, doc.page.source) for doc in docs if doc.page)
    files = [NEWS_FOLDER / str(doc.url).removeprefix(NEWS) for doc in docs]
    assert [site.extract(file.read_bytes(), url=doc.url).json() for file, doc in zip(files, docs)] == printed


def test_other_forms(command: list[str], tmp_path: Path, lighthouse: bytes) -> None:
    doc = unchaff.extract(lighthouse)
    for name, text in (("markdown", doc.markdown), ("text", doc.text), ("html", doc.html), ("annotated", doc.annotated()), ("skeleton", doc.skeleton())):
        run = subprocess.run([*command, "extract", "-f", name], input=lighthouse, capture_output=True, check=True)
        assert run.stdout.decode() == text, name
    for name in ("hidden", "replaced:x", "deleted", "restructured", "highlighted", "ranges"):
        run = subprocess.run([*command, "extract", "-f", name, "--complement"], input=lighthouse, capture_output=True, check=True)
        assert run.stdout.decode() == doc.complement().render(name), name
    menu = subprocess.run([*command, "menu"], input=lighthouse, capture_output=True, check=True)
    assert unchaff.menu(lighthouse).markdown == menu.stdout.decode()
    template = subprocess.run([*command, "template", "-f", "text"], input=lighthouse, capture_output=True, check=True)
    assert unchaff.template(lighthouse).text == template.stdout.decode()


def test_segments(command: list[str]) -> None:
    page = REPOSITORY / "suite/segments/article/index.dom.html"
    page = page if page.exists() else sorted((REPOSITORY / "suite/segments").glob("*/index.dom.html"))[0]
    printed = subprocess.run([*command, "segment", str(page), "--technique", "dom-blocks"], capture_output=True, check=True).stdout
    import json

    found = unchaff.segment(page.read_bytes(), technique="dom-blocks")
    assert [part["text"] for part in json.loads(printed)["segments"]] == [part.text for part in found]
    assert [part.get("kind") for part in json.loads(printed)["segments"]] == [part.kind for part in found]


def test_the_command_of_the_package(lighthouse: bytes) -> None:
    program = [str(Path(sys.executable).with_name("unchaff"))]
    run = subprocess.run([*program, "extract", "-"], input=lighthouse, capture_output=True, check=True)
    assert run.stdout.decode() == unchaff.extract(lighthouse).markdown
    assert subprocess.run([*program, "--version"], capture_output=True, text=True).stdout == f"unchaff {unchaff.__version__}\n"
    assert "unchaff extract page.html" in subprocess.run([*program, "extract", "--help"], capture_output=True, text=True).stdout
    wrong = subprocess.run([*program, "extract", "no/such/page.html"], capture_output=True, text=True)
    assert wrong.returncode == 1 and "no such file or folder" in wrong.stderr and "Traceback" not in wrong.stderr
    assert subprocess.run([*program, "nothing"], capture_output=True).returncode == 2
    piped = subprocess.run(f"{program[0]} techniques | head -1", shell=True, capture_output=True, text=True)
    assert piped.stdout == "From one page:\n" and piped.stderr == ""
