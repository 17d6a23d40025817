"""The gallery of a Turkish photographer: pictures with hardly a word, styled-component names, folders without index.html in their links."""

from ..site import Page, Site
from ..tree import Style, content, h, menu, specific

# slug, title, year, one line, captions
ALBUMS = [
    (
        "iskele",
        "İskele",
        "2019",
        "Sabah vapurunu bekleyenler.",
        ["Üç martı, bir simit", "Halatçı Kemal Usta", "İlk sefer, 06.15", "Boş bank", "Lodos"],
    ),
    (
        "tavan-arasi",
        "Tavan Arası",
        "2020",
        "Dedemin evinde kalan eşyalar.",
        ["Radyo", "Kırk yıllık bavul", "Ayna ve tozu", "Kuş kafesi"],
    ),
    (
        "bozkir",
        "Bozkır",
        "2021",
        "Tuz Gölü ile Konya arasında dört mevsim.",
        ["Mart, çamur", "Haziran, başak", "Eylül, duman", "Ocak, hiçbir şey", "Tek ağaç", "Yol"],
    ),
    ("terzi", "Terzi", "2022", "Bir dükkân, bir usta, bir makine.", ["Makas", "İlik", "Yarım kalmış ceket", "Öğle molası"]),
    (
        "gece-vardiyasi",
        "Gece Vardiyası",
        "2023",
        "Şehir uyurken çalışanlar.",
        ["Fırın, 03.40", "Köprü gişesi", "Nöbetçi eczane", "Çöp kamyonunun arkasından", "Gün ağarırken"],
    ),
]
MENU = [("Seriler", "/"), *[(a[1], f"/{a[0]}/") for a in ALBUMS], ("Hakkında", "/hakkinda/"), ("İletişim", "/iletisim/")]


def frame(title, middle):
    return h(
        "html",
        h("head", h("meta", charset="utf-8"), h("title", title), h("script", src="/static/runtime.8d1f.js", defer=True)),
        h(
            "body",
            h(
                "div#__next",
                h(
                    "div.sc-bdVaJa.kTnQvx",
                    h("div.sc-htpNat.hZQyLm", h("a.sc-bwzfXH", "Defne Aksoy", href="/"), h("span.sc-bxivhb", "fotoğraf")),
                    menu(h("div.sc-ifAKCX.jPqWtR", [h("a.sc-EHOje", text, href=path) for text, path in MENU])),
                ),
                h("div.sc-bZQynM.eRtYui", middle),
                h(
                    "div.sc-gzVnrw.dFgHjk",
                    h("a", "Instagram", href="https://instagram.example/defneaksoy"),
                    h("span", "Bütün fotoğraflar izinle kullanılır."),
                ),
            ),
        ),
        lang="tr",
    )


def album(index):
    slug, title, year, line, captions = ALBUMS[index]
    following = ALBUMS[(index + 1) % len(ALBUMS)]
    return Page(
        f"{slug}/index.html",
        frame(
            title,
            [
                content(h("h1.sc-dnqmqq", title)),
                specific(h("span.sc-iwsKbI", year)),
                content(h("p.sc-gZMcBi", line)),
                content(
                    h(
                        "div.sc-gqjmRU",
                        [
                            h(
                                "figure.sc-VigVT",
                                h("img", src=f"/img/{slug}/{i + 1}.jpg", alt=c, loading="lazy"),
                                h("figcaption", c),
                            )
                            for i, c in enumerate(captions)
                        ],
                    )
                ),
                h("div.sc-jTzLTM", h("span", "Sonraki seri"), specific(h("a.sc-fjdhpX", following[1], href=f"/{following[0]}/"))),
            ],
        ),
        "collection",
    )


INDEX = Page(
    "index.html",
    frame(
        "Defne Aksoy",
        [
            content(h("h1.sc-dnqmqq", "Seriler")),
            content(
                h(
                    "div.sc-jzJRlG",
                    [
                        h("div.sc-cSHVUG", h("a", h("img", src=f"/img/{a[0]}/kapak.jpg", alt=""), href=f"/{a[0]}/"), h("p", a[1]))
                        for a in ALBUMS
                    ],
                )
            ),
        ],
    ),
    "collection",
)


def plain(path, title, paragraphs):
    return Page(
        path,
        frame(title, [content(h("h1.sc-dnqmqq", title)), content(h("div.sc-kAzzGY", [h("p", p) for p in paragraphs]))]),
        "service",
    )


SITE = Site(
    id="foto-galeri",
    category="personal",
    language="tr",
    generator="gallery with hardly any text and generated class names",
    key_page="bozkir/index.html",
    base_url="https://defneaksoy.example/",
    split="eval",
    style=Style(minified=True),
    pages=[
        INDEX,
        *[album(i) for i in range(len(ALBUMS))],
        plain(
            "hakkinda/index.html",
            "Hakkında",
            [
                (
                    "1984 yılında Eskişehir'de doğdum. Fotoğrafa, babamın tamir etmekten vazgeçtiği bir makineyi gizlice sökerek"
                    " başladım; makine bir daha toplanmadı ama ben vazgeçmedim."
                ),
                (
                    "On beş yıldır aynı üç objektifle çalışıyorum. Kalabalıkları değil, kalabalık dağıldıktan sonra geride"
                    " kalanları çekmeyi seviyorum: boş bankları, ışığı açık unutulmuş dükkânları, yarım çayları."
                ),
                (
                    "Serilerim küçük şehirlerdeki kütüphanelerde ve bir kez de bir vapurun alt katında sergilendi. En sevdiğim"
                    " sergi oydu, çünkü gezenler manzaraya bakmayı unutmuştu."
                ),
            ],
        ),
        plain(
            "iletisim/index.html",
            "İletişim",
            [
                (
                    "Baskı siparişi, sergi önerisi veya yalnızca selam için bana mektup yazabilirsiniz. Elektronik postaya da"
                    " bakıyorum ama haftada bir kez, pazartesi sabahları."
                ),
                "Düğün çekmiyorum. Kedinizi ise memnuniyetle çekerim.",
            ],
        ),
    ],
)
