//! Tables in columns, for the terminal and for Markdown, from the same rows.
//!
//! Text stands to the left, numbers to the right. Names come from files and commands, so control characters are shown as
//! what they are and cannot steer the terminal, and no bar ends a Markdown cell.

/// A table: the first row of `cells` is the head.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Table {
    numeric: Vec<bool>,
    cells: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns; a title that starts with `>` heads a column of numbers.
    pub(crate) fn new(titles: &[&str]) -> Table {
        let numeric = titles.iter().map(|title| title.starts_with('>')).collect();
        Table { numeric, cells: vec![titles.iter().map(|title| title.trim_start_matches('>').to_owned()).collect()] }
    }

    pub(crate) fn push(&mut self, row: Vec<String>) {
        self.cells.push(row.iter().map(|cell| printable(cell)).collect());
    }

    pub(crate) fn terminal(&self) -> String {
        let widths = self.widths(&self.cells);
        let mut out = String::new();
        for row in &self.cells {
            let cells: Vec<String> = row.iter().enumerate().map(|(at, cell)| self.pad(at, cell, widths[at])).collect();
            out += cells.join("  ").trim_end();
            out.push('\n');
        }
        out
    }

    pub(crate) fn markdown(&self) -> String {
        let escaped: Vec<Vec<String>> =
            self.cells.iter().map(|row| row.iter().map(|cell| markdown_text(cell)).collect()).collect();
        let widths: Vec<usize> = self.widths(&escaped).into_iter().map(|width| width.max(3)).collect();
        let mut out = String::new();
        for (line, row) in escaped.iter().enumerate() {
            let cells: Vec<String> = row.iter().enumerate().map(|(at, cell)| self.pad(at, cell, widths[at])).collect();
            out += &format!("| {} |\n", cells.join(" | "));
            if line == 0 {
                let rules = widths.iter().zip(&self.numeric).map(|(width, numeric)| match numeric {
                    true => format!("{}:", "-".repeat(width - 1)),
                    false => "-".repeat(*width),
                });
                out += &format!("| {} |\n", rules.collect::<Vec<_>>().join(" | "));
            }
        }
        out
    }

    fn widths(&self, cells: &[Vec<String>]) -> Vec<usize> {
        let width = |at: usize| cells.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max().unwrap_or(0);
        (0..self.numeric.len()).map(width).collect()
    }

    fn pad(&self, at: usize, cell: &str, width: usize) -> String {
        if self.numeric[at] { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
    }
}

/// Text that cannot steer a terminal.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { '\u{fffd}' } else { character }).collect()
}

/// Text that is nothing but text in Markdown.
pub(crate) fn markdown_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in printable(text).chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' => out.extend(['\\', character]),
            _ => out.push(character),
        }
    }
    out
}

/// A share with three digits.
pub(crate) fn share(value: f64) -> String {
    format!("{value:.3}")
}

/// A time or a count with as many digits as say something; a dash for none.
pub(crate) fn number(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(value) if value == 0.0 || value >= 100.0 => format!("{value:.0}"),
        Some(value) if value >= 10.0 => format!("{value:.1}"),
        Some(value) if value >= 0.1 => format!("{value:.2}"),
        Some(value) => format!("{value:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_in_both_forms() {
        let mut table = Table::new(&["technique", ">F1"]);
        table.push(vec!["a|b\u{1b}[2J".to_owned(), "0.5".to_owned()]);
        table.push(vec!["überlang-und-mehr".to_owned(), "10.25".to_owned()]);
        assert_eq!(table.terminal(), "technique             F1\na|b\u{fffd}[2J              0.5\nüberlang-und-mehr  10.25\n");
        let markdown = table.markdown();
        assert!(markdown.contains("| --------- | ----: |".replace("---------", &"-".repeat(17)).as_str()), "{markdown}");
        assert!(markdown.contains("a\\|b\u{fffd}\\[2J"), "{markdown}");
        let lengths: Vec<usize> = markdown.lines().map(|line| line.chars().count()).collect();
        assert!(lengths.iter().all(|length| *length == lengths[0]), "{markdown}");
    }

    #[test]
    fn numbers_have_digits_that_say_something() {
        let said: Vec<String> = [0.0, 0.00123, 0.123, 12.34, 1234.5].map(|value| number(Some(value))).to_vec();
        assert_eq!(said, ["0", "0.0012", "0.12", "12.3", "1234"]);
        assert_eq!(number(None), "–");
    }
}
