//! Hyperlink distance: how far two addresses are apart, in directories.
//!
//! Julián Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023,
//! Def. 4.2.1 and §7.2.2. An address counts as its host and directories; the name of the resource after the last slash is
//! dropped. The distance is positive downwards and negative upwards, however far the other address then goes down on another
//! branch. Pages in the same folder are likely to share a template, those below it less so, those above it less again.

use unchaff_dom::links::normalize;
use unchaff_page::parameters::choice;
use url::Url;

choice! {
    /// What the last piece of an address is that does not end in a slash.
    pub enum LastSegment {
        /// The name of a resource (the thesis and its release).
        Resource = "resource",
        /// A directory unless it has a dot, so that `/news` is the same as `/news/` (the master thesis of 2014).
        Directory = "directory",
    }
}

/// The host and the directories of an address, in order.
#[must_use]
pub(crate) fn directories(url: &Url, last: LastSegment) -> Vec<String> {
    let url = normalize(url.clone());
    let mut directories = vec![url.host_str().unwrap_or_default().to_owned()];
    let path = url.path();
    let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
    directories.extend(above.split('/').filter(|directory| !directory.is_empty()).map(str::to_owned));
    if last == LastSegment::Directory && !name.is_empty() && !name.contains('.') {
        directories.push(name.to_owned());
    }
    directories
}

/// How many directories `to` lies below `from`; if it does not, how many levels one has to climb from `from` until the
/// two meet, as a negative number.
#[must_use]
pub(crate) fn hyperlink_distance<S: AsRef<str>>(from: &[S], to: &[S]) -> i32 {
    let shared = from.iter().zip(to).take_while(|(one, other)| one.as_ref() == other.as_ref()).count();
    let steps = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
    if shared == from.len() { steps(to.len() - shared) } else { -steps(from.len() - shared) }
}

/// The link relevance of a distance (Def. 4.2.5): links are explored in ascending order of it, 0, 1, 2, …, −1, −2, ….
#[must_use]
pub(crate) fn link_relevance(distance: i32) -> (bool, u32) {
    (distance < 0, distance.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(link: &str) -> Vec<&str> {
        link.split('/').filter(|word| !word.is_empty()).collect()
    }

    fn between(from: &str, to: &str) -> i32 {
        hyperlink_distance(&words(from), &words(to))
    }

    fn between_addresses(from: &str, to: &str, last: LastSegment) -> i32 {
        let directories = |link: &str| directories(&Url::parse(&format!("https://{link}")).unwrap(), last);
        hyperlink_distance(&directories(from), &directories(to))
    }

    /// Alarte 2023, Example 7.2.6, and his master thesis (2014), after Definition 2.2.5 and in Examples 2.2.6 and 2.2.13.
    #[test]
    fn distances_of_the_published_examples() {
        let expected = [
            ("gp/computer-science/", "gp/computer-science/", 0),
            ("gp/computer-science/", "gp/computer-science/information-systems-and-applications/", 1),
            ("gp/computer-science/", "gp/", -1),
            ("gp/computer-science/", "gp/engineering/", -1),
            ("gp/computer-science/", "www.springer.com/gp/", -2),
            ("research/maths/", "research/maths/", 0),
            ("research/maths/", "research/maths/geometry/", 1),
            ("research/maths/", "research/", -1),
            ("research/maths/", "research/physics/dynamics", -1),
            ("research/maths/", "www.upv.es/research/", -2),
            ("www.bbc.com/news", "www.bbc.com/news/technology", 1),
            ("www.bbc.com/news", "www.bbc.com", -1),
            ("www.bbc.com/news", "www.bbc.com/news/world/europe/", 2),
            ("www.bbc.com/news", "www.bbc.com/weather", -1),
            ("www.bbc.com/news", "www.bbc.com/sport/0/formula1/26599556", -1),
            ("www.bbc.com/news/", "www.bbc.com/news/uk/", 1),
            ("www.bbc.com/news/", "www.bbc.com/news/also_in_the_news/", 1),
            ("www.bbc.com/news/", "www.bbc.com/sport/0/football/28497920/", -1),
        ];
        for (from, to, distance) in expected {
            assert_eq!(between(from, to), distance, "{from} {to}");
        }
        assert_eq!([words("www.upv.es/").len(), words("research/").len(), words("research/maths/").len()], [1, 1, 2]);
    }

    /// Alarte 2023, Example 7.2.5 and Fig. 7.4, and his master thesis (2014), Example 2.2.3.
    #[test]
    fn the_name_of_the_resource_does_not_count() {
        let key = "www.springer.com/gp/computer-science/become-an-author";
        let expected = [
            (key, "www.springer.com/gp/computer-science/stay-informed", 0),
            (key, "www.springer.com/gp/engineering/contact-us", -1),
            (key, "www.springer.com", -2),
            (key, "www.springernature.com", -3),
            ("www.upv.es", "www.upv.es/organizacion/la-institucion/index-en.html", 2),
            ("www.upv.es/organizacion/la-institucion/index-en.html", "www.upv.es", -2),
            ("www.upv.es/research/maths/index.html", "www.upv.es/research/maths/pi.html", 0),
            ("www.upv.es/research/maths/index.html", "www.upv.es/research/maths/news/computers.html", 1),
            ("www.upv.es/research/maths/index.html", "www.upv.es/sport/", -2),
            ("www.upv.es/research/maths/index.html", "www.tesco.es/", -3),
            ("www.caltech.org/about/news", "www.caltech.org/about", -1),
            ("www.caltech.org/about/news", "www.caltech.org/about/at-a-glance", 0),
            ("www.caltech.org/about/news", "www.caltech.org/about/visit/tours?x=/y/z#/a/b/c", 1),
        ];
        for (from, to, distance) in expected {
            assert_eq!(between_addresses(from, to, LastSegment::Resource), distance, "{from} {to}");
        }
    }

    /// So the master thesis reads `www.bbc.com/news` (Example 2.2.6); the doctoral thesis does not (Table 7.2).
    #[test]
    fn a_last_segment_without_slash_can_count_as_a_directory() {
        let distance = |to| between_addresses("www.bbc.com/news", to, LastSegment::Directory);
        assert_eq!(
            [distance("www.bbc.com/news/technology"), distance("www.bbc.com/sport"), distance("www.bbc.com/index.html")],
            [1, -1, -1]
        );
    }

    /// Def. 4.2.5.
    #[test]
    fn the_same_folder_comes_first_then_what_is_below_then_what_is_above() {
        let mut distances = [3, -1, 0, -2, 1, 0];
        distances.sort_by_key(|distance| link_relevance(*distance));
        assert_eq!(distances, [0, 0, 1, 3, -1, -2]);
    }

    /// The five cases as printed (Def. 4.2.1).
    fn by_cases(h: &[u8], other: &[u8]) -> i32 {
        if h == other {
            0
        } else if other.starts_with(h) {
            (other.len() - h.len()) as i32
        } else if h.starts_with(other) {
            -((h.len() - other.len()) as i32)
        } else {
            let shared = (0..h.len().min(other.len())).find(|at| h[*at] != other[*at]).unwrap();
            -((h.len() - shared) as i32)
        }
    }

    proptest! {
        #[test]
        fn the_closed_form_equals_the_five_cases(from in "[ab]{0,5}", to in "[ab]{0,5}") {
            let split = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
            prop_assert_eq!(hyperlink_distance(&split(&from), &split(&to)), by_cases(from.as_bytes(), to.as_bytes()));
            prop_assert_eq!(hyperlink_distance(&split(&from), &split(&from)), 0);
        }
    }
}
