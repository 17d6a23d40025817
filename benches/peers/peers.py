#!/usr/bin/env python3
"""Other extractors as commands that the workbench can run: a page on standard input, its content on standard output.

    peers.py serve SOCKET        loads them all once and answers until it is stopped
    peers.py ask SOCKET NAME     what one of them makes of the page on standard input

With a folder as PEERS_KEPT, answers are kept there by the content of the page, and those that are there already are not asked for again.

Starting Python and loading an extractor takes longer than extracting; so they are loaded once, and asked over a socket.
Each runs with its own defaults. For `bench structure`, trafilatura writes Markdown with links and images, and resiliparse
the reduced HTML that it has for headings, lists and code (markdown.mjs makes Markdown of it).
"""
import hashlib
import os
import socket
import sys


def peers():
    import trafilatura
    from lxml import html as lxml_html
    from readability import Document
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    def readability(page):
        return lxml_html.fromstring(Document(bytes_to_str(page, detect_encoding(page))).summary()).text_content()

    def resiliparse(page):
        return extract_plain_text(bytes_to_str(page, detect_encoding(page)), main_content=True)

    def trafilatura_markdown(page):
        return trafilatura.extract(page, output_format="markdown", include_links=True, include_images=True)

    def resiliparse_html(page):
        return extract_plain_text(
            bytes_to_str(page, detect_encoding(page)), main_content=True, preserve_formatting="minimal_html", links=True
        )

    return {
        "trafilatura": trafilatura.extract,
        "readability": readability,
        "resiliparse": resiliparse,
        "trafilatura-markdown": trafilatura_markdown,
        "resiliparse-html": resiliparse_html,
    }


def read_all(connection):
    pieces = []
    while piece := connection.recv(1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


def answer(extractors, question):
    name, _, page = question.partition(b"\n")
    try:
        return (extractors[name.decode()](page) or "").encode("utf-8", "replace")
    except Exception as error:
        print(f"{name.decode()}: {error!r}", file=sys.stderr)
        return b""


def serve(path):
    extractors = peers()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(16)
        print("ready", flush=True)
        # One process for each core, so that no extractor waits for another's page.
        for _ in range((os.cpu_count() or 2) - 1):
            if os.fork() == 0:
                break
        while True:
            connection, _ = listener.accept()
            with connection:
                connection.sendall(answer(extractors, read_all(connection)))


def ask(path, name):
    page = sys.stdin.buffer.read()
    folder = os.environ.get("PEERS_KEPT")
    kept = folder and os.path.join(folder, f"{name}-{hashlib.sha256(page).hexdigest()[:24]}")
    if kept and os.path.exists(kept):
        with open(kept, "rb") as file:
            sys.stdout.buffer.write(file.read())
        return
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(name.encode() + b"\n" + page)
        connection.shutdown(socket.SHUT_WR)
        said = read_all(connection)
    if kept:
        os.makedirs(folder, exist_ok=True)
        with open(kept + ".part", "wb") as file:
            file.write(said)
        os.replace(kept + ".part", kept)
    sys.stdout.buffer.write(said)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "serve":
        serve(sys.argv[2])
    elif len(sys.argv) == 4 and sys.argv[1] == "ask":
        ask(sys.argv[2], sys.argv[3])
    else:
        sys.exit(__doc__)
