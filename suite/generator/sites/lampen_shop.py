"""A German shop for lamps: product cards, JSON-LD, utility classes, ratings by customers, links from the root with and without a query."""

import json

from ..site import Page, Site
from ..tree import comments, content, h, menu, specific

BASE = "https://leuchtwerk.example/"
GROUPS = [
    ("Schreibtischlampen", "/sortiment.html?art=tisch"),
    ("Pendelleuchten", "/sortiment.html?art=pendel"),
    ("Alle Leuchten", "/sortiment.html"),
    ("Werkstatt", "/werkstatt.html"),
    ("Versand", "/versand.html"),
]

# slug, group, name, price, lead, description, (properties), reviews (name, stars, text)
LAMPS = [
    (
        "reiher",
        "tisch",
        "Schreibtischlampe Reiher",
        "189,00 €",
        "Steht auf einem Bein und fällt nicht um.",
        [
            (
                "Der Reiher hat einen Arm aus gebogenem Eschenholz, der sich ohne Schrauben und Federn in jeder Stellung hält."
                " Möglich macht das ein Gegengewicht aus Gusseisen, das im Fuß unsichtbar mitläuft."
            ),
            (
                "Das Licht ist warm und blendfrei; der Schirm lässt sich so weit nach unten ziehen, dass nur das Blatt Papier"
                " hell ist und der Rest des Zimmers dunkel bleibt. Gedimmt wird durch Streichen über den Arm."
            ),
        ],
        [
            ("Höhe", "62 cm"),
            ("Leuchtmittel", "LED, 6 W, wechselbar"),
            ("Material", "Esche, Gusseisen"),
            ("Kabel", "2,5 m, Textil"),
        ],
        [
            ("Annegret K.", "★★★★★", "Endlich eine Lampe, die dort bleibt, wo ich sie hinstelle."),
            ("Familie Brunner", "★★★★☆", "Sehr schönes Licht. Das Kabel dürfte einen halben Meter länger sein."),
        ],
    ),
    (
        "glimm",
        "tisch",
        "Nachtlicht Glimm",
        "39,00 €",
        "Gerade hell genug, um den Weg zu finden.",
        [
            (
                "Glimm ist ein Kiesel aus Milchglas, der sich auf jeder Fläche hinlegen lässt. Hebt man ihn an, wird er heller;"
                " legt man ihn ab, geht er innerhalb von zehn Minuten aus."
            ),
            (
                "Wir haben ihn für ein Kinderzimmer entworfen und inzwischen mehr Exemplare an Erwachsene verkauft. Eine Ladung"
                " reicht für etwa zwanzig Nächte."
            ),
        ],
        [("Durchmesser", "9 cm"), ("Leuchtmittel", "LED, 0,5 W"), ("Material", "Milchglas"), ("Laden", "USB-C")],
        [("Jonas", "★★★★★", "Unser Sohn nimmt ihn sogar zum Zähneputzen mit.")],
    ),
    (
        "kontor",
        "tisch",
        "Kontorlampe 12",
        "149,00 €",
        "Ein Entwurf aus dem Hafenamt, neu aufgelegt.",
        [
            (
                "In den Schreibstuben am Hafen standen diese Lampen bis in die siebziger Jahre: ein Schirm aus emailliertem"
                " Blech, ein Gelenk aus Messing, sonst nichts. Wir haben ein Original vermessen und die Fassung durch eine"
                " heutige ersetzt."
            ),
            (
                "Das Email wird in einem Betrieb gebrannt, der sonst Straßenschilder herstellt. Deshalb gibt es die Lampe nur in"
                " den Farben, die auch Schilder haben: Blau, Gelb, Grün und Weiß."
            ),
        ],
        [("Höhe", "45 cm"), ("Leuchtmittel", "E27, bis 40 W"), ("Material", "Stahlblech, Messing"), ("Farben", "vier")],
        [],
    ),
    (
        "qualle",
        "pendel",
        "Pendelleuchte Qualle",
        "420,00 €",
        "Dreißig Lagen Papier, die sich im Luftzug bewegen.",
        [
            (
                "Die Qualle besteht aus dreißig handgeschöpften Papierringen an Seidenfäden. Wenn im Zimmer jemand vorbeigeht,"
                " atmet sie. Das Licht sitzt in der Mitte und ist von keiner Seite direkt zu sehen."
            ),
            (
                "Sie kommt flach gefaltet in einem Umschlag und entfaltet sich beim Aufhängen von selbst. Staub entfernt man mit"
                " einem Föhn auf kalter Stufe, am besten im Freien."
            ),
        ],
        [("Durchmesser", "70 cm"), ("Leuchtmittel", "LED, 9 W"), ("Material", "Büttenpapier, Seide"), ("Gewicht", "380 g")],
        [
            ("Dr. Ilse Wendt", "★★★★★", "Meine Gäste reden über nichts anderes mehr."),
            ("M. Okoye", "★★★☆☆", "Wunderschön, aber unsere Katze ist anderer Meinung."),
            ("Holger", "★★★★★", "Das Aufhängen war ein kleines Schauspiel."),
        ],
    ),
    (
        "lot",
        "pendel",
        "Pendelleuchte Lot",
        "98,00 €",
        "Eine Linie mit einem Licht am Ende.",
        [
            (
                "Das Lot ist so schlicht, wie eine Lampe sein kann: ein schweres Messingstück, in das eine Fassung gedreht ist,"
                " und ein Kabel, das es senkrecht hält. Mehrere nebeneinander ergeben über einem langen Tisch eine ruhige Reihe."
            ),
            "Das Messing ist nicht lackiert. Es dunkelt nach, wo man es nicht berührt, und bleibt hell, wo man hinfasst.",
        ],
        [("Höhe", "14 cm"), ("Leuchtmittel", "G9, bis 25 W"), ("Material", "Messing, massiv"), ("Kabel", "3 m, kürzbar")],
        [("Rieke", "★★★★☆", "Vier Stück über dem Esstisch, genau wie erhofft.")],
    ),
]


def frame(title, middle, data=None):
    group = lambda name, path: h("li", h("a.text-sm.hover:underline", name, href=path))
    return h(
        "html",
        h(
            "head",
            h("meta", charset="utf-8"),
            h("title", title + " · Leuchtwerk"),
            h("script", json.dumps(data, ensure_ascii=False), type="application/ld+json") if data else None,
            h("link", rel="stylesheet", href="/tw.css"),
        ),
        h(
            "body.antialiased.text-gray-900",
            h(
                "div.bg-gray-900.text-white.text-center.py-1",
                h("p.text-xs", "Versandkostenfrei ab 80 Euro · 60 Tage Rückgaberecht"),
            ),
            h(
                "header.flex.items-center.justify-between.px-6",
                h("a.text-2xl.font-bold", "Leuchtwerk", href="/index.html"),
                menu(h("ul.hidden.md:flex.space-x-6", [group(*g) for g in GROUPS])),
                h(
                    "div.flex.space-x-4",
                    h("a", "Konto", href="/konto"),
                    h("a.relative", "Warenkorb ", h("span.badge", "0"), href="/warenkorb"),
                ),
            ),
            h("div.max-w-5xl.mx-auto.px-6", middle),
            h(
                "section.grid.grid-cols-3.gap-4.bg-gray-50.p-6",
                [
                    h("div", h("h3.font-semibold", t), h("p.text-sm", p))
                    for t, p in (
                        (
                            "Reparatur statt Neukauf",
                            "Jede unserer Leuchten lässt sich öffnen; Ersatzteile gibt es mindestens zwanzig Jahre lang.",
                        ),
                        ("Aus einer Hand", "Gezeichnet, gebaut und verpackt in unserer Werkstatt in Lübeck."),
                        (
                            "Wir sind erreichbar",
                            "Montag bis Freitag von neun bis siebzehn Uhr geht bei uns ein Mensch ans Telefon.",
                        ),
                    )
                ],
            ),
            h(
                "footer.border-t.p-6.text-xs",
                h(
                    "ul.flex.space-x-4",
                    group("Impressum", "/impressum"),
                    group("Datenschutz", "/datenschutz"),
                    group("Versand", "/versand.html"),
                ),
                h("p", "Alle Preise enthalten die gesetzliche Mehrwertsteuer. © Leuchtwerk GmbH, Lübeck"),
            ),
            h(
                "div#cookie-hinweis.fixed.bottom-0.p-4",
                h("p.text-sm", "Dieser Laden setzt nur die Cookies, die der Warenkorb braucht."),
                h("button.btn", "Verstanden"),
            ),
        ),
        lang="de",
    )


def card(lamp):
    return h(
        "div.rounded.shadow.p-4",
        h("a.block", h("img.w-full", src=f"/bilder/{lamp[0]}-klein.webp", alt=lamp[2]), href=f"/produkt/{lamp[0]}.html"),
        h("h3.font-semibold", h("a", lamp[2], href=f"/produkt/{lamp[0]}.html")),
        h("p.text-sm.text-gray-600", lamp[4]),
        h("p.price.font-bold", lamp[3]),
    )


def product(index):
    slug, group, name, price, lead, description, properties, reviews = LAMPS[index]
    others = [LAMPS[(index + k) % len(LAMPS)] for k in (1, 2)]
    crumb = next(g for g in GROUPS if group in g[1])
    data = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": name,
        "description": lead,
        "offers": {"@type": "Offer", "price": price.split()[0].replace(",", "."), "priceCurrency": "EUR"},
    }
    return Page(
        f"produkt/{slug}.html",
        frame(
            name,
            [
                h(
                    "nav.text-xs.py-2",
                    h(
                        "ol.flex",
                        h("li", h("a", "Startseite", href="/index.html")),
                        specific(h("li", h("a", crumb[0], href=crumb[1]))),
                        specific(h("li", name)),
                    ),
                    aria_label="Brotkrumen",
                ),
                h(
                    "main.grid.md:grid-cols-2.gap-8",
                    content(
                        h(
                            "div.gallery",
                            h("img", src=f"/bilder/{slug}-1.webp", alt=name),
                            h("img", src=f"/bilder/{slug}-2.webp", alt=""),
                        )
                    ),
                    h(
                        "div",
                        content(h("h1.text-3xl", name)),
                        content(h("p.text-lg", lead)),
                        content(h("p.price.text-2xl", price)),
                        h("p.text-xs", "inkl. MwSt., Lieferzeit 3 bis 5 Werktage"),
                        h(
                            "form",
                            h("label", "Menge", h("input", type="number", value="1")),
                            h("button.btn-primary", "In den Warenkorb"),
                            action="/warenkorb",
                            method="post",
                        ),
                        h("div.prose", [content(h("p", p)) for p in description]),
                        content(h("table.text-sm", h("tbody", [h("tr", h("th", k), h("td", v)) for k, v in properties]))),
                    ),
                ),
                h(
                    "section.mt-8",
                    h("h2.text-xl", "Das sagen Kundinnen und Kunden"),
                    (
                        comments(
                            h(
                                "div.space-y-4",
                                [
                                    h("div.border.p-4", h("p.font-semibold", n), h("p.text-amber-500", s), h("p", t))
                                    for n, s, t in reviews
                                ],
                            )
                        )
                        if reviews
                        else specific(h("p.text-sm", "Für diese Leuchte gibt es noch keine Bewertung."))
                    ),
                    h("a.btn", "Bewertung schreiben", href="/bewerten"),
                ),
                h(
                    "section.mt-8",
                    h("h2.text-xl", "Dazu passt"),
                    h("div.grid.grid-cols-2.gap-4", [specific(card(l)) for l in others]),
                ),
            ],
            data,
        ),
        "product",
    )


def collection(path, title, intro, lamps, text=True):
    return Page(
        path,
        frame(
            title,
            [
                content(h("h1.text-3xl", title)),
                content(h("p.text-lg", intro)),
                h("div.grid.grid-cols-3.gap-6", [content(card(l)) for l in lamps]),
            ],
        ),
        "collection",
        text=text,
    )


def plain(path, title, sections):
    return Page(
        path,
        frame(
            title,
            h(
                "main.prose",
                content(h("h1.text-3xl", title)),
                [[content(h("h2.text-xl", head)) if head else None, content(h("p", text))] for head, text in sections],
            ),
        ),
        "service",
    )


SITE = Site(
    id="lampen-shop",
    category="company",
    language="de",
    generator="shop with utility classes, JSON-LD and links from the root",
    key_page="produkt/reiher.html",
    base_url=BASE,
    split="eval",
    broken=("/konto", "/warenkorb", "/impressum", "/datenschutz", "/bewerten"),
    pages=[
        collection(
            "index.html",
            "Licht, das bleibt",
            "Wir bauen wenige Lampen, aber jede so, dass man sie vererben kann. Hier sind die drei, die am häufigsten gefragt"
            " werden.",
            [LAMPS[0], LAMPS[3], LAMPS[4]],
        ),
        collection(
            "sortiment.html",
            "Alle Leuchten",
            "Fünf Entwürfe aus unserer Werkstatt, vom Nachtlicht bis zur Papierqualle.",
            LAMPS,
            text=False,
        ),
        collection(
            "sortiment.html?art=tisch",
            "Schreibtischlampen",
            "Zum Lesen, Schreiben und Suchen: Licht für kleine Flächen.",
            LAMPS[:3],
        ),
        collection(
            "sortiment.html?art=pendel",
            "Pendelleuchten",
            "Alles, was von der Decke hängt und den Tisch zum Mittelpunkt macht.",
            LAMPS[3:],
            text=False,
        ),
        *[product(i) for i in range(len(LAMPS))],
        plain(
            "werkstatt.html",
            "Unsere Werkstatt",
            [
                (
                    None,
                    (
                        "Leuchtwerk besteht aus elf Menschen, zwei Drehbänken und einem Ofen, der älter ist als die Firma. Wir"
                        " arbeiten in einer ehemaligen Räucherei, und an feuchten Tagen riecht man das noch."
                    ),
                ),
                (
                    "Wie eine Lampe entsteht",
                    (
                        "Jeder Entwurf wird zuerst ein Jahr lang von uns selbst benutzt. Was in dieser Zeit klappert, blendet"
                        " oder niemandem fehlt, wenn es weg ist, wird gestrichen."
                    ),
                ),
                (
                    "Besuch",
                    (
                        "Donnerstags steht die Tür offen. Wer eine kaputte Lampe mitbringt, darf beim Reparieren zusehen oder"
                        " mitmachen, auch wenn sie nicht von uns ist."
                    ),
                ),
            ],
        ),
        plain(
            "versand.html",
            "Versand und Rückgabe",
            [
                (
                    None,
                    (
                        "Wir verschicken alle Leuchten in Kartons, die wir von Geschäften in der Nachbarschaft übernehmen. Es"
                        " kann also sein, dass Ihre Lampe in einer Schuhschachtel ankommt."
                    ),
                ),
                (
                    "Kosten",
                    (
                        "Innerhalb Deutschlands kostet der Versand 5,90 Euro, ab einem Bestellwert von 80 Euro nichts. Nach"
                        " Österreich und in die Schweiz berechnen wir 11 Euro."
                    ),
                ),
                (
                    "Rückgabe",
                    (
                        "Gefällt Ihnen die Leuchte nicht, schicken Sie sie innerhalb von 60 Tagen zurück. Sie muss nicht"
                        " originalverpackt sein, nur heil."
                    ),
                ),
            ],
        ),
    ],
)
