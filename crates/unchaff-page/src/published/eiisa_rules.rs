//! The rule language of eIISA: what it looks like, and what its expressions mean on a page.
//!
//! F. Vitali, A. Di Iorio, E. Ventura Campori: Rule-based Structural Analysis of Web Pages, DAS 2004, as T. Gottron (PhD
//! thesis, 2008, §3.2.6) shows it. A `RULE` applies to the elements named by its `context`; `CALL` binds a variable to an
//! expression; each `WHENEVER` in a `CHECK` whose `test` is true has its `SET`s put attributes on the element.
//!
//! ```
//! use unchaff_page::published::eiisa_rules::Rules;
//! let rules = r#"<RULE context="IMG"><CALL name="Src" select="./@src"/>
//!   <CHECK><WHENEVER test="contains(lc($Src),'logo')"><SET attr="elISAtype">"logo"</SET></WHENEVER></CHECK></RULE>"#;
//! assert!(Rules::parse(rules).is_ok());
//! let wrong = Rules::parse("<RULE context='IMG'>\n<CHECK><WHENEVER test='contains($Src)'/></CHECK></RULE>").unwrap_err();
//! assert_eq!(wrong.to_string(), "line 2: no CALL before this binds $Src");
//! ```
//!
//! Expressions are a part of XPath 1.0: numbers, strings, `$variables`, paths of `.`, `..`, `*`, element names and `@attributes` with `/` and `//`,
//! `or`, `and`, comparisons, `*`, `div`, and `contains`, `starts-with`, `lc`, `not`, `count`, `string-length`. Two things are ours:
//! `string-length` of several nodes is the length of them all, and a `context` may name several elements (`UL|OL`, `*`).

use crate::published::eiisa_expressions::{Expression, Scope};
use thiserror::Error;
use unchaff_dom::{NodeId, Page};

/// Where and why a rule set cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {message}")]
pub struct RuleError {
    /// The line of the tag at fault, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

/// A set of rules, in the order of their application.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rules {
    rules: Vec<Rule>,
}

#[derive(Clone, PartialEq, Debug)]
struct Rule {
    /// Lower-case names of elements, or `*`.
    contexts: Vec<String>,
    variables: Vec<(String, Expression)>,
    alternatives: Vec<(Expression, Vec<(String, Expression)>)>,
}

/// An attribute that a rule put on an element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// The element.
    pub node: NodeId,
    /// The attribute.
    pub attribute: String,
    /// Its value.
    pub value: String,
}

impl Rules {
    /// Reads a rule set.
    ///
    /// # Errors
    /// If it is not one, with the line and what is wrong there.
    pub fn parse(text: &str) -> Result<Rules, RuleError> {
        let mut reader = Reader { text, at: 0 };
        let mut rules = Vec::new();
        while let Some(tag) = reader.tag()? {
            match (&*tag.name, tag.closes) {
                ("rules", _) => {}
                ("rule", false) => rules.push(reader.rule(&tag)?),
                _ => return Err(tag.misplaced("RULE")),
            }
        }
        Ok(Rules { rules })
    }

    /// How many rules there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is no rule.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Applies all rules, each to all elements in document order. Of two values for an attribute of an element the later counts. Rules
    /// see the page as it is, not what other rules have set.
    #[must_use]
    pub fn apply(&self, page: &Page) -> Vec<Assignment> {
        let mut assignments = Vec::new();
        for rule in &self.rules {
            let applies = |node: &NodeId| {
                page.is_element(*node) && rule.contexts.iter().any(|name| name == "*" || name == page.name(*node))
            };
            for node in page.nodes().filter(applies) {
                let mut scope = Scope::new(page, node);
                for (_, select) in &rule.variables {
                    scope.bind(select);
                }
                for (test, sets) in &rule.alternatives {
                    if scope.is_true(test) {
                        assignments.extend(sets.iter().map(|(attribute, value)| Assignment {
                            node,
                            attribute: attribute.clone(),
                            value: scope.text(value),
                        }));
                    }
                }
            }
        }
        assignments
    }
}

/// A tag of the rule set.
#[derive(Debug)]
struct RuleTag {
    name: String,
    attributes: Vec<(String, String)>,
    closes: bool,
    empty: bool,
    line: usize,
}

impl RuleTag {
    fn error(&self, message: impl Into<String>) -> RuleError {
        RuleError { line: self.line, message: message.into() }
    }

    fn misplaced(&self, expected: &str) -> RuleError {
        let slash = if self.closes { "/" } else { "" };
        self.error(format!("<{slash}{}> where {expected} was expected", self.name.to_uppercase()))
    }

    fn required(&self, attribute: &str) -> Result<&str, RuleError> {
        let found = self.attributes.iter().find(|(name, _)| name == attribute);
        found.map(|(_, value)| &**value).ok_or_else(|| self.error(format!("{} has no {attribute}", self.name.to_uppercase())))
    }

    fn expression(&self, text: &str, variables: &[(String, Expression)]) -> Result<Expression, RuleError> {
        let names: Vec<&str> = variables.iter().map(|(name, _)| &**name).collect();
        Expression::parse(text, &names).map_err(|message| self.error(message))
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn error(&self, at: usize, message: impl Into<String>) -> RuleError {
        RuleError { line: 1 + self.text[..at].matches('\n').count(), message: message.into() }
    }

    /// The next tag; only blanks, comments and declarations may stand before it.
    fn tag(&mut self) -> Result<Option<RuleTag>, RuleError> {
        loop {
            let rest = &self.text[self.at..];
            let start = self.at + (rest.len() - rest.trim_start().len());
            let rest = &self.text[start..];
            let skipped = [("<!--", "-->"), ("<?", "?>")].into_iter().find(|(open, _)| rest.starts_with(open));
            if let Some((_, close)) = skipped {
                let length = rest.find(close).ok_or_else(|| self.error(start, format!("no {close} after this")))?;
                self.at = start + length + close.len();
                continue;
            }
            self.at = start;
            return match rest.chars().next() {
                None => Ok(None),
                Some('<') => self.read_tag().map(Some),
                Some(_) => {
                    Err(self
                        .error(start, format!("text where a tag was expected: {:?}", rest.lines().next().unwrap_or_default())))
                }
            };
        }
    }

    fn read_tag(&mut self) -> Result<RuleTag, RuleError> {
        let start = self.at;
        let line = self.error(start, "").line;
        let mut rest = &self.text[start + 1..];
        let closes = rest.starts_with('/');
        rest = rest.trim_start_matches('/');
        let name_end = rest.find(|character: char| !character.is_alphanumeric()).unwrap_or(rest.len());
        let name = rest[..name_end].to_lowercase();
        rest = rest[name_end..].trim_start();
        let mut attributes = Vec::new();
        while !rest.starts_with(['>', '/']) {
            let wrong = || RuleError {
                line,
                message: format!("<{}> is not a tag with attributes in quotes that ends with >", name.to_uppercase()),
            };
            let (attribute, value) = rest.split_once('=').ok_or_else(wrong)?;
            let value = value.trim_start();
            let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\'')).ok_or_else(wrong)?;
            let (value, after) = value[1..].split_once(quote).ok_or_else(wrong)?;
            attributes.push((attribute.trim().to_lowercase(), decoded(value)));
            rest = after.trim_start();
        }
        let empty = rest.starts_with('/');
        rest = rest.trim_start_matches('/').trim_start();
        let tag = RuleTag { name, attributes, closes, empty, line };
        rest = rest.strip_prefix('>').ok_or_else(|| tag.error("a tag without >"))?;
        self.at = self.text.len() - rest.len();
        Ok(tag)
    }

    /// The next tag inside of an element, or none where that ends.
    fn tag_in(&mut self, parent: &RuleTag, expected: &str) -> Result<Option<RuleTag>, RuleError> {
        if parent.empty {
            return Ok(None);
        }
        match self.tag()? {
            None => Err(parent.error(format!("{} is never closed", parent.name.to_uppercase()))),
            Some(tag) if tag.closes && tag.name == parent.name => Ok(None),
            Some(tag) if tag.closes => Err(tag.misplaced(&format!("</{}>", parent.name.to_uppercase()))),
            Some(tag) if expected.split(" or ").any(|name| name.eq_ignore_ascii_case(&tag.name)) => Ok(Some(tag)),
            Some(tag) => Err(tag.misplaced(expected)),
        }
    }

    fn rule(&mut self, rule: &RuleTag) -> Result<Rule, RuleError> {
        let contexts = rule.required("context")?.split('|').map(|name| name.trim().to_lowercase()).collect();
        let mut parsed = Rule { contexts, variables: Vec::new(), alternatives: Vec::new() };
        while let Some(tag) = self.tag_in(rule, "CALL or CHECK")? {
            if tag.name == "call" {
                let select = tag.expression(tag.required("select")?, &parsed.variables)?;
                parsed.variables.push((tag.required("name")?.to_owned(), select));
                if let Some(inside) = self.tag_in(&tag, "</CALL>")? {
                    return Err(inside.misplaced("</CALL>"));
                }
                continue;
            }
            while let Some(whenever) = self.tag_in(&tag, "WHENEVER")? {
                let test = whenever.expression(whenever.required("test")?, &parsed.variables)?;
                let mut sets = Vec::new();
                while let Some(set) = self.tag_in(&whenever, "SET")? {
                    let end = self.text[self.at..].find('<').map(|length| self.at + length).filter(|_| !set.empty);
                    let end = end.ok_or_else(|| set.error("SET has no value"))?;
                    let value = decoded(&self.text[self.at..end]);
                    self.at = end;
                    sets.push((set.required("attr")?.to_owned(), set.expression(&value, &parsed.variables)?));
                    if let Some(inside) = self.tag_in(&set, "</SET>")? {
                        return Err(inside.misplaced("</SET>"));
                    }
                }
                parsed.alternatives.push((test, sets));
            }
        }
        Ok(parsed)
    }
}

fn decoded(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let wrong = |rules: &str| Rules::parse(rules).unwrap_err().to_string();
        let test = |test: &str| {
            wrong(&format!("<RULES>\n<RULE context='P'><CHECK>\n<WHENEVER test=\"{test}\"></WHENEVER></CHECK></RULE></RULES>"))
        };
        assert_eq!(test("contains('a')"), "line 3: contains takes 2 values, not 1");
        assert_eq!(
            test("upper('a')"),
            "line 3: there is no function upper; there are contains, starts-with, lc, not, count, string-length"
        );
        assert_eq!(test("1 = "), "line 3: the end where a value was expected in `1 =`");
        assert_eq!(test("(1"), "line 3: the end where `)` was expected in `(1`");
        assert_eq!(test("1 2"), "line 3: `2` where the end was expected in `1 2`");
        assert_eq!(test("./"), "line 3: the end where a step of a path was expected in `./`");
        assert_eq!(test("'a"), "line 3: `'a` where a string that ends was expected in `'a`");
        assert!(test(&"(".repeat(1000)).contains("nested"));
        assert_eq!(wrong("<RULE>"), "line 1: RULE has no context");
        assert_eq!(wrong("<RULE context='P'>\n<SET/>"), "line 2: <SET> where CALL or CHECK was expected");
        assert_eq!(wrong("\n<RULE context='P'>"), "line 2: RULE is never closed");
        assert_eq!(wrong("<RULE context='P'></CHECK>"), "line 1: </CHECK> where </RULE> was expected");
        assert_eq!(wrong("... <RULE>"), "line 1: text where a tag was expected: \"... <RULE>\"");
        assert_eq!(wrong("<RULE context=P>"), "line 1: <RULE> is not a tag with attributes in quotes that ends with >");
        assert_eq!(wrong("<CHECK>"), "line 1: <CHECK> where RULE was expected");
    }

    #[test]
    fn later_rules_come_later_and_comments_are_skipped() {
        let rules = "<?xml version='1.0'?><!-- two --><RULES><RULE context='h1|h2'><CALL name='T' select='.'></CALL><CHECK><WHENEVER test='$T'>\
                     <SET attr='a'>lc($T)</SET></WHENEVER><WHENEVER test='1'><SET attr='b'>2</SET></WHENEVER></CHECK></RULE>\
                     <RULE context='*'><CHECK><WHENEVER test='h1'><SET attr='a'>\"up\"</SET></WHENEVER></CHECK></RULE></RULES>";
        let page = Page::parse("<body><h1>Rain</h1></body>");
        let set: Vec<(&str, String)> = Rules::parse(rules)
            .unwrap()
            .apply(&page)
            .into_iter()
            .map(|set| (page.tag(set.node).name(), format!("{}={}", set.attribute, set.value)))
            .collect();
        assert_eq!(set, [("h1", "a=rain".to_owned()), ("h1", "b=2".to_owned()), ("body", "a=up".to_owned())]);
        assert!(Rules::parse(" ").unwrap().is_empty());
    }
}
