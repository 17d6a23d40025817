//! Expressions in the rules of eIISA: a part of XPath 1.0, parsed and evaluated.
//!
//! Numbers, strings, `$variables`, paths of `.`, `..`, `*`, element names and `@attributes` with `/` and `//`,
//! `or`, `and`, comparisons, `*`, `div`, and `contains`, `starts-with`, `lc`, `not`, `count`, `string-length`. Two things are ours:
//! `string-length` of several nodes is the length of them all, and a `context` may name several elements (`UL|OL`, `*`).

use std::borrow::Cow;
use unchaff_dom::{NodeId, Page};

/// How deep expressions may be nested.
const MAX_DEPTH: usize = 50;

/// An expression, parsed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Expression {
    Number(f64),
    Text(String),
    /// The position of a CALL in its rule.
    Variable(usize),
    Path(Vec<Step>),
    Call(Function, Vec<Expression>),
    Binary(Operator, Box<[Expression; 2]>),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Step {
    Itself,
    Parent,
    /// Children of a name, or of any for `*`; of all levels below if `deep`.
    Element {
        name: String,
        deep: bool,
    },
    Attribute(String),
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Function {
    Contains,
    StartsWith,
    Lc,
    Not,
    Count,
    StringLength,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Times,
    Div,
}

impl Expression {
    /// Parses an expression that may use variables of these names; what is wrong with it otherwise.
    pub(crate) fn parse(text: &str, variables: &[&str]) -> Result<Expression, String> {
        let mut parser = Parser { text, at: 0, depth: 0, variables };
        let expression = parser.binary(0)?;
        if parser.peek().is_none() { Ok(expression) } else { Err(parser.unexpected("the end")) }
    }
}

#[derive(Clone, Debug)]
enum Value<'p> {
    Number(f64),
    Text(Cow<'p, str>),
    Truth(bool),
    Nodes(Vec<NodeId>),
}

/// An element, with the variables bound so far.
pub(crate) struct Scope<'p> {
    page: &'p Page,
    node: NodeId,
    variables: Vec<Value<'p>>,
}

impl<'p> Scope<'p> {
    pub(crate) fn new(page: &'p Page, node: NodeId) -> Scope<'p> {
        Scope { page, node, variables: Vec::new() }
    }

    /// Binds the next variable.
    pub(crate) fn bind(&mut self, expression: &Expression) {
        let value = self.value(expression);
        self.variables.push(value);
    }

    /// Whether an expression is true.
    pub(crate) fn is_true(&self, expression: &Expression) -> bool {
        self.truth_of(&self.value(expression))
    }

    /// An expression as text.
    pub(crate) fn text(&self, expression: &Expression) -> String {
        self.text_of(&self.value(expression)).into_owned()
    }

    fn value(&self, expression: &Expression) -> Value<'p> {
        match expression {
            Expression::Number(number) => Value::Number(*number),
            Expression::Text(text) => Value::Text(Cow::Owned(text.clone())),
            Expression::Variable(at) => self.variables[*at].clone(),
            Expression::Path(steps) => self.follow(steps),
            Expression::Call(function, arguments) => self.call(*function, arguments),
            Expression::Binary(operator, operands) => self.combine(*operator, operands),
        }
    }

    fn follow(&self, steps: &[Step]) -> Value<'p> {
        let page = self.page;
        let mut nodes = vec![self.node];
        for step in steps {
            match step {
                Step::Itself => {}
                Step::Parent => {
                    nodes = nodes.iter().filter_map(|node| page.parent(*node)).collect();
                    nodes.dedup();
                }
                Step::Element { name, deep } => {
                    let fits = |node: &NodeId| page.is_element(*node) && (name == "*" || name == page.name(*node));
                    let mut found: Vec<NodeId> = Vec::new();
                    for node in &nodes {
                        if *deep {
                            // Nested starting points have nodes in common, which count once.
                            let from = found.last().map_or(node.0 + 1, |last| last.0 + 1).max(node.0 + 1);
                            found.extend((from..page.end(*node).0.max(from)).map(NodeId).filter(fits));
                        } else {
                            found.extend(page.children(*node).filter(fits));
                        }
                    }
                    nodes = found;
                }
                Step::Attribute(name) => {
                    let value = nodes.iter().find_map(|node| page.attr(*node, name)).unwrap_or_default();
                    return Value::Text(Cow::Borrowed(value));
                }
            }
        }
        Value::Nodes(nodes)
    }

    fn call(&self, function: Function, arguments: &[Expression]) -> Value<'p> {
        let argument = |at: usize| arguments.get(at).map_or(Value::Truth(false), |argument| self.value(argument));
        match function {
            Function::Contains => Value::Truth(self.text_of(&argument(0)).contains(&*self.text_of(&argument(1)))),
            Function::StartsWith => Value::Truth(self.text_of(&argument(0)).starts_with(&*self.text_of(&argument(1)))),
            Function::Lc => Value::Text(Cow::Owned(self.text_of(&argument(0)).to_lowercase())),
            Function::Not => Value::Truth(!self.truth_of(&argument(0))),
            Function::Count => Value::Number(match argument(0) {
                Value::Nodes(nodes) => nodes.len() as f64,
                value => f64::from(u8::from(self.truth_of(&value))),
            }),
            Function::StringLength => Value::Number(match argument(0) {
                Value::Nodes(nodes) => nodes.iter().map(|node| f64::from(self.page.counts(*node).chars)).sum(),
                value => self.text_of(&value).chars().count() as f64,
            }),
        }
    }

    fn combine(&self, operator: Operator, [left, right]: &[Expression; 2]) -> Value<'p> {
        let left = self.value(left);
        match operator {
            Operator::Or => return Value::Truth(self.truth_of(&left) || self.truth_of(&self.value(right))),
            Operator::And => return Value::Truth(self.truth_of(&left) && self.truth_of(&self.value(right))),
            _ => {}
        }
        let right = self.value(right);
        let equal = || match (&left, &right) {
            (Value::Number(_), _) | (_, Value::Number(_)) => self.number_of(&left) == self.number_of(&right),
            (Value::Truth(_), _) | (_, Value::Truth(_)) => self.truth_of(&left) == self.truth_of(&right),
            _ => self.text_of(&left) == self.text_of(&right),
        };
        let numbers = (self.number_of(&left), self.number_of(&right));
        match operator {
            Operator::Equal => Value::Truth(equal()),
            Operator::Unequal => Value::Truth(!equal()),
            Operator::Less => Value::Truth(numbers.0 < numbers.1),
            Operator::LessOrEqual => Value::Truth(numbers.0 <= numbers.1),
            Operator::Greater => Value::Truth(numbers.0 > numbers.1),
            Operator::GreaterOrEqual => Value::Truth(numbers.0 >= numbers.1),
            Operator::Times => Value::Number(numbers.0 * numbers.1),
            Operator::Div | Operator::Or | Operator::And => Value::Number(numbers.0 / numbers.1),
        }
    }

    fn text_of<'v>(&self, value: &'v Value<'p>) -> Cow<'v, str>
    where
        'p: 'v,
    {
        match value {
            Value::Text(text) => Cow::Borrowed(text),
            Value::Number(number) => Cow::Owned(number.to_string()),
            Value::Truth(truth) => Cow::Borrowed(if *truth { "true" } else { "false" }),
            Value::Nodes(nodes) => Cow::Borrowed(nodes.first().map_or("", |node| self.page.text(*node))),
        }
    }

    fn number_of(&self, value: &Value<'p>) -> f64 {
        match value {
            Value::Number(number) => *number,
            Value::Truth(truth) => f64::from(u8::from(*truth)),
            other => self.text_of(other).trim().parse().unwrap_or(f64::NAN),
        }
    }

    fn truth_of(&self, value: &Value<'p>) -> bool {
        match value {
            Value::Truth(truth) => *truth,
            Value::Number(number) => *number != 0.0 && !number.is_nan(),
            Value::Text(text) => !text.is_empty(),
            Value::Nodes(nodes) => !nodes.is_empty(),
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    variables: &'t [&'t str],
}

/// Operators by how strongly they bind, the longer of two that start alike first.
const OPERATORS: [&[(&str, Operator)]; 4] = [
    &[("or", Operator::Or)],
    &[("and", Operator::And)],
    &[
        ("=", Operator::Equal),
        ("!=", Operator::Unequal),
        ("<=", Operator::LessOrEqual),
        ("<", Operator::Less),
        (">=", Operator::GreaterOrEqual),
        (">", Operator::Greater),
    ],
    &[("*", Operator::Times), ("div", Operator::Div)],
];

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        self.text[self.at..].trim_start()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, length: usize) -> &'t str {
        let rest = self.rest();
        self.at = self.text.len() - rest.len() + length;
        &rest[..length]
    }

    fn accept(&mut self, token: &str) -> bool {
        let fits = self.rest().strip_prefix(token).is_some_and(|after| {
            !token.ends_with(char::is_alphabetic)
                || !after.starts_with(|character: char| character.is_alphanumeric() || character == '-')
        });
        if fits {
            self.take(token.len());
        }
        fits
    }

    fn unexpected(&self, expected: &str) -> String {
        let found = if self.rest().is_empty() { "the end".to_owned() } else { format!("`{}`", self.rest()) };
        format!("{found} where {expected} was expected in `{}`", self.text.trim())
    }

    fn binary(&mut self, strength: usize) -> Result<Expression, String> {
        let Some(operators) = OPERATORS.get(strength) else { return self.operand() };
        let mut left = self.binary(strength + 1)?;
        while let Some((_, operator)) = operators.iter().find(|(token, _)| self.accept(token)) {
            left = Expression::Binary(*operator, Box::new([left, self.binary(strength + 1)?]));
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("more than {MAX_DEPTH} nested parentheses"));
        }
        let operand = self.operand_inside();
        self.depth -= 1;
        operand
    }

    fn operand_inside(&mut self) -> Result<Expression, String> {
        match self.peek() {
            Some(quote @ ('"' | '\'')) => {
                let length = self.rest()[1..].find(quote).ok_or_else(|| self.unexpected("a string that ends"))?;
                let quoted = self.take(length + 2);
                Ok(Expression::Text(quoted[1..quoted.len() - 1].to_owned()))
            }
            Some('0'..='9') => {
                let length = self
                    .rest()
                    .find(|character: char| !character.is_ascii_digit() && character != '.')
                    .unwrap_or(self.rest().len());
                let number = self.take(length);
                number.parse().map(Expression::Number).map_err(|_| format!("`{number}` is not a number"))
            }
            Some('$') => {
                self.take(1);
                let name = self.name();
                let found = self.variables.iter().rposition(|known| *known == name);
                found.map(Expression::Variable).ok_or_else(|| format!("no CALL before this binds ${name}"))
            }
            Some('(') => {
                self.take(1);
                let inside = self.binary(0)?;
                if self.accept(")") { Ok(inside) } else { Err(self.unexpected("`)`")) }
            }
            Some(character) if character.is_alphabetic() => {
                let before = self.at;
                let name = self.name();
                if self.accept("(") {
                    return self.call(name);
                }
                self.at = before;
                self.path()
            }
            Some('.' | '@' | '*') => self.path(),
            _ => Err(self.unexpected("a value")),
        }
    }

    fn name(&mut self) -> &'t str {
        let rest = self.rest();
        let length = rest
            .find(|character: char| !character.is_alphanumeric() && !matches!(character, '-' | '_' | ':'))
            .unwrap_or(rest.len());
        self.take(length)
    }

    fn call(&mut self, name: &str) -> Result<Expression, String> {
        let (function, number) = match name {
            "contains" => (Function::Contains, 2),
            "starts-with" => (Function::StartsWith, 2),
            "lc" => (Function::Lc, 1),
            "not" => (Function::Not, 1),
            "count" => (Function::Count, 1),
            "string-length" => (Function::StringLength, 1),
            _ => {
                return Err(format!(
                    "there is no function {name}; there are contains, starts-with, lc, not, count, string-length"
                ));
            }
        };
        let mut arguments = vec![self.binary(0)?];
        while self.accept(",") {
            arguments.push(self.binary(0)?);
        }
        if !self.accept(")") {
            return Err(self.unexpected("`,` or `)`"));
        }
        if arguments.len() != number {
            return Err(format!("{name} takes {number} value{}, not {}", if number == 1 { "" } else { "s" }, arguments.len()));
        }
        Ok(Expression::Call(function, arguments))
    }

    fn path(&mut self) -> Result<Expression, String> {
        let mut steps = Vec::new();
        let mut deep = false;
        loop {
            steps.push(match self.peek() {
                Some('.') if self.rest().starts_with("..") => {
                    self.take(2);
                    Step::Parent
                }
                Some('.') => {
                    self.take(1);
                    Step::Itself
                }
                Some('@') => {
                    self.take(1);
                    Step::Attribute(self.name().to_lowercase())
                }
                Some('*') => Step::Element { name: self.take(1).to_owned(), deep },
                Some(character) if character.is_alphabetic() => Step::Element { name: self.name().to_lowercase(), deep },
                _ => return Err(self.unexpected("a step of a path")),
            });
            deep = self.rest().starts_with("//");
            if matches!(steps.last(), Some(Step::Attribute(_))) || !self.accept("/") {
                return Ok(Expression::Path(steps));
            }
            if deep {
                self.take(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Tag;

    fn tested(test: &str, html: &str) -> bool {
        let page = Page::parse(html);
        let node = page.nodes().find(|node| page.tag(*node) == Tag::P).unwrap();
        Scope::new(&page, node).is_true(&Expression::parse(test, &[]).unwrap_or_else(|error| panic!("{error}")))
    }

    #[test]
    fn expressions_mean_what_xpath_says() {
        let html = "<div class=Big><p id=x>one <a href=1>two</a><span><a href=2>three</a></span></p></div>";
        for test in [
            "1",
            "./@id = 'x'",
            "@id = 'x' and not(@class)",
            "lc(../@class) = 'big'",
            "count(.//a) = 2",
            "count(a) = 1 and count(*) = 2",
            "count(./span/a) = 1",
            "contains(., 'two')",
            "starts-with(@id,'x') or nothing",
            "string-length(.//a) = 8",
            "string-length(.) > string-length(.//a)",
            "2 * 3 = 6 and 3 div 2 = 1.5",
            "(1 = 2 or 1 != 2) and 1 <= 1",
            "count(.//div) = 0",
            "count(../p//a) = 2",
            "count(../.././/*) >= 5",
        ] {
            assert!(tested(test, html), "{test}");
        }
        for test in ["0", "''", "@nothing", "b", "'1' > 'x'", "@id = 'y' or @id = 'z'", "not(1)", "count(.//a) > 2"] {
            assert!(!tested(test, html), "{test}");
        }
    }
}
