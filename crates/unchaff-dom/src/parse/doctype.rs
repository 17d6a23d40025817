//! The doctype: a node of the document, and whether it puts the page into quirks mode, in which a `table` does not end a
//! paragraph (<https://html.spec.whatwg.org/multipage/parsing.html#the-initial-insertion-mode>).

use super::builder::Builder;
use super::draft::DOCUMENT;
use super::tokenizer::Doctype;
use crate::Tag;

impl Builder<'_> {
    pub(super) fn append_doctype(&mut self, doctype: &Doctype) {
        let node = self.draft.create(Tag::Doctype, self.from);
        let mut text = doctype.name.clone().unwrap_or_default();
        let quoted = |id: &str| if id.contains('"') { format!("'{id}'") } else { format!("\"{id}\"") };
        match (&doctype.public_id, &doctype.system_id) {
            (Some(public), system) => {
                text += &format!(" PUBLIC {}", quoted(public));
                if let Some(system) = system {
                    text += &format!(" {}", quoted(system));
                }
            }
            (None, Some(system)) => text += &format!(" SYSTEM {}", quoted(system)),
            (None, None) => {}
        }
        let span = self.draft.span_of(&text);
        let to = self.to as u32;
        let entry = self.draft.node_mut(node);
        entry.set_text(span);
        entry.to = to;
        self.draft.append(DOCUMENT, node);
        self.quirks = is_quirky(doctype);
    }
}

fn is_quirky(doctype: &Doctype) -> bool {
    /// Public identifiers that start so, whatever version and language follows.
    const PREFIXES: [&str; 55] = [
        "+//silmaril//dtd html pro v0r11 19970101//",
        "-//as//dtd html 3.0 aswedit + extensions//",
        "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
        "-//ietf//dtd html 2.0 level 1//",
        "-//ietf//dtd html 2.0 level 2//",
        "-//ietf//dtd html 2.0 strict level 1//",
        "-//ietf//dtd html 2.0 strict level 2//",
        "-//ietf//dtd html 2.0 strict//",
        "-//ietf//dtd html 2.0//",
        "-//ietf//dtd html 2.1e//",
        "-//ietf//dtd html 3.0//",
        "-//ietf//dtd html 3.2 final//",
        "-//ietf//dtd html 3.2//",
        "-//ietf//dtd html 3//",
        "-//ietf//dtd html level 0//",
        "-//ietf//dtd html level 1//",
        "-//ietf//dtd html level 2//",
        "-//ietf//dtd html level 3//",
        "-//ietf//dtd html strict level 0//",
        "-//ietf//dtd html strict level 1//",
        "-//ietf//dtd html strict level 2//",
        "-//ietf//dtd html strict level 3//",
        "-//ietf//dtd html strict//",
        "-//ietf//dtd html//",
        "-//metrius//dtd metrius presentational//",
        "-//microsoft//dtd internet explorer 2.0 html strict//",
        "-//microsoft//dtd internet explorer 2.0 html//",
        "-//microsoft//dtd internet explorer 2.0 tables//",
        "-//microsoft//dtd internet explorer 3.0 html strict//",
        "-//microsoft//dtd internet explorer 3.0 html//",
        "-//microsoft//dtd internet explorer 3.0 tables//",
        "-//netscape comm. corp.//dtd html//",
        "-//netscape comm. corp.//dtd strict html//",
        "-//o'reilly and associates//dtd html 2.0//",
        "-//o'reilly and associates//dtd html extended 1.0//",
        "-//o'reilly and associates//dtd html extended relaxed 1.0//",
        "-//sq//dtd html 2.0 hotmetal + extensions//",
        "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
        "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
        "-//spyglass//dtd html 2.0 extended//",
        "-//sun microsystems corp.//dtd hotjava html//",
        "-//sun microsystems corp.//dtd hotjava strict html//",
        "-//w3c//dtd html 3 1995-03-24//",
        "-//w3c//dtd html 3.2 draft//",
        "-//w3c//dtd html 3.2 final//",
        "-//w3c//dtd html 3.2//",
        "-//w3c//dtd html 3.2s draft//",
        "-//w3c//dtd html 4.0 frameset//",
        "-//w3c//dtd html 4.0 transitional//",
        "-//w3c//dtd html experimental 19960712//",
        "-//w3c//dtd html experimental 970421//",
        "-//w3c//dtd w3 html//",
        "-//w3o//dtd w3 html 3.0//",
        "-//webtechs//dtd mozilla html 2.0//",
        "-//webtechs//dtd mozilla html//",
    ];
    const WITHOUT_SYSTEM: [&str; 2] = ["-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//"];
    if doctype.force_quirks || doctype.name.as_deref() != Some("html") {
        return true;
    }
    let public = doctype.public_id.as_deref().unwrap_or_default().to_ascii_lowercase();
    let system = doctype.system_id.as_deref().map(str::to_ascii_lowercase);
    matches!(&*public, "-//w3o//dtd w3 html strict 3.0//en//" | "-/w3c/dtd html 4.0 transitional/en" | "html")
        || system.as_deref() == Some("http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd")
        || PREFIXES.iter().any(|prefix| public.starts_with(prefix))
        || system.is_none() && WITHOUT_SYSTEM.iter().any(|prefix| public.starts_with(prefix))
}
