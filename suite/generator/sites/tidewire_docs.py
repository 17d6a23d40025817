"""The manual of a made-up command-line tool: tree of chapters beside the text, breadcrumbs, code blocks, previous and next, relative links."""

from ..site import Page, Site
from ..tree import content, h, menu, specific

PARTS = [
    ("Getting started", ["start/install", "start/first-watch"]),
    ("Guide", ["guide/filters", "guide/alerts", "guide/archives"]),
    ("Reference", ["reference/commands", "reference/exit-codes"]),
]

# path -> (title, blocks); a block is a paragraph, ("h2", anchor, text), ("code", text), ("list", items), ("note", text) or ("table", rows)
CHAPTERS = {
    "index": (
        "Tidewire manual",
        [
            (
                "Tidewire watches tide gauges and tells you when the water does something you care about. It is one program"
                " without a server; it reads the open feeds of harbour authorities and keeps everything it learns in a folder of"
                " plain text files."
            ),
            (
                "If you have never used it, install it and set up a first watch; both take five minutes. The guide then explains"
                " filters, alerts and archives one after another, and the reference lists every command with its exit codes."
            ),
        ],
    ),
    "start/install": (
        "Install Tidewire",
        [
            "Tidewire runs on Linux, macOS and Windows. It needs no privileges and writes nothing outside its own folder.",
            ("h2", "package", "From a package"),
            (
                "Most distributions carry a package that is at most one release behind. Refresh the package list first, then"
                " install and ask for the version:"
            ),
            ("code", "$ pkg update\n$ pkg install tidewire\n$ tidewire --version\ntidewire 2.4.0"),
            ("h2", "archive", "From an archive"),
            (
                "Download the archive for your system, unpack it anywhere and put the folder on your search path. To remove the"
                " program, delete that folder; nothing else is left behind."
            ),
            ("note", "On Windows, unpack to a folder whose path has no spaces if you intend to use alert scripts."),
        ],
    ),
    "start/first-watch": (
        "Your first watch",
        [
            (
                "A watch is a gauge together with the moments you want to hear about. Find the identifier of a gauge near you by"
                " name:"
            ),
            ("code", '$ tidewire find "north pier"\nnp-031   North Pier, inner basin\nnp-032   North Pier, lock gate'),
            (
                "Then ask for the next high water. Tidewire fetches the readings of the last six hours, fits a curve and prints"
                " the time together with an interval in which it is confident."
            ),
            ("code", "$ tidewire next np-031 --high\n14:52 ± 4 min   3.81 m"),
            (
                "When the answer looks right, keep the watch with `tidewire watch np-031`. It appears in the list from now on and"
                " survives a restart."
            ),
        ],
    ),
    "guide/filters": (
        "Filters",
        [
            (
                "Gauges in busy harbours are noisy: a passing tug raises the water by a hand's breadth for half a minute. A"
                " filter decides which readings are believed before a curve is fitted."
            ),
            ("h2", "median", "The median filter"),
            (
                "By default each reading is replaced by the median of itself and the four readings around it. This removes single"
                " spikes and keeps sudden real changes, such as the opening of a lock."
            ),
            ("h2", "surge", "The surge filter"),
            (
                "On open coasts, wind can hold the water up for hours. The surge filter estimates this from the difference"
                " between prediction and measurement and carries it forward, halving it every six hours."
            ),
            (
                "table",
                [
                    ("Filter", "Removes", "Delay"),
                    ("median", "wash of ships", "2 readings"),
                    ("surge", "wind set-up", "none"),
                    ("none", "nothing", "none"),
                ],
            ),
            ("code", "$ tidewire set np-031 filter=median,surge"),
            (
                "Filters are applied from left to right. Putting the surge filter first is allowed but rarely useful, because"
                " spikes then leak into its estimate."
            ),
            ("h2", "own", "A filter of your own"),
            (
                "Any program that reads readings on its standard input and writes readings on its standard output can be a"
                " filter. It gets one reading a line, oldest first, as a time and a level separated by a tab, and must answer"
                " with lines of the same form. It may leave readings out but not invent any; a time that was not in the input"
                " stops the watch with exit code 4."
            ),
            ("code", "$ tidewire set np-031 filter=median,exec:./no-ferries.sh"),
            (
                "The program is started once and kept running, so it can remember what it has seen. Tidewire waits two seconds"
                " for each answer. If none comes, the reading is taken as it is and a line in the journal says so."
            ),
        ],
    ),
    "guide/alerts": (
        "Alerts",
        [
            (
                "An alert runs a command of yours when a condition becomes true. It runs once, not as long as the condition"
                " holds, and it is armed again when the water has fallen a hand's breadth below the mark."
            ),
            ("code", '$ tidewire alert np-031 --above 4.2 -- notify-send "Move the car"'),
            (
                "The command receives the gauge, the level and the time in environment variables. Its output goes to the journal"
                " of the watch, where you can read it later."
            ),
            (
                "list",
                [
                    "TIDEWIRE_GAUGE holds the identifier of the gauge.",
                    "TIDEWIRE_LEVEL holds the level in metres.",
                    "TIDEWIRE_TIME holds the time in UTC.",
                ],
            ),
            (
                "note",
                (
                    "If the command fails, the alert is tried again after a minute, five times at most. After that it stays"
                    " silent until it is armed again."
                ),
            ),
        ],
    ),
    "guide/archives": (
        "Archives",
        [
            (
                "Every reading that Tidewire fetches is appended to a text file, one file a month and gauge. You can move these"
                " files, compress them or keep them under version control; the program only ever reads them from the start and"
                " appends at the end."
            ),
            ("h2", "import", "Import older data"),
            (
                "Files from other programs can be imported as long as they have a time and a level in two columns. Readings that"
                " exist already are skipped, so importing twice does no harm."
            ),
            ("code", "$ tidewire import np-031 levels-1998.csv --time 1 --level 3\n52416 readings, 17 skipped"),
            (
                "An import never changes the filter of a watch. If the old instrument was noisier than the new one, give the"
                " years a filter of their own."
            ),
        ],
    ),
    "reference/commands": (
        "Commands",
        [
            (
                "All commands take the identifier of a gauge first and options after it. Options can be shortened as long as they"
                " stay unique."
            ),
            (
                "table",
                [
                    ("Command", "What it does"),
                    ("find NAME", "lists gauges whose name contains the words"),
                    ("next GAUGE", "prints the next high or low water"),
                    ("watch GAUGE", "keeps a gauge in the list"),
                    ("set GAUGE KEY=VALUE", "changes a setting of a watch"),
                    ("alert GAUGE", "runs a command at a level"),
                    ("import GAUGE FILE", "adds readings from a file"),
                ],
            ),
            (
                "With `--json` every command prints one JSON object a line instead of text. The names of its fields are stable"
                " within a major version; new ones may be added."
            ),
        ],
    ),
    "reference/exit-codes": (
        "Exit codes",
        [
            (
                "Scripts can rely on the exit code. Messages for people go to the standard error stream and may change between"
                " releases."
            ),
            (
                "table",
                [
                    ("Code", "Meaning"),
                    ("0", "all went well"),
                    ("1", "the gauge answered, but with no usable reading"),
                    ("2", "wrong usage"),
                    ("3", "the network could not be reached"),
                    ("4", "the archive is damaged; run import again with the backup"),
                ],
            ),
            (
                "Code 1 is not an error in the usual sense: gauges are cleaned, struck by boats and frozen in. A watch that"
                " returns it for more than a day is marked as asleep."
            ),
        ],
    ),
}
ORDER = ["index"] + [c for _, chapters in PARTS for c in chapters]


def inline(text):
    """Text with `code` between back quotes."""
    return [h("code.literal", piece) if i % 2 else piece for i, piece in enumerate(text.split("`"))]


def block(b):
    if isinstance(b, str):
        return h("p", inline(b))
    kind, *rest = b
    if kind == "h2":
        return h("h2", rest[1], h("a.headerlink", "¶", href="#" + rest[0]), id=rest[0])
    if kind == "code":
        return h("div.highlight", h("pre", h("code", rest[0])))
    if kind == "list":
        return h("ul.simple", [h("li", h("p", t)) for t in rest[0]])
    if kind == "note":
        return h("div.admonition.note", h("p.admonition-title", "Note"), h("p", rest[0]))
    head, *rows = rest[0]
    return h(
        "table.docutils",
        h("thead", h("tr", [h("th", t) for t in head])),
        h("tbody", [h("tr", [h("td", t) for t in row]) for row in rows]),
    )


def chapter(path):
    title, blocks = CHAPTERS[path]
    up = "../" * path.count("/")
    link = lambda target, text=None, **more: h(
        "a.reference.internal", text or CHAPTERS[target][0], href=f"{up}{target}.html", **more
    )
    part = next((name for name, chapters in PARTS if path in chapters), None)
    place = ORDER.index(path)
    before, after = (ORDER[place - 1] if place else None), (ORDER[place + 1] if place + 1 < len(ORDER) else None)
    anchors = [b for b in blocks if b[0] == "h2"]
    return Page(
        path + ".html",
        h(
            "html",
            h(
                "head",
                h("meta", charset="utf-8"),
                h("title", f"{title} — Tidewire 2.4"),
                h("link", rel="stylesheet", href=up + "_static/docs.css"),
                h("script", "document.documentElement.dataset.theme = localStorage.theme || 'light'"),
            ),
            h(
                "body",
                h(
                    "div.topbar",
                    link("index", "Tidewire 2.4"),
                    h("a", "Source", href="https://git.example/tidewire"),
                    h("form.search", h("input", type="text", name="q", placeholder="Search the manual"), action="/search"),
                ),
                h(
                    "div.document",
                    h(
                        "div.sphinxsidebar",
                        menu(
                            h(
                                "div.toctree",
                                [
                                    [
                                        h("p.caption", h("span.caption-text", name)),
                                        h(
                                            "ul",
                                            [
                                                h("li.toctree-l1.current" if c == path else "li.toctree-l1", link(c))
                                                for c in chapters
                                            ],
                                        ),
                                    ]
                                    for name, chapters in PARTS
                                ],
                            )
                        ),
                    ),
                    h(
                        "div.documentwrapper",
                        h(
                            "div.breadcrumbs",
                            h(
                                "ul",
                                h("li", link("index", "Manual")),
                                specific(h("li", part)) if part else None,
                                specific(h("li", title)),
                            ),
                        ),
                        h("div.body", content(h("h1", title)), [content(block(b)) for b in blocks]),
                        h(
                            "div.prevnext",
                            specific(link(before, "Previous: " + CHAPTERS[before][0], rel="prev")) if before else None,
                            specific(link(after, "Next: " + CHAPTERS[after][0], rel="next")) if after else None,
                        ),
                    ),
                    h(
                        "div.onthispage",
                        h("h3", "On this page"),
                        specific(h("ul", [h("li", h("a", b[2], href="#" + b[1])) for b in anchors])) if anchors else None,
                    ),
                ),
                h(
                    "div.footer",
                    "The manual may be copied and changed freely. ",
                    h("a", "Report a mistake", href="https://git.example/tidewire/issues"),
                ),
            ),
            lang="en",
        ),
        "documentation",
    )


SITE = Site(
    id="tidewire-docs",
    category="docs",
    language="en",
    generator="manual with chapter tree, breadcrumbs, code blocks, previous and next",
    key_page="guide/filters.html",
    base_url="https://docs.tidewire.example/2.4/",
    split="eval",
    pages=[chapter(p) for p in ORDER],
)
