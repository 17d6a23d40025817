"""The examples of a page of the documentation, run: every command of a block marked `sh run` ends well, and no answer is a problem.

    examples_of_docs.py PAGE ADDRESS UNCHAFF

ADDRESS is a running service, in the place of the one that the page names. Also, what the service answers is what the command UNCHAFF prints.
"""
import re, subprocess, sys
from pathlib import Path

page, address, unchaff = Path(sys.argv[1]).read_text(), sys.argv[2], sys.argv[3]
blocks = re.findall(r"^```sh run\n(.*?)^```$", page, re.S | re.M)
commands = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
assert len(commands) > 8, commands
for command in commands:
    command = command.replace("http://127.0.0.1:8017", address)
    done = subprocess.run(["bash", "-euc", command], capture_output=True, text=True)
    assert done.returncode == 0, (command, done.stderr)
    assert "urn:unchaff:" not in done.stdout, (command, done.stdout)
    is_silent = "-o " in command or "DELETE" in command
    assert done.stdout or is_silent, command

url = ["--url", "https://example.org/a"]
compared = 0
for path in sorted(Path("suite/sites").rglob("*.html"))[::4]:
    for verb, options, query in [
        ("extract", ["--format", "json", *url], "url=https://example.org/a"),
        ("extract", ["--technique", "ccb", "--set", "range=20", "--explain", "--format", "json"], "technique=ccb&set=range=20&explain"),
        ("menu", ["--format", "json", *url], "url=https://example.org/a"),
        ("template", ["--format", "skeleton"], "format=skeleton"),
        ("segment", ["--technique", "dom-blocks"], ""),
    ]:
        printed = subprocess.run([unchaff, verb, "-", *options], stdin=path.open("rb"), capture_output=True, check=True).stdout
        curl = ["curl", "-sS", "-H", "Content-Type: text/html", "--data-binary", f"@{path}", f"{address}/v1/{verb}?{query}"]
        answered = subprocess.run(curl, capture_output=True, check=True).stdout
        assert printed == answered, (path, verb, options)
        compared += 1
print(f"{len(commands)} examples, and {compared} answers that are those of the command, byte for byte")
