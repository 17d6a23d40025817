"""Pages with segments: what a person sees as the parts of a page, in two levels, known because the pages are made from them.

Each page is a folder under segments/ with `index.dom.html`, `index.blocks.html` (the same with `data-block` and `data-block-type` on
the elements that are segments), its style sheet and its picture. Boxes of the pages as a browser sets them are in segments/layouts;
they are not written here (suite/README.md says how).
"""

from .tree import Style, h, write


def part(level, kind, element):
    """A segment: level 1 for the few large parts of the page, 2 for the parts of those."""
    element.block = {"data-block": str(level), "data-block-type": kind}
    return element


def document(title, *body):
    return h(
        "html",
        h("head", h("meta", charset="utf-8"), h("title", title), h("link", rel="stylesheet", href="style.css")),
        h("body", *body),
        lang="en",
    )


def links(*names):
    return h("ul", [h("li", h("a", name, href=f"#{name.split()[0].lower()}")) for name in names])


BASE = """body { margin: 0; font: 15px/1.4 sans-serif; color: #222; background: #fff }
h1, h2, h3 { margin: 0 0 8px; line-height: 1.2 }
p { margin: 0 0 10px }
a { color: #1a4f8b }
ul { margin: 0; padding: 0 0 0 18px }
.row { display: flex; gap: 24px }
img { display: block }
"""


def article():
    """An article with a menu above, a column of related matter beside and what readers wrote below."""
    paragraphs = [
        "The tide mill at Oster Sound ground its last barley in 1931. Ninety years later its wheel turns again, twice a day, for as"
        " long as the pond behind the dam takes to empty.",
        "Rebuilding it took eleven winters. The oak for the wheel came from a storm-felled avenue, the iron from a scrapped"
        " lightship, and the drawings from a school exercise book that the last miller's daughter had kept in a biscuit tin.",
        "What nobody had drawn was the sluice. Two versions jammed with weed within a month. The third hangs from above and lets"
        " eels pass, which pleased the fishery board more than anything else about the mill.",
        "Flour is sold on Saturdays from the granary door. There is rarely any left by noon.",
    ]
    comments = [
        ("Runa", "My grandfather brought his rye there. He said one could hear the wheel from the church."),
        ("Teo", "Is the path along the dam open again? Last spring it was under water."),
        ("Ansgar", "It is, except for two hours around high water. There is a board with the times."),
    ]
    return document(
        "The mill that the tide turns",
        part(1, "Header", h("div.top", h("div.name", "The Sound Gazette"), h("p.claim", "News from both shores since 1887"))),
        part(1, "Menu", h("div.menu", links("Home", "Shores", "Harbour", "Weather", "Letters", "Archive"))),
        h(
            "div.row.page",
            part(
                1,
                "Content",
                h(
                    "div.story",
                    part(
                        2,
                        "Article",
                        h(
                            "div.text",
                            h("h1", "The mill that the tide turns"),
                            h("p.by", "By Liv Aster, 12 May"),
                            h("img", src="picture.svg", width="640", height="260", alt="The mill at high water"),
                            [h("p", text) for text in paragraphs],
                        ),
                    ),
                    part(
                        2,
                        "Comments",
                        h(
                            "div.said",
                            h("h2", "Three letters"),
                            [h("div.letter", h("b", name), h("p", text)) for name, text in comments],
                        ),
                    ),
                ),
            ),
            part(
                1,
                "Sidebar",
                h(
                    "div.side",
                    part(
                        2,
                        "LinkList",
                        h(
                            "div.card",
                            h("h3", "Also in Shores"),
                            links("Dredger leaves after nine weeks", "Kelp counts", "A pier for Hult"),
                        ),
                    ),
                    part(
                        2,
                        "LinkList",
                        h(
                            "div.card",
                            h("h3", "Most read"),
                            links("Ferry keeps its cat", "Fog signal tested", "Who owns the sandbank?"),
                        ),
                    ),
                    part(
                        2,
                        "Advertisement",
                        h(
                            "div.card.ad",
                            h("p", "Advertisement"),
                            h("img", src="picture.svg", width="220", height="140", alt="Rope"),
                        ),
                    ),
                ),
            ),
        ),
        part(
            1,
            "Footer",
            h(
                "div.foot",
                h("p", "© The Sound Gazette. Printed on Tuesdays and Fridays."),
                links("Imprint", "Privacy", "Delivery"),
            ),
        ),
    )


ARTICLE = """.top { padding: 18px 40px; background: #22384a; color: #fff }
.name { font-size: 30px }
.claim { margin: 0 }
.menu { padding: 8px 40px; background: #dfe7ec }
.menu ul { display: flex; gap: 28px; list-style: none; padding: 0 }
.page { padding: 24px 40px }
.story { width: 720px }
.by { color: #777 }
.said { margin-top: 36px; padding-top: 16px; border-top: 2px solid #22384a }
.letter { margin-bottom: 12px }
.side { width: 300px }
.card { margin-bottom: 28px; padding: 14px; background: #f3f3ee }
.ad { background: #fff6d8 }
.foot { margin-top: 20px; padding: 20px 40px; background: #22384a; color: #cdd }
.foot a { color: #fff }
"""


def index():
    """A front page: many small areas of one pattern, in three columns."""
    sections = {
        "Gardens": [
            ("Frost again in the valley", "Growers cover the early beans."),
            ("A hedge of willow", "Planted in a day, cut in a year."),
        ],
        "Kitchen": [
            ("Bread without a tin", "Stones and patience are enough."),
            ("Plums in vinegar", "An old recipe, half the sugar."),
        ],
        "Workshop": [
            ("Saws that fold", "Six of them, compared on wet oak."),
            ("How to true a plane", "With glass, paper and an hour."),
        ],
    }

    def column(name, stories):
        items = [h("div.item", h("h3", h("a", title, href="#s")), h("p", text)) for title, text in stories]
        return part(2, "LinkList", h("div.column", h("h2", name), items))

    return document(
        "Hearth & Field",
        part(
            1,
            "Header",
            h(
                "div.head.row",
                h("div.logo", "Hearth & Field"),
                h("form", h("input", type="text", name="q", size="24"), h("button", "Search")),
            ),
        ),
        part(1, "Menu", h("div.bar", links("Today", "Gardens", "Kitchen", "Workshop", "Almanac", "Subscribe"))),
        part(
            1,
            "Content",
            h(
                "div.lead.row",
                h("img", src="picture.svg", width="520", height="300", alt="An orchard in snow"),
                h(
                    "div.tale",
                    h("h1", "The orchard that was moved by sledge"),
                    h(
                        "p",
                        "Forty apple trees stood in the way of a road. In the coldest week of January a village decided to take them along.",
                    ),
                    h("p", h("a", "Read how it was done", href="#orchard")),
                ),
            ),
        ),
        part(1, "Content", h("div.grid.row", [column(name, stories) for name, stories in sections.items()])),
        part(
            1,
            "Footer",
            h(
                "div.end.row",
                part(2, "LinkList", h("div.about", h("h3", "The magazine"), links("Who we are", "Write for us", "Jobs"))),
                part(
                    2,
                    "Form",
                    h(
                        "div.post",
                        h("h3", "By post"),
                        h("p", "A letter every first Monday."),
                        h("input", type="text", name="mail", size="20"),
                    ),
                ),
            ),
        ),
    )


INDEX = """.head { padding: 16px 30px; justify-content: space-between; align-items: center }
.logo { font: 34px serif; color: #5a3312 }
.bar { background: #5a3312; padding: 10px 30px }
.bar ul { display: flex; gap: 30px; list-style: none; padding: 0 }
.bar a { color: #fff }
.lead { padding: 26px 30px; background: #f6efe4 }
.tale { width: 520px }
.grid { padding: 30px }
.column { width: 380px; border-top: 3px solid #5a3312; padding-top: 8px }
.item { margin-bottom: 14px }
.end { padding: 24px 30px; background: #eee; gap: 200px }
"""


def shop():
    """A list of products in cards, with filters beside it."""
    products = [
        ("Tarred twine, 50 m", "4.20"),
        ("Ash oar, 2.4 m", "89.00"),
        ("Bronze rowlock", "23.50"),
        ("Canvas bucket", "18.00"),
        ("Oilskin hat", "31.00"),
        ("Lead line, 20 m", "27.90"),
    ]

    def card(name, price):
        picture = h("img", src="picture.svg", width="180", height="120", alt=name)
        return part(
            2,
            "Product",
            h("div.card", picture, h("h3", h("a", name, href="#p")), h("p.price", f"€ {price}"), h("button", "Into the basket")),
        )

    return document(
        "Chandlery: for rowing boats",
        part(
            1,
            "Header",
            h("div.mast.row", h("div.brand", "Nils & Daughters, chandlers"), h("p.basket", h("a", "Basket (2)", href="#basket"))),
        ),
        part(1, "Menu", h("div.tabs", links("Boats", "Ropes", "Clothes", "Charts", "Sale"))),
        h(
            "div.row.shelf",
            part(
                1,
                "Sidebar",
                h(
                    "div.filter",
                    part(2, "Form", h("div.by", h("h3", "Price"), links("up to 20", "20 to 50", "over 50"))),
                    part(2, "Form", h("div.by", h("h3", "Made of"), links("Ash", "Bronze", "Canvas", "Hemp"))),
                ),
            ),
            part(
                1,
                "Content",
                h("div.goods", h("h1", "For rowing boats"), h("div.cards", [card(*product) for product in products])),
            ),
        ),
        part(
            1,
            "Footer",
            h("div.legal", h("p", "Prices with tax. We send on weekdays, oars by cart."), links("Terms", "Returns", "Contact")),
        ),
    )


SHOP = """.mast { justify-content: space-between; padding: 20px 60px; border-bottom: 1px solid #aaa }
.brand { font-size: 26px }
.tabs { padding: 12px 60px }
.tabs ul { display: flex; list-style: none; gap: 40px; padding: 0 }
.shelf { padding: 20px 60px }
.filter { width: 200px }
.by { margin-bottom: 40px }
.cards { display: flex; flex-wrap: wrap; gap: 30px }
.card { width: 220px; padding: 16px; border: 1px solid #ccc }
.price { font-weight: bold; color: #a32 }
.legal { padding: 30px 60px; background: #333; color: #ddd }
.legal a { color: #fff }
"""


def manual():
    """A manual: a tree of chapters at the left, sections of prose and code, a way to the next page."""
    sections = [
        (
            "Winding",
            "Turn the key until it stops, eight turns at most. A clock that is wound a little every day keeps better time"
            " than one that is wound on Sundays.",
            "key  8 turns  clockwise",
        ),
        (
            "Setting",
            "Move the long hand forward only. If the clock is fast, stop the pendulum and wait; turning back bends the strike.",
            "hand forward 60 min\nwait until struck",
        ),
        (
            "Oiling",
            "One drop for each pivot, every third year. More oil runs down the plates and takes the dust along.",
            "oil  1 drop  pivot 1-9",
        ),
    ]

    def section(title, text, code):
        return part(2, "Article", h("div.section", h("h2", title), h("p", text), h("pre", code)))

    return document(
        "The eight-day clock: a manual",
        h(
            "div.row",
            part(
                1,
                "Menu",
                h(
                    "div.tree",
                    h("b", "Manual"),
                    links("Unpacking", "Hanging", "Winding and setting", "Striking", "Moving house", "Spare parts"),
                ),
            ),
            h(
                "div.right",
                part(
                    1,
                    "Header",
                    h(
                        "div.crumbs",
                        h(
                            "p",
                            h("a", "Manuals", href="#m"),
                            " / ",
                            h("a", "Eight-day clock", href="#c"),
                            " / Winding and setting",
                        ),
                    ),
                ),
                part(
                    1,
                    "Content",
                    h(
                        "div.chapter",
                        h("h1", "Winding and setting"),
                        h("p", "What the clock needs from you, in the order of how often."),
                        [section(*each) for each in sections],
                    ),
                ),
                part(
                    1,
                    "Footer",
                    h(
                        "div.next",
                        h("p", h("a", "Back: Hanging", href="#hanging")),
                        h("p", h("a", "Next: Striking", href="#striking")),
                    ),
                ),
            ),
        ),
    )


MANUAL = """.tree { width: 240px; min-height: 900px; padding: 24px; background: #f0f4f0 }
.right { width: 860px; padding: 24px 0 }
.crumbs { margin-bottom: 20px; color: #777 }
.section { margin-top: 28px }
pre { padding: 12px; background: #222; color: #dfd }
.next { display: flex; justify-content: space-between; margin-top: 40px }
"""


WELCOME = (
    "We row on Tuesdays and Thursdays from six, and on Sundays if the wind lets us. Guests are welcome; please bring dry socks"
    " and be able to swim. Beginners start in the wide four, which has never capsized but once, and that was the swan's fault."
)


def old():
    """A home page of the nineties: tables in tables and nothing else."""
    news = [("June", "The new boathouse has a roof."), ("May", "Regatta: third of five."), ("March", "Ice until the 20th.")]
    rows = [h("tr", h("td", h("b", month), valign="top"), h("td", text)) for month, text in news]
    boats = ["Möwe, clinker, 1954", "Stör, four with cox, 1971", "Aal, single, 1988"]
    return document(
        "Rowing club Nether Lake",
        h(
            "table.frame",
            h(
                "tbody",
                h(
                    "tr",
                    part(
                        1,
                        "Header",
                        h("td", h("h1", "Rowing club Nether Lake"), h("p", "founded 1911"), colspan="2", bgcolor="#000080"),
                    ),
                ),
                h(
                    "tr",
                    part(
                        1,
                        "Menu",
                        h(
                            "td.left",
                            [
                                h("p", h("a", name, href=f"#{name.lower()}")) for name in (
                                    "Home",
                                    "Boats",
                                    "Members",
                                    "Regatta",
                                    "Guests",
                                )
                            ],
                            valign="top",
                            bgcolor="#c0c0ff",
                        ),
                    ),
                    part(
                        1,
                        "Content",
                        h(
                            "td.main",
                            part(
                                2,
                                "Article",
                                h(
                                    "table",
                                    h(
                                        "tbody",
                                        h(
                                            "tr",
                                            h(
                                                "td",
                                                h("h2", "Welcome"),
                                                h(
                                                    "p",
                                                    WELCOME,
                                                ),
                                            ),
                                        ),
                                    ),
                                ),
                            ),
                            part(
                                2,
                                "LinkList",
                                h("table", h("tbody", h("tr", h("td", h("h2", "What is new"), colspan="2")), rows)),
                            ),
                            part(2, "Content", h("table", h("tbody", h("tr", h("td", h("h2", "Our boats"), links(*boats)))))),
                            valign="top",
                        ),
                    ),
                ),
                h(
                    "tr",
                    part(
                        1,
                        "Footer",
                        h("td", h("p", "Last changed on 2 July 1999. Best seen by daylight."), colspan="2", bgcolor="#e0e0e0"),
                    ),
                ),
            ),
        ),
    )


OLD = """body { font: 16px serif }
.frame { width: 900px; margin: 0 auto; border-collapse: collapse }
h1, h1 + p { color: #fff }
td { padding: 8px }
.left { width: 160px }
.main table { margin-bottom: 24px }
"""

PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3" preserveAspectRatio="none"><rect width="4" height="3" fill="#7d97a3"/></svg>
"""

PAGES = {
    "article": (article, ARTICLE),
    "index": (index, INDEX),
    "manual": (manual, MANUAL),
    "old": (old, OLD),
    "shop": (shop, SHOP),
}


def segment_files():
    """Every file of the pages as (path below suite/, bytes), without boxes."""
    for name, (build, style) in PAGES.items():
        folder, root = f"segments/{name}", build()
        yield f"{folder}/style.css", (BASE + style).encode()
        yield f"{folder}/picture.svg", PICTURE.encode()
        yield f"{folder}/index.dom.html", write(root, Style(), gold=False).encode()
        for element, _ in root.walk():
            element.attributes |= getattr(element, "block", {})
        yield f"{folder}/index.blocks.html", write(root, Style(), gold=False).encode()
