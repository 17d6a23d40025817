"""Pages with what readers wrote and with advertisements: shops, blogs, newspapers, guest books, questions with answers, in twenty-three languages, with gold for both.

A page is written as HTML in which `l=` names what an element and everything in it is: m content, c comments, a advertisement, s of this page
only. Comments and content are of this page only too. The page is that without the names, the gold has the classes of the TeCo notation for them.
Half of the pages are for looking at while a technique is made (`train`), half for judging it (`eval`), by kind: no kind is in both.
"""

import json
from html.parser import HTMLParser

CLASSES = {
    "m": ("TECO_notTemplate", "TECO_mainContent"),
    "c": ("TECO_notTemplate", "TECO_comments"),
    "s": ("TECO_notTemplate",),
    "a": ("TECO_ads",),
}
VOID = {"br", "hr", "img", "input", "link", "meta"}


class Labelled(HTMLParser):
    """Writes a page once plain and once with its labels as classes."""

    def __init__(self, html):
        super().__init__(convert_charrefs=False)
        self.page, self.gold, self.open = [], [], [()]
        self.feed(html)
        self.close()

    def both(self, text):
        self.page.append(text)
        self.gold.append(text)

    def handle_decl(self, decl):
        self.both(f"<!{decl}>")

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        label = given.pop("l", None)
        classes = self.open[-1] + tuple(c for c in CLASSES.get(label, ()) if c not in self.open[-1])
        self.page.append(self.tag(tag, given))
        named = " ".join([*([given["class"]] if given.get("class") else []), *classes])
        self.gold.append(self.tag(tag, {**given, "class": named} if named else given))
        if tag not in VOID:
            self.open.append(classes)

    def tag(self, tag, attributes):
        def one(name, value):
            if value is None:
                return f" {name}"
            return f' {name}="{value.replace("&", "&amp;").replace(chr(34), "&quot;")}"'

        return f"<{tag}{''.join(one(*pair) for pair in attributes.items())}>"

    def handle_endtag(self, tag):
        self.open.pop()
        self.both(f"</{tag}>")

    def handle_data(self, text):
        self.both(text)

    def handle_entityref(self, name):
        self.both(f"&{name};")

    def handle_charref(self, name):
        self.both(f"&#{name};")


def page(language, title, menu, main, after="", footer="© Beispiel"):
    links = "".join(f'<li><a href="{address}">{text}</a></li>' for text, address in menu)
    return (
        f'<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title></head>'
        f'<body><header><nav class="TECO_mainMenu"><ul>{links}</ul></nav></header>{main}{after}<footer><p>{footer}</p></footer></body></html>\n'
    )


def menu(*names):
    return [(name, f"/{number}.html") for number, name in enumerate(names)]


READERS = {
    # A shop of the kind that says schema.org/Review in its markup.
    "lampes-fr": ("train", "fr", page("fr", "Lampe de chevet Hibou", menu("Lampes", "Ampoules", "Atelier", "Contact"), """
<main><h1 l="m">Lampe de chevet Hibou</h1><p l="m">Une petite lampe en bois de hêtre qui éclaire juste assez pour lire une page de plus. Elle est tournée à la main dans notre atelier.</p>
<p class="prix" l="s">59,00 €</p></main>
<aside class="ad-box" l="a"><span>Publicité</span><a href="https://ads.example.net/1">Des tapis pour tous les salons</a></aside>
<section id="avis-clients"><h2>Avis clients</h2>
<div itemprop="review" itemscope="" itemtype="https://schema.org/Review" l="c"><b itemprop="author">Solène</b> <time itemprop="datePublished" datetime="2021-02-03">3 février 2021</time> <span itemprop="reviewRating">5/5</span><p itemprop="reviewBody">Ma fille ne veut plus dormir sans elle.</p></div>
<div itemprop="review" itemscope="" itemtype="https://schema.org/Review" l="c"><b itemprop="author">Marc D.</b> <time itemprop="datePublished" datetime="2021-03-09">9 mars 2021</time> <span itemprop="reviewRating">3/5</span><p itemprop="reviewBody">Jolie, mais le fil est trop court pour notre chambre.</p></div>
</section>""", footer="© Atelier du Hibou")),
    # A shop with class=reviews, stars in a label.
    "fietsen-nl": ("eval", "nl", page("nl", "Stadsfiets Reiger", menu("Fietsen", "Onderdelen", "Werkplaats", "Over ons"), """
<div class="product"><h1 l="m">Stadsfiets Reiger</h1><p l="m">De Reiger rijdt licht, ook met tegenwind, en heeft een bagagedrager die twee kratten houdt. Wij bouwen hem in Zwolle, elke week tien.</p></div>
<div class="sponsored"><a href="https://track.example.net/ad?7" l="a">Advertentie: verzeker je fiets in twee minuten</a></div>
<div class="reviews"><h3>Beoordelingen (2)</h3>
<ul class="review-list" l="c"><li class="review"><span class="author">Joke</span> <span class="date">12-04-2022</span> <span class="stars" aria-label="4 van 5"></span><p>Rijdt heerlijk, alleen de bel is wat zacht.</p></li>
<li class="review"><span class="author">Bram</span> <span class="date">30-04-2022</span> <span class="stars" aria-label="5 van 5"></span><p>Al duizend kilometer zonder één lekke band.</p></li></ul>
<form class="review-form" action="/review" method="post"><label>Schrijf een beoordeling</label><textarea name="text"></textarea><button>Versturen</button></form></div>""", footer="© Reiger Rijwielen")),
    # A shop without names: stars alone.
    "ceramica-es": ("eval", "es", page("es", "Taza de barro", menu("Tazas", "Platos", "Jarras", "Taller"), """
<main><h1 l="m">Taza de barro negro</h1><p l="m">Cocida con leña durante dos días, guarda el calor del café hasta la última página del periódico. Cada una es distinta de las demás.</p></main>
<section class="mt-6"><h2>Lo que dicen quienes la usan</h2><div class="stack" l="c"><div class="box"><p>Maruja</p><p>★★★★★</p><p>La compré para mi padre y ahora la quiere toda la familia.</p></div>
<div class="box"><p>Íñigo</p><p>★★★★☆</p><p>Preciosa, aunque pesa más de lo que parece en la foto.</p></div>
<div class="box"><p>Lola P.</p><p>★★★☆☆</p><p>Llegó con una mella pequeña, pero me la cambiaron enseguida.</p></div></div></section>
<section class="mt-6"><h2>También te puede gustar</h2><div class="grid"><div class="card" l="s"><a href="/p1.html">Plato hondo</a><p>★★★★★</p><p>18,00 €</p></div><div class="card" l="s"><a href="/p2.html">Jarra alta</a><p>★★★★☆</p><p>32,00 €</p></div></div></section>""", footer="© Taller del Barro")),
    # A blog with the names of WordPress.
    "garten-de": ("train", "de", page("de", "Schnecken im Beet", menu("Beete", "Werkzeug", "Kalender", "Ich"), """
<article class="post"><h1 l="m">Schnecken im Beet, und was wirklich hilft</h1><p l="m">Drei Jahre lang habe ich Bier, Kaffee und Eierschalen ausprobiert. Geholfen hat am Ende ein Igel, der unter dem Reisig überwintert.</p></article>
<div class="werbung" l="a"><small>Anzeige</small><a href="https://ads.example.net/3">Rasenmäher im Angebot</a></div>
<div id="comments" class="comments-area"><h2 class="comments-title" l="c">Ein Kommentar</h2><ol class="comment-list" l="c"><li id="comment-44" class="comment"><cite class="fn">Gerda</cite> <a href="#comment-44">3. Mai 2020 um 8:11</a><p>Bei uns hat der Igel leider die Erdbeeren mitgegessen.</p><a class="comment-reply-link" href="#respond">Antworten</a></li></ol>
<div id="respond" class="comment-respond"><h3>Schreibe einen Kommentar</h3><p>Deine Adresse wird nicht veröffentlicht, und wir geben sie niemandem weiter.</p><form action="/c" method="post"><textarea name="comment"></textarea><button>Senden</button></form></div></div>""", footer="© Mein Garten")),
    # A newspaper whose names say nothing; comments under a heading.
    "gazeta-ru": ("train", "ru", page("ru", "Мост закрыт", menu("Город", "Спорт", "Культура", "Погода"), """
<main class="x1"><h1 l="m">Старый мост закрыт до весны</h1><p l="m">Инженеры нашли трещину в третьей опоре, и с понедельника по мосту никто не ездит. До другого берега теперь двадцать минут на пароме.</p></main>
<div class="x7" data-ad-slot="4" l="a"><span>Реклама</span><a href="https://ads.example.net/9">Зимние шины со скидкой</a></div>
<section class="x8"><h2 l="c">Комментарии (2)</h2><div class="y1" l="c"><div class="y2"><b>Пётр</b> <time>12.11.2021 в 9:30</time><p>Наконец-то кто-то посмотрел на эту опору.</p></div><div class="y2"><b>Зоя</b> <time>12.11.2021 в 10:02</time><p>А паром ходит только до шести вечера!</p></div></div></section>""", footer="© Газета реки")),
    "shimbun-ja": ("eval", "ja", page("ja", "灯台の一般公開", menu("地域", "スポーツ", "文化", "天気"), """
<main class="a1"><h1 l="m">灯台の一般公開が始まる</h1><p l="m">岬の灯台が百年ぶりに一般に公開された。百三十段の階段を上ると、晴れた日には向こうの島まで見える。土曜日と日曜日の午後に入ることができる。</p></main>
<section class="a2"><h3 l="c">コメント 2件</h3><ul class="b1" l="c"><li><span class="user">みどり</span> 2022年5月3日 <p>階段は大変でしたが、景色は最高でした。</p></li><li><span class="user">灯台好き</span> 2022年5月4日 <p>次は夜も公開してほしいです。</p></li></ul></section>""", footer="© 岬新聞")),
    # A guest book of tables.
    "ospiti-it": ("eval", "it", page("it", "Il rifugio", menu("Rifugio", "Sentieri", "Cucina", "Ospiti"), """
<div><h1 l="m">Il rifugio del Corno</h1><p l="m">Il rifugio è aperto da giugno a settembre, con dodici letti e una stufa. Chi passa di qui lascia due righe, e noi le copiamo in questa pagina quando scendiamo in paese.</p></div>
<div class="guestbook" l="c"><div class="entry"><b class="author">Famiglia Rossi</b> <i>14/08/2019</i><p>La polenta migliore della valle, torneremo.</p></div><div class="entry"><b class="author">Hans</b> <i>20/08/2019</i><p>Grazie per le calze asciutte!</p></div></div>""", footer="© Il rifugio del Corno")),
    # A magazine in Polish, one comment under "1 komentarz".
    "kino-pl": ("eval", "pl", page("pl", "Film o rzece", menu("Filmy", "Seriale", "Festiwale", "Redakcja"), """
<article><h1 l="m">Film o rzece, która nie chce płynąć</h1><p l="m">Reżyserka przez cztery lata filmowała jedno zakole rzeki i ludzi, którzy nad nim mieszkają. Powstał film spokojny i zaskakująco zabawny.</p></article>
<div id="reklama-1" class="reklama" l="a"><a href="https://ads.example.net/12">Reklama: bilety za pół ceny</a></div>
<div id="komentarze"><h3 l="c">1 komentarz</h3><ul class="lista" l="c"><li><strong class="user">Basia</strong> <time>2 marca 2023, 18:20</time><p>Scena z kaczką jest warta całego biletu.</p></li></ul></div>""", footer="© Ekran")),
    # A blog in Turkish with the form first.
    "mutfak-tr": ("train", "tr", page("tr", "Mercimek çorbası", menu("Çorbalar", "Tatlılar", "Ekmek", "Hakkımda"), """
<article><h1 l="m">Annemin mercimek çorbası</h1><p l="m">Bu çorbayı her cuma pişirirdik, çünkü cuma günleri bütün komşular gelirdi. Tarif basit, ama sabır ister: soğanı acele kavurmayın.</p></article>
<div class="yorumlar"><form action="/yorum" method="post"><h4>Yorum yaz</h4><textarea name="yorum"></textarea></form><div class="yorum-listesi" l="c"><div class="yorum"><span class="author">Elif</span> <time>4 Ocak 2022</time><p>Denedim, evdekiler iki tabak yedi.</p></div><div class="yorum"><span class="author">Can</span> <time>5 Ocak 2022</time><p>Nane eklemeyi unutmayın derim.</p></div></div></div>""", footer="© Mutfak Defteri")),
    # Written later, to judge by: guest books made by hand, shops with a single review, questions with answers.
    "gaestebuch-de": ("eval", "de", page("de", "Gästebuch - Modellbahnfreunde", menu("Anlage", "Fahrtage", "Verein", "Gästebuch"), """
<h1 l="m">Gästebuch</h1><p l="m">Schön, dass ihr bei unserer Anlage vorbeigeschaut habt. Wer mag, schickt uns ein paar Zeilen mit der Post, wir tippen sie dann ab und stellen sie hier hinein.</p>
<table border="1" l="c"><tr><td><b>Heinz aus Fulda</b><br>Der Bahnhof mit dem Wasserturm ist euch wunderbar gelungen, wir haben eine Stunde davor gestanden.</td></tr></table>
<table border="1" l="c"><tr><td><b>Klasse 3b</b><br>Danke, dass wir die Weichen selber stellen durften!</td></tr></table>
<table border="1" l="c"><tr><td><b>Renate und Uwe</b><br>Wir kommen im Advent wieder und bringen die Enkel mit.</td></tr></table>""", footer="Modellbahnfreunde e. V.")),
    "livredor-fr": ("eval", "fr", page("fr", "Livre d'or du gîte", menu("Le gîte", "Les chambres", "Tarifs", "Livre d'or"), """
<div id="c"><h2 l="m">Livre d'or</h2><p l="m">Depuis vingt ans nos hôtes écrivent dans un cahier posé près de la cheminée. En voici quelques pages, recopiées telles quelles, sans les dessins des enfants.</p>
<dl l="c"><dt>Martine et Paul, Lille</dt><dd>Une semaine hors du temps. Le pain du matin nous manque déjà.</dd><dt>Les quatre cousins</dt><dd>On a vu un blaireau, deux chouettes et aucun téléphone.</dd><dt>Agathe</dt><dd>Merci pour les bottes prêtées, et pour la soupe.</dd></dl></div>""", footer="Gîte des Trois Sources")),
    "defter-tr": ("eval", "tr", page("tr", "Ziyaretçi Defteri", menu("Müze", "Koleksiyon", "Ulaşım", "Ziyaretçi Defteri"), """
<div class="sayfa"><h2 l="m">Ziyaretçi Defteri</h2><p l="m">Müzemizi gezenlerin girişteki deftere yazdıkları notlardan bir seçki sunuyoruz. Defterin tamamını müzede, pencerenin önündeki masada okuyabilirsiniz.</p>
<div class="not" l="c"><b>Nermin Hanım</b><p>Dedemin radyosunun aynısını burada görünce gözlerim doldu.</p></div>
<div class="not" l="c"><b>Bursa'dan bir öğrenci</b><p>Daktiloda adımızı yazmamıza izin verdiniz, çok teşekkürler.</p></div>
<div class="not" l="c"><b>Orhan</b><p>Bir dahaki sefere bütün günü ayıracağım.</p></div></div>""", footer="Radyo Müzesi")),
    "klok-nl": ("eval", "nl", page("nl", "Wandklok Havik", menu("Klokken", "Wekkers", "Reparatie", "Winkel"), """
<main class="grid gap-6"><div><h1 l="m">Wandklok Havik</h1><p l="m">De Havik tikt zo zacht dat hij in de slaapkamer kan hangen. De kast is van essenhout, het uurwerk komt uit een kleine fabriek in de Jura.</p><p class="text-2xl" l="s">€ 129,00</p></div></main>
<section class="mt-10"><h2 class="text-xl">Wat kopers ervan vinden</h2><div class="border p-4" l="c"><p class="font-bold">Wietske</p><p class="text-yellow-500">★★★★☆</p><p>Loopt al een half jaar zonder een minuut te verliezen, alleen de haak was wat klein.</p></div><a class="btn" href="/beoordeel">Schrijf een beoordeling</a></section>
<section class="mt-10"><h2 class="text-xl">Ook mooi</h2><div class="card" l="s"><a href="/k2.html">Wekker Mus</a><p>★★★★★</p><p>€ 39,00</p></div></section>""", footer="© De Klokkenmaker")),
    "chaynik-ru": ("eval", "ru", page("ru", "Чайник Снегирь", menu("Чайники", "Кастрюли", "Доставка", "Контакты"), """
<div class="tovar"><h1 l="m">Чайник эмалированный «Снегирь»</h1><p l="m">Чайник на два с половиной литра, со свистком и деревянной ручкой. Эмаль наносят в три слоя, поэтому он не боится ни газовой плиты, ни костра.</p></div>
<div class="blok"><h3>Отзывы покупателей</h3><div class="otzyv" l="c"><div class="imya">Тамара Ильинична</div><div class="ocenka">Оценка: 5 из 5</div><p>Свистит на весь дом, теперь ничего не выкипает.</p></div><div class="otzyv" l="c"><div class="imya">Лёша</div><div class="ocenka">Оценка: 3 из 5</div><p>Хороший, но ручка нагревается, если не убавить газ.</p></div>
<form action="/otzyv" method="post"><b>Оставить отзыв</b><textarea name="t"></textarea><button>Отправить</button></form></div>""", footer="© Лавка посуды")),
    "hotel-es": ("eval", "es", page("es", "Hotel del Puerto", menu("Habitaciones", "Restaurante", "Cómo llegar", "Reservas"), """
<main><h1 l="m">Hotel del Puerto</h1><p l="m">Once habitaciones encima de la antigua lonja, todas con vistas al muelle. El desayuno se sirve en la terraza mientras descargan los barcos.</p></main>
<div class="sponsored" l="a"><span>Publicidad</span><a href="https://ads.example.net/21">Alquiler de coches desde 19 euros</a></div>
<section id="opiniones"><h2>Opiniones de huéspedes</h2><article class="opinion" l="c"><header><strong>Begoña R.</strong> <span>9/10</span> <time>agosto de 2023</time></header><p>Nos despertaron las gaviotas, y no nos importó nada.</p></article><article class="opinion" l="c"><header><strong>Iker</strong> <span>7/10</span> <time>julio de 2023</time></header><p>El cuarto es pequeño, pero la terraza lo compensa.</p></article></section>""", footer="© Hotel del Puerto")),
    "shokudo-ja": ("eval", "ja", page("ja", "食堂 みなと", menu("お品書き", "店内", "アクセス", "予約"), """
<main class="m1"><h1 l="m">食堂 みなと</h1><p l="m">港の前で五十年続く小さな食堂です。朝に揚がった魚を昼の定食に使い、なくなり次第のれんを下ろします。席は十二席だけなので、少し待つこともあります。</p></main>
<section class="m2"><h2>お客様の声</h2><div class="r"><div class="k" l="c"><p class="n">東京都 S.K.様</p><p class="s">★★★★★</p><p>あじフライが肉厚で、遠くから来たかいがありました。</p></div><div class="k" l="c"><p class="n">常連より</p><p class="s">★★★★☆</p><p>味噌汁のおかわりができるのがうれしいです。</p></div></div></section>""", footer="© 食堂みなと")),
    "notizie-it": ("eval", "it", page("it", "Il tram torna in centro", menu("Cronaca", "Sport", "Cultura", "Meteo"), """
<article class="_a3f"><h1 l="m">Il tram torna in centro dopo quarant'anni</h1><p l="m">Da lunedì la linea 2 arriva di nuovo fino alla piazza del mercato. I binari erano rimasti sotto l'asfalto, e gli operai li hanno trovati quasi intatti.</p></article>
<div class="_k9" l="a"><span>Pubblicità</span><a href="https://ads.example.net/31">Mutui a tasso fisso</a></div>
<div class="_b71"><h4>2 commenti</h4><div class="_c02" l="c"><div class="_d1"><span class="_u">Piero</span> <span class="_t">2 ore fa</span><div>Mio nonno guidava proprio quella linea.</div><a href="#r1">Rispondi</a></div><div class="_d1"><span class="_u">Lucia B.</span> <span class="_t">1 ora fa</span><div>Speriamo che passi anche la sera.</div><a href="#r2">Rispondi</a></div></div></div>""", footer="© La Gazzetta del Fiume")),
    "pytania-pl": ("eval", "pl", page("pl", "Jak ostrzyć nóż do chleba?", menu("Pytania", "Tagi", "Użytkownicy", "Pomoc"), """
<main><h1 l="m">Jak ostrzyć nóż do chleba?</h1><div class="pytanie" l="m"><p>Mam nóż z ząbkami, który po dziesięciu latach już tylko kruszy skórkę. Zwykła ostrzałka w ogóle do niego nie pasuje. Czy da się go naostrzyć w domu?</p></div>
<ul class="comments" l="c"><li id="comment-7" class="comment"><span class="comment-text">Jakiej firmy jest ten nóż?</span> – <a class="comment-user" href="/u/4">wanda</a> <time>12 mar 2022, 10:15</time></li></ul>
<div class="odpowiedz" l="m"><p>Da się, okrągłym pilnikiem z ceramiki. Każdy ząbek prowadzi się osobno, zawsze od tej samej strony, a na koniec zdejmuje się drut na płaskim kamieniu.</p></div>
<ul class="comments" l="c"><li id="comment-9" class="comment"><span class="comment-text">Działa, zajęło mi to pół godziny, dziękuję.</span> – <a class="comment-user" href="/u/9">marek77</a> <time>13 mar 2022, 21:40</time></li></ul></main>""", footer="© Domowe pytania")),
    # Written after the rules for guest books and single reviews, and not looked at while these were made.
    "cottage-en": ("eval", "en", page("en", "Guest Book", menu("Cottage", "Rooms", "Walks", "Guest Book"), """
<h2 l="m">Guest Book</h2><p l="m">The book lies on the table in the hall, and every winter we copy what was written in it during the year, with the spelling as it was.</p>
<div class="entries"><p l="c"><strong>Joan</strong> The stove smokes when the wind is in the east, but we loved it.</p><p l="c"><strong>The Millers</strong> Seven days of rain and not one argument.</p></div>""", footer="© Stone Cottage")),
    "panela-pt": ("eval", "pt", page("pt", "Panela de barro", menu("Panelas", "Pratos", "Oficina", "Contato"), """
<main><h1 l="m">Panela de barro</h1><p l="m">Queimada a lenha e vedada com óleo, vai do fogo à mesa. Antes da primeira vez, ferva água com farinha durante meia hora.</p></main>
<section><h2>Quem comprou diz</h2><div class="q" l="c"><p>"Nunca mais fiz feijão noutra panela."</p><p>★★★★★</p><p>Dona Celeste</p></div></section>""", footer="© Oficina do Barro")),
    "stugan-sv": ("eval", "sv", page("sv", "Gästbok", menu("Stugan", "Båten", "Priser", "Gästbok"), """
<div><h1 l="m">Gästbok</h1><p l="m">Här skriver våra gäster några rader innan de åker hem. Den som vill får också rita, men teckningarna sparar vi i en låda.</p>
<ul l="c"><li><b>Familjen Berg</b><br>Vi såg älgen tre gånger, alltid före frukost.</li><li><b>Sven-Erik</b><br>Bastun var varm och sjön kall, precis som det ska vara.</li></ul></div>""", footer="© Stugan vid sjön")),
    "hrnek-cs": ("eval", "cs", page("cs", "Hrnek Vrána", menu("Hrnky", "Talíře", "Dílna", "Kontakt"), """
<main><h1 l="m">Hrnek Vrána</h1><p l="m">Hrnek na půl litru čaje, s uchem pro tři prsty. Glazura je matná zvenku a lesklá uvnitř, takže se dobře myje.</p></main>
<div class="hodnoceni"><h3>Hodnocení zákazníků</h3><div class="h" l="c"><strong>Jitka</strong> <span aria-label="4 z 5">★★★★☆</span><p>Krásný, jen trochu těžší, než jsem čekala.</p></div><div class="h" l="c"><strong>Pavel</strong> <span aria-label="5 z 5">★★★★★</span><p>Druhý kousek do páru, spokojenost.</p></div></div>""", footer="© Hrnčířská dílna")),
    "limani-el": ("eval", "el", page("el", "Το παλιό λιμάνι", menu("Πόλη", "Αθλητικά", "Πολιτισμός", "Καιρός"), """
<article><h1 l="m">Ανοίγει ξανά το παλιό λιμάνι</h1><p l="m">Ύστερα από έξι χρόνια έργων, τα πρώτα καΐκια έδεσαν χθες στην προβλήτα. Οι ψαράδες λένε ότι ο βυθός καθαρίστηκε καλά.</p></article>
<div class="zz"><h3>2 σχόλια</h3><div class="yy" l="c"><div class="xx"><b>Νίκος</b> <i>πριν από 2 ώρες</i><p>Επιτέλους μπορούμε να περπατήσουμε ως τον φάρο.</p></div><div class="xx"><b>Ελένη</b> <i>πριν από 1 ώρα</i><p>Λείπουν ακόμα τα δέντρα.</p></div></div></div>""", footer="© Η πόλη")),
    "muzey-ru": ("eval", "ru", page("ru", "Гостевая книга", menu("О музее", "Залы", "Билеты", "Гостевая книга"), """
<h1 l="m">Гостевая книга</h1><p l="m">Здесь мы собираем записи, которые посетители оставляют в книге у выхода. Почерк не всегда удаётся разобрать, за что просим прощения.</p>
<div class="z" l="c"><p><b>Семья Орловых</b></p><p>Дети не хотели уходить от паровоза.</p></div><div class="z" l="c"><p><b>Учитель из Тулы</b></p><p>Спасибо экскурсоводу за терпение!</p></div>""", footer="© Музей дороги")),
    # Written after the rules for what stands below a heading, and not looked at while these were made.
    "vendegkonyv-hu": ("eval", "hu", page("hu", "Vendégkönyv - Malom Panzió", menu("Szobák", "Étterem", "Környék", "Vendégkönyv"), """
<div id="tartalom"><h1 l="m">Vendégkönyv</h1><p l="m">A recepción fekvő füzetből másoltuk ide a kedvenc bejegyzéseinket. A füzet már a negyedik, az első hármat a padláson őrizzük.</p>
<table cellpadding="4" l="c"><tr><td><b>Kovács család</b></td><td>2018. augusztus 4.</td></tr><tr><td colspan="2">A gyerekek egész nap a patakban játszottak, alig lehetett őket vacsorázni hívni.</td></tr>
<tr><td><b>Ilona néni</b></td><td>2018. szeptember 12.</td></tr><tr><td colspan="2">Húsz éve nem aludtam ilyen jól.</td></tr></table></div>""", footer="© Malom Panzió")),
    "sporgsmaal-da": ("eval", "da", page("da", "Hvordan får man voks ud af en dug?", menu("Spørgsmål", "Emner", "Brugere", "Om os"), """
<main><h1 l="m">Hvordan får man voks ud af en dug?</h1><div class="q" l="m"><p>Vi glemte et lys på bordet, og nu er der en stor rød plet midt på min mormors hvide dug. Kan den reddes uden at tage til renseriet?</p></div>
<div class="a" l="m"><p>Ja. Læg dugen i fryseren en time, skrab det meste af, og stryg resten over i køkkenrulle. Farven går af med sprit bagefter.</p></div>
<div class="k"><h4>Kommentarer til svaret</h4><ul l="c"><li>Husk at teste spritten på et hjørne først. <i>Birthe, 3 dage siden</i></li><li>Det virkede, også på en fløjlspude. <i>Mads_K, 2 dage siden</i></li></ul></div></main>""", footer="© Husråd")),
    "kavomolka-uk": ("eval", "uk", page("uk", "Кавомолка Шпак", menu("Кавомолки", "Турки", "Кава", "Доставка"), """
<div class="p"><h1 l="m">Ручна кавомолка «Шпак»</h1><p l="m">Жорна з кераміки, корпус із ясена, тридцять грамів за раз. Помел змінюється гвинтом знизу, від турки до френч-преса.</p><div class="c1" l="s">1 240 грн</div></div>
<div class="vv"><h2>Відгуки покупців</h2><p>Середня оцінка 4,5 на підставі двох відгуків</p><div class="v1" l="c"><b>Оксана</b> <span>5 / 5</span><p>Переваги: тиха, добре лежить у руці.</p><p>Недоліки: не знайшла.</p></div><div class="v1" l="c"><b>Дмитро В.</b> <span>4 / 5</span><p>Переваги: рівний помел.</p><p>Недоліки: хотілося б більшу баночку.</p></div>
<a class="knopka" href="/napysaty">Написати відгук</a></div>""", footer="© Кавова лавка")),
    "marjat-fi": ("eval", "fi", page("fi", "Puolukkaretki", menu("Retket", "Reseptit", "Sienet", "Minusta"), """
<article><h2 l="m">Puolukkaretki suon laidalle</h2><p l="m">Lähdimme aamulla ennen kuin sumu oli noussut. Kolmessa tunnissa ämpärit olivat täynnä, ja kotimatkalla näimme vielä kurkiparven pellolla.</p></article>
<h3>Kommentit (2)</h3><p l="c"><strong>Aino</strong> – 14.9.2021 klo 12.10</p><p l="c">Meillä marjat olivat vielä raakoja, ehkä ensi viikolla uudestaan</p><p l="c"><strong>Pekka Suolta</strong> – 15.9.2021 klo 8.02</p><p l="c">Hyvä paikka! Muista ensi kerralla termospullo.</p>
<form action="/kommentti" method="post"><p>Jätä kommentti</p><textarea name="k"></textarea><button>Lähetä</button></form>""", footer="© Mättäältä")),
    "tramvai-ro": ("eval", "ro", page("ro", "Tramvaiul 5 revine", menu("Oraș", "Sport", "Cultură", "Forum"), """
<div class="stire"><h1 l="m">Tramvaiul 5 revine pe bulevard</h1><p l="m">După doi ani de lucrări, linia se redeschide luni dimineață. Primăria promite un tramvai la fiecare opt minute și bilete gratuite în prima săptămână.</p></div>
<div class="bloc"><h3>Discuții pe forum</h3><table class="t" l="c"><tr><td class="st">nea_gigi<br>Mesaje: 214</td><td><small>Ieri, 19:42</small><br>Opt minute pe hârtie, douăzeci în stație, ca de obicei.</td></tr><tr><td class="st">Corina<br>Mesaje: 12</td><td><small>Azi, 07:15</small><br>Eu mă bucur, mergeam pe jos până la gară.</td></tr></table></div>""", footer="© Gazeta de Vest")),
    "sinmun-ko": ("eval", "ko", page("ko", "헌책방 골목", menu("지역", "문화", "스포츠", "날씨"), """
<main class="n1"><h1 l="m">헌책방 골목이 다시 문을 연다</h1><p l="m">비어 있던 가게 여덟 곳에 젊은 주인들이 들어왔다. 책만 파는 것이 아니라 밤마다 낭독회를 열고, 낡은 책을 고쳐 주기도 한다. 첫 행사는 토요일 저녁이다.</p></main>
<div class="n5"><strong>댓글 2</strong><div class="n6" l="c"><div class="n7"><em>책벌레</em><span>2023.05.03. 12:10</span><p>어릴 때 아버지와 자주 가던 골목이에요.</p><button>답글</button></div><div class="n7"><em>골목대장</em><span>2023.05.03. 14:55</span><p>낭독회 꼭 가 보겠습니다.</p><button>답글</button></div></div></div>""", footer="© 항구신문")),
    # A second round of the same, after words for discussions had been added.
    "asal-ar": ("eval", "ar", page("ar", "دفتر الزوار", menu("الرئيسية", "الغرف", "الطريق", "دفتر الزوار"), """
<h1 l="m">دفتر الزوار</h1><p l="m">يكتب ضيوفنا في هذا الدفتر قبل أن يغادروا، ونحن ننقل هنا بعض ما كتبوه. الدفتر الأصلي عند الباب، وفيه رسوم الأطفال أيضا.</p>
<div class="w"><p l="c"><b>أم خالد:</b> نمنا على صوت النهر ولم نسمع سيارة واحدة.</p><p l="c"><b>سامي من عمّان:</b> الخبز الساخن في الصباح لا ينسى.</p></div>""", footer="© بيت النهر")),
    "kompass-de": ("eval", "de", page("de", "Welche Karte für den Harz?", menu("Fragen", "Themen", "Mitglieder", "Hilfe"), """
<main><h1 l="m">Welche Karte für den Harz?</h1><div class="f" l="m"><p>Wir wollen im Oktober vier Tage von Hütte zu Hütte gehen, mit zwei Kindern und ohne Handyempfang. Welche Karte im Maßstab 1:25.000 zeigt auch die kleinen Stiege?</p></div>
<section class="d"><h3>Diskussion</h3><article l="c"><h4>Wanderfalke</h4><p>Die vom Harzklub, da ist jeder Stieg drin, sogar der am Ilsestein.</p><p>Aber Vorsicht, die Auflage von 2015 ist überholt.</p></article><article l="c"><h4>Ute aus Goslar</h4><p>Ich nehme seit Jahren das Blatt vom Landesamt, wasserfest.</p></article></section></main>""", footer="© Stiege und Wege")),
    "poncho-es": ("eval", "es", page("es", "Poncho de alpaca", menu("Ponchos", "Gorros", "Mantas", "Contacto"), """
<div class="ficha"><h1 l="m">Poncho de alpaca Cóndor</h1><p l="m">Tejido en telar de pedal, sin teñir, en los cuatro colores del rebaño. Abriga como una manta y se dobla hasta caber en un bolsillo grande.</p></div>
<div class="t"><h2>Clientes que escriben</h2><blockquote l="c"><p>«Lo llevé a la Patagonia y no pasé frío ni una noche.»</p><footer>Graciela, Mendoza</footer></blockquote><blockquote l="c"><p>«Mi hija ya pidió uno igual para su cumpleaños.»</p><footer>Rubén O.</footer></blockquote></div>""", footer="© Tejedoras del Cerro")),
    "allotment-en": ("eval", "en", page("en", "Leeks at last", menu("Diary", "Seeds", "Shed", "About"), """
<article class="e"><h2 l="m">Leeks at last</h2><p l="m">Two summers of rust and one of pigeons, and now there are leeks as thick as my wrist. The trick was a net, and sowing them a month later than the packet says.</p></article>
<div class="r9"><p><b>3 responses</b></p><table class="r10" l="c"><tr><td>Maureen</td><td>12 Oct 2019</td></tr><tr><td colspan="2">Ours bolted again, so I am trying your month of delay.</td></tr><tr><td>plot_14</td><td>12 Oct 2019</td></tr><tr><td colspan="2">What mesh is the net?</td></tr><tr><td>Dilip</td><td>13 Oct 2019</td></tr><tr><td colspan="2">Lovely soup, thank you for the bag.</td></tr></table></div>""", footer="© Plot 9")),
    "foro-pt": ("eval", "pt", page("pt", "Feira do livro muda de praça", menu("Cidade", "Desporto", "Cultura", "Opinião"), """
<main><h1 l="m">Feira do livro muda de praça</h1><p l="m">A feira deixa o jardim e instala-se no largo da estação, com o dobro das bancas. Os livreiros temem o barulho, mas esperam mais gente à hora do comboio.</p></main>
<div class="col"><h4>O que pensam os leitores</h4><ul class="l3" l="c"><li><span class="q1">Teresa Nunes</span><span class="q2">há 3 horas</span><span class="q3">No jardim havia sombra, na estação há só cimento.</span></li><li><span class="q1">Zé do Bairro</span><span class="q2">há 5 horas</span><span class="q3">Finalmente posso passar lá depois do trabalho!</span></li></ul></div>""", footer="© Diário do Rio")),
    "pivnice-cs": ("eval", "cs", page("cs", "Nádraží v Lipové", menu("Úvod", "Historie", "Muzeum", "Návštěvní kniha"), """
<div class="obsah"><h2 l="m">Malé nádraží v Lipové</h2><p l="m">Čekárna je z roku 1904 a kamna v ní pořád topí. O víkendu vás uvnitř provede bývalý výpravčí, který umí vyprávět o každém vlaku zvlášť.</p>
<h3>Vzkazy návštěvníků</h3><p l="c"><strong>Honza, Brno</strong> (5. 7. 2020)<br>Synek teď chce být výpravčím, děkujeme.</p><p l="c"><strong>Turisté z Kyjova</strong> (11. 7. 2020)<br>Nejlepší limonáda na trati.</p></div>""", footer="© Spolek přátel trati")),
    # A third round, after words for those who write had been added: half of the second had headings of no known word.
    "molen-nl": ("eval", "nl", page("nl", "Gastenboek van de molen", menu("De molen", "Openingstijden", "Meel", "Gastenboek"), """
<div class="inhoud"><h2 l="m">Gastenboek</h2><p l="m">Op zaterdag draait de molen en mag iedereen naar boven. Wie beneden komt, krijgt een potlood en schrijft iets op; hieronder staat wat wij konden lezen.</p>
<ul class="boek" l="c"><li><em>Groep 5 uit Dedemsvaart</em> – We hebben zelf meel gemalen en er pannenkoeken van gebakken!</li><li><em>Harm en Jantje</em> – De trap is steil, het uitzicht maakt alles goed.</li></ul></div>""", footer="© Stichting De Hoop")),
    "tapis-fr": ("eval", "fr", page("fr", "Comment laver un tapis de laine ?", menu("Questions", "Maison", "Jardin", "Connexion"), """
<main><h1 l="m">Comment laver un tapis de laine ?</h1><p l="m">Le chien a dormi dessus tout l'hiver et le tapis sent la vase. Il est trop grand pour la machine, et la laverie refuse la laine. Que faire sans l'abîmer ?</p>
<div class="rep" l="m"><p>De la neige sèche, un balai et une demi-heure. On le pose à l'envers, on bat, on change de place. À défaut, de la mousse à raser et beaucoup d'eau froide.</p></div>
<p class="h">2 commentaires</p><div class="cc" l="c"><p>Et quand il ne neige pas ? <span>— Odile, 4 janv.</span></p><p>La mousse a laissé une auréole chez moi. <span>— benoit59, 6 janv.</span></p></div></main>""", footer="© Entraide maison")),
    "czapka-pl": ("eval", "pl", page("pl", "Czapka Kos", menu("Czapki", "Szaliki", "Rękawice", "Kontakt"), """
<section><h1 l="m">Czapka wełniana Kos</h1><p l="m">Robiona na drutach z owczej wełny, z podszewką, która nie gryzie. Pasuje na każdą głowę od sześciu lat wzwyż, bo rozciąga się i wraca.</p></section>
<section><h2>Oceny i opinie</h2><div class="o" l="c"><div><strong>Halina</strong> · 12.01.2023</div><div>★★★★★</div><div>Ciepła, miękka, przyszła w dwa dni.</div></div><div class="o" l="c"><div><strong>Tomek Z.</strong> · 20.01.2023</div><div>★★★☆☆</div><div>Po praniu trochę się skurczyła, ale nadal noszę.</div></div></section>""", footer="© Dziewiarnia")),
    "niwa-ja": ("eval", "ja", page("ja", "梅の実を漬ける", menu("庭", "台所", "猫", "私について"), """
<article><h2 l="m">梅の実を漬ける</h2><p l="m">今年は庭の梅が二十キロも採れたので、半分は梅干しに、半分は梅酒にしました。塩は去年より少なめにして、三日干すつもりです。雨が続いたら台所に並べます。</p></article>
<div class="bx"><h3>コメント</h3><dl l="c"><dt>はなこ　6月12日</dt><dd>うちの梅は虫に食われてしまいました。うらやましいです。</dd><dt>通りすがり　6月14日</dt><dd>塩を減らすとかびませんか。</dd></dl></div>""", footer="© 庭の日記")),
    "bridge-en": ("eval", "en", page("en", "Footbridge to reopen", menu("News", "Sport", "Letters", "Forum"), """
<main><h1 l="m">Footbridge to reopen before the fair</h1><p l="m">The council has found the money for new planks, and volunteers will lay them in the last week of June. Until then the ferryman rows for nothing on market days.</p></main>
<div class="forum-excerpt2"><h3>From our message board</h3><div class="mm" l="c"><div class="mh">oldmill, Tue 9:14 am</div><div class="mb">The ferryman deserves a medal and a dry coat.</div></div><div class="mm" l="c"><div class="mh">Sal P, Tue 11:40 am</div><div class="mb">Will the planks be oak this time?</div></div></div>""", footer="© The Weir Post")),
    "glass-sv": ("eval", "sv", page("sv", "Glasskiosken får stanna", menu("Nyheter", "Sport", "Kultur", "Väder"), """
<article><h1 l="m">Glasskiosken får stanna kvar</h1><p l="m">Kommunen ville riva den lilla kiosken vid badplatsen, men efter tvåtusen namnunderskrifter blir den i stället målad. Till sommaren säljer den även kaffe.</p></article>
<aside class="kol"><h4>Vad tycker du?</h4><div class="ins" l="c"><b>Gunilla</b><br><small>för 2 timmar sedan</small><p>Äntligen ett klokt beslut i den här kommunen.</p></div><div class="ins" l="c"><b>Badaren</b><br><small>för 1 timme sedan</small><p>Hoppas de behåller den gula färgen.</p></div></aside>""", footer="© Kustbladet")),
    # A fourth round, after initials, days without a year and questions to readers had been added.
    "berghuette-de": ("eval", "de", page("de", "Gästebuch der Lärchenhütte", menu("Hütte", "Anreise", "Speisen", "Gästebuch"), """
<main><h1 l="m">Gästebuch</h1><p l="m">Seit 1978 liegt das Buch auf dem Tisch am Ofen. Im Winter, wenn niemand heraufkommt, schreibt der Wirt die schönsten Seiten für diese Seite ab.</p>
<div class="seite"><h3 l="c">Juli 2016</h3><p l="c"><i>Sektion Kempten:</i> Nass bis auf die Haut, dann Suppe, dann Sonne.</p><p l="c"><i>Vroni und Max:</i> Hier hat er mich gefragt, und ich habe ja gesagt.</p></div></main>""", footer="© Lärchenhütte")),
    "pane-it": ("eval", "it", page("it", "Perché il pane non lievita?", menu("Domande", "Ricette", "Utenti", "Regole"), """
<main><h1 l="m">Perché il mio pane non lievita?</h1><div class="dom" l="m"><p>Uso il lievito madre di mia zia da un mese, ma la pagnotta resta bassa e acida. La cucina è fredda, circa sedici gradi. Devo aspettare di più o cambiare farina?</p></div>
<h3 class="n">3 risposte ai lettori</h3><div class="risp" l="c"><div class="ri"><a href="/u/1">nonna_pia</a> <small>ieri alle 10:20</small><p>Mettilo nel forno spento con la luce accesa.</p></div><div class="ri"><a href="/u/2">Fornaio68</a> <small>ieri alle 12:02</small><p>A sedici gradi servono almeno dodici ore.</p></div><div class="ri"><a href="/u/3">marta</a> <small>oggi alle 8:15</small><p>Rinfrescalo due volte prima di impastare.</p></div></div></main>""", footer="© Forno di casa")),
    "kniv-no": ("eval", "no", page("no", "Tollekniv Bjørk", menu("Kniver", "Slirer", "Smia", "Kontakt"), """
<div class="vare"><h1 l="m">Tollekniv Bjørk</h1><p l="m">Bladet er smidd i tre lag, skaftet er av valbjørk fra Hedmark. Kniven kommer med slire i lær, og vi sliper den gratis så lenge du lever.</p><p l="s">1 890 kr</p></div>
<div class="anm"><h3>Kundeanmeldelser</h3><div class="snitt">4,7 av 5 – 31 anmeldelser</div><ol l="c"><li><b>Terningkast 6</b><br>Den beste kniven jeg har hatt, og jeg har hatt mange.<br><span>Oddvar, Røros</span></li><li><b>Terningkast 4</b><br>Fin kniv, men slira var trang i begynnelsen.<br><span>Silje M., Bodø</span></li></ol></div>""", footer="© Smia på Nes")),
    "denevnik-bg": ("eval", "bg", page("bg", "Котката на покрива", menu("Дневник", "Снимки", "Книги", "За мен"), """
<article class="zapis"><h2 l="m">Котката на покрива</h2><p l="m">Три дни тя седеше до комина и не слизаше нито за риба, нито за мляко. На четвъртия ден съседът донесе стълба, а тя слезе сама, докато той се качваше.</p></article>
<div id="otg"><h3>Коментари (2)</h3><div class="kk" l="c"><p><span>Румяна</span>, 14 март 2021</p><p>Нашата прави същото всяка пролет!</p></div><div class="kk" l="c"><p><span>Старият съсед</span>, 15 март 2021</p><p>Стълбата беше моя.</p></div></div>""", footer="© Дневник от мансардата")),
    "verein-de": ("eval", "de", page("de", "Neue Bank am Weiher", menu("Aktuelles", "Termine", "Vorstand", "Forum"), """
<div id="main"><h1 l="m">Neue Bank am Weiher</h1><p l="m">Der Heimatverein hat am Samstag die neue Bank aufgestellt. Sie ist aus Eiche, hat vierhundert Euro gekostet und steht so, dass man abends die Sonne im Wasser sieht.</p></div>
<div class="fb"><h4>Beiträge der Mitglieder</h4><table l="c"><tr><td>Lothar<br>18.05.2017</td><td>Sehr schön geworden, danke an alle Helfer.</td></tr><tr><td>Frau Seidel<br>19.05.2017</td><td>Ein Mülleimer daneben wäre noch gut.</td></tr></table></div>""", footer="© Heimatverein")),
    "papir-en": ("eval", "en", page("en", "Night buses return", menu("Home", "Town", "Sport", "Puzzles"), """
<article><h1 l="m">Night buses return to the hill</h1><p l="m">From Friday the 41 runs until two in the morning again. Drivers asked for better lights at the turning place, and the company has promised them by the autumn.</p></article>
<section class="zq"><header><h2>Join the conversation</h2></header><div class="zr" l="c"><div class="zs"><span>Hattie Brook</span> <span>4h</span><div>About time, my shift ends at one.</div><span>12 likes</span></div><div class="zs"><span>R. Okafor</span> <span>6h</span><div>Let us see whether the lights really come.</div><span>3 likes</span></div></div></section>""", footer="© The Hill Courier")),
}


def reader_files():
    """The files of all pages: each is a site of one page."""
    for name, (split, language, html) in READERS.items():
        made = Labelled(html)
        # The menu is labelled in the template of all pages.
        plain = "".join(made.page).replace(' class="TECO_mainMenu"', "")
        yield f"readers/{name}/pages/index.html", plain.encode()
        yield f"readers/{name}/gold.html", "".join(made.gold).encode()
        about = {"key_page": "index.html", "base_url": f"https://{name}.example/", "category": "readers", "language": language, "split": split}
        yield f"readers/{name}/site.json", (json.dumps(about, indent=1) + "\n").encode()
