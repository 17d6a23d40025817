//! eIISA: regions of a page found by an expert's rules.
//!
//! F. Vitali, A. Di Iorio, E. Ventura Campori: Rule-based Structural Analysis of Web Pages, DAS 2004, after T. Gottron's
//! description (PhD thesis, 2008, §3.2.6). Rules in a small language ([`eiisa_rules`](crate::published::eiisa_rules)) set the attribute
//! `elISAtype` of elements to the kind of region they are: content, layout, navigation, form, footer or logo. A node is of
//! the kind of the nearest element around it that has one. The system looks for regions that a reader may edit: the content.
//!
//! Of the 19 rules published one is printed, the first below. The others are ours, written down from common knowledge
//! about pages and not fitted to any data; they stand for what the authors call a starting point that is meant to be extended.

use crate::parameters::{choice, parameters};
use crate::published::eiisa_rules::{Assignment, RuleError, Rules};
use crate::registry::Entry;
use crate::views::whole_elements::with_whole_elements;
use crate::{BlockKind, Detection, Explanation, PageTechnique};
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};

/// The rule that is printed (thesis, figure 3.2).
pub const PRINTED_RULE: &str = r#"
<RULE context="IMG">
  <CALL name="AttrSrc" select="./@src"/>
  <CHECK>
    <WHENEVER test="contains(lc($AttrSrc),'logo') or contains(lc($AttrSrc),'main') or contains(lc($AttrSrc),'home')">
      <SET attr="border">3</SET>
      <SET attr="alt">"logo"</SET>
      <SET attr="elISAtype">"logo"</SET>
    </WHENEVER>
  </CHECK>
</RULE>
"#;

/// Our rules for the other kinds of regions.
pub const OUR_RULES: &str = r#"
<RULE context="P|PRE|BLOCKQUOTE|H1|H2|H3">
  <CALL name="Text" select="string-length(.)"/>
  <CALL name="Links" select="string-length(.//a)"/>
  <CHECK>
    <WHENEVER test="$Text > 0 and $Links * 2 &lt; $Text"><SET attr="elISAtype">"content"</SET></WHENEVER>
  </CHECK>
</RULE>
<RULE context="ARTICLE|MAIN">
  <CHECK><WHENEVER test="1"><SET attr="elISAtype">"content"</SET></WHENEVER></CHECK>
</RULE>
<RULE context="UL|OL|DL|MENU|TABLE|TR|TD|DIV|SECTION|P">
  <CALL name="Text" select="string-length(.)"/>
  <CALL name="Links" select="string-length(.//a)"/>
  <CHECK>
    <WHENEVER test="count(.//a) >= 2 and $Links * 2 > $Text"><SET attr="elISAtype">"navigation"</SET></WHENEVER>
  </CHECK>
</RULE>
<RULE context="NAV">
  <CHECK><WHENEVER test="1"><SET attr="elISAtype">"navigation"</SET></WHENEVER></CHECK>
</RULE>
<RULE context="ASIDE|NOSCRIPT">
  <CHECK><WHENEVER test="1"><SET attr="elISAtype">"layout"</SET></WHENEVER></CHECK>
</RULE>
<RULE context="FORM">
  <CHECK><WHENEVER test="string-length(.//p) * 2 &lt; string-length(.)"><SET attr="elISAtype">"form"</SET></WHENEVER></CHECK>
</RULE>
<RULE context="BUTTON|SELECT|TEXTAREA">
  <CHECK><WHENEVER test="1"><SET attr="elISAtype">"form"</SET></WHENEVER></CHECK>
</RULE>
<RULE context="FOOTER">
  <CHECK><WHENEVER test="1"><SET attr="elISAtype">"footer"</SET></WHENEVER></CHECK>
</RULE>
<RULE context="P|TD|DIV|TABLE|ADDRESS">
  <CALL name="Text" select="string-length(.)"/>
  <CHECK>
    <WHENEVER test="$Text &lt; 300 and (contains(., '©') or contains(lc(.), 'copyright'))"><SET attr="elISAtype">"footer"</SET></WHENEVER>
  </CHECK>
</RULE>
"#;

choice! {
    /// The kinds of regions.
    pub enum Region {
        /// What readers may edit.
        Content = "content",
        /// What only arranges the page.
        Layout = "layout",
        /// Lists of links.
        Navigation = "navigation",
        /// Forms and their parts.
        Form = "form",
        /// The end of the page.
        Footer = "footer",
        /// The sign of the site.
        Logo = "logo",
    }
}

choice! {
    /// What is content.
    pub enum Regions {
        /// What is in a region of kind content.
        Content = "content",
        /// What is not in a region of another kind.
        NotOther = "not-other",
    }
}

parameters! {
    /// Parameters of eIISA.
    pub struct Params {
        /// The rules: "default", "printed" (the only published one), or rules in the language of eIISA (@FILE reads them from a file).
        pub rules: String = "default".to_owned(),
        /// Which of the six kinds of regions is given as the block: content, layout, navigation, form, footer or logo.
        pub region: Region = Region::Content,
        /// What is content: what rules say is content, or also what no rule says anything about.
        pub regions: Regions = Regions::NotOther,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<Eiisa, Params>(
    "eiisa",
    BlockKind::Content,
    "regions marked by rules in a small language; content is what no rule takes for anything else",
    "F. Vitali, A. Di Iorio, E. Ventura Campori: Rule-based Structural Analysis of Web Pages. DAS 2004",
    "linear in the page times its depth and the number of rules",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug)]
pub struct Eiisa {
    rules: Result<Rules, RuleError>,
    region: Region,
    regions: Regions,
}

impl From<Params> for Eiisa {
    fn from(params: Params) -> Eiisa {
        let rules = match &*params.rules {
            "default" => Rules::parse(&format!("{PRINTED_RULE}{OUR_RULES}")),
            "printed" => Rules::parse(PRINTED_RULE),
            rules => Rules::parse(rules),
        };
        Eiisa { rules, region: params.region, regions: params.regions }
    }
}

impl PageTechnique for Eiisa {
    fn name(&self) -> &'static str {
        "eiisa"
    }

    /// Rules that cannot be read find nothing, and a note says why.
    fn detect(&self, page: &Page) -> Detection {
        let (Some(body), Ok(rules)) = (page.body(), &self.rules) else {
            let mut detection = Detection::of(BlockKind::Content, NodeSet::new(page));
            detection.notes.extend(self.rules.as_ref().err().map(|error| format!("the rules cannot be read: {error}")));
            return detection;
        };
        let assignments = rules.apply(page);
        let kinds = region_kinds(page, body, &assignments);
        let wanted = self.region.to_string();
        let is_content = |node: &NodeId| match kinds[node.index() - body.index()] {
            Some(kind) => assignments[kind].value == wanted,
            None => self.region == Region::Content && self.regions == Regions::NotOther,
        };
        let text = page.subtree(body).filter(|node| page.tag(*node) == Tag::Text && is_content(node));
        let mut nodes = with_whole_elements(page, &NodeSet::from_nodes(page, text));
        // Regions without text, such as logos, are in whole elements too.
        for node in page.subtree(body).filter(|node| !is_content(node)) {
            nodes.remove(node);
        }
        if self.region != Region::Content {
            page.subtree(body).filter(is_content).for_each(|node| nodes.insert(node));
        }
        Detection::of(BlockKind::Content, nodes)
    }

    fn explain(&self, page: &Page) -> Explanation {
        let mut explanation = Explanation::new(&["attributes"]);
        match &self.rules {
            Err(error) => explanation.notes.push(format!("the rules cannot be read: {error}")),
            Ok(rules) => {
                let mut assignments = rules.apply(page);
                assignments.order_by_key(|set| set.node);
                for sets in assignments.chunk_by(|one, other| one.node == other.node) {
                    let remark = sets.iter().map(|set| format!("{}={}", set.attribute, set.value)).collect::<Vec<_>>().join(", ");
                    explanation.push(sets[0].node, &[sets.len() as f64], &remark);
                }
            }
        }
        explanation
    }
}

/// For each node from the body on, which assignment says what kind of region it is in: the last one of the nearest element that has one.
fn region_kinds(page: &Page, body: NodeId, assignments: &[Assignment]) -> Vec<Option<usize>> {
    let mut kinds = vec![None; page.range(body).len()];
    for (at, set) in assignments.iter().enumerate().filter(|(_, set)| set.attribute.eq_ignore_ascii_case("elISAtype")) {
        if let Some(kind) = set.node.index().checked_sub(body.index()).and_then(|node| kinds.get_mut(node)) {
            *kind = Some(at);
        }
    }
    for node in page.descendants(body) {
        let above = page.parent(node).and_then(|parent| kinds[parent.index() - body.index()]);
        let kind = &mut kinds[node.index() - body.index()];
        *kind = kind.or(above);
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::emit;

    fn set_on_image(html: &str) -> Vec<(String, String)> {
        let page = Page::parse(html);
        let assignments = Rules::parse(PRINTED_RULE).unwrap().apply(&page);
        assert!(assignments.iter().all(|set| page.tag(set.node) == Tag::Img));
        assignments.into_iter().map(|set| (set.attribute, set.value)).collect()
    }

    #[test]
    fn the_printed_rule_marks_logos() {
        // The rule of figure 3.2 (Gottron 2008); the images are ours.
        let logo = [("border", "3"), ("alt", "logo"), ("elISAtype", "logo")]
            .map(|(attribute, value)| (attribute.to_owned(), value.to_owned()));
        assert_eq!(set_on_image("<img src=\"/img/SiteLOGO.gif\">"), logo);
        assert_eq!(set_on_image("<img src=\"photo.jpg\">"), []);
        assert_eq!(set_on_image("<img src=\"domain.png\">"), logo);
    }

    const PAGE: &str = "<body><ul><li><a href=1>Home</a></li><li><a href=2>News</a></li></ul><div><p>It rained.<img src=logo.png><img src=rain.png></p>\
        <p>Then the <a href=3>sun</a> came.</p>And more.</div><form>Search <input></form><div>© The authors</div></body>";

    fn text(params: Params) -> String {
        let page = Page::parse(PAGE);
        let detection = Eiisa::from(params).detect(&page);
        emit::text(&page, detection.nodes(BlockKind::Content).unwrap()).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn content_is_what_is_in_no_other_region_or_marked_as_content() {
        assert_eq!(text(Params::default()), "It rained. Then the sun came. And more.");
        assert_eq!(text(Params { regions: Regions::Content, ..Params::default() }), "It rained. Then the sun came.");
        assert!(text(Params { rules: "printed".to_owned(), ..Params::default() }).contains("Home"));
    }

    #[test]
    fn each_kind_of_region_can_be_asked_for() {
        let of = |region| text(Params { region, ..Params::default() });
        assert_eq!(of(Region::Navigation), "- Home - News");
        assert_eq!(
            (of(Region::Form), of(Region::Footer), of(Region::Layout)),
            ("Search".into(), "© The authors".into(), String::new())
        );
        let page = Page::parse(PAGE);
        let logo = Eiisa::from(Params { region: Region::Logo, ..Params::default() }).detect(&page);
        let nodes = logo.nodes(BlockKind::Content).unwrap();
        assert_eq!(nodes.iter().filter_map(|node| page.attr(node, "src")).collect::<Vec<_>>(), ["logo.png"]);
    }

    #[test]
    fn logos_are_taken_out_of_the_content_and_other_images_stay() {
        let page = Page::parse(PAGE);
        let detection = Eiisa::from(Params::default()).detect(&page);
        let nodes = detection.nodes(BlockKind::Content).unwrap();
        let images: Vec<&str> =
            nodes.iter().filter(|node| page.tag(*node) == Tag::Img).filter_map(|node| page.attr(node, "src")).collect();
        assert_eq!(images, ["rain.png"]);
    }

    #[test]
    fn rules_can_be_given_and_an_error_in_them_is_told() {
        let rules =
            "<RULE context='div'><CHECK><WHENEVER test='p'><SET attr='elisatype'>'content'</SET></WHENEVER></CHECK></RULE>";
        let params = |rules: &str| Params { rules: rules.to_owned(), regions: Regions::Content, ..Params::default() };
        assert_eq!(text(params(rules)), "It rained. Then the sun came. And more.");
        let detection = Eiisa::from(params("<RULE>")).detect(&Page::parse(PAGE));
        assert_eq!(detection.notes, ["the rules cannot be read: line 1: RULE has no context"]);
        assert!(detection.nodes(BlockKind::Content).unwrap().is_empty());
    }

    #[test]
    fn later_settings_override_earlier_ones() {
        let rule = |kind: &str| {
            format!("<RULE context='p'><CHECK><WHENEVER test='1'><SET attr='elISAtype'>'{kind}'</SET></WHENEVER></CHECK></RULE>")
        };
        let found = text(Params { rules: rule("footer") + &rule("content"), regions: Regions::Content, ..Params::default() });
        assert!(found.contains("It rained."));
        assert_eq!(text(Params { rules: rule("content") + &rule("footer"), regions: Regions::Content, ..Params::default() }), "");
    }
}
