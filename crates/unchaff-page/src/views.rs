//! A page as techniques look at it: as blocks of text, as a stream of tokens, as lengths; and the way back to sets of nodes, also from a text
//! that another program printed.

pub mod alignment;
pub mod lcs;
pub mod placed_text;
pub(crate) mod source_markup;
pub mod stop_words;
pub mod text_blocks;
pub mod text_facts;
pub mod text_leaves;
pub(crate) mod text_length;
pub mod text_selection;
pub(crate) mod token_stream;
pub mod units;
pub(crate) mod whole_elements;

pub use text_length::Characters;
pub use token_stream::{Rules, Token, TokenStream, Unit, WhiteSpace};
