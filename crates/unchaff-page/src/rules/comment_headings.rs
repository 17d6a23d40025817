//! Headings under which readers, customers and guests speak: "3 comments", "Kundenstimmen", "Livre d'or".
//!
//! Words for comments are those of the names of elements (`name_families`), and a short line with one is enough. Words for reviews, letters and
//! voices mean other things too, so they count in headings alone.

use crate::learned::name_families::{Family, Reader};
use crate::rules::signed_entries::Around;
use std::sync::LazyLock;
use unchaff_dom::words::is_ideograph;
use unchaff_dom::{NodeId, Page, Tag};

/// Words for a guest book, in headings and titles. One string, because a list of three hundred takes more room than its words in a module that is downloaded.
const GUEST_BOOKS: &str = "\
    guestbook|guest book|visitors' book|visitors’ book|gästebuch|gaestebuch|livre d'or|livre d’or|libro de visitas|libro de huéspedes|libro degli ospiti|\
    livro de visitas|gastenboek|gästbok|gjestebok|gæstebog|vieraskirja|księga gości|kniha návštěv|vendégkönyv|βιβλίο επισκεπτών|гостевая|гостевой книг|\
    книга отзывов|ziyaretçi defteri|دفتر الزوار|留言|ゲストブック|방명록";

/// How words for reviews, letters and voices begin, in headings; and words for comments that no element is named after.
const VOICES: &str = "\
    reviews|customer review|testimonial|customers say|guests say|visitors say|readers say|people say|readers write|readers wrote|your letters|\
    letters|write to us|write in|postbag|mailbag|feedback|opinions|bewertungen|rezensionen|kundenstimmen|kundenmeinungen|meinungen|leserbriefe|leserstimmen|stimmen|das sagen|\
    das schreiben|sagen unsere|erfahrungsberichte|rückmeldungen|zuschriften|leserpost|schreiben uns|avis|témoignages|disent|écrivent|courrier|réactions|opiniones|reseñas|\
    valoraciones|testimonios|dicen|escriben|cartas|recensioni|opinioni|testimonianze|dicono|scrivono|lettere|avaliações|opiniões|depoimentos|dizem|\
    quem comprou|beoordelingen|recensies|ervaringen|lezersbrieven|ingezonden|brieven|wat klanten|wat gasten|wat kopers|omdömen|recensioner|anmeldelser|läsarbrev|insändare|læserbreve|leserbrev|udtalelser|\
    arvostelut|palaute|opinie|recenzje|listy|komentarzy|hodnocení|recenze|názory|ohlasy|diskuze|diskuse|vélemények|recenzii|păreri|comentarii|\
    отзыв|мнени|рецензии|письма|пишут|комментари|відгук|değerlendirme|görüş|dediler|κριτικές|αξιολογήσεις|γνώμες|σχόλι|آراء|تقييمات|مراجعات|نظرات|\
    תגובות|ביקורות|समीक्षा|टिप्पणी|bình luận|đánh giá|ulasan|testimoni|レビュー|口コミ|クチコミ|お客様の声|感想|评价|評價|点评|来信|投書|投稿|리뷰|answers|antworten|réponses|respuestas|\
    risposte|respostas|antwoorden|odpowiedzi|ответы|відповіді|cevaplar|回答|답변|discussion|diskussion|discusión|discussione|discussie|discuții|discuţii|\
    discussão|dyskusj|keskustelu|diskusjon|обсуждени|обговорення|tartışma|συζήτηση|討論|讨论|토론|議論|what do you think|have your say|your say|message board|\
    was meinst|was meinen|was denk|meint ihr|qu'en pensez|qu’en pensez|pensent|et vous|qué opinas|qué opináis|qué piensas|piensan|mensajes|cosa ne pens|\
    pensano|messaggi|o que acha|o que pensa|pensam|mensagens|wat vind|denken|vad tycker|tycker|hvad synes|hva synes|mitä mieltä|co sądzi|co myśli|\
    co si myslíte|vzkazy|mit gondol|ce părere|что думае|что вы думаете|ваше мнение|що думає|düşünüyor|τι λένε|τι πιστεύ|みなさんの声|你怎么看|conversation|\
    conversación|conversazione|conversa|gespräch|beiträge|разговор|후기|상품평";

/// How words for those who write begin, in headings: what people of a kind say stands below a heading that names them.
const WRITERS: &str = "\
    customer|guest|visitor|reader|buyer|traveller|client|kund|gäste|besucher|leser|käufer|hörer|visiteur|lecteur|lectrice|acheteur|hôtes|voyageurs|\
    visitante|lector|comprador|huésped|viajero|visitator|lettor|acquirent|ospiti|leitor|hóspede|klant|bezoeker|lezer|koper|gasten|besökare|läsar|köpare|\
    gæster|læser|gjester|asiakk|vierai|lukij|kävij|klien|gości|czytelni|kupując|odwiedzając|zákazn|hosté|hostů|návštěvní|čtenář|vendég|vásárló|olvasó|\
    látogató|cititor|vizitator|oaspeți|покупател|клиент|гост|читател|посетител|покупц|клієнт|читач|відвідувач|müşteri|ziyaretçi|okur|konuk|misafir|πελάτ|\
    πελατ|επισκέπτ|επισκεπτ|αναγνωστ|αναγνώστ|お客様|読者|購入者|客户|顾客|顧客|读者|讀者|网友|买家|고객|독자|구매자|방문자|الزوار|القراء|العملاء|الزبائن|לקוחות|קוראים|pelanggan|pembaca|\
    pengunjung";

/// How a heading of the latest comments on all pages begins.
const LATEST: &[&str] = &[
    "recent ",
    "latest ",
    "last ",
    "newest ",
    "top ",
    "popular ",
    "letzte",
    "neueste",
    "últimos",
    "ultimos",
    "últimas",
    "ultimi ",
    "ultime ",
    "derniers ",
    "dernières ",
    "последние ",
    "останні ",
    "ostatnie ",
    "najnowsze ",
    "poslední ",
    "nejnovější ",
    "laatste ",
    "senaste ",
    "seneste ",
    "siste ",
    "uusimmat ",
    "son ",
    "legutóbbi ",
    "最新",
    "最近",
];

/// What a word in a heading is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum For {
    GuestBook,
    Voices,
    Writers,
}

/// All of these words in order, and where those of each first byte begin, so that a text is gone through once for all of them.
struct Lexicon {
    words: Vec<(&'static str, For)>,
    starts: [u16; 257],
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let all = [(GUEST_BOOKS, For::GuestBook), (VOICES, For::Voices), (WRITERS, For::Writers)];
    let mut words: Vec<(&str, For)> = all.iter().flat_map(|(words, of)| words.split('|').map(|word| (word, *of))).collect();
    words.sort_unstable();
    let first = |word: &str| word.bytes().next().map_or(0, usize::from);
    let starts = std::array::from_fn(|byte| words.partition_point(|(word, _)| first(word) < byte) as u16);
    Lexicon { words, starts }
});

/// The words of a text that are in the lexicon, each with its place.
fn known_words(text: &str) -> impl Iterator<Item = (usize, &'static str, For)> {
    let Lexicon { words, starts } = &*LEXICON;
    text.bytes().map(usize::from).enumerate().flat_map(move |(at, first)| {
        let words = &words[usize::from(starts[first])..usize::from(starts[first + 1])];
        let is_here = move |word: &&(&str, For)| text.as_bytes()[at..].starts_with(word.0.as_bytes());
        words.iter().filter(is_here).map(move |(word, of)| (at, *word, *of))
    })
}

/// A heading of more tokens is no heading of a list.
const MOST_TOKENS: u32 = 12;

/// Words for comments in scripts without spaces, where words have no borders.
const IDEOGRAPHIC: &[&str] = &["评论", "評論", "留言", "コメント", "댓글"];

/// So many headings are looked at: what follows each is read.
const MOST_HEADINGS: usize = 64;
/// Characters of a word that does not happen to stand in others.
const LONG_WORD: usize = 9;
/// Bytes of a heading at most.
const LONGEST: usize = 120;

/// The texts of a page that announce what readers wrote, in their order, and what may stand below each.
pub(crate) fn headings_of_comments(page: &Page, body: NodeId) -> Vec<(NodeId, Around)> {
    let mut reader = Reader::default();
    let mut lines = Vec::new();
    for node in page
        .descendants(body)
        .filter(|node| page.tag(*node) == Tag::Text && page.counts(*node).chars > 0 && page.string(*node).len() <= LONGEST)
    {
        let is_heading = is_in_heading(page, node);
        let around = if speaks_of_comments(page, node, &mut reader) {
            Some(Around::Comments)
        } else if is_heading {
            speaks_of_voices(page, node)
        } else {
            None
        };
        if let Some(around) = around.filter(|_| !speaks_of_latest(page.string(node))) {
            lines.push((node, is_heading, around));
        }
    }
    // A list of articles has a line on comments below each; only a heading can be trusted there.
    if lines.len() > 1 {
        lines.retain(|(_, is_heading, _)| *is_heading);
    }
    lines.truncate(MOST_HEADINGS);
    lines.into_iter().map(|(node, _, around)| (node, around)).collect()
}

/// Whether a heading is that of a list of the latest comments on all pages.
fn speaks_of_latest(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    LATEST.iter().any(|word| text.starts_with(word))
}

/// What a heading announces by a word for reviews, letters, voices or a guest book, or by a word for those who write.
fn speaks_of_voices(page: &Page, node: NodeId) -> Option<Around> {
    if page.counts(node).tokens > MOST_TOKENS {
        return None;
    }
    let text = page.string(node).to_lowercase();
    let begins_word = |at: usize| !text[..at].ends_with(|before: char| before.is_alphanumeric() && !is_ideograph(before));
    // Long ones stand at the end of compounds too: Kundenbewertungen.
    let counts = |at: usize, word: &str| word.chars().count() >= LONG_WORD || begins_word(at);
    let mut writers = None;
    for (at, word, of) in known_words(&text) {
        match of {
            For::GuestBook => return Some(Around::Voices),
            For::Voices if counts(at, word) => return Some(Around::Voices),
            For::Writers if counts(at, word) => writers = Some(Around::Writers),
            _ => {}
        }
    }
    writers
}

/// Whether a text node is a short line on comments, such as a heading or a label with their number.
fn speaks_of_comments(page: &Page, node: NodeId, reader: &mut Reader) -> bool {
    let text = page.string(node).trim();
    if text.is_empty() || text.len() > 80 || page.counts(node).tokens > 6 {
        return false;
    }
    let has_number = || text.bytes().any(|byte| byte.is_ascii_digit());
    let families = reader.reread_all(text);
    families.has(Family::Comment)
        || (families.has(Family::Reply) && has_number())
        || !text.is_ascii() && IDEOGRAPHIC.iter().any(|word| text.contains(word))
}

/// Whether a text says how many comments there are.
pub(crate) fn counts_comments(page: &Page, node: NodeId) -> bool {
    page.tag(node) == Tag::Text
        && page.string(node).bytes().any(|byte| byte.is_ascii_digit())
        && speaks_of_comments(page, node, &mut Reader::default())
}

/// Whether a heading says that there is one: "1 comment", "un comentario".
pub(crate) fn counts_one(text: &str) -> bool {
    let words = || text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut numbers = words().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    match numbers.next() {
        Some(number) => number == "1" && numbers.next().is_none(),
        None => words().next().is_some_and(|word| {
            matches!(word.to_lowercase().as_str(), "one" | "ein" | "un" | "une" | "uno" | "um" | "één" | "jeden" | "один" | "bir")
        }),
    }
}

pub(crate) fn is_in_heading(page: &Page, node: NodeId) -> bool {
    page.ancestors(node).take(3).any(|above| page.tag(above).heading_level().is_some())
}

/// Whether the title of the page or one of its headings names a guest book.
pub(crate) fn is_guest_book(page: &Page, body: NodeId) -> bool {
    let names = |text: &str| {
        let text = text.trim();
        text.len() <= LONGEST && known_words(&text.to_lowercase()).any(|(.., of)| of == For::GuestBook)
    };
    let in_head = page.head().into_iter().flat_map(|head| page.descendants(head));
    let title = in_head.filter(|node| page.tag(*node) == Tag::Title).flat_map(|title| page.children(title));
    let mut headings = page.descendants(body).filter(|node| page.tag(*node).heading_level().is_some());
    title.take(1).any(|text| names(page.string(text))) || headings.any(|heading| names(page.text(heading)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_book_is_known_by_its_title_or_a_heading() {
        let is = |html: &str| {
            let page = Page::parse(html);
            is_guest_book(&page, page.body().unwrap())
        };
        assert!(is("<title>留言簿 - 茶</title><p>x") && is("<h2>Livre d'or</h2>") && !is("<p>Our guestbook is closed</p>"));
    }

    #[test]
    fn words_for_reviews_count_in_headings_and_at_the_beginning_of_words() {
        let found = |html: &str| {
            let page = Page::parse(html);
            headings_of_comments(&page, page.body().unwrap()).len()
        };
        for html in [
            "<h2>Avis clients</h2>",
            "<h3>Das sagen unsere Gäste</h3>",
            "<h2>常連のお客様の声</h2>",
            "<b>3 reacties</b>",
            "<h4>Opinie (2)</h4>",
        ] {
            assert_eq!(found(html), 1, "{html}");
        }
        for html in
            ["<h2>Miles Davis</h2>", "<p>Avis clients</p>", "<h2>Ziele bestimmen</h2>", "<p>3 reacties</p><p>2 reacties</p>"]
        {
            assert_eq!(found(html), 0, "{html}");
        }
    }
}
