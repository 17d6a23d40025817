"""Writes suites for the test of the workbench in the browser: a site of one template with a style sheet and a picture beside its pages, nobody's labels, and a page that would do harm; a suite
of texts; saved pages to be segmented; a page alone.

    workbench_suite.py FOLDER
"""
import base64, json, shutil, sys
from pathlib import Path

folder = Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
pages = folder / "shop/tea/pages"
pages.mkdir(parents=True)
(folder / "shop/tea/site.json").write_text(json.dumps({"id": "tea", "key_page": "index.html", "base_url": "https://tea.example/", "language": "en"}))
STYLE = "body{font:16px/1.5 Georgia,serif;margin:0}nav{background:#234;padding:8px}nav a{color:#cde}main{padding:16px;max-width:40rem}.ad{background:#fe9;padding:8px}footer{padding:16px;color:#666}"
TEXTS = {
    "index": ["All tea comes from the leaves of one bush, picked by hand in the morning.", "What becomes of the leaves afterwards makes all the difference to the cup."],
    "green": ["Green tea is steamed or roasted at once, so that the leaf stays green.", "It is poured with water that has cooled.", "The second cup is the best one, say those who know."],
    "black": ["Black tea is rolled and left to wither before it is dried.", "It travels well, and was carried over land and sea.", "Milk is a matter of opinion."],
}
for name, texts in TEXTS.items():
    paragraphs = "".join(f"<p>{text}</p>" for text in texts)
    (pages / f"{name}.html").write_text(
        f"<!doctype html><html lang=en><head><title>{name}</title><link rel=stylesheet href=looks/all.css></head><body><nav><ul><li><a href=index.html>Home</a></li><li><a href=green.html>Green</a></li>"
        f"<li><a href=black.html>Black</a></li></ul></nav><main><h1>On {name} tea</h1>{paragraphs}</main><div class=ad><p>Kettles at half the price, only today.</p></div>"
        "<footer><p><img src=looks/cup.png alt=Cup width=24 height=24> The tea shop at the harbour, since 1890.</p></footer></body></html>")
(pages / "looks").mkdir()
(pages / "looks/all.css").write_text(STYLE + "h1{color:#00f;background:url(cup.png) no-repeat right}")
PICTURE = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGM4EKAARAwQCgAjzgTBCtp3dAAAAABJRU5ErkJggg==")
(pages / "looks/cup.png").write_bytes(PICTURE)
page = (pages / "green.html").read_text()
texts = folder / "texts"
(texts / "pages/looks").mkdir(parents=True)
(texts / "gold").mkdir()
(texts / "meta.json").write_text(json.dumps({"items": {"one": {"url": "https://tea.example/green"}}}))
(texts / "pages/one.html").write_text(page)
(texts / "pages/looks/all.css").write_text(STYLE)
(texts / "gold/one.txt").write_text("Somebody else's text.")
drawn = folder / "drawn/tea.example/tea.example"
drawn.mkdir(parents=True)
(drawn / "index.dom.html").write_text(page)
(folder / "single").mkdir()
(folder / "single/page.html").write_text(page)
(pages / "hostile.html").write_text("""<!doctype html><title>"><script>top.hacked = 1</script></title><base href="https://evil.invalid/"><meta http-equiv=refresh content="0;url=https://evil.invalid/refresh">
<link rel=stylesheet href=https://evil.invalid/a.css><style>@import url(https://evil.invalid/b.css); body{background:url(https://evil.invalid/c.png)} </style><style></sty</style>
<body onload="top.hacked=2"><p><a href="javascript:top.hacked=14" target=_top>a link</a></p><h1 onclick="top.hacked=3" onmouseover="top.hacked=4">Hostile</h1><p>It rained all day.<img src=x onerror="top.hacked=5"><img src=https://evil.invalid/d.png></p>
<script>top.hacked = 6; hacked = 6; parent.document.title = "hacked"; top.location = "https://evil.invalid/top"</script><svg onload="top.hacked=7"><script>top.hacked=8</script></svg>
<iframe src="javascript:top.hacked=9"></iframe><iframe srcdoc="<script>top.hacked=10</script>"></iframe><object data="https://evil.invalid/e"></object><embed src=https://evil.invalid/g>
<form action=https://evil.invalid/f><button autofocus onfocus="top.hacked=11">x</button><input formaction=javascript:top.hacked=12 type=submit></form>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=top.hacked=13&gt;"></math>
<details open ontoggle="top.hacked=15"><summary>s</summary></details><video src=https://evil.invalid/v onerror=top.hacked=16></video>""")
