"""The package as a whole: every example that is printed somewhere, its types, its documentation."""

from __future__ import annotations

import doctest
import importlib
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import LIGHTHOUSE, REPOSITORY
from test_many import page, record

import unchaff

HERE = Path(__file__).resolve().parents[1]
MODULES = ["unchaff", "unchaff._api", "unchaff._columns", "unchaff._technique", "unchaff._values", "unchaff.arrow", "unchaff.crawl", "unchaff._model_file"]


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_documentation_strings(module: str) -> None:
    if module in ("unchaff.arrow", "unchaff.crawl"):
        pytest.importorskip("pyarrow")
    result = doctest.testmod(importlib.import_module(module))
    assert result.failed == 0 and (result.attempted > 0)


def test_the_manual(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pandas", "polars", "pyarrow", "bs4", "html5lib", "lxml", "parsel"):
        pytest.importorskip(name)
    monkeypatch.chdir(REPOSITORY)
    result = doctest.testfile(str(REPOSITORY / "docs/python.md"), module_relative=False, encoding="utf-8", optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert result.failed == 0 and result.attempted > 40


@pytest.mark.parametrize("file", ["python/README.md", "README.md"])
def test_the_readme(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (REPOSITORY / file).read_text(), re.DOTALL)
    assert blocks
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crawl.warc.gz").write_bytes(record(*page(1)))
    for block in blocks:
        exec(block, {"html": LIGHTHOUSE, "pages": [page(number) for number in range(3)]})


def test_the_example_programs(tmp_path: Path) -> None:
    (tmp_path / "crawl.warc").write_bytes(b"".join(record(*page(number)) for number in range(5)))
    run = subprocess.run([sys.executable, HERE / "examples/warc_to_jsonl.py", tmp_path / "crawl.warc"], capture_output=True, text=True, check=True)
    assert run.stdout.count("\n") == 5 and "On day 4 it rained all day" in run.stdout
    site = tmp_path / "mirror" / "example.org"
    site.mkdir(parents=True)
    for number in range(5):
        (site / f"{number}.html").write_text(page(number)[1])
    for _ in range(2):
        run = subprocess.run([sys.executable, HERE / "examples/site_by_site.py", tmp_path / "mirror"], capture_output=True, text=True, check=True)
        assert run.stdout.count("\n") == 5 and "https://example.org/4.html" in run.stdout


def test_everything_public_is_documented() -> None:
    for name in unchaff.__all__:
        thing = getattr(unchaff, name)
        if not inspect.isclass(thing) and not callable(thing):
            continue
        assert (thing.__doc__ or "").strip(), name
        assert thing.__module__ == "unchaff" or thing.__module__.startswith("unchaff."), name
        for attribute, value in vars(thing).items() if inspect.isclass(thing) else ():
            is_shown = not attribute.startswith("_") and (callable(value) or inspect.isdatadescriptor(value))
            if is_shown and not hasattr(thing, "__dataclass_fields__"):
                assert (value.__doc__ or "").strip(), f"{name}.{attribute}"


def checked(*command: str | Path) -> None:
    # pyright looks for the packages of the first Python of the path.
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    run = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, cwd=HERE, env=environment)
    assert run.returncode == 0, run.stdout + run.stderr


def test_types_by_mypy() -> None:
    pytest.importorskip("mypy")
    checked("mypy", "--strict", "--cache-dir", HERE.parent / "target/mypy", "-p", "unchaff")
    checked("mypy", "--strict", "--cache-dir", HERE.parent / "target/mypy", "examples", "tests")


def test_types_by_pyright() -> None:
    pytest.importorskip("pyright")
    checked("pyright", "examples")
    checked("pyright", "--verifytypes", "unchaff", "--ignoreexternal")


def test_stubs_are_those_of_the_engine() -> None:
    pytest.importorskip("mypy")
    checked("mypy.stubtest", "unchaff._engine", "--mypy-config-file", HERE / "pyproject.toml")
