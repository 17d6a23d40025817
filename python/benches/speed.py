"""unchaff beside its peers, on the pages of a folder, in one run.

    python speed.py FOLDER [--pages 500] [--rounds 3] [--million] [--engine PROGRAM]

Prints MB/s of pages read, by the clock and of processor time, best of some rounds, on one thread; what a second thread adds; what the call from Python costs over the engine's own, with
--engine (cargo build --release -p unchaff --example to_markdown); and with --million how memory goes over a million small pages. Peers that are not installed are
left out (pip install resiliparse trafilatura).
"""

from __future__ import annotations

import argparse
import itertools
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import unchaff

Run = Callable[[list[bytes]], None]


def peers() -> Iterator[tuple[str, Run]]:
    def markdown(pages: list[bytes]) -> None:
        for page in pages:
            unchaff.extract(page).markdown  # noqa: B018

    def text(pages: list[bytes]) -> None:
        for page in pages:
            unchaff.extract(page).text  # noqa: B018

    yield "unchaff, bytes to Markdown", markdown
    yield "unchaff, bytes to text", text
    for jobs in (1, 2):

        def many(pages: list[bytes], jobs: int = jobs) -> None:
            for _ in unchaff.extract_many(pages, jobs=jobs):
                pass

        yield f"unchaff, extract_many with {jobs} thread{'s' * (jobs > 1)}", many
    try:
        from resiliparse.extract.html2text import extract_plain_text
        from resiliparse.parse.encoding import bytes_to_str, detect_encoding

        def resiliparse(pages: list[bytes]) -> None:
            for page in pages:
                extract_plain_text(bytes_to_str(page, detect_encoding(page)), main_content=True)

        yield "resiliparse, main content to text", resiliparse
    except ImportError:
        pass
    try:
        import trafilatura

        def traf(pages: list[bytes]) -> None:
            for page in pages:
                trafilatura.extract(page)

        yield "trafilatura, to text", traf
    except ImportError:
        pass


def best(run: Run, pages: list[bytes], rounds: int) -> tuple[float, float]:
    """Seconds by the clock and of the processor, each of its best round. A busy machine makes the first longer, hardly the second."""
    walls, processor = [], []
    for _ in range(rounds):
        start, used = time.perf_counter(), time.process_time()
        run(pages)
        walls.append(time.perf_counter() - start)
        processor.append(time.process_time() - used)
    return min(walls), min(processor)


def overhead(engine: str, pages: list[bytes], rounds: int) -> None:
    """What the call from Python costs, on pages of about 50 kB; of each page the best round counts, as the engine's program has it."""
    near = [page for page in pages if 25_000 <= len(page) <= 100_000]
    with tempfile.TemporaryDirectory() as folder:
        for number, page in enumerate(near):
            Path(folder, f"{number}.html").write_bytes(page)
        theirs = float(subprocess.run([engine, folder, str(rounds)], capture_output=True, text=True, check=True).stdout)
    fastest = [float("inf")] * len(near)
    for _ in range(rounds):
        for at, page in enumerate(near):
            start = time.perf_counter()
            unchaff.extract(page).markdown  # noqa: B018
            fastest[at] = min(fastest[at], time.perf_counter() - start)
    mean = sum(map(len, near)) / len(near)
    print(f"call from Python over the engine's own, {len(near)} pages of {mean / 1000:.0f} kB: {100 * (sum(fastest) / theirs - 1):+.1f} %")


def million() -> None:
    """Memory over a million small pages."""
    text = "<p>It rained all day long, and then the sun came out over the town.</p>" * 10
    start, peaks = time.perf_counter(), []
    pages = (f"<title>{number}</title><nav><a href=/>Home</a></nav>{text}" for number in range(1_000_000))
    for number, doc in enumerate(unchaff.extract_many(pages)):
        assert doc.error is None
        if (number + 1) % 250_000 == 0:
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
    print(f"a million pages in {time.perf_counter() - start:.0f} s; most memory after each quarter: {', '.join(map(str, peaks))} MB")


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--pages", type=int, default=500)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--million", action="store_true")
    arguments.add_argument("--engine")
    options = arguments.parse_args()
    files = sorted(options.folder.rglob("*.html"))
    step = max(1, len(files) // options.pages)
    pages = [file.read_bytes() for file in itertools.islice(files, 0, None, step)][: options.pages]
    megabytes = sum(map(len, pages)) / 1e6
    print(f"{len(pages)} pages, {megabytes:.1f} MB, Python {sys.version.split()[0]}")
    for name, run in peers():
        run(pages[:5])
        wall, processor = best(run, pages, 1 if "trafilatura" in name else options.rounds)
        print(f"{name:42} {megabytes / wall:8.1f} MB/s {megabytes / processor:8.1f} MB/s of processor time", flush=True)
    if options.engine:
        overhead(options.engine, pages, 20)
    if options.million:
        million()


if __name__ == "__main__":
    main()
