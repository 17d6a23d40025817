//! Pages of several makes, written by a small random generator with a fixed seed: the same on every run and machine.

struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }

    fn words(&mut self, number: usize) -> String {
        const SYLLABLES: [&str; 20] = [
            "ka", "lo", "mi", "ter", "an", "be", "sol", "ri", "ou", "pe", "dan", "qua", "si", "vel", "hor", "é", "nu", "ti",
            "gra", "ox",
        ];
        let mut text = String::new();
        for at in 0..number {
            for _ in 0..1 + self.next(4) {
                text.push_str(SYLLABLES[self.next(SYLLABLES.len())]);
            }
            text.push_str(if at + 1 == number {
                "."
            } else if self.next(9) == 0 {
                ", "
            } else {
                " "
            });
        }
        text
    }

    fn paragraphs(&mut self, number: usize) -> String {
        (0..number)
            .map(|_| {
                let (before, link, after) = (30 + self.next(40), 1 + self.next(3), 10 + self.next(20));
                format!(
                    "\n        <p class=\"paragraph body-text\">{} <a href=\"/story/{}\">{}</a> &mdash; <em>{}</em> {}</p>",
                    self.words(before),
                    self.next(9999),
                    self.words(link),
                    self.words(2),
                    self.words(after)
                )
            })
            .collect()
    }

    fn menu(&mut self, number: usize) -> String {
        let items: String = (0..number)
            .map(|at| {
                format!(
                    "\n      <li class=\"menu-item menu-item-{at}\"><a href=\"/section/{at}?ref=nav\" title=\"{0}\">{0}</a></li>",
                    self.words(2)
                )
            })
            .collect();
        format!(
            "<nav class=\"site-navigation\" role=\"navigation\"><ul id=\"primary-menu\" class=\"menu nav-menu\">{items}\n    </ul></nav>"
        )
    }
}

/// A few hundred pages: articles, listings, table layouts, forums, pages full of scripts and of utility classes.
pub fn pages() -> Vec<Vec<u8>> {
    let mut random = Random(0x5eed_cafe_f00d);
    (0..300)
        .map(|at| {
            let menu = random.menu(12 + at % 20);
            let title = random.words(6);
            let main = match at % 5 {
                0 => format!("<article class=\"post\"><h1>{title}</h1>{}</article>", random.paragraphs(20)),
                1 => (0..60)
                    .map(|item| {
                        format!(
                            "<div class=\"card flex flex-col md:w-1/3 p-4 rounded-lg shadow-sm hover:shadow-md transition-shadow\" data-id=\"{item}\"><a class=\"block text-lg font-semibold text-gray-900\" href=\"/p/{item}\"><img loading=\"lazy\" alt=\"{0}\" src=\"/img/{item}.jpg\" srcset=\"/img/{item}-2x.jpg 2x\">{0}</a><span class=\"price\">{1} €</span></div>\n",
                            random.words(5),
                            random.next(500)
                        )
                    })
                    .collect(),
                2 => {
                    let rows: String = (0..80)
                        .map(|_| format!("<tr><td bgcolor=#ffffff><font face=Arial size=2>{}<td>{}<td><b>{}</b>", random.words(3), random.words(8), random.next(999)))
                        .collect();
                    format!("<table border=0 cellpadding=2 width=100%><tr><td valign=top>{}<td><table>{rows}</table></table>", random.words(12))
                }
                3 => (0..25)
                    .map(|post| {
                        format!(
                            "<div class=\"post\" id=\"p{post}\"><div class=\"author\"><a href=\"/user/{}\">{}</a> wrote:</div><blockquote>{}</blockquote>{}</div>",
                            random.next(99),
                            random.words(1),
                            random.words(20),
                            random.paragraphs(2)
                        )
                    })
                    .collect(),
                _ => format!("<main><h1>{title}</h1>{}<pre><code class=\"language-rust\">{}</code></pre></main>", random.paragraphs(6), random.words(200)),
            };
            let script: String = (0..100).map(|line| format!("  window.dataLayer.push({{\"event{line}\": {}, 'a': b < c && d > e}});\n", random.next(9999))).collect();
            format!(
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title} | Example</title>\n<meta property=\"og:title\" content=\"{title}\">\n<link rel=\"stylesheet\" href=\"/style.css\">\n<script>\n{script}</script>\n</head>\n<body class=\"home page\">\n  <header>{menu}</header>\n{main}\n<footer>{} &copy; {}</footer>\n<!-- generated -->\n</body>\n</html>\n",
                random.menu(8),
                random.words(4)
            )
            .into_bytes()
        })
        .collect()
}

/// A page of about so many bytes: paragraphs, lists of links and tables in turn, below one body.
pub fn page_of(bytes: usize) -> Vec<u8> {
    let mut random = Random(0xfeed_5eed);
    let mut page = String::from("<!DOCTYPE html><title>Long</title><body>");
    while page.len() < bytes {
        let (menu, paragraphs) = (random.menu(6), random.paragraphs(4));
        page += &format!(
            "\n<section>{menu}<div class=\"text\">{paragraphs}</div><table><tr><td>{}<td>{}</table></section>",
            random.words(4),
            random.words(9)
        );
    }
    page.into_bytes()
}
