"""A Russian forum on mushrooms of phpBB make: tables, user bars, signatures, windows-1251, file names with a query as a mirror escapes them."""

from ..site import Page, Site
from ..tree import Style, content, h, menu, specific

MENU = [
    ("Список форумов", "index.php.html"),
    ("Поиск", "search.php"),
    ("Пользователи", "memberlist.php.html"),
    ("Правила", "rules.php.html"),
    ("Вход", "login.php"),
]
# name -> (rank, joined, signature)
USERS = {
    "Лесовик": ("Старожил", "12 мар 2006", "Лучше полная корзина опят, чем пустая белых."),
    "Марина_К": ("Участник", "3 сен 2010", "Собираю, сушу, раздаю соседям."),
    "ботаник": ("Модератор", "21 янв 2005", "Не уверен — не бери."),
    "Дед Пахом": ("Старожил", "8 авг 2007", "Сорок лет в лесу и ни разу не заблудился. Почти."),
    "stepan82": ("Новичок", "17 июн 2013", ""),
}
FORUMS = {"1": "Определение грибов", "2": "Сушка и засолка"}

# topic number, forum, title, posts (user, time, paragraphs)
TOPICS = [
    (
        "14",
        "1",
        "Что выросло под старой берёзой?",
        [
            (
                "stepan82",
                "02 сен 2013, 09:14",
                [
                    (
                        "Здравствуйте! На даче под берёзой вылезла целая семья коричневых грибов. Шляпка гладкая, ножка тонкая, с"
                        " колечком. На срезе не темнеют, пахнут приятно, чем-то вроде мёда."
                    ),
                    "Жена уже ставит сковороду, а я сомневаюсь. Подскажите, пожалуйста, что это может быть.",
                ],
            ),
            (
                "ботаник",
                "02 сен 2013, 10:02",
                [
                    (
                        "Сковороду пока уберите. По описанию похоже на летний опёнок, но на него очень похожа галерина, а она"
                        " смертельно ядовита."
                    ),
                    (
                        "Посмотрите на ножку ниже кольца: у опёнка там мелкие тёмные чешуйки, у галерины ножка волокнистая и"
                        " гладкая. И обязательно снимите гриб снизу."
                    ),
                ],
            ),
            (
                "Лесовик",
                "02 сен 2013, 12:40",
                [
                    "Согласен с предыдущим оратором. Ещё важно, на чём они растут: если на пне лиственного дерева большими"
                    " сростками, то шансов у опёнка больше."
                ],
            ),
            (
                "stepan82",
                "03 сен 2013, 08:31",
                [
                    "Чешуйки есть, растут на корне, сростком штук по двадцать. Но после ваших слов аппетит пропал, оставил их"
                    " ёжикам."
                ],
            ),
        ],
    ),
    (
        "15",
        "1",
        "Белый или жёлчный: как отличить в лесу",
        [
            (
                "Марина_К",
                "05 сен 2013, 18:20",
                [
                    "Второй год подряд порчу всю кастрюлю одним горьким грибом. Снаружи он точь-в-точь белый. Есть ли надёжный"
                    " признак, который видно сразу, без проб на язык?"
                ],
            ),
            (
                "Дед Пахом",
                "05 сен 2013, 19:05",
                [
                    (
                        "Сетка на ножке. У белого она светлая на тёмном, у жёлчного тёмная на светлом. Один раз увидишь рядом,"
                        " больше не спутаешь."
                    ),
                    "А ещё жёлчный никогда не бывает червивым: черви тоже не любят горечь.",
                ],
            ),
            (
                "ботаник",
                "05 сен 2013, 21:47",
                ["Добавлю про трубчатый слой: у взрослого жёлчного гриба он становится розоватым, у белого желтеет и зеленеет."],
            ),
        ],
    ),
    (
        "16",
        "2",
        "Сколько сушить подосиновики?",
        [
            (
                "Марина_К",
                "10 сен 2013, 14:11",
                [
                    "Режу пластинами по полсантиметра, духовка пятьдесят градусов, дверца приоткрыта. Через шесть часов края"
                    " хрустят, а середина гнётся. Досушивать или уже хватит?"
                ],
            ),
            (
                "Лесовик",
                "10 сен 2013, 15:30",
                [
                    (
                        "Досушивать. Готовый гриб гнётся чуть-чуть и потом ломается. Если гнётся и не ломается, через месяц в"
                        " банке будет плесень."
                    ),
                    "Я после духовки держу их ещё два дня над плитой в марлевом мешке.",
                ],
            ),
            (
                "Дед Пахом",
                "11 сен 2013, 06:12",
                [
                    "А у меня печка русская, в ней градусник не нужен: положил после хлеба, утром вынул. Подосиновик только"
                    " чернеет, не пугайся, на вкус это не влияет."
                ],
            ),
        ],
    ),
    (
        "17",
        "2",
        "Грузди горчат после засолки",
        [
            (
                "stepan82",
                "14 сен 2013, 20:03",
                [
                    "Вымачивал двое суток, воду менял утром и вечером, посолил с укропом и хреном. Прошло три недели, а они всё"
                    " равно горькие. Что я сделал не так?"
                ],
            ),
            (
                "Дед Пахом",
                "14 сен 2013, 20:55",
                [
                    "Двух суток мало. Чёрный груздь мочат дней пять, белому хватает трёх. И потерпи: полтора месяца под гнётом,"
                    " тогда горечь уйдёт и останется хруст."
                ],
            ),
            (
                "Марина_К",
                "15 сен 2013, 07:48",
                ["А я перед засолкой варю десять минут. Хруста меньше, зато через неделю можно на стол."],
            ),
        ],
    ),
]


def topic_file(number):
    return f"viewtopic.php?t={number}.html"


def forum_file(number):
    return f"viewforum.php?f={number}.html"


def escaped(name):
    return "./" + name.replace("?", "%3F")


def frame(title, middle):
    return h(
        "html",
        h(
            "head",
            h("meta", http_equiv="Content-Type", content="text/html; charset=windows-1251"),
            h("title", "Грибная поляна • " + title),
            h("link", rel="stylesheet", href="./styles/prosilver/theme/print.css"),
        ),
        h(
            "body#phpbb",
            h(
                "div#wrap",
                h("a#top", name="top"),
                h(
                    "div#page-header",
                    h("div.headerbar", h("h1", "Грибная поляна"), h("p", "Форум для тех, кто встаёт раньше солнца")),
                    h(
                        "div.navbar",
                        menu(h("ul.linklist.navlinks", [h("li", h("a", text, href="./" + path)) for text, path in MENU])),
                    ),
                ),
                h(
                    "div#page-body",
                    middle,
                    h(
                        "form",
                        h(
                            "fieldset.jumpbox",
                            h("label", "Перейти:"),
                            h("select", [h("option", f, value=n) for n, f in FORUMS.items()], name="f"),
                            h("input", type="submit", value="Перейти"),
                        ),
                        method="post",
                        action="./viewforum.php",
                    ),
                    h("h3", "Кто сейчас на форуме"),
                    h("p", "Сейчас этот форум просматривают: нет зарегистрированных пользователей"),
                ),
                h(
                    "div#page-footer",
                    h(
                        "div.copyright",
                        "Создано на основе движка для форумов. Администрация не отвечает за грибы, собранные по советам"
                        " участников.",
                    ),
                ),
            ),
        ),
        dir="ltr",
        lang="ru",
    )


def post(user, time, paragraphs, number):
    rank, joined, signature = USERS[user]
    return h(
        "div.post.bg" + "21"[number % 2] + f"#p{100 + number}",
        h(
            "div.postbody",
            h("ul.profile-icons", h("li.quote-icon", h("a", "Ответить с цитатой", href="./posting.php"))),
            specific(h("p.author", h("strong", h("a", user, href="./memberlist.php.html")), " » ", time)),
            content(h("div.content", [h("p", p) for p in paragraphs])),
            specific(h("div.signature", signature)) if signature else None,
        ),
        specific(
            h(
                "dl.postprofile",
                h("dt", h("img", src="./avatars/default.gif", alt=""), h("br"), h("a", user, href="./memberlist.php.html")),
                h("dd", rank),
                h("dd", h("strong", "Зарегистрирован:"), " ", joined),
            )
        ),
        h("div.back2top", h("a.top", "Вернуться к началу", href="#top")),
    )


def crumbs(*entries):
    return h(
        "ul.linklist.breadcrumbs",
        h("li", h("a", "Список форумов", href="./index.php.html")),
        [specific(h("li", h("a", text, href=escaped(path)))) for text, path in entries],
    )


def topic(number, forum, title, posts):
    return Page(
        topic_file(number),
        frame(
            "Просмотр темы - " + title,
            [
                crumbs((FORUMS[forum], forum_file(forum))),
                content(h("h2", h("a", title, href=escaped(topic_file(number))))),
                h(
                    "div.topic-actions",
                    h("div.buttons", h("a.reply-icon", "Ответить", href="./posting.php")),
                    specific(h("div.pagination", f"Сообщений: {len(posts)} • Страница 1 из 1")),
                ),
                [post(*p, i) for i, p in enumerate(posts)],
                h("div.topic-actions", h("div.buttons", h("a.reply-icon", "Ответить", href="./posting.php"))),
            ],
        ),
        "forum",
    )


def topic_list(forum):
    chosen = [t for t in TOPICS if t[1] == forum]
    return Page(
        forum_file(forum),
        frame(
            "Просмотр форума - " + FORUMS[forum],
            [
                crumbs((FORUMS[forum], forum_file(forum))),
                content(h("h2", FORUMS[forum])),
                h("div.topic-actions", h("div.buttons", h("a.post-icon", "Новая тема", href="./posting.php"))),
                h(
                    "table.forumbg",
                    h("thead", h("tr", h("th", "Темы"), h("th", "Ответы"), h("th", "Последнее сообщение"))),
                    h(
                        "tbody",
                        [
                            content(
                                h(
                                    "tr.row",
                                    h(
                                        "td",
                                        h("a.topictitle", t[2], href=escaped(topic_file(t[0]))),
                                        h("br"),
                                        "Автор: ",
                                        t[3][0][0],
                                    ),
                                    h("td", str(len(t[3]) - 1)),
                                    h("td", t[3][-1][0], h("br"), t[3][-1][1]),
                                )
                            )
                            for t in chosen
                        ],
                    ),
                ),
            ],
        ),
        "listing",
        text=False,
    )


INDEX = Page(
    "index.php.html",
    frame(
        "Главная страница",
        [
            content(h("h2", "Список форумов")),
            content(
                h(
                    "p",
                    "Добро пожаловать на поляну. Читать можно без регистрации, а чтобы задать вопрос, нужно придумать имя и"
                    " ответить, сколько ножек у подберёзовика. Перед первым сообщением загляните в правила: они короткие и"
                    " написаны после одного неприятного случая.",
                )
            ),
            [
                content(h("dl.forabg", h("dt", h("a.forumtitle", name, href=escaped(forum_file(n)))), h("dd", about)))
                for (n, name), about in zip(
                    FORUMS.items(),
                    (
                        (
                            "Нашли гриб и не знаете, что это? Опишите шляпку, ножку, запах и место, приложите снимок снизу и на"
                            " срезе."
                        ),
                        (
                            "Всё о том, что делать с корзиной после леса: как чистить, сушить, солить, мариновать и хранить до"
                            " весны."
                        ),
                    ),
                )
            ],
        ],
    ),
    "listing",
)

RULES = Page(
    "rules.php.html",
    frame(
        "Правила",
        [
            content(h("h2", "Правила форума")),
            content(
                h(
                    "div.panel",
                    h(
                        "p",
                        "Форум существует с 2005 года, и за это время никто из участников не отравился. Мы хотели бы, чтобы так"
                        " было и дальше.",
                    ),
                    h(
                        "ol",
                        [
                            h("li", t)
                            for t in (
                                "Определение по снимку всегда приблизительно. Решение, есть гриб или нет, каждый принимает сам.",
                                "Не пишите «точно съедобный», если не держали гриб в руках.",
                                "Грибные места не выспрашиваем: кто захочет, расскажет сам, и то не всё.",
                                "Спорим о грибах, а не о людях. За грубость модератор отправляет в лес на неделю.",
                            )
                        ],
                    ),
                )
            ),
        ],
    ),
    "service",
)

MEMBERS = Page(
    "memberlist.php.html",
    frame(
        "Пользователи",
        [
            content(h("h2", "Пользователи")),
            content(
                h(
                    "table.table1",
                    h("thead", h("tr", h("th", "Имя"), h("th", "Звание"), h("th", "Зарегистрирован"))),
                    h("tbody", [h("tr", h("td", n), h("td", u[0]), h("td", u[1])) for n, u in USERS.items()]),
                )
            ),
        ],
    ),
    "listing",
    text=False,
)

SITE = Site(
    id="grib-forum",
    category="forum",
    language="ru",
    generator="phpBB-like forum in windows-1251, mirrored with queries in file names",
    key_page=topic_file("14"),
    base_url="http://forum.gribnaya-polyana.example/",
    split="train",
    encoding="cp1251",
    style=Style(
        doctype='<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'
    ),
    broken=("./search.php", "./login.php", "./posting.php"),
    pages=[INDEX, topic_list("1"), topic_list("2"), *[topic(*t) for t in TOPICS], RULES, MEMBERS],
)
