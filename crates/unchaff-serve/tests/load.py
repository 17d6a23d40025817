"""How much the service bears: requests a second and their times, what it costs beside the command and beside trafilatura, memory, and what idle, slow and half-closed clients do.

    load.py UNCHAFF [--requests N] [--connections N] [--bytes N] [--trafilatura PYTHON] [--idle N]
    load.py UNCHAFF --rate N --minutes N [--connections N] [--bytes N]

UNCHAFF is the command. N requests (default 2,000) are sent over each number of connections, and no more. PYTHON is an interpreter that has trafilatura and uvicorn; with it,
the same page is asked of a minimal service around trafilatura.extract, and the ratio is printed. Needs Linux. Everything stays on this machine. The page has some
100 kB, or so many bytes, made of a page of ours. With --rate and --minutes so many requests a second are sent for so long, and nothing else is done: memory is written down
every five minutes.
"""
import argparse, asyncio, os, re, resource, socket, subprocess, tempfile, time, urllib.request
from collections import Counter
from pathlib import Path

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("unchaff")
arguments.add_argument("--requests", type=int, default=2000)
arguments.add_argument("--connections", type=int, nargs="+", default=[8, 64])
arguments.add_argument("--trafilatura", metavar="PYTHON")
arguments.add_argument("--bytes", type=int, default=95_000)
arguments.add_argument("--idle", type=int, default=10_000)
arguments.add_argument("--rate", type=int)
arguments.add_argument("--minutes", type=int)
given = arguments.parse_args()
if (given.rate is None) != (given.minutes is None):
    arguments.error("--rate and --minutes belong together")
root = Path(__file__).resolve().parents[3]
ticks = os.sysconf("SC_CLK_TCK")

PEER = '''
import trafilatura

async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message["body"], message.get("more_body", False)
    text = (trafilatura.extract(body, output_format="json", with_metadata=True) or "").encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json"), (b"content-length", str(len(text)).encode())]})
    await send({"type": "http.response.body", "body": text})
'''


def page():
    """The example, its article repeated with other words until it is long enough."""
    html = (root / "examples/lighthouse.html").read_text()
    start, end = html.index("<article>") + len("<article>"), html.index("</article>")
    parts, at = [], 0
    while not parts or sum(map(len, parts)) < given.bytes:
        parts.append(html[start:end].replace("lamp", f"lamp {at}").replace("Gull", f"Gull {at * 7}"))
        at += 1
    return html[:start] + "".join(parts) + html[end:]


def processes(pid):
    """A process and those that it started."""
    found = [pid]
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            if re.search(rf"^PPid:\s+{pid}$", status.read_text(), re.M):
                found += processes(int(status.parent.name))
        except OSError:
            pass
    return found


def cpu(pid):
    total = 0
    for one in processes(pid):
        fields = Path(f"/proc/{one}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / ticks


def memory(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1]) // 1024


async def asked(host, port, request, count, connections, part, after_part):
    """Sends so many requests over so many connections; how long each took, in ms, and what went wrong, by status or kind. `after_part` is called after each so many of them."""
    left, times, errors, begun = count, [], Counter(), time.perf_counter()

    async def client():
        nonlocal left
        reader = writer = None
        while left > 0:
            sent, left = count - left, left - 1
            if (sent + 1) % part == 0:
                after_part(sent + 1, errors)
            if given.rate:
                await asyncio.sleep(max(0.0, begun + sent / given.rate - time.perf_counter()))
            start = time.perf_counter()
            try:
                if writer is None:
                    reader, writer = await asyncio.open_connection(host, port, limit=1 << 20)
                writer.write(request)
                await writer.drain()
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 120)
                length = int(re.search(rb"content-length: *(\d+)", head, re.I)[1])
                await asyncio.wait_for(reader.readexactly(length), 120)
                status = head.split(b" ", 2)[1].decode()
                if status != "200":
                    errors[status] += 1
                times.append((time.perf_counter() - start) * 1e3)
            except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError, TypeError) as problem:
                errors[type(problem).__name__] += 1
                writer = None
        if writer:
            writer.close()

    await asyncio.gather(*(client() for _ in range(connections)))
    return times, errors


def load(address, pid, path, count, connections, part=None):
    host, port = address.removeprefix("http://").split(":")
    head = f"POST {path} HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: text/html\r\nContent-Length: {len(html)}\r\n\r\n"
    before, start = cpu(pid), time.time()
    held.clear()

    def noted(sent, errors):
        held.append(memory(pid))
        if part or count >= 10_000:
            print(f"{time.time() - start:.0f} s: {sent} requests, {said(errors)}, {held[-1]} MB", flush=True)

    times, errors = asyncio.run(asked(host, int(port), head.encode() + html, count, connections, part or max(count // 4, 1), noted))
    took, times = time.time() - start, sorted(times) or [0.0]
    cost = (cpu(pid) - before) / max(count, 1)
    median, late = times[len(times) // 2], times[min(len(times) - 1, len(times) * 99 // 100)]
    return count / took, median, late, errors, cost


def said(errors):
    return f"{errors.total()} errors" + (f" ({', '.join(f'{count} x {what}' for what, count in errors.items())})" if errors else "")


def tried(requests, connections, part=None):
    """One line on so many requests; returns how many are answered a second and their cost."""
    rate, median, late, errors, cost = load(address, service.pid, "/v1/extract", requests, connections, part)
    print(f"{len(html)} bytes, {connections} connections: {rate:.0f} requests/s, median {median:.1f} ms, p99 {late:.1f} ms ({late / median:.1f} x), "
          f"{said(errors)} of {requests}, {cost * 1e3:.2f} ms CPU each, {', '.join(map(str, held))} MB {'every five minutes' if part else 'after each quarter'}", flush=True)
    assert not errors
    return rate, cost


held = []  # memory after each part
folder = Path(tempfile.mkdtemp())
html = page().encode()
service = subprocess.Popen([given.unchaff, "serve", "--port", "0", "--quiet"], stderr=subprocess.PIPE, text=True)
try:
    address = re.search(r"http://[^/]+", service.stderr.readline())[0]
    host, port = address.removeprefix("http://").split(":")
    load(address, service.pid, "/v1/extract", 50, 8)
    if given.rate:
        tried(given.rate * 60 * given.minutes, given.connections[0], part=given.rate * 300)
        raise SystemExit
    for connections in given.connections:
        rate, cost = tried(given.requests, connections)
    # The same pages by the command, in one run, on one thread.
    pages = 400
    (folder / "many").mkdir()
    for number in range(pages):
        (folder / f"many/{number}.html").write_bytes(html)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.time()
    subprocess.run([given.unchaff, "extract", str(folder / "many"), "--format", "json"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / pages
    print(f"the command: {pages / (time.time() - start):.0f} pages/s, {own * 1e3:.2f} ms CPU each; the service takes {cost / own:.2f} x its CPU, so on the same cores it does {own / cost:.0%} of its pages", flush=True)

    if given.trafilatura:
        (folder / "peer.py").write_text(PEER)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            at = free.getsockname()[1]
        peer = subprocess.Popen([given.trafilatura, "-m", "uvicorn", "peer:app", "--host", "127.0.0.1", "--port", str(at), "--workers", str(os.cpu_count()), "--log-level", "error"], cwd=folder)
        try:
            for _ in range(300):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", at)) == 0:
                        break
                time.sleep(0.1)
            load(f"http://127.0.0.1:{at}", peer.pid, "/", 20, 4)
            # It takes long; fewer say the same.
            count = min(300, max(50, given.requests // 40))
            theirs, their_median, their_late, errors, their_cost = load(f"http://127.0.0.1:{at}", peer.pid, "/", count, given.connections[-1])
            print(f"trafilatura behind uvicorn, {os.cpu_count()} workers: {theirs:.1f} requests/s, median {their_median:.0f} ms, p99 {their_late:.0f} ms, {said(errors)} of {count}, "
                  f"{their_cost * 1e3:.1f} ms CPU each; the service does {rate / theirs:.1f} x the requests with {their_cost / cost:.1f} x less CPU each", flush=True)
        finally:
            peer.terminate()
            peer.wait(60)

    # Idle connections, clients that stop in the middle of a request, and some that close their side then: others are served.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    idle = []
    for number in range(given.idle):
        try:
            connection = socket.create_connection((host, int(port)), timeout=10)
        except OSError as problem:
            print(f"only {number} idle connections: {problem}")
            break
        if number % 2:
            connection.sendall(b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n<p>" if number % 200 == 1 else b"GET /hea")
        if number % 200 == 3:
            connection.shutdown(socket.SHUT_WR)
        idle.append(connection)
    open_now = int(re.search(r"^unchaff_connections (\d+)", urllib.request.urlopen(f"{address}/metrics").read().decode(), re.M)[1])
    count = min(given.requests, 1000)
    rate, median, late, errors, _ = load(address, service.pid, "/v1/extract", count, 8)
    print(f"beside {len(idle)} idle, slow and half-closed clients ({open_now} connections at the start): {rate:.0f} requests/s, median {median:.1f} ms, p99 {late:.1f} ms, {said(errors)} of {count}, {memory(service.pid)} MB")
    assert not errors
    for connection in idle:
        connection.close()
finally:
    service.terminate()
    service.wait(60)
