"""A Chinese home page of the 1990s on tea: nested tables, font tags, capital tags, left-out end tags, no class anywhere, GBK."""

from ..site import Page, Site
from ..tree import Style, comments, content, h, menu, specific

MENU = [
    ("首页", "index.htm"),
    ("绿茶", "lvcha.htm"),
    ("乌龙", "wulong.htm"),
    ("红茶", "hongcha.htm"),
    ("普洱", "puer.htm"),
    ("说水", "shui.htm"),
    ("留言簿", "liuyan.htm"),
]

# path, title, updated, paragraphs
TEXTS = [
    (
        "index.htm",
        "欢迎来到老周茶室",
        "一九九九年四月十二日",
        [
            (
                "您好！我是老周，在杭州一所中学教地理，喝茶喝了三十多年。去年儿子教我上网，我就做了这个小小的主页，"
                "把这些年记在本子上的东西慢慢抄上来。"
            ),
            "这里没有广告，也不卖茶叶。写得不对的地方，请在留言簿里告诉我。因为电话费贵，我每星期只上网一次，回得慢请多包涵。",
        ],
    ),
    (
        "lvcha.htm",
        "绿茶：趁着春天喝",
        "一九九九年四月二十日",
        [
            "绿茶贵在新鲜。清明前的芽头细嫩，泡出来颜色很淡，第一次喝的人常常说没有味道；多喝几年，才知道那一点豆香有多难得。",
            (
                "泡绿茶不要用滚水。水烧开以后放一会儿，等到壶盖上的水汽不再往上冲，大约八十多度，正好。先倒水，后放茶，"
                "看叶子一片一片沉下去，比喝还有意思。"
            ),
            "剩下的茶叶包好放进冰箱，不要和鱼放在一起。我吃过一次亏，那一整罐龙井后来只好拿去煮茶叶蛋。",
        ],
    ),
    (
        "wulong.htm",
        "乌龙：一壶可以泡七次",
        "一九九九年五月九日",
        [
            (
                "我第一次喝乌龙是在厦门的火车站旁边。卖茶的老太太用一把比拳头还小的壶，泡了七次，每一次都让我先闻杯底，再喝杯中。"
                "七次下来，火车开走了，我一点也不后悔。"
            ),
            "乌龙要用滚水，出汤要快。前三泡喝香气，中间三泡喝滋味，最后一泡喝的是回忆。如果第二泡就没有味道，那是茶放少了，不要怪水。",
        ],
    ),
    (
        "hongcha.htm",
        "红茶：下雨天的茶",
        "一九九九年六月一日",
        [
            "江南的梅雨一下就是二十天，被子潮，书也潮，人的心情跟着发霉。这时候绿茶太凉，要喝红茶。",
            "我喜欢祁门的红茶，汤色像琥珀，闻起来有一点苹果的味道。冬天可以加牛奶，不过我父亲说，加了牛奶就听不见茶说话了。",
            "红茶不怕放。柜子里有一罐是结婚那年买的，每逢纪念日泡一小撮，今年已经是第二十三次了。",
        ],
    ),
    (
        "puer.htm",
        "普洱：会变老的茶",
        "一九九九年七月十五日",
        [
            "别的茶怕老，普洱盼老。新压的茶饼又苦又涩，放上十年，苦味变成甜味，涩味变成厚味，好像一个脾气坏的年轻人成了家。",
            "撬茶饼要顺着纹理，从侧面慢慢进刀，急了就碎。第一遍滚水只为叫醒它，倒掉不喝。之后随便你怎么泡，它都不会生气。",
        ],
    ),
    (
        "shui.htm",
        "说水",
        "一九九九年八月三日",
        [
            "古人说水为茶之母，我做过一个实验：同一种茶，用自来水、井水、虎跑泉水和冰箱里的蒸馏水各泡一杯，请办公室的六位老师来尝。",
            "六个人里有五个选了泉水，一个选了自来水，他是教化学的，说喝惯了。蒸馏水没有人选，大家都觉得茶是平的，像没有和弦的歌。",
            "结论是：附近有好泉水就去打，没有的话，自来水放一夜再烧，也差不了太多。",
        ],
    ),
]
GUESTS = [
    ("上海 小林", "周老师好！照您的办法把水放凉一点，茶果然不苦了。"),
    ("加拿大 Helen", "在国外看到家乡的茶，很想家。请多写一些！"),
    ("四班学生", "老师，期中考试的成绩什么时候出来？"),
]


def table(*rows, **attributes):
    return h("table", h("tbody", rows), **attributes)


def frame(title, middle):
    return h(
        "html",
        h("head", h("meta", http_equiv="Content-Type", content="text/html; charset=gb2312"), h("title", title + " - 老周茶室")),
        h(
            "body",
            h(
                "center",
                h("font", h("b", "老周茶室"), color="#006600", size="6"),
                h("br"),
                h("img", src="line.gif", width="600", height="3"),
            ),
            table(
                h(
                    "tr",
                    h(
                        "td",
                        menu(
                            table(
                                [
                                    h("tr", h("td", h("font", h("a", text, href=path), size="2"), bgcolor="#EEFFEE"))
                                    for text, path in MENU
                                ],
                                border="0",
                                width="100%",
                            )
                        ),
                        h("img", src="cup.gif", alt="茶杯"),
                        h("br"),
                        h("font", "您是第 008231 位客人", size="1"),
                        width="120",
                        valign="top",
                    ),
                    h(
                        "td",
                        table(h("tr", h("td", middle, bgcolor="#FFFFF0")), border="0", width="100%", cellpadding="8"),
                        valign="top",
                    ),
                ),
                border="0",
                width="600",
                align="center",
                cellspacing="0",
            ),
            h("hr", width="600"),
            h(
                "center",
                h("font", "本站用记事本手工制作，建议使用 800×600 分辨率浏览。", size="1"),
                h("br"),
                h("a", "写信给老周", href="mailto:laozhou@chashi.example"),
            ),
        ),
    )


def paragraphs(texts):
    return [content(h("p", h("font", t, size="3"))) for t in texts]


def page(path, title, updated, texts):
    return Page(
        path,
        frame(
            title,
            [
                content(h("font", h("b", title), size="5", color="#993300")),
                h("hr", size="1"),
                paragraphs(texts),
                h("p", h("font", "更新日期：", size="1"), specific(h("font", updated, size="1")), align="right"),
            ],
        ),
        "article",
    )


GUESTBOOK = Page(
    "liuyan.htm",
    frame(
        "留言簿",
        [
            content(h("font", h("b", "留言簿"), size="5", color="#993300")),
            h("hr", size="1"),
            paragraphs(
                [
                    "请把留言寄到我的信箱，我每个星期天把它们贴在这里。骂我的也贴，只要骂得有道理。",
                    (
                        "来信请写明您从哪里来、喝什么茶。有几位朋友问我买茶的地方，这里一并回答：我只在村口的合作社买，"
                        "他们没有电话，也不寄货，请不要再寄钱给我。"
                    ),
                ]
            ),
            [
                comments(
                    table(
                        h("tr", h("td", h("font", h("b", who), size="2"), h("br"), h("font", text, size="2"))),
                        border="1",
                        width="90%",
                    )
                )
                for who, text in GUESTS
            ],
            h("p", h("font", "更新日期：", size="1"), specific(h("font", "一九九九年八月二十九日", size="1")), align="right"),
        ],
    ),
    "forum",
)

SITE = Site(
    id="cha-zhuye",
    category="personal",
    language="zh",
    generator="hand-written nested tables and font tags, no classes, GBK",
    key_page="wulong.htm",
    base_url="http://www.chashi.example/~laozhou/",
    split="eval",
    encoding="gbk",
    style=Style(doctype="", uppercase=True, leave_out_end_tags=True),
    pages=[*[page(*t) for t in TEXTS], GUESTBOOK],
)
