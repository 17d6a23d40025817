//! How many templates a site has, the more pages of it are known (Zelený 2017, 9.3.1).

use unchaff_dom::Site;
use unchaff_site::carried_over::path_set::{PathSet, PathToken};
use unchaff_site::carried_over::pruned_dom::{PrunedDom, Pruning};
use unchaff_site::clustering::stream::TemplateStream;

/// The templates of a site, in the order of its pages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Growth {
    /// The site.
    pub site: String,
    /// How many of its pages were looked at.
    pub pages: usize,
    /// The pages, from 0, that opened a template.
    pub opened: Vec<usize>,
}

impl Growth {
    /// How many templates there are.
    #[must_use]
    pub fn templates(&self) -> usize {
        self.opened.len()
    }

    /// How many there were after so many pages; none if there are not so many.
    #[must_use]
    pub fn after(&self, pages: usize) -> Option<usize> {
        (pages <= self.pages).then(|| self.opened.partition_point(|page| *page < pages))
    }

    /// The share of the pages that found a template of theirs.
    #[must_use]
    pub fn hits(&self) -> f64 {
        if self.pages == 0 { 0.0 } else { 1.0 - self.templates() as f64 / self.pages as f64 }
    }
}

/// After how many pages templates are counted: 10, 20, 50, 100 and so on, up to this many.
pub(super) fn steps(most: usize) -> Vec<usize> {
    let powers = (1..).map(|power| 10_usize.pow(power)).take_while(|step| *step <= most);
    powers.flat_map(|step| [step, 2 * step, 5 * step]).filter(|step| *step <= most).collect()
}

/// Puts the pages of a site, up to so many, into templates as they come: those more similar than the threshold share one.
#[must_use]
pub fn growth(name: &str, site: &dyn Site, most: usize, threshold: f64) -> Growth {
    let mut templates = TemplateStream::new(threshold);
    let mut growth = Growth { site: name.to_owned(), ..Growth::default() };
    for page in site.known().into_iter().filter_map(|id| site.load(id).ok()).take(most) {
        let paths = PathSet::of(&PrunedDom::of(&page, &Pruning::for_templates()), PathToken::NameAndId);
        if templates.add(paths) == growth.templates() {
            growth.opened.push(growth.pages);
        }
        growth.pages += 1;
    }
    growth
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Parser;
    use unchaff_dom::site::LoadedSite;

    #[test]
    fn templates_are_counted_as_pages_come() {
        let page = |at: usize| {
            let body =
                if at == 7 { "<table><tr><td>x</table>" } else { "<nav><a href=/>x</a></nav><main><h1>x</h1><p>x</p></main>" };
            Parser::new().url(&format!("https://example.org/{at}")).parse(body)
        };
        let site = LoadedSite::new((0..30).map(page));
        let found = growth("example.org", &site, 25, 0.7);
        assert_eq!((found.pages, found.opened.as_slice()), (25, &[0, 7][..]));
        assert_eq!([5, 10, 20, 50].map(|pages| found.after(pages)), [Some(1), Some(2), Some(2), None]);
        assert!((found.hits() - 0.92).abs() < 1e-12);
        assert_eq!((steps(9), steps(100)), (vec![], vec![10, 20, 50, 100]));
    }
}
