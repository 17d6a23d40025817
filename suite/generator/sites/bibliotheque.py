"""A French municipal library: mega menu in columns, language switch, breadcrumbs, a band of events, links that name index.html."""

from ..site import Page, Site
from ..tree import content, h, menu, specific

COLUMNS = [
    ("Venir", ["horaires", "inscription"]),
    ("Collections", ["fonds/cartes", "fonds/manuscrits", "fonds/disques"]),
    ("Participer", ["ateliers", "histoire"]),
]

# path -> (title, short title, paragraphs and (head, text) pairs, sidebar box or None)
TEXTS = {
    "": (
        "Bibliothèque de la Presqu'île",
        "Accueil",
        [
            (
                "Trois étages, quatre-vingt mille livres et une terrasse d'où l'on voit passer les péniches : la bibliothèque de"
                " la Presqu'île est ouverte à tous, sans carte et sans rendez-vous."
            ),
            (
                "Cette semaine",
                (
                    "La salle de lecture du deuxième étage rouvre après les travaux. Les lampes ont été réparées, les chaises non"
                    " : elles grincent toujours, et nous avons fini par nous y attacher."
                ),
            ),
        ],
        None,
    ),
    "horaires": (
        "Horaires et accès",
        "Horaires",
        [
            (
                "La bibliothèque ouvre du mardi au samedi, de dix heures à dix-neuf heures, et le premier dimanche du mois de"
                " quatorze à dix-huit heures. Elle ferme la dernière semaine d'août, le temps de compter les livres."
            ),
            (
                "Venir à pied ou à vélo",
                (
                    "L'entrée principale donne sur le quai. Un second accès, de plain-pied, se trouve rue des Tanneurs ; sonnez"
                    " et quelqu'un viendra vous ouvrir. Vingt arceaux à vélos sont abrités sous le porche."
                ),
            ),
            (
                "Venir en bateau",
                (
                    "Aussi étrange que cela paraisse, c'est possible : le ponton municipal est à trente mètres, et l'amarrage est"
                    " gratuit pendant deux heures."
                ),
            ),
        ],
        "Affluence : le mercredi après-midi est le moment le plus bruyant, le jeudi matin le plus calme.",
    ),
    "inscription": (
        "S'inscrire",
        "S'inscrire",
        [
            (
                "L'inscription est gratuite pour les habitants de la ville et coûte douze euros par an pour tous les autres. Une"
                " pièce d'identité suffit ; les enfants viennent avec un adulte ou avec un mot signé."
            ),
            (
                "Ce que permet la carte",
                (
                    "Elle permet d'emprunter dix documents pour quatre semaines, de réserver une salle de travail et de commander"
                    " au magasin les ouvrages qui ne tiennent pas sur les rayons."
                ),
            ),
            (
                "En cas de retard",
                (
                    "Nous n'infligeons plus d'amendes. Un retard prolonge simplement l'attente du lecteur suivant, dont nous vous"
                    " donnerons le prénom."
                ),
            ),
        ],
        None,
    ),
    "fonds/cartes": (
        "Les cartes et plans",
        "Cartes et plans",
        [
            (
                "Le fonds cartographique réunit un peu plus de quatre mille pièces, du plan de poche au relevé de fleuve long de"
                " onze mètres. Il provient pour moitié de l'ancien service de la navigation, qui dessinait le fond de la rivière"
                " chaque printemps, après les crues."
            ),
            (
                "Ces relevés successifs ont une beauté involontaire : superposés, ils montrent les bancs de sable qui se"
                " déplacent vers l'aval, d'environ huit mètres par an, comme des animaux lents."
            ),
            (
                "Consulter une carte",
                (
                    "Les cartes se consultent sur place, à la grande table du troisième étage, le mardi et le vendredi. Les plus"
                    " fragiles sont présentées sous verre ; un film de protection permet de tracer son chemin au crayon gras."
                ),
            ),
            (
                "Numérisation",
                (
                    "Neuf cents feuilles sont déjà numérisées. Le reste suivra au rythme d'une dizaine par semaine, dans l'ordre"
                    " des demandes."
                ),
            ),
        ],
        "À voir : la carte du chapelain, où les villages sont classés selon la qualité de leur cidre.",
    ),
    "fonds/manuscrits": (
        "Les manuscrits",
        "Manuscrits",
        [
            (
                "La bibliothèque conserve cent douze manuscrits, dont la plupart n'ont rien de précieux : livres de comptes,"
                " cahiers de recettes, journaux de bateliers. C'est précisément ce qui les rend irremplaçables."
            ),
            (
                "Le cahier d'Élise Marchand",
                (
                    "Pendant quarante ans, cette éclusière a noté chaque jour le nom des bateaux, le temps qu'il faisait et ce"
                    " qu'elle avait mangé. Des historiens du climat viennent aujourd'hui de loin pour lire ses menus."
                ),
            ),
            (
                "Lire une écriture ancienne",
                (
                    "Un samedi par mois, une archiviste aide les débutants à déchiffrer une page. Il suffit d'apporter sa"
                    " patience et, si possible, une loupe."
                ),
            ),
        ],
        None,
    ),
    "fonds/disques": (
        "La discothèque",
        "Disques",
        [
            (
                "Onze mille disques vinyles dorment au sous-sol, classés non par genre mais par couleur de pochette, selon le vœu"
                " du collectionneur qui les a légués. Les habitués défendent ce classement avec passion."
            ),
            (
                "Écouter sur place",
                (
                    "Quatre fauteuils équipés d'un casque sont à votre disposition. On choisit une couleur, on pose l'aiguille et"
                    " l'on découvre ce que l'on n'aurait jamais cherché."
                ),
            ),
        ],
        "Le bleu est emprunté deux fois plus souvent que le rouge ; personne ne sait pourquoi.",
    ),
    "ateliers": (
        "Ateliers et rencontres",
        "Ateliers",
        [
            "Tous les ateliers sont gratuits et ouverts sans inscription, dans la limite des chaises disponibles.",
            (
                "Reliure du lundi",
                "Apportez un livre qui perd ses pages. Vous repartirez avec un livre réparé et de la colle sur les manches.",
            ),
            (
                "Conversation lente",
                (
                    "Un groupe se réunit pour parler d'une seule phrase pendant une heure. La phrase est tirée au sort parmi"
                    " celles que les lecteurs ont soulignées dans les livres rendus."
                ),
            ),
            (
                "Petites oreilles",
                (
                    "Le samedi à onze heures, histoires à voix haute pour les moins de six ans et pour les adultes qui les"
                    " accompagnent volontiers."
                ),
            ),
        ],
        None,
    ),
    "histoire": (
        "Histoire de la maison",
        "Histoire",
        [
            (
                "Le bâtiment fut d'abord un grenier à sel. Ses murs en gardent la trace : par temps humide, une fine poussière"
                " blanche apparaît encore derrière les rayons du rez-de-chaussée."
            ),
            (
                "En 1911, la ville y installa trois mille volumes et un poêle. Le premier bibliothécaire, ancien marin, rangea"
                " les livres comme une cargaison, les plus lourds en bas et au centre."
            ),
            (
                "L'agrandissement de 1986 ajouta la verrière. Elle fuit depuis le premier hiver, et les seaux qui l'accompagnent"
                " figurent à l'inventaire du patrimoine."
            ),
        ],
        None,
    ),
}


def frame(path, language, title, crumbs, middle, box):
    up = "../" * (path.count("/") + 1 if path else 0)
    target = lambda p: f"{up}{p}/index.html" if p else f"{up}index.html"
    return h(
        "html",
        h(
            "head",
            h("meta", charset="utf-8"),
            h("title", title + " | Bibliothèque de la Presqu'île"),
            h("link", rel="stylesheet", href=up + "css/site.css"),
        ),
        h(
            "body.page",
            h("div.skip", h("a", "Aller au contenu", href="#contenu")),
            h(
                "div.bandeau",
                h(
                    "ul.langues",
                    h("li", h("a", "Français", href=target(""), lang="fr")),
                    h("li", h("a", "English", href=target("en"), lang="en")),
                ),
                h("p.annonce", "Fermeture exceptionnelle le 14 mai pour l'inventaire des seaux."),
            ),
            h(
                "header.entete",
                h("a.marque", h("img", src=up + "img/logo.png", alt="Bibliothèque de la Presqu'île"), href=target("")),
                menu(
                    h(
                        "nav.mega",
                        h(
                            "ul.niveau1",
                            [
                                h(
                                    "li.onglet",
                                    h("span.titre", name),
                                    h(
                                        "div.panneau",
                                        h("div.colonne", h("ul", [h("li", h("a", TEXTS[p][1], href=target(p))) for p in paths])),
                                        h("div.colonne", h("p.accroche", hint)),
                                    ),
                                )
                                for (name, paths), hint in zip(
                                    COLUMNS,
                                    (
                                        "Tout pour préparer votre visite.",
                                        "Des trésors modestes et de vraies raretés.",
                                        "La maison vit de ceux qui y passent.",
                                    ),
                                )
                            ],
                        ),
                    )
                ),
            ),
            h("div.fil", h("ol", h("li", h("a", "Accueil", href=target(""))), [specific(h("li", c)) for c in crumbs])),
            h(
                "div.deux-colonnes",
                h("main#contenu", middle),
                h(
                    "aside.lateral",
                    specific(h("div.encadre", h("p", box))) if box else None,
                    h(
                        "div.agenda",
                        h("h2", "Prochains rendez-vous"),
                        h(
                            "ul",
                            [
                                h("li", h("a", t, href=target("ateliers")))
                                for t in ("Samedi : petites oreilles", "Lundi : reliure", "Jeudi : conversation lente")
                            ],
                        ),
                    ),
                ),
            ),
            h(
                "footer.pied",
                h("div.adresse", h("p", "12, quai de la Tannerie"), h("p", "Téléphone : 01 99 00 12 34")),
                h(
                    "ul.legal",
                    h("li", h("a", "Mentions légales", href="/mentions")),
                    h("li", h("a", "Accessibilité : partiellement conforme", href="/accessibilite")),
                ),
            ),
        ),
        lang=language,
    )


def body(blocks):
    return [content(h("p", b)) if isinstance(b, str) else [content(h("h2", b[0])), content(h("p", b[1]))] for b in blocks]


def page(path):
    title, short, blocks, box = TEXTS[path]
    parent = next((name for name, paths in COLUMNS if path in paths), None)
    return Page(
        f"{path}/index.html" if path else "index.html",
        frame(
            path,
            "fr",
            title,
            [parent, short] if parent else [],
            [
                h("div.titre-page", content(h("h1", title))),
                h("div.corps", body(blocks)),
                h("div.partage", h("span", "Partager cette page"), h("a", "par courriel", href="mailto:?subject=Presquile")),
            ],
            box,
        ),
        "service",
    )


ENGLISH = Page(
    "en/index.html",
    frame(
        "en",
        "en",
        "Welcome",
        ["English"],
        [
            h("div.titre-page", content(h("h1", "Welcome to the library"))),
            h(
                "div.corps",
                body(
                    [
                        (
                            "The library of the Presqu'île is open to everyone from Tuesday to Saturday. You need neither a card"
                            " nor a reason to come in."
                        ),
                        (
                            "Books in other languages",
                            (
                                "About six thousand volumes in forty languages stand on the first floor, most of them left behind"
                                " by travellers. If you leave one of yours, you may take one of ours."
                            ),
                        ),
                        (
                            "Help",
                            "Somebody at the desk always speaks English; on Fridays somebody also speaks Portuguese and Wolof.",
                        ),
                    ]
                ),
            ),
            h("div.partage", h("span", "Partager cette page"), h("a", "par courriel", href="mailto:?subject=Presquile")),
        ],
        None,
    ),
    "service",
    language="en",
)

SITE = Site(
    id="bibliotheque",
    category="institution",
    language="fr",
    generator="institution with mega menu and language switch, links that name index.html",
    key_page="fonds/cartes/index.html",
    base_url="https://bibliotheque-presquile.example/",
    split="train",
    broken=("/mentions", "/accessibilite"),
    pages=[*[page(p) for p in TEXTS], ENGLISH],
)
