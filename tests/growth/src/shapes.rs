//! Pages that are hard in one way each, of any size.

/// A shape: its name, and how to make a page of about so many bytes. Pages of different seeds differ in their words.
pub struct Shape {
    pub name: &'static str,
    pub make: fn(usize, u64) -> String,
}

pub const SHAPES: &[Shape] = &[
    Shape { name: "deep", make: deep },
    Shape { name: "towers", make: towers },
    Shape { name: "wide", make: wide },
    Shape { name: "misnested", make: misnested },
    Shape { name: "attributes", make: attributes },
    Shape { name: "links", make: links },
    Shape { name: "base", make: base },
    Shape { name: "text", make: text },
    Shape { name: "newlines", make: newlines },
    Shape { name: "tables", make: tables },
    Shape { name: "one-table", make: one_table },
    Shape { name: "roots", make: roots },
    Shape { name: "long-word", make: long_word },
    Shape { name: "formatting", make: formatting },
    Shape { name: "lists", make: lists },
    Shape { name: "menus", make: menus },
    Shape { name: "ids", make: ids },
    Shape { name: "title", make: title },
    Shape { name: "head", make: head },
];

/// Words that differ from each other, and from those of another seed now and then.
struct Words(u64);

impl Words {
    fn word(&mut self) -> String {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        const SYLLABLES: [&str; 16] =
            ["la", "mer", "ton", "is", "ge", "hu", "san", "ri", "ve", "nor", "ta", "li", "den", "ka", "os", "pu"];
        let bits = self.0 >> 40;
        (0..2 + bits % 3).map(|at| SYLLABLES[(bits >> (4 * at + 2)) as usize % 16]).collect()
    }

    fn sentence(&mut self, words: usize) -> String {
        let words: Vec<String> = (0..words).map(|_| self.word()).collect();
        format!("{}, {}. ", words[..words.len() / 2].join(" "), words[words.len() / 2..].join(" "))
    }
}

/// A page whose body is what `part` writes, again and again until there is enough of it.
fn filled(size: usize, seed: u64, mut part: impl FnMut(&mut Words, usize) -> String) -> String {
    let mut words = Words(seed + 1);
    let mut html = format!("<!DOCTYPE html><html><head><title>{}</title></head><body>\n", words.sentence(6));
    // What links the pages of a site.
    html += "<ul class=menu>";
    for page in 0..5 {
        html += &format!("<li><a href=\"/page{page}\">Part {page}</a></li>");
    }
    html += "</ul><main>\n";
    let mut at = 0;
    while html.len() < size {
        html += &part(&mut words, at);
        at += 1;
    }
    html
}

fn deep(size: usize, seed: u64) -> String {
    filled(size, seed, |words, at| if at % 8 == 0 { format!("<div>{}", words.word()) } else { "<div>".to_owned() })
}

fn towers(size: usize, seed: u64) -> String {
    filled(size, seed, |words, _| format!("{}{}{}\n", "<div>".repeat(200), words.sentence(8), "</div>".repeat(200)))
}

fn wide(size: usize, seed: u64) -> String {
    filled(size, seed, |words, _| format!("<p>{}</p>", words.word()))
}

fn misnested(size: usize, seed: u64) -> String {
    filled(size, seed, |words, _| format!("<b><p><i>{}</b><table><a href=x>{}<tr></p></i>", words.word(), words.word()))
}

fn attributes(size: usize, seed: u64) -> String {
    filled(size, seed, |words, at| {
        let number = if at % 200 == 3 { 900 } else { 20 };
        let attributes: String = (0..number).map(|at| format!(" data-{at}=\"{}\"", words.word())).collect();
        format!("<div class=\"a{} b c\"{attributes} style=\"color:red;margin:1px\">x</div>", at % 50)
    })
}

fn links(size: usize, seed: u64) -> String {
    filled(size, seed, |words, at| format!("<a href=\"/{}/{at}?q=%7e#{at}\">{}</a> ", words.word(), words.word()))
}

fn base(size: usize, seed: u64) -> String {
    let long = format!("<base href=\"https://example.org/{}/\">", "long".repeat(size / 8));
    let html = filled(size - long.len(), seed, |words, at| format!("<a href=x{at}><img src={at}.png>{}</a> ", words.word()));
    html.replacen("<head>", &format!("<head>{long}"), 1)
}

fn text(size: usize, seed: u64) -> String {
    filled(size, seed, |words, _| words.sentence(14))
}

fn newlines(size: usize, seed: u64) -> String {
    filled(size, seed, |words, at| if at == 0 { format!("<pre>{}", words.word()) } else { "\n".repeat(100) })
}

fn tables(size: usize, seed: u64) -> String {
    filled(size, seed, |words, at| {
        let cell = format!("<td>{}<td colspan=2><a href=/{at}>{}</a>", words.word(), words.sentence(4));
        match at % 40 {
            0 => format!("<table><tr>{cell}"),
            39 => "</table></table></table>".to_owned(),
            10 | 20 => format!("<tr><td><table><tr>{cell}"),
            _ => format!("<tr>{cell}"),
        }
    })
}

fn one_table(size: usize, seed: u64) -> String {
    filled(size, seed, |words, at| {
        let start = if at == 0 { "<table>" } else { "" };
        format!("{start}<tr><td>{}<td>{}<td><a href=/{at}>{}</a>", words.word(), words.sentence(5), words.word())
    })
}

fn roots(size: usize, seed: u64) -> String {
    filled(size, seed, |words, at| {
        let aside = format!("<div class=nav><a href=/{at}>{}</a> <a href=/{at}/b>{}</a></div>", words.word(), words.word());
        format!("<div><p>{}</p>{aside}</div>\n", words.sentence(20))
    })
}

fn long_word(size: usize, seed: u64) -> String {
    filled(size, seed, |words, at| if at == 0 { format!("<p>{}", words.word()) } else { "abcdefghij".repeat(10) })
}

fn formatting(size: usize, seed: u64) -> String {
    filled(size, seed, |words, at| format!("<p><b id={at}><i><u><em>{}", words.word()))
}

fn lists(size: usize, seed: u64) -> String {
    filled(size, seed, |words, at| {
        let item = format!("<li>{}", words.word());
        match at % 60 {
            0..20 => format!("<ul>{item}"),
            20..40 => format!("{item}</li>"),
            _ => "</ul>".to_owned(),
        }
    })
}

fn menus(size: usize, seed: u64) -> String {
    filled(size, seed, |words, at| {
        let items: String = (0..6).map(|item| format!("<li><a href=/{at}/{item}>{}</a>", words.word())).collect();
        format!("<div><ul class=menu>{items}</ul></div>")
    })
}

fn ids(size: usize, seed: u64) -> String {
    filled(size, seed, |words, at| {
        format!("<div id=i{at} class=\"c{at} {}\"><h3>{}</h3><p>{}</p></div>", words.word(), words.word(), words.sentence(6))
    })
}

fn title(size: usize, seed: u64) -> String {
    let mut words = Words(seed);
    let mut long = String::new();
    while long.len() < size / 2 {
        long += &format!("{} {} | {}: {} - ", words.word(), words.word(), words.word(), words.word());
    }
    let html = filled(size - long.len(), seed, |words, _| {
        format!("<h2>{} {}</h2><p>{}</p>", words.word(), words.word(), words.sentence(6))
    });
    html.replacen("<title>", &format!("<title>{long}"), 1)
}

fn head(size: usize, seed: u64) -> String {
    filled(size, seed, |words, at| {
        let (one, other) = (words.word(), words.sentence(6));
        match at % 3 {
            0 => format!("<meta property=\"og:title\" name=author content=\"{other}\"><link rel=canonical href=/{one}>"),
            1 => format!(
                "<script type=\"application/ld+json\">[{{\"@type\":\"Article\",\"author\":{{\"name\":\"{one}\"}}}}]</script>"
            ),
            _ => format!("<h1>{other}</h1><time datetime=2020-02-0{}>{one}</time><p class=byline>By {one}</p>", at % 9 + 1),
        }
    })
}
