"""Walks described by an Italian village association: written by hand, no menu, pages that hardly link to each other."""

from ..site import Page, Site
from ..tree import Style, content, h

# path, title, length, paragraphs
WALKS = [
    (
        "mulino.html",
        "Il sentiero del mulino",
        "4 km, un'ora e mezza",
        [
            (
                "Si parte dalla fontana di piazza e si scende lungo il muro dell'orto parrocchiale. Dopo il lavatoio il sentiero"
                " entra nel bosco e segue il canale che un tempo portava l'acqua al mulino."
            ),
            (
                "Il canale è asciutto, ma a primavera ci crescono le primule, così fitte che conviene camminare sul bordo. Del"
                " mulino restano due muri e la macina, spaccata in tre da un gelo che i vecchi ricordano ancora."
            ),
            (
                "Si torna per la strada bianca. Chi ha sete troverà la porta di Ernesto, che tiene sempre un fiasco sul davanzale"
                " e si offende se non ci si ferma."
            ),
        ],
    ),
    (
        "crinale.html",
        "Il crinale delle tre croci",
        "11 km, quattro ore",
        [
            (
                "È la passeggiata più lunga e la più esposta: da evitare con il vento di tramontana. Le tre croci di ferro"
                " segnano i confini di tre comuni che per secoli si sono contesi il pascolo."
            ),
            (
                "Dalla seconda croce, nelle giornate limpide d'inverno, si vede il mare. D'estate si vede la foschia, e gli"
                " abitanti vi diranno che il mare è lì sotto."
            ),
            "L'acqua si trova soltanto alla partenza. Portatene più di quanta pensate di bere.",
        ],
    ),
    (
        "carbonaie.html",
        "Le piazzole dei carbonai",
        "6 km, due ore e mezza",
        [
            (
                "Nel bosco di carpini si incontrano ogni tanto spiazzi rotondi e piani, grandi come un'aia, dove l'erba cresce"
                " più scura. Sono le piazzole in cui i carbonai accatastavano la legna e la facevano cuocere sotto la terra per"
                " otto giorni."
            ),
            (
                "Ne abbiamo contate quarantuno. Grattando un poco il suolo si trova ancora la polvere nera; i bambini se ne"
                " accorgono subito e le madri alla sera."
            ),
            "Il sentiero è segnato con un cerchio bianco. Dove il cerchio manca, un cinghiale si è grattato contro l'albero.",
        ],
    ),
    (
        "castagni.html",
        "Il giro dei castagni",
        "3 km, un'ora",
        [
            (
                "Adatto a tutti, anche con il passeggino. I castagni più vecchi hanno un nome: il Gobbo, la Signora, i Gemelli."
                " La Signora misura nove metri di circonferenza e dentro il suo tronco si è sposata, nel 1952, una coppia del"
                " paese."
            ),
            (
                "In ottobre si possono raccogliere le castagne cadute sulla strada; quelle nel prato appartengono a chi lo"
                " falcia. È una regola non scritta, e per questo molto rispettata."
            ),
        ],
    ),
    (
        "torrente.html",
        "Il guado del torrente",
        "5 km, due ore",
        [
            (
                "Questa passeggiata si fa soltanto da luglio a settembre, quando l'acqua arriva al ginocchio. Il guado è fatto di"
                " undici pietre; la settima balla."
            ),
            (
                "Sull'altra riva comincia il vecchio castagneto dei frati, con i resti di un essiccatoio. Qui passava chi voleva"
                " evitare il dazio sul ponte, e qualcuno giura di vedere ancora, nelle notti senza luna, un lume che sale."
            ),
        ],
    ),
]


def frame(title, middle, home=True):
    return h(
        "html",
        h("head", h("meta", charset="iso-8859-1"), h("title", title)),
        h(
            "body",
            h("img", src="stemma.gif", alt="Pro Loco di Valsecca", width="80"),
            h("p", h("i", "Pro Loco di Valsecca: passeggiate per chi non ha fretta")),
            h("hr"),
            middle,
            h("hr"),
            h("p", h("a", "Torna alla pagina iniziale", href="index.html")) if home else None,
            h("address", "Pro Loco di Valsecca, aperta il sabato dalle 10 alle 12 e quando si vede la luce accesa"),
        ),
    )


def walk(path, title, length, paragraphs):
    return Page(
        path,
        frame(
            title,
            [content(h("h2", title)), content(h("p", h("b", "Lunghezza: "), length)), [content(h("p", p)) for p in paragraphs]],
        ),
        "article",
    )


INDEX = Page(
    "index.html",
    frame(
        "Passeggiate a Valsecca",
        [
            content(h("h2", "Passeggiate a Valsecca")),
            content(
                h(
                    "p",
                    "Qui descriviamo i sentieri che teniamo puliti noi, con il decespugliatore comprato alla lotteria. Non sono"
                    " famosi e non portano in cima a niente di celebre, ma ci si incontra poca gente e quasi sempre si torna di"
                    " buon umore.",
                )
            ),
            content(h("ul", [h("li", h("a", w[1], href=w[0])) for w in WALKS])),
            content(h("p", "Per gli avvisi sui sentieri chiusi leggete la bacheca davanti al forno.")),
        ],
        home=False,
    ),
    "listing",
)

SITE = Site(
    id="sentieri",
    category="institution",
    language="it",
    generator="hand-written pages without a menu that hardly link to each other, ISO 8859-1",
    key_page="mulino.html",
    base_url="http://www.valsecca.example/",
    split="train",
    encoding="iso-8859-1",
    style=Style(doctype='<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">', leave_out_end_tags=True),
    pages=[INDEX, *[walk(*w) for w in WALKS]],
)
