//! Earlier versions of TemEx, and that of its published browser extension, under their names.
//!
//! `m14…`: Julián Alarte's master thesis, Universitat Politècnica de València, 2014; an equality that rests on classes, order
//! kept among siblings, weights and votes as tuned there. `p16`: Alarte, Insa, Silva, Tamarit: Site-Level Web Template
//! Extraction Based on DOM Analysis, 2016, which leaves the equality open. `wwv13-menu` and `prole14-simple` are known from
//! summaries only. `t23`: the doctoral thesis, 2023. `release-build`: the settings of the extension that was shipped.
//! All are the same steps with other parameters.

use crate::candidates::choice::{Candidates, Selector};
use crate::mapping::equal_top_down::Pairing;
use crate::mapping::node_equality::{AttributeMode, AttributeSet, Equality, Overlap};
use crate::mapping::node_position::PositionDenominator;
use crate::mapping::sibling_pairing::{PairingOption, Recount, Ties};
use crate::mapping::votes::{Aggregation, FewPages, Voting};
use crate::published::temex::{Params, Temex};
use crate::registry::SiteEntry;
use unchaff_page::BlockKind;
use unchaff_page::parameters::Parameters;

impl Equality {
    /// The relation of the master thesis (Def. 3.2.2) with its tuned weights. What it says of nodes without classes is a
    /// range, of the threshold nothing; 0.8 and 0.7 fill in.
    #[must_use]
    pub(crate) fn m14() -> Equality {
        Equality {
            class: 0.5,
            position: 0.2,
            attributes: 0.2,
            children: 0.1,
            strict: true,
            attribute_mode: AttributeMode::NamesAndValues,
            attribute_set: AttributeSet::NoClassNoId,
            overlap: Overlap::Union,
            no_class: 0.8,
            no_attributes: 0.25,
            id_decides: true,
            ..Equality::default()
        }
    }

    /// The relation of the shipped extension.
    #[must_use]
    pub(crate) fn release() -> Equality {
        Equality {
            class: 0.1,
            position: 0.4,
            attributes: 0.0,
            children: 0.5,
            threshold: 0.9,
            attribute_mode: AttributeMode::NamesAndValues,
            attribute_set: AttributeSet::NoClassNoId,
            overlap: Overlap::Union,
            no_attributes: 0.75,
            id_decides: true,
            alike_decides: true,
            ..Equality::default()
        }
    }

    /// Nodes of the same tag are equal.
    #[must_use]
    pub(crate) fn label_only() -> Equality {
        Equality { class: 0.0, position: 0.0, attributes: 0.0, children: 0.0, threshold: 0.0, ..Equality::default() }
    }
}

impl Pairing {
    /// Best pair first, then left of it and right of it (master thesis, Def. 3.3.1). Bodies are taken as equal, as the
    /// authors' code does: classes weigh so much here that one more on a body would lose the page. There were no groups;
    /// here only parents with more children than real pages have get them, lest one page cost too much.
    #[must_use]
    pub(crate) fn split_before_after() -> Pairing {
        Pairing {
            option: PairingOption::Ordered,
            recount: Recount::Block,
            position_denominator: PositionDenominator::Smaller,
            root_test: false,
            group_from: 2_000,
            ..Pairing::default()
        }
    }
}

impl Params {
    /// The master thesis of 2014.
    #[must_use]
    pub(crate) fn m14() -> Params {
        let pairing = Pairing::split_before_after();
        Params { equality: Equality::m14(), pairing, ..Params::default() }
    }

    /// Its Algorithm 3 as printed: all pages must agree, one after another; those whose body is not equal are passed over.
    #[must_use]
    pub(crate) fn m14_listing() -> Params {
        let pairing = Pairing { root_test: true, ..Pairing::split_before_after() };
        let voting = Voting { aggregation: Aggregation::IntersectAll, ..Voting::default() };
        Params { pairing, voting, ..Params::m14() }
    }

    /// Its best result, with eight pages and four votes.
    #[must_use]
    pub(crate) fn m14_best_f1() -> Params {
        let candidates = Candidates { n: 8, ..Candidates::default() };
        Params { candidates, voting: Voting { votes: 4, ..Voting::default() }, ..Params::m14() }
    }

    /// The first version (2013), which looked at the pages of the main menu; reconstructed.
    #[must_use]
    pub(crate) fn wwv13_menu() -> Params {
        let candidates = Candidates { selector: Selector::Menu, ..Candidates::default() };
        Params { candidates, equality: Equality::label_only(), ..Params::m14_listing() }
    }

    /// The second (2014), with hyperlink analysis and a simpler mapping; reconstructed.
    #[must_use]
    pub(crate) fn prole14_simple() -> Params {
        Params { equality: Equality::label_only(), ..Params::m14_listing() }
    }

    /// The paper of 2016.
    #[must_use]
    pub(crate) fn p16() -> Params {
        Params::m14()
    }

    /// The doctoral thesis.
    #[must_use]
    pub(crate) fn t23() -> Params {
        Params::default()
    }

    /// The shipped extension. Its groups spare lists of mixed tags and text between elements; ours do not.
    #[must_use]
    pub(crate) fn release_build() -> Params {
        Params {
            equality: Equality::release(),
            pairing: Pairing {
                option: PairingOption::Static,
                position_denominator: PositionDenominator::Smaller,
                ties: Ties::Last,
                root_test: false,
                group: 20,
                scripts: false,
                ..Pairing::default()
            },
            voting: Voting { few_pages: FewPages::AllOfThem, copies_raise_votes: true, ..Voting::default() },
            ..Params::default()
        }
    }
}

macro_rules! preset {
    ($constant:ident, $name:literal, $params:path, $summary:literal, $source:literal) => {
        pub(crate) const $constant: SiteEntry = SiteEntry {
            name: $name,
            kind: BlockKind::Template,
            summary: $summary,
            source: $source,
            cost: "as temex",
            parameters: || $params().described(),
            build: |settings| {
                let mut params = $params();
                for (at, (name, value)) in settings.iter().enumerate() {
                    params.set(name, value).ok_or(at)?;
                }
                Ok(Box::new(Temex::named($name, params)))
            },
        };
    };
}

preset!(
    M14,
    "m14",
    Params::m14,
    "temex of 2014: an equality that rests on classes and ids, siblings in order",
    "J. Alarte: master thesis, Universitat Politècnica de València, 2014"
);
preset!(
    M14_LISTING,
    "m14-listing",
    Params::m14_listing,
    "temex of 2014 as its algorithm is printed: all pages must agree, one after another",
    "J. Alarte: master thesis, Universitat Politècnica de València, 2014, Algorithm 3"
);
preset!(
    M14_BEST_F1,
    "m14-best-f1",
    Params::m14_best_f1,
    "temex of 2014 with eight pages and four votes",
    "J. Alarte: master thesis, Universitat Politècnica de València, 2014, Table 5.2"
);
preset!(
    WWV13_MENU,
    "wwv13-menu",
    Params::wwv13_menu,
    "pages of the main menu must all have a node of the same tag there (reconstructed)",
    "J. Alarte et al., 2013, as summarised in J. Alarte's master thesis of 2014"
);
preset!(
    PROLE14_SIMPLE,
    "prole14-simple",
    Params::prole14_simple,
    "three pages linked to each other must all have a node of the same tag there (reconstructed)",
    "J. Alarte et al., 2014, as summarised in J. Alarte's master thesis of 2014"
);
preset!(
    P16,
    "p16",
    Params::p16,
    "temex of 2016: votes of two of three pages, with the equality of 2014",
    "J. Alarte, D. Insa, J. Silva, S. Tamarit: Site-Level Web Template Extraction Based on DOM Analysis, 2016"
);
preset!(
    T23,
    "t23",
    Params::t23,
    "temex of 2023, which is the default of temex",
    "J. Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023, chapter 9"
);
preset!(
    RELEASE_BUILD,
    "release-build",
    Params::release_build,
    "temex as the authors' browser extension has it: children and position decide, or equal attributes alone",
    "the published browser extension of J. Alarte and J. Silva"
);
