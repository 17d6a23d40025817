"""Pages with what readers wrote and with advertisements: shops, blogs, newspapers, guest books, questions with answers, in fourteen languages, with gold for both.

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
