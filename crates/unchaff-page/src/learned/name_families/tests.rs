use super::*;
use proptest::prelude::*;

fn is_ad(name: &str) -> bool {
    families_of(name).has(Family::Ad)
}

#[test]
fn advertisements_have_word_borders() {
    for name in [
        "ad",
        "ads top",
        "adSlot",
        "top-ad-728",
        "AD_BOX",
        "google_ads_1",
        "DFPAd",
        "adsbygoogle",
        "реклама",
        "div-gpt-ad-1",
        "Ad300x250",
    ] {
        assert!(is_ad(name), "{name}");
    }
    for name in [
        "header",
        "shadow",
        "download",
        "address",
        "loading",
        "reader",
        "admin",
        "add",
        "gradient",
        "padding",
        "badge",
        "broadcast",
        "ad-hoc",
    ] {
        assert!(!is_ad(name), "{name}");
    }
}

#[test]
fn states_of_a_page_are_no_advertisements() {
    for name in ["has-ads", "no-ads", "ad-free", "ads-enabled", "with-ad", "ad-blocker"] {
        assert!(!is_ad(name), "{name}");
    }
    assert!(is_ad("no-ads ad-box"));
    for name in ["comments-open", "no-comments", "comment-count", "comments_link", "recent-comments"] {
        assert!(!families_of(name).has(Family::Comment), "{name}");
    }
}

#[test]
fn words_are_cut_at_humps_digits_and_signs_and_joined_with_their_neighbours() {
    assert!(families_of("side-bar").has(Family::Side));
    assert!(families_of("wpCommentList").has(Family::Comment));
    assert!(families_of("comment57").has(Family::Comment));
    assert!(families_of("blog-post-comments__list").has(Family::Comment));
    assert!(!families_of("recommentation").has(Family::Comment));
    assert!(families_of("Комментарии").has(Family::Comment));
}

#[test]
fn made_up_names_mean_nothing() {
    for name in [
        "elementor-element-8eb812ad",
        "wp-elements-ad4cd784f2",
        "yYag_VAd2NXLTrOBd-6mu",
        "9ef9-ad34859e742e",
        "css-1d8ad8q",
        "ddd261f2-56d7-ad66",
    ] {
        assert!(!is_ad(name), "{name}");
    }
    assert!(is_ad("ad728") && is_ad("Ad300x250") && is_ad("ad-8eb812ad"));
}

#[test]
fn numbers_of_two_digits_tell_one_thing_among_many() {
    assert!(families_of("post-807").has_number());
    assert!(!families_of("col-6 h1").has_number());
}

#[test]
fn every_word_of_every_family_is_found_alone() {
    for (family, words) in WORDS {
        for word in *words {
            let found = families_of(word);
            assert!(found.has(*family), "{word}");
        }
    }
}

#[test]
fn families_of_a_page_are_those_of_its_class_and_id() {
    let page = Page::parse("<div class=sidebar id=ads></div><p class=x></p>");
    let names = NameFamilies::of(&page);
    let body = page.body().unwrap();
    let both = names.at(page.children(body).next().unwrap());
    assert!(both.has(Family::Side) && both.has(Family::Ad));
    assert_eq!(names.at(body), Families::default());
}

proptest! {
    #[test]
    fn plain_names_are_read_as_all_others(name in "([a-z]{1,3}|[A-Z]|[0-9]|[-_.]|ad|comment|side|Bar){0,8}") {
        let (mut plain, mut other) = (Reader::default(), Reader::default());
        plain.read_ascii(name.as_bytes());
        plain.end_word();
        other.read_name(&name);
        other.end_word();
        prop_assert_eq!((plain.found, plain.pending, plain.before), (other.found, other.pending, other.before));
    }

    #[test]
    fn case_of_whole_words_does_not_matter(name in "[a-z]{1,8}(-[a-z]{1,8}){0,3}") {
        prop_assert_eq!(families_of(&name), families_of(&name.to_uppercase()));
    }

    #[test]
    fn any_text_can_be_read(name in "\\PC{0,60}") {
        let _ = families_of(&name);
    }
}
