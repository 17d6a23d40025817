"""A cooking blog in Spanish of WordPress make: sidebar widgets, threaded comments, list pages of another template, relative links to folders."""

from ..site import Page, Site
from ..tree import comments, content, h, menu, specific

CATEGORIES = [("Panes", "categoria/panes/"), ("Guisos", "categoria/guisos/")]

# slug, category, title, date, paragraphs, (ingredients), comments (name, date, text, answer of the author)
POSTS = [
    (
        "pan-de-centeno",
        "Panes",
        "Pan de centeno sin prisas",
        "8 de enero de 2024",
        [
            (
                "La primera vez que hice pan de centeno lo traté como si fuera trigo: amasé veinte minutos y esperé una masa"
                " elástica. Lo que obtuve fue un barro pegajoso y un pan plano como una teja. El centeno no quiere músculo,"
                " quiere tiempo."
            ),
            (
                "Ahora mezclo la harina con agua tibia la noche anterior y me olvido de ella. Por la mañana huele a manzana y a"
                " miel, y basta con añadir la sal y la masa madre. Se vierte en el molde con una cuchara mojada; no hay que"
                " formar nada."
            ),
            (
                "Lo más difícil viene después de hornear: hay que esperar un día entero antes de cortarlo. Recién hecho se pega"
                " al cuchillo; al día siguiente se corta fino y sabe mejor."
            ),
        ],
        ["400 g de harina integral de centeno", "380 ml de agua tibia", "100 g de masa madre activa", "8 g de sal"],
        [
            (
                "Remedios",
                "9 de enero de 2024",
                "¿Se puede hacer con harina de espelta? En mi pueblo no encuentro centeno.",
                "Se puede, Remedios, pero pon cincuenta mililitros menos de agua.",
            ),
            ("Íñigo", "11 de enero de 2024", "Esperé el día entero, con sufrimiento. Mereció la pena.", None),
        ],
    ),
    (
        "lentejas-de-lunes",
        "Guisos",
        "Lentejas de lunes",
        "22 de enero de 2024",
        [
            (
                "En casa de mi abuela los lunes se comían lentejas porque el domingo sobraba siempre algo: media cebolla, un"
                " trozo de chorizo, el fondo de una botella de vino. No había receta, había restos."
            ),
            (
                "Mi versión respeta el espíritu. Sofrío despacio lo que haya, añado las lentejas lavadas y cubro con agua fría."
                " El único secreto es asustarlas: cuando rompen a hervir, un chorro de agua fría corta la cocción y la piel no se"
                " rompe."
            ),
            "Se terminan con una cucharada de vinagre. Parece poca cosa y cambia el plato entero.",
        ],
        ["300 g de lentejas pardinas", "1 cebolla y 2 zanahorias", "1 hoja de laurel", "1 cucharada de vinagre de Jerez"],
        [
            (
                "Paco el del molino",
                "23 de enero de 2024",
                "Lo de asustarlas lo decía mi madre y yo pensaba que era una broma.",
                None,
            )
        ],
    ),
    (
        "tortilla-en-dos-actos",
        "Guisos",
        "La tortilla, en dos actos",
        "5 de febrero de 2024",
        [
            (
                "Primer acto: las patatas. Se cortan irregulares, unas finas y otras gruesas, para que algunas se deshagan y"
                " otras no. Se confitan en aceite a fuego bajo, sin dorarse, durante media hora larga."
            ),
            (
                "Entreacto: se escurren y descansan en el huevo batido diez minutos. Es el paso que todo el mundo se salta y el"
                " que decide el resultado, porque la patata bebe el huevo y la tortilla cuaja como una sola cosa."
            ),
            (
                "Segundo acto: sartén muy caliente, un minuto por cada lado y al plato. La vuelta se da con decisión y, a ser"
                " posible, sin público."
            ),
        ],
        ["6 huevos", "700 g de patatas", "1 cebolla dulce", "Aceite de oliva y sal"],
        [
            ("Lucía", "5 de febrero de 2024", "Con cebolla, por fin alguien sensato.", "Siempre con cebolla, Lucía."),
            ("Anónimo", "6 de febrero de 2024", "Sin cebolla es la auténtica.", None),
            ("Tomás", "6 de febrero de 2024", "La mía acabó en el suelo de la cocina. Había público.", None),
        ],
    ),
    (
        "bollos-de-anis",
        "Panes",
        "Bollos de anís para el frío",
        "19 de febrero de 2024",
        [
            (
                "Cuando baja la niebla del monte, la cocina pide anís. Estos bollos son los que vendía la panadería de la plaza"
                " hasta que se jubiló Eulalia, que me regaló la receta escrita en el reverso de un calendario."
            ),
            (
                "La masa lleva manteca y leche, y un puñado de matalahúva que se tuesta antes en seco. Hay que tostarla justo"
                " hasta que cruje; un poco más y amarga."
            ),
            (
                "Se pintan con huevo y azúcar mojado. Eulalia insistía en que el azúcar debía quedar como nieve vieja, con"
                " costra, y tenía razón."
            ),
        ],
        ["500 g de harina de fuerza", "220 ml de leche", "80 g de manteca", "2 cucharadas de matalahúva"],
        [],
    ),
    (
        "caldo-de-cascaras",
        "Guisos",
        "Un caldo con lo que tiras",
        "4 de marzo de 2024",
        [
            (
                "Guardo en el congelador una bolsa con pieles de cebolla, puntas de puerro, tallos de perejil y las cáscaras de"
                " las gambas de Navidad. Cuando se llena, hago caldo."
            ),
            (
                "No hace falta más que cubrir con agua y mantener un hervor que apenas se vea durante tres cuartos de hora. Las"
                " pieles de cebolla dan un color de oro viejo que ningún cubito consigue."
            ),
            "Con ese caldo hago arroz, sopa de ajo o nada: una taza caliente a media mañana arregla casi cualquier lunes.",
        ],
        ["1 bolsa de restos de verdura", "2 litros de agua", "6 granos de pimienta"],
        [("Remedios", "5 de marzo de 2024", "Añado las cortezas del queso curado y queda espectacular.", None)],
    ),
]
AUTHOR = "Carmen Olmedo"


def frame(depth, title, body_class, middle):
    up = "../" * depth
    entry = lambda text, path: h("li.menu-item", h("a", text, href=up + path))
    return h(
        "html",
        h(
            "head",
            h("meta", charset="UTF-8"),
            h("title", f"{title} | La cuchara lenta"),
            h("meta", name="generator", content="WordPress 6.4"),
            h("link", rel="stylesheet", href=up + "wp-content/themes/cuchara/style.css"),
            h("style", ".site-header{padding:1em}.widget{margin:0 0 2em}"),
        ),
        h(
            "body.wp-custom-logo." + body_class,
            h(
                "div#page.site",
                h(
                    "header#masthead.site-header",
                    h("p.site-title", h("a", "La cuchara lenta", href=up + "index.html", rel="home")),
                    h("p.site-description", "Recetas de pueblo contadas sin prisa"),
                    h(
                        "nav#site-navigation.main-navigation",
                        menu(
                            h(
                                "ul#primary-menu.menu",
                                entry("Inicio", "index.html"),
                                h(
                                    "li.menu-item.menu-item-has-children",
                                    h("a", "Recetas", href=up + "archivo/"),
                                    h("ul.sub-menu", [entry(*c) for c in CATEGORIES]),
                                ),
                                entry("Sobre mí", "sobre-mi/"),
                            )
                        ),
                    ),
                ),
                h(
                    "div#content.site-content",
                    h("div#primary.content-area", h("main#main.site-main", middle)),
                    h(
                        "aside#secondary.widget-area",
                        h(
                            "section.widget.widget_search",
                            h(
                                "form.search-form",
                                h("input.search-field", type="search", name="s", placeholder="Buscar una receta…"),
                                h("button.search-submit", "Buscar"),
                                action="/",
                                role="search",
                            ),
                        ),
                        h(
                            "section.widget.widget_text",
                            h("h2.widget-title", "Hola, soy Carmen"),
                            h("p", "Cocino en un pueblo de trescientas personas y escribo lo que me cuentan mis vecinas."),
                        ),
                        h(
                            "section.widget.widget_recent_entries",
                            h("h2.widget-title", "Entradas recientes"),
                            h("ul", [h("li", h("a", p[2], href=f"{up}{p[0]}/")) for p in POSTS[:0:-1]]),
                        ),
                        h(
                            "section.widget.widget_categories",
                            h("h2.widget-title", "Categorías"),
                            h("ul", [entry(*c) for c in CATEGORIES]),
                        ),
                    ),
                ),
                h(
                    "footer#colophon.site-footer",
                    h(
                        "div.site-info",
                        h("a", "Funciona gracias a WordPress", href="https://es.wordpress.org/"),
                        h("span.sep", " | "),
                        "Todos los textos y las fotos son de la autora.",
                    ),
                ),
            ),
        ),
        lang="es",
    )


def thread(entries):
    def one(name, date, text, answer):
        return h(
            "li.comment",
            h(
                "article.comment-body",
                h("footer.comment-meta", h("b.fn", name), h("span.says", " dice:"), h("a.comment-date", date, href="#comments")),
                h("div.comment-content", h("p", text)),
                h("div.reply", h("a.comment-reply-link", "Responder", href="#respond")),
            ),
            h("ol.children", one(AUTHOR, date, answer, None)) if answer else None,
        )

    return h(
        "div#comments.comments-area",
        (
            comments(h("h2.comments-title", f"{len(entries)} comentarios" if len(entries) > 1 else "Un comentario"))
            if entries
            else None
        ),
        comments(h("ol.comment-list", [one(*e) for e in entries])) if entries else None,
        h(
            "div#respond.comment-respond",
            h("h3.comment-reply-title", "Deja una respuesta"),
            h("p.comment-notes", "Tu dirección de correo electrónico no será publicada."),
            h(
                "form.comment-form",
                h("p", h("label", "Comentario", for_="comment"), h("textarea#comment", name="comment", cols="45", rows="8")),
                h("p", h("input.submit", type="submit", value="Publicar el comentario")),
                action="/wp-comments-post.php",
                method="post",
            ),
        ),
    )


def post(index):
    slug, category, title, date, paragraphs, ingredients, readers = POSTS[index]
    before, after = (POSTS[index - 1] if index else None), (POSTS[index + 1] if index + 1 < len(POSTS) else None)
    return Page(
        f"{slug}/index.html",
        frame(
            1,
            title,
            "single-post",
            [
                h(
                    "article.post.type-post.hentry",
                    h(
                        "header.entry-header",
                        content(h("h1.entry-title", title)),
                        h(
                            "div.entry-meta",
                            specific(h("span.posted-on", "Publicado el ", h("time.entry-date", date))),
                            h("span.byline", " por ", h("a", AUTHOR, href="../sobre-mi/")),
                        ),
                    ),
                    h(
                        "div.entry-content",
                        [content(h("p", p)) for p in paragraphs[:1]],
                        content(h("h2", "Ingredientes")),
                        content(h("ul.wp-block-list", [h("li", i) for i in ingredients])),
                        content(h("h2", "Cómo se hace")),
                        [content(h("p", p)) for p in paragraphs[1:]],
                        h(
                            "div.sharedaddy",
                            h("h3.sd-title", "Comparte esto:"),
                            h(
                                "ul",
                                [
                                    h("li", h("a", n, href=f"https://{n.lower()}.example/compartir"))
                                    for n in ("Correo", "Chirper")
                                ],
                            ),
                        ),
                    ),
                    h(
                        "footer.entry-footer",
                        h(
                            "span.cat-links",
                            "Publicado en ",
                            specific(h("a", category, href="../" + dict(CATEGORIES)[category], rel="category tag")),
                        ),
                    ),
                ),
                h(
                    "nav.post-navigation",
                    h("h2.screen-reader-text", "Navegación de entradas"),
                    h(
                        "div.nav-links",
                        (
                            h("div.nav-previous", specific(h("a", "← " + before[2], href=f"../{before[0]}/", rel="prev")))
                            if before
                            else None
                        ),
                        (
                            h("div.nav-next", specific(h("a", after[2] + " →", href=f"../{after[0]}/", rel="next")))
                            if after
                            else None
                        ),
                    ),
                ),
                thread(readers),
            ],
        ),
        "article",
    )


def listing(path, title, intro, posts, pager=None, text=True):
    depth = path.count("/")
    up = "../" * depth
    return Page(
        path,
        frame(
            depth,
            title,
            "archive",
            [
                h("header.page-header", content(h("h1.page-title", title)), content(h("p.archive-description", intro))),
                [
                    content(
                        h(
                            "article.post.type-post.hentry",
                            h("h2.entry-title", h("a", p[2], href=f"{up}{p[0]}/", rel="bookmark")),
                            h("p.entry-date", p[3]),
                            h(
                                "div.entry-summary",
                                h("p", p[4][0][:140].rsplit(" ", 1)[0].rstrip(".,:;") + "…"),
                                h("a.more-link", "Seguir leyendo", href=f"{up}{p[0]}/"),
                            ),
                        )
                    )
                    for p in posts
                ],
                h("nav.pagination", specific(h("a.page-numbers", pager[0], href=pager[1]))) if pager else None,
            ],
        ),
        "listing",
        text=text,
    )


ABOUT = Page(
    "sobre-mi/index.html",
    frame(
        1,
        "Sobre mí",
        "page",
        [
            h(
                "article.page.type-page.hentry",
                h("header.entry-header", content(h("h1.entry-title", "Sobre mí"))),
                h(
                    "div.entry-content",
                    [
                        content(h("p", p))
                        for p in (
                            (
                                "Me llamo Carmen Olmedo y durante veinte años trabajé en una oficina donde la comida salía de una"
                                " máquina. Un día la máquina se estropeó, llevé un puchero y ya no hubo vuelta atrás."
                            ),
                            (
                                "En este blog apunto las recetas que me dictan mis vecinas, con sus medidas: un puñado, lo que"
                                " pida la masa, hasta que huela. Luego las peso para que tú también puedas hacerlas."
                            ),
                            (
                                "No acepto publicidad ni productos de regalo. Si una receta te sale mal, escríbeme y la repetimos"
                                " juntas hasta encontrar el fallo."
                            ),
                        )
                    ],
                ),
            )
        ],
    ),
    "service",
)

SITE = Site(
    id="cocina-blog",
    category="blog",
    language="es",
    generator="WordPress-like blog, list pages of another template, relative links to folders",
    key_page="pan-de-centeno/index.html",
    base_url="https://cuchara-lenta.example/",
    split="train",
    pages=[
        listing("index.html", "Últimas recetas", "Lo más reciente de la cocina de Carmen.", POSTS[:1:-1], text=False),
        listing(
            "archivo/index.html",
            "Todas las recetas",
            "Desde la primera hasta hoy, tres por página.",
            POSTS[:3],
            ("Más recetas →", "index.html?page=2"),
        ),
        listing(
            "archivo/index.html?page=2",
            "Todas las recetas, página 2",
            "El resto de las recetas del archivo.",
            POSTS[3:],
            ("← Página anterior", "index.html"),
            text=False,
        ),
        listing("categoria/panes/index.html", "Panes", "Masas que se hacen casi solas.", POSTS[::3], text=False),
        listing(
            "categoria/guisos/index.html",
            "Guisos",
            "Platos de cuchara para cualquier día de la semana.",
            [POSTS[1], POSTS[2], POSTS[4]],
        ),
        *[post(i) for i in range(len(POSTS))],
        ABOUT,
    ],
)
