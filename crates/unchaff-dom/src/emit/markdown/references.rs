//! Links by reference: their addresses stand at the end, each once.

use super::escape::push_address;
use std::collections::HashMap;

/// What the names of references begin with: bare numbers in brackets stand for notes in many texts, and would become links.
pub(super) const LABEL: char = 'L';

/// Addresses in the order of their first link.
#[derive(Default)]
pub(super) struct References {
    numbers: HashMap<String, usize>,
    addresses: Vec<String>,
}

impl References {
    /// The number of an address.
    pub(super) fn number(&mut self, address: &str) -> usize {
        if let Some(number) = self.numbers.get(address) {
            return *number;
        }
        self.addresses.push(address.to_owned());
        self.numbers.insert(address.to_owned(), self.addresses.len());
        self.addresses.len()
    }

    /// The lines that say where links lead.
    pub(super) fn write(&self, out: &mut String) {
        for (number, address) in (1..).zip(&self.addresses) {
            out.push_str(if number == 1 { "\n" } else { "" });
            out.push_str(&format!("[{LABEL}{number}]: <"));
            push_address(out, address, false);
            out.push_str(">\n");
        }
    }
}
