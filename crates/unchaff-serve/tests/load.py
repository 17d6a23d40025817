"""How much the service bears: requests a second and their times, what it costs beside the command, memory, and what idle and slow clients do.

    load.py UNCHAFF [SECONDS]

UNCHAFF is the command. Needs wrk and Linux. Everything stays on this machine. The page has some 100 kB, made of a page of ours.
"""
import os, re, resource, socket, subprocess, sys, tempfile, time, urllib.request
from pathlib import Path

unchaff, seconds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10
root = Path(__file__).resolve().parents[3]
ticks = os.sysconf("SC_CLK_TCK")


def page():
    """The example, its article repeated with other words, up to 100 kB."""
    html = (root / "examples/lighthouse.html").read_text()
    start, end = html.index("<article>") + len("<article>"), html.index("</article>")
    parts, at = [], 0
    while sum(map(len, parts)) < 95_000:
        parts.append(html[start:end].replace("lamp", f"lamp {at}").replace("Gull", f"Gull {at * 7}"))
        at += 1
    return html[:start] + "".join(parts) + html[end:]


def cpu(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / ticks


def memory(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1]) // 1024


folder = Path(tempfile.mkdtemp())
html = page()
(folder / "page.html").write_text(html)
service = subprocess.Popen([unchaff, "serve", "--port", "0", "--quiet"], stderr=subprocess.PIPE, text=True)
try:
    address = re.search(r"http://[^/]+", service.stderr.readline())[0]
    host, port = address.removeprefix("http://").split(":")
    script = folder / "post.lua"
    script.write_text(f'wrk.method = "POST"\nwrk.headers["Content-Type"] = "text/html"\nlocal f = io.open("{folder}/page.html", "rb")\nwrk.body = f:read("*a")\nf:close()\n'
                      'done = function(s, l, r) io.write(string.format("FIGURES %d %d %.0f %.0f %d %d %d %d %d\\n", s.requests, s.duration, l:percentile(50), l:percentile(99), '
                      's.errors.connect, s.errors.read, s.errors.write, s.errors.status, s.errors.timeout)) end\n')

    def load(connections, seconds):
        before = cpu(service.pid)
        out = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s", str(script), f"{address}/v1/extract"],
                             capture_output=True, text=True, check=True).stdout
        found = re.search(r"FIGURES (.*)", out)
        requests, duration, median, late, *errors = map(int, found[1].split())
        return requests, duration / 1e6, median / 1e3, late / 1e3, sum(errors), (cpu(service.pid) - before) / max(requests, 1)

    load(8, 2)
    for connections in (8, 64):
        requests, duration, median, late, errors, cost = load(connections, seconds)
        print(f"{len(html)} bytes, {connections} connections: {requests / duration:.0f} requests/s, median {median:.1f} ms, p99 {late:.1f} ms ({late / median:.1f} x), "
              f"{errors} errors of {requests}, {cost * 1e3:.2f} ms CPU each, {memory(service.pid)} MB")
        assert errors == 0
    # The same pages by the command, in one run, on one thread.
    pages = 400
    (folder / "many").mkdir()
    for number in range(pages):
        (folder / f"many/{number}.html").write_text(html)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.time()
    subprocess.run([unchaff, "extract", str(folder / "many"), "--format", "json"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / pages
    print(f"the command: {pages / (time.time() - start):.0f} pages/s, {own * 1e3:.2f} ms CPU each; the service takes {cost / own:.2f} x its CPU")

    # Idle connections, and clients that send a byte now and then: others are served.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    idle = []
    for number in range(10_000):
        try:
            connection = socket.create_connection((host, int(port)), timeout=10)
        except OSError as problem:
            print(f"only {number} idle connections: {problem}")
            break
        if number % 2:
            connection.sendall(b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n<p>" if number % 200 == 1 else b"GET /hea")
        idle.append(connection)
    held = int(re.search(r"^unchaff_connections (\d+)", urllib.request.urlopen(f"{address}/metrics").read().decode(), re.M)[1])
    requests, duration, median, late, errors, _ = load(8, min(seconds, 5))
    print(f"beside {len(idle)} idle and slow clients ({held} connections at the start): {requests / duration:.0f} requests/s, median {median:.1f} ms, p99 {late:.1f} ms, {errors} errors, {memory(service.pid)} MB")
    assert errors == 0 and requests > 0
    for connection in idle:
        connection.close()
finally:
    service.terminate()
    service.wait(60)
