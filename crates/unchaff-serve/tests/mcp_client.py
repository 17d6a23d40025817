"""The tools for assistants, used by a client of the protocol that others wrote (the package `mcp`).

    mcp_client.py UNCHAFF PAGE

UNCHAFF is the command, PAGE a file. One run fetches nothing, another fetches the page from a server of this machine.
"""
import asyncio, http.server, json, sys, threading
from functools import partial
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

command, page = sys.argv[1], Path(sys.argv[2])


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


async def talk(arguments, work):
    async with stdio_client(StdioServerParameters(command=command, args=["mcp", *arguments])) as (reading, writing):
        async with ClientSession(reading, writing) as session:
            started = await session.initialize()
            assert started.server_info.name == "unchaff", started
            await work(session)


async def without_fetching(session):
    tools = (await session.list_tools()).tools
    assert [tool.name for tool in tools] == ["extract", "site", "menu", "metadata"], tools
    await session.send_ping()
    html = page.read_text()
    whole = (await session.call_tool("extract", {"html": html, "max_length": 100_000})).content[0].text
    assert whole.startswith("# The lamp that would not go out"), whole
    parts, at = "", 0
    while True:
        part = (await session.call_tool("extract", {"html": html, "start_index": at, "max_length": 400})).content[0].text
        text, more, rest = part.partition("\n\n[More: start_index=")
        parts += text
        if not more:
            break
        at = int(rest.split()[0])
    assert parts == whole
    menu = (await session.call_tool("menu", {"html": html, "url": "https://gazette.example/"})).content[0].text
    assert "- [Coast](https://gazette.example/coast)" in menu, menu
    metadata = json.loads((await session.call_tool("metadata", {"html": html})).content[0].text)
    assert metadata["author"][0]["value"] == "Ines Okafor", metadata
    refused = await session.call_tool("extract", {"url": "https://example.org/"})
    assert refused.is_error and "--fetch" in refused.content[0].text, refused


async def main():
    await talk([], without_fetching)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=page.parent))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/{page.name}"

    async def private(session):
        refused = await session.call_tool("extract", {"url": address})
        assert refused.is_error and "no" in refused.content[0].text, refused

    async def allowed(session):
        answer = await session.call_tool("extract", {"url": address})
        assert not answer.is_error and "The lamp that would not go out" in answer.content[0].text, answer
        site = await session.call_tool("site", {"url": address, "pages": [address]})
        assert not site.is_error, site

    await talk(["--fetch"], private)
    await talk(["--fetch", "--fetch-private"], allowed)
    server.shutdown()
    print("a client of the protocol gets its answers")


asyncio.run(main())
