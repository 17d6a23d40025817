"""A local newspaper of the 2020s: hashed class names, absolute links, a second copy of the menu for phones, everything that surrounds news."""

from ..site import Page, Site
from ..tree import Style, comments, content, h, menu, specific

BASE = "https://www.skarholm-courier.example/"
SECTIONS = [
    ("News", "news/index.html"),
    ("Harbour", "news/ferry-timetable.html"),
    ("Council", "news/council-benches.html"),
    ("Culture", "news/choir-lighthouse.html"),
    ("Sport", "news/swim-relay.html"),
    ("About us", "about.html"),
]

# path, section, title, author, date, summary, paragraphs, comments (name, time, text)
ARTICLES = [
    (
        "news/ferry-timetable.html",
        "Harbour",
        "Ferry skippers ask for a slower timetable",
        "Ingrid Vale",
        "4 March",
        "Crossing times set in 1998 no longer match the traffic in the sound, crews say.",
        [
            (
                "The crews of the three Skarholm ferries have asked the operator to add six minutes to every crossing. They say"
                " the present timetable, written when half as many yachts used the sound, leaves them no margin on a summer"
                " evening."
            ),
            (
                "“We arrive on time because we cut the turn at the northern buoy,” said skipper Aron Lind, who has worked the"
                " route for nineteen years. “On a calm day nobody notices. In a crosswind the lorries do.”"
            ),
            (
                "The operator confirmed that it had received the letter and promised an answer before Easter. A spokeswoman"
                " pointed out that a longer crossing would cost one departure a day on each boat, most likely the late one that"
                " shift workers at the cannery rely on."
            ),
            (
                "Passengers we met on the quay were divided. Several would give up the last boat for a calmer ride; a nurse on"
                " her way to the night shift would not."
            ),
            (
                "Behind the dispute stands a number that both sides quote. In 1998 the harbour master counted 4,100 crossings by"
                " pleasure craft between May and September; last year it was 9,300. Most of them keep to the marked lane. Those"
                " that do not tend to be on hire, steered by people who took the wheel for the first time that morning."
            ),
            (
                "The coast guard has suggested a third way: a strip of forty metres on either side of the ferry route that small"
                " boats may cross only at right angles. It would cost nothing but paint for six buoys. The yacht club, which has"
                " fought every line drawn on the chart since it was founded, said on Thursday that it would “look at the paint”."
            ),
            (
                "A public meeting will be held in the fish hall on the last Friday of the month. The crews have promised to bring"
                " the recordings of their instruments, and the operator its books."
            ),
        ],
        [
            ("Marta", "4 March, 9:12", "I take the last boat four nights a week. If it goes, so does my job at the clinic."),
            ("old_salt", "4 March, 11:40", "Aron is right about the buoy. I have seen the wash reach the bathing steps."),
            ("Per-Olof", "5 March, 7:03", "Why not buy a faster boat instead of a slower timetable?"),
        ],
    ),
    (
        "news/council-benches.html",
        "Council",
        "Forty benches and one very long meeting",
        "Tom Okafor",
        "6 March",
        "The town council argued until midnight about where people should be allowed to sit.",
        [
            (
                "It was meant to be the shortest item of the evening. The council had forty new benches to place along the"
                " promenade, a map with forty green dots, and a unanimous committee behind it. Five hours later the map had been"
                " redrawn twice."
            ),
            (
                "The trouble began with dot seventeen, which stood in front of the rowing club's slipway. From there the"
                " discussion moved to shade, then to gulls, and finally to the question of whether a bench should look at the sea"
                " or at the people who walk along it."
            ),
            (
                "In the end councillors agreed on thirty-eight places. The remaining two benches will travel: the parks"
                " department is to move them every month and count who uses them."
            ),
        ],
        [
            ("Bea", "6 March, 8:20", "Dot seventeen was my idea and I stand by it."),
            ("J. Holt", "6 March, 20:15", "A travelling bench! I hope someone publishes the route."),
        ],
    ),
    (
        "news/choir-lighthouse.html",
        "Culture",
        "A choir moves into the lighthouse",
        "Ingrid Vale",
        "9 March",
        "Twelve seconds of echo and ninety-one steps: the island's singers have found a rehearsal room.",
        [
            (
                "Since the automatic lamp was installed, the tower on the western point has stood empty. From next week the"
                " Skarholm chamber choir will rehearse there every Tuesday."
            ),
            (
                "Conductor Lea Brandt discovered the acoustics by accident when she sneezed on a guided tour. The sound, she"
                " says, came back as a chord. Fast music is out of the question, but slow pieces from the sixteenth century seem"
                " to have been written for the staircase."
            ),
            (
                "There is one rule: singers climb in order of voice, basses first, because nobody can overtake. An open rehearsal"
                " is planned for midsummer. Listeners will sit on the steps."
            ),
        ],
        [("Wilma", "9 March, 18:44", "I was on that tour. It was a magnificent sneeze.")],
    ),
    (
        "news/swim-relay.html",
        "Sport",
        "Relay swimmers beat the tide by a minute",
        "Sam Reyes",
        "12 March",
        "The annual crossing to Little Skar ended with the narrowest margin in its history.",
        [
            (
                "When the last swimmer of the cannery team touched the rock at Little Skar, the current in the channel had"
                " already begun to turn. Sixty seconds later, race control would have stopped the event."
            ),
            (
                "The four had lost time early on, when a curious seal joined the second leg and refused to leave. “You cannot"
                " sprint with an audience like that,” said Nadia Quist, who swam it."
            ),
            (
                "Second place went to the fire brigade, third to a team of teachers who had trained in the school's indoor pool"
                " and admitted to being surprised by the waves. All thirty-two swimmers arrived safely, and so did the seal."
            ),
        ],
        [],
    ),
    (
        "news/library-tools.html",
        "News",
        "The library now lends drills and sewing machines",
        "Tom Okafor",
        "15 March",
        "Anyone with a card can borrow a tool for a week. The concrete mixer is booked until June.",
        [
            (
                "Next to the crime novels there is now a wall of hooks. Sixty-four tools hang on it, each with a bar code and a"
                " short note on how not to hurt oneself."
            ),
            (
                "The idea came from a reader who had bought a drill for a single hole. Librarian Yusuf Demir asked around and"
                " found that most households on the island owned one, used it for eleven minutes on average, and kept it for"
                " ever."
            ),
            (
                "Sewing machines were added when the theatre group closed its workshop. They have turned out to be the most"
                " popular item, ahead of the wallpaper steamer and well ahead of the post-hole digger, which nobody has yet been"
                " able to carry out of the building."
            ),
            (
                "Fines for late tools are the same as for late books. A broken one has to be reported, not paid for: the repair"
                " café meets in the same room on Saturdays."
            ),
        ],
        [
            ("Hanna", "15 March, 10:02", "Borrowed the steamer, returned it a day late, paid forty cents. Wonderful."),
            ("Grumpy of Quay Street", "16 March, 6:30", "And who lends the fish kettle back to me, then?"),
        ],
    ),
    (
        "news/apple-press.html",
        "News",
        "Old apple press turns again after thirty years",
        "Sam Reyes",
        "18 March",
        "Volunteers repaired the cast-iron machine with a part from a fishing winch.",
        [
            (
                "The press behind the mill had rusted solid in the wet autumn of the year it was retired. On Saturday it turned"
                " again, slowly and with a noise that brought neighbours to their windows."
            ),
            (
                "The missing gear could not be bought anywhere. Retired engineer Olle Strand finally noticed that the winch of a"
                " scrapped trawler used the same pitch and offered to cut it to size."
            ),
            (
                "Whoever brings apples in October can have them pressed for nothing, on one condition: a tenth of the juice goes"
                " to the school kitchen."
            ),
        ],
        [],
    ),
]


def links(entries, **attributes):
    return [h("li.li-9fa2", h("a.lnk-77c", text, href=BASE + path), **attributes) for text, path in entries]


def frame(title, middle):
    """What every page of the paper has around its middle."""
    return h(
        "html",
        h(
            "head",
            h("meta", charset="utf-8"),
            h("title", title + " – The Skarholm Courier"),
            h("meta", name="viewport", content="width=device-width, initial-scale=1"),
            h("link", rel="stylesheet", href="/assets/app.3f9c1.css"),
            h("script", "window.dataLayer=[];function track(e){dataLayer.push(e)}"),
        ),
        h(
            "body.bg-w1",
            h(
                "div.ck-1b0",
                h(
                    "p.ck-t",
                    "We use cookies to remember your town and to count our readers. You can change your mind at any time.",
                ),
                h("button.btn-a1", "Accept all"),
                h("button.btn-a2", "Only what is needed"),
                role="dialog",
                aria_label="Cookies",
            ),
            h(
                "header.hd-5e1",
                h("a.logo-2d", h("img", src="/assets/courier.svg", alt="The Skarholm Courier"), href=BASE + "index.html"),
                h("button.btn-m", "Menu", aria_expanded="false"),
                menu(h("nav.nv-8c3", h("ul.ls-0", links(SECTIONS)), aria_label="Sections")),
                h("a.btn-sub", "Subscribe", href="https://pay.skarholm-courier.example/plans"),
            ),
            h("div.dr-44.hidden", h("ul.ls-0", links(SECTIONS)), h("p.dr-t", "Follow the Courier wherever you read")),
            h(
                "div.ad-slot",
                h("span.ad-lb", "Advertisement"),
                h(
                    "a",
                    h("img", src="https://ads.example.net/970x90.png", width="970", height="90", alt=""),
                    href="https://ads.example.net/c/881",
                ),
                data_ad_slot="top",
            ),
            h("main.mn-03", middle),
            h(
                "section.nl-6f",
                h("h2.nl-h", "The island in your inbox"),
                h("p.nl-t", "Every morning at six we send the five stories that Skarholm will talk about. It is free."),
                h(
                    "form",
                    h("input", type="email", placeholder="Your e-mail address"),
                    h("button.btn-a1", "Sign up"),
                    action="/newsletter",
                    method="post",
                ),
            ),
            h(
                "footer.ft-7a",
                h(
                    "ul.ls-1",
                    links([("About us", "about.html"), ("Newsroom", "about.html#newsroom")]),
                    h("li", h("a", "Privacy", href=BASE + "privacy")),
                ),
                h("p.cp-0", "© The Skarholm Courier, an independent newspaper owned by its readers. All rights reserved."),
            ),
        ),
        lang="en",
    )


def share():
    return h(
        "div.sh-31",
        h("span.sh-l", "Share"),
        [
            h("a.sh-b", name, href=f"https://{host}.example/share?u={BASE}")
            for name, host in [("Mail", "mail"), ("Chirper", "chirper"), ("Facepage", "facepage")]
        ],
    )


def comment_list(entries):
    if not entries:
        return specific(h("p.cm-0", "Nobody has commented on this story yet."))
    return comments(
        h(
            "div.cm-2e",
            h("h2.cm-h", f"{len(entries)} comment" + "s" * (len(entries) > 1)),
            h(
                "ol.cm-l",
                [
                    h(
                        "li.cm-i",
                        h("div.cm-u", h("strong", name), " · ", h("time", when)),
                        h("p.cm-t", text),
                        h("button.cm-r", "Reply"),
                    )
                    for name, when, text in entries
                ],
            ),
        )
    )


def article(index):
    path, section, title, author, date, summary, paragraphs, readers = ARTICLES[index]
    related = [ARTICLES[(index + k) % len(ARTICLES)] for k in (1, 3)]
    return Page(
        path,
        frame(
            title,
            [
                h(
                    "article.ar-10",
                    h("div.kc-1", specific(h("a.kc-a", section, href=BASE + dict(SECTIONS)[section]))),
                    content(h("h1.tt-9", title)),
                    content(h("p.sm-9", summary)),
                    h("div.by-4", specific(h("span.by-n", "By ", author)), specific(h("time.by-t", date))),
                    share(),
                    content(
                        h("figure.fg-2", h("img", src=f"/media/{index}.jpg", alt=title), h("figcaption", f"Photograph: {author}"))
                    ),
                    h(
                        "div.bd-77",
                        [content(h("p.p-5", p)) for p in paragraphs[:2]],
                        h(
                            "div.ad-slot",
                            h("span.ad-lb", "Advertisement"),
                            h("a", "Winter tyres for island roads", href="https://ads.example.net/c/882"),
                            data_ad_slot="inline",
                        ),
                        [content(h("p.p-5", p)) for p in paragraphs[2:]],
                    ),
                    share(),
                ),
                h(
                    "aside.rl-5",
                    h("h2.rl-h", "Read on"),
                    h(
                        "ul.ls-2",
                        [specific(h("li.rl-i", h("a.rl-a", r[2], href=BASE + r[0]), h("p.rl-s", r[5]))) for r in related],
                    ),
                ),
                h(
                    "section.cs-8",
                    comment_list(readers),
                    h(
                        "form.cf-1",
                        h("textarea", name="comment", rows="3"),
                        h("button.btn-a1", "Post comment"),
                        action="/comment",
                        method="post",
                    ),
                ),
            ],
        ),
        "article",
    )


def listing(path, title, intro, chosen, text=True):
    return Page(
        path,
        frame(
            title,
            [
                content(h("h1.tt-9", title)),
                content(h("p.sm-9", intro)),
                h(
                    "div.gr-3",
                    [
                        content(
                            h(
                                "div.cd-6",
                                h("a.cd-a", h("h2.cd-h", a[2]), href=BASE + a[0]),
                                h("p.cd-s", a[5]),
                                h("span.cd-t", a[4]),
                            )
                        )
                        for a in chosen
                    ],
                ),
            ],
        ),
        "listing",
        text=text,
    )


ABOUT = Page(
    "about.html",
    frame(
        "About us",
        [
            content(h("h1.tt-9", "About the Courier")),
            h(
                "div.bd-77",
                [
                    content(h("p.p-5", p))
                    for p in (
                        (
                            "The Skarholm Courier has been printed on the island since 1887, with two interruptions: a fire in"
                            " the paper store and the winter when the ink froze."
                        ),
                        (
                            "It belongs to 2,140 readers who each own exactly one share and one vote. They meet every May in the"
                            " fish hall and elect the editor for two years."
                        ),
                        (
                            "We correct our mistakes on the page where we made them and say what was wrong. If you find one,"
                            " write to the newsroom or knock on the green door in Quay Street."
                        ),
                    )
                ],
                content(h("h2.h2-4#newsroom", "The newsroom")),
                content(
                    h(
                        "ul.ls-3",
                        h("li", "Ingrid Vale writes about the harbour and the arts."),
                        h("li", "Tom Okafor follows the council."),
                        h("li", "Sam Reyes covers sport, farming and everything on wheels."),
                    )
                ),
            ),
        ],
    ),
    "service",
)

SITE = Site(
    id="harbour-news",
    category="media",
    language="en",
    generator="news site with hashed class names, absolute links, second menu for phones",
    key_page="news/ferry-timetable.html",
    base_url=BASE,
    split="train",
    other_urls=("http://skarholm-courier.example/",),
    style=Style(minified=True),
    broken=(BASE + "privacy",),
    pages=[
        listing(
            "index.html", "Today on Skarholm", "The stories our readers open first, chosen by the morning desk.", ARTICLES[:4]
        ),
        listing(
            "news/index.html",
            "News",
            "Everything that happened on the island this month, newest first.",
            ARTICLES[::-1],
            text=False,
        ),
        *[article(i) for i in range(len(ARTICLES))],
        ABOUT,
    ],
)
