//! Stop words: frequent words that have no meaning of their own, of which prose has many and menus few.
//!
//! The lists are ours, short ones, of twelve languages. The page says which it needs; where it does not, the list with most hits is
//! taken.

use std::collections::HashSet;
use unchaff_dom::Page;
use unchaff_dom::words::words;

/// Frequent words that have no meaning of their own, by language.
static STOP_WORDS: &[(&str, &str)] = &[
    (
        "en",
        "a about after all also an and any are as at be because been before being but by can could did do does for from had has have he her him his how i if in \
         into is it its just like may me more most my no not now of on one only or other our out over said she so some such than that the their them then there \
         these they this those to up us was we were what when where which while who will with would you your",
    ),
    (
        "de",
        "aber als am an auch auf aus bei bis da damit das dass daß dem den der des die doch durch ein eine einem einen einer er es für gegen hat hatte ich ihr ihre im in \
         ist ja kann man mehr mit nach nicht noch nur ob oder ohne sein seine sich sie sind so über um und uns unter vom von vor war was wenn werden wie wir wird \
         wurde zu zum zur",
    ),
    (
        "fr",
        "à au aussi aux avec ce ces cette comme dans de des dont du elle en entre est et être fait il ils je la le les leur lui mais même ne nous on ont ou où par pas plus \
         pour qu que qui sa sans se ses si son sont sur un une vous était",
    ),
    (
        "es",
        "a al como con cuando de del desde donde durante el ella en entre era es esta este ha han hasta hay la las le lo los más me muy ni no o para pero por porque que \
         se ser si sin sobre son su sus también un una y ya",
    ),
    (
        "it",
        "a al alla anche che chi ci come con da dal dalla dei del della delle di e è gli ha hanno i il in io la le lo ma nel nella non o per più quando questo se si sono su sua \
         suo un una uno",
    ),
    (
        "pt",
        "a ao aos as até com como da das de do dos e é ela ele em entre era foi já mais mas na não nas no nos o os ou para pela pelo por quando que se sem ser seu sua são \
         também um uma",
    ),
    (
        "nl",
        "aan als bij dan dat de deze die dit door een en er haar had heb heeft het hij hun ik in is je kan maar me meer met naar niet nog of om ook op over te toen tot uit van \
         voor was wat we werd wordt zich zijn",
    ),
    (
        "pl",
        "a ale być był była było czy dla do gdy go i ich ile im ja jak jako je jego jej jest jeszcze już ma mnie na nad nie o od on oraz po pod przez się są tak także tego tej ten to \
         tylko tym w we wie z za ze że",
    ),
    (
        "ru",
        "а без бы был была было быть в во все для до его ее если еще же за и из или им их к как ко когда который ли на не но о об он она они от по при с со так также то только \
         у уже что чтобы это этот я",
    ),
    (
        "el",
        "από για δεν είναι ένα ένας και με μια μας μου να ο οι όμως όπως όταν ότι πιο που πως σας σε στα στη στην στις στο στον στους τα τη την της τις το τον του τους των ως",
    ),
    (
        "sv",
        "att av den det du de där efter en ett från för han har hon i inte jag kan med men och om på sig som så till var vi är",
    ),
    (
        "tr",
        "ama ancak bir biri bu çok da daha de değil en gibi göre hem için ile ise kadar ki ne o olan olarak olduğu sonra ve veya ya",
    ),
];

/// The stop words of the language that a page is in.
#[must_use]
pub fn stop_words_of(page: &Page) -> HashSet<&'static str> {
    let set = |list: &'static str| list.split_whitespace().collect::<HashSet<&str>>();
    let language = page.html().and_then(|html| page.attr(html, "lang")).unwrap_or_default().trim().to_lowercase();
    let primary = language.split(['-', '_']).next().unwrap_or_default();
    if let Some((_, list)) = STOP_WORDS.iter().find(|(of, _)| *of == primary) {
        return set(list);
    }
    let lists: Vec<HashSet<&str>> = STOP_WORDS.iter().map(|(_, list)| set(list)).collect();
    let mut hits = vec![0u32; lists.len()];
    // Some thousand words tell a language.
    for word in words(page.text(page.body().unwrap_or(page.root()))).take(2000) {
        let word = word.to_lowercase();
        lists.iter().zip(&mut hits).for_each(|(list, hits)| *hits += u32::from(list.contains(&*word)));
    }
    // Of equals the first.
    let most = (0..hits.len()).rev().max_by_key(|at| hits[*at]).unwrap_or(0);
    lists.into_iter().nth(most).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_says_its_language_or_its_words_do() {
        let list = |html: &str| stop_words_of(&Page::parse(html));
        assert!(list("<html lang=de-AT><p>the of and</p>").contains("nicht"));
        assert!(list("<p>le chat est dans la rue et il ne dort pas</p>").contains("dans"));
        assert!(list("").contains("the"));
    }
}
