//! All techniques that compare pages, by name.
//!
//! A new technique is one new file and one line here; the command line, the workbench and the documentation read this list.

use crate::SiteTechnique;
use crate::learned::{auto_with_site, content_site, content_with_site, menu_site, recurring_text, template_auto};
use crate::published::{
    bootstrap, conex_site, contentextractor, df_filter, earlier_versions, gibson_dom, gibson_text, hybex, infodiscoverer, iwptd,
    lamis, menex_site, pagelets, rbm_td, rtdm_news, rtdm_td, sst, temex, wisdom,
};
use unchaff_page::BlockKind;
use unchaff_page::parameters::Parameters;
use unchaff_page::registry::read;

/// What is known about a technique that compares pages.
pub type SiteEntry = unchaff_page::registry::Entry<dyn SiteTechnique>;

static ENTRIES: &[SiteEntry] = &[
    // The template.
    template_auto::ENTRY,
    temex::ENTRY,
    hybex::ENTRY,
    earlier_versions::M14,
    earlier_versions::M14_LISTING,
    earlier_versions::M14_BEST_F1,
    earlier_versions::WWV13_MENU,
    earlier_versions::PROLE14_SIMPLE,
    earlier_versions::P16,
    earlier_versions::T23,
    earlier_versions::RELEASE_BUILD,
    sst::ENTRY,
    rtdm_td::ENTRY,
    iwptd::ENTRY,
    rbm_td::ENTRY,
    gibson_dom::ENTRY,
    gibson_text::ENTRY,
    pagelets::ENTRY,
    // The content.
    auto_with_site::ENTRY,
    content_site::ENTRY,
    content_with_site::ENTRY,
    conex_site::ENTRY,
    recurring_text::ENTRY,
    bootstrap::ENTRY,
    bootstrap::LEARNED_ENTRY,
    df_filter::ENTRY,
    df_filter::TEXT_ENTRY,
    infodiscoverer::ENTRY,
    contentextractor::ENTRY,
    lamis::ENTRY,
    rtdm_news::ENTRY,
    wisdom::ENTRY,
    // The menu.
    menu_site::ENTRY,
    menex_site::ENTRY,
];

/// What techniques look at, and which do, so that a long list can be shown in parts.
static FAMILIES: &[(&str, &[&str])] = &[
    ("learned", &["template-auto", "auto-with-site", "content-site", "bootstrap-learned", "menu-site"]),
    (
        "tree",
        &[
            "temex",
            "hybex",
            "m14",
            "m14-listing",
            "m14-best-f1",
            "wwv13-menu",
            "prole14-simple",
            "p16",
            "t23",
            "release-build",
            "sst",
            "rtdm-td",
            "rtdm-news",
            "rbm-td",
            "gibson-dom",
            "conex-site",
            "menex-site",
        ],
    ),
    (
        "text",
        &[
            "iwptd",
            "gibson-text",
            "pagelets",
            "content-with-site",
            "recurring-text",
            "bootstrap",
            "df-filter",
            "df-filter-text",
            "infodiscoverer",
            "contentextractor",
            "lamis",
            "wisdom",
        ],
    ),
];

/// What of pages a technique compares, in a word: `learned` (keys of many kinds, weighed by a model), `tree`, `text`; `other` for a name that is
/// not here.
#[must_use]
pub fn family(name: &str) -> &'static str {
    FAMILIES.iter().find(|(_, names)| names.contains(&name)).map_or("other", |(family, _)| family)
}

/// The technique used for the content when none is named.
pub const DEFAULT: &str = "auto-with-site";

/// The technique used for a kind of block when none is named, if pages can help to find it.
#[must_use]
pub fn default_for(kind: BlockKind) -> Option<&'static str> {
    match kind {
        BlockKind::Content => Some(DEFAULT),
        BlockKind::Template => Some("template-auto"),
        // Other pages can confirm a menu, but on sites kept back the page alone finds it more often.
        BlockKind::Menu | BlockKind::Comments | BlockKind::Ads => None,
    }
}

/// The entry of a technique `T` that is made from its parameters `P`.
pub(crate) const fn entry<T: SiteTechnique + From<P> + 'static, P: Parameters>(
    name: &'static str,
    kind: BlockKind,
    summary: &'static str,
    source: &'static str,
    cost: &'static str,
) -> SiteEntry {
    SiteEntry {
        name,
        kind,
        summary,
        source,
        cost,
        parameters: P::list,
        build: |settings| Ok(Box::new(T::from(read::<P>(settings)?))),
    }
}

/// All techniques.
#[must_use]
pub fn all() -> &'static [SiteEntry] {
    ENTRIES
}

/// The technique of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static SiteEntry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::site::LoadedSite;
    use unchaff_dom::{PageId, Parser};

    #[test]
    fn every_entry_builds_with_each_of_its_documented_defaults_and_names_each_parameter_once() {
        for entry in all() {
            assert_eq!(entry.default_technique().name(), entry.name);
            assert_ne!(family(entry.name), "other", "{}", entry.name);
            let mut names: Vec<&str> = entry.parameters().iter().map(|parameter| parameter.name).collect();
            for parameter in entry.parameters() {
                entry.technique(&[(parameter.name, &parameter.default)]).unwrap_or_else(|error| panic!("{error}"));
            }
            names.sort_unstable();
            assert!(names.is_sorted_by(|a, b| a < b), "{}: {names:?}", entry.name);
        }
        let default = |name: &str, parameter: &str| {
            let parameters = find(name).unwrap().parameters();
            parameters.into_iter().find(|known| known.name == parameter).unwrap().default
        };
        assert_eq!(
            [default("temex", "threshold"), default("release-build", "threshold"), default("m14-best-f1", "n")],
            ["0.7", "0.9", "8"]
        );
        let error = find("m14").unwrap().technique(&[("votes", "many")]).err().unwrap().to_string();
        assert!(error.contains("`many`") && error.contains("m14"), "{error}");
    }

    /// Sites at the edge of what a site can be; every technique answers and explains, twice the same.
    #[test]
    fn every_technique_has_an_answer_for_odd_sites() {
        let page = |url: &str, html: &str| Parser::new().url(&format!("https://example.org/{url}")).parse(html);
        let nested = format!("{}<a href=b>b</a>", "<div>".repeat(600));
        let wide = format!("<ul>{}</ul><a href=b>b</a>", "<li><a href=c>x</a>".repeat(500));
        let sites = [
            vec![page("a", "")],
            vec![page("a", "<frameset><frame src=b></frameset>"), page("b", "text")],
            vec![page("a", "<a href=b>b</a><a href=missing>m</a>"), page("b", "")],
            vec![page("a", &nested), page("b", &nested.replace("href=b", "href=a"))],
            vec![page("a", &wide), page("b", &wide.replace("href=b", "href=a")), page("c", "<p>text<a href=a>a</a>")],
            vec![page("a", "\u{0}<a href=b>\u{fffd}"), page("b", "<a href=a>")],
        ];
        for pages in sites {
            let site = LoadedSite::new(pages);
            for entry in all() {
                let technique = entry.default_technique();
                let detection = technique.detect(&site, PageId(0)).unwrap();
                assert_eq!(detection, technique.detect(&site, PageId(0)).unwrap(), "{}", entry.name);
                assert!(detection.nodes(entry.kind).is_some(), "{}", entry.name);
                let explanation = technique.explain(&site, PageId(0)).unwrap();
                assert!(explanation.rows.iter().all(|row| row.values.len() == explanation.columns.len()), "{}", entry.name);
            }
        }
    }
}
