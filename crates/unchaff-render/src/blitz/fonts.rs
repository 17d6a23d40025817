//! The fonts that pages are laid out with: the same on every machine.
//!
//! System fonts are never asked for. The fonts in the program are those of the DejaVu family (free to copy and embed under the
//! Bitstream Vera licence) that are nearest in width to what pages are made for: the condensed sans stands for Arial and
//! Helvetica (2 % wider over English text), the condensed serif for Times (13 %), the normal sans for Verdana. A folder of fonts
//! can come before them; if Liberation or the fonts themselves are in it, widths are those of the page's author.

use super::NAME;
use blitz_dom::FontContext;
use parley::fontique::{
    Blob, Collection, CollectionOptions, FallbackKey, FamilyId, FontInfoOverride, GenericFamily, Script, SourceCache,
};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use unchaff_segment::renderer::RenderError;

/// The largest file that is read as a font.
const MOST_BYTES: u64 = 64 << 20;

/// Names that pages ask for, the families that stand for them (the first that is there), and the generic names among them.
struct Stand {
    names: &'static [&'static str],
    families: &'static [&'static str],
    generic: &'static [GenericFamily],
}

const STANDS: [Stand; 4] = [
    Stand {
        names: &["Arial", "Helvetica", "Helvetica Neue"],
        families: &["Arial", "Liberation Sans", "Arimo", "DejaVu Sans Condensed"],
        generic: &[GenericFamily::SansSerif, GenericFamily::SystemUi, GenericFamily::UiSansSerif, GenericFamily::UiRounded],
    },
    Stand {
        names: &["Times New Roman", "Times", "Georgia"],
        families: &["Times New Roman", "Liberation Serif", "Tinos", "DejaVu Serif Condensed"],
        generic: &[
            GenericFamily::Serif,
            GenericFamily::UiSerif,
            GenericFamily::Cursive,
            GenericFamily::Fantasy,
            GenericFamily::Math,
            GenericFamily::FangSong,
            GenericFamily::Emoji,
        ],
    },
    Stand {
        names: &["Courier New", "Courier"],
        families: &["Courier New", "Liberation Mono", "Cousine", "DejaVu Sans Mono"],
        generic: &[GenericFamily::Monospace, GenericFamily::UiMonospace],
    },
    Stand { names: &["Verdana"], families: &["Verdana", "DejaVu Sans"], generic: &[] },
];

/// The scripts of most pages. Characters that no font has are as wide as the sign for a missing one.
const SCRIPTS: [&[u8; 4]; 30] = [
    b"Zyyy", b"Zinh", b"Zzzz", b"Latn", b"Grek", b"Cyrl", b"Armn", b"Hebr", b"Arab", b"Geor", b"Hani", b"Hira", b"Kana", b"Hang",
    b"Bopo", b"Thai", b"Laoo", b"Khmr", b"Mymr", b"Tibt", b"Deva", b"Beng", b"Guru", b"Gujr", b"Orya", b"Taml", b"Telu", b"Knda",
    b"Mlym", b"Ethi",
];

/// The fonts of the program, behind those of a folder.
pub(crate) fn fonts(folder: Option<&Path>) -> Result<FontContext, RenderError> {
    let mut collection = Collection::new(CollectionOptions { shared: false, system_fonts: false });
    let mut files: Vec<Blob<u8>> = Vec::new();
    if let Some(folder) = folder {
        files.extend(read(folder)?);
    }
    files.extend(own().map(|bytes| Blob::new(Arc::new(bytes))));
    let mut families: Vec<(FamilyId, Blob<u8>)> = Vec::new();
    for file in files {
        families.extend(collection.register_fonts(file.clone(), None).into_iter().map(|(family, _)| (family, file.clone())));
    }
    if let Some(folder) = folder.filter(|_| families.len() == own().count()) {
        return Err(unusable(folder, "there is no TrueType or OpenType font in it"));
    }
    for stand in &STANDS {
        let Some(family) = stand.families.iter().find_map(|name| collection.family_id(name)) else { continue };
        for generic in stand.generic {
            collection.set_generic_families(*generic, std::iter::once(family));
        }
        for name in stand.names.iter().filter(|name| name != &&stand.families[0]) {
            if collection.family_id(name).is_none() {
                for (_, file) in families.iter().filter(|(of, _)| *of == family) {
                    let renamed = FontInfoOverride { family_name: Some(name), ..FontInfoOverride::default() };
                    collection.register_fonts(file.clone(), Some(renamed));
                }
            }
        }
    }
    // A name that stands for nothing leads to the serif font, as in browsers; the sans has more characters than that.
    let last: Vec<FamilyId> =
        ["Times", "DejaVu Sans Condensed", "DejaVu Sans"].iter().filter_map(|name| collection.family_id(name)).collect();
    for script in SCRIPTS {
        collection.set_fallbacks(FallbackKey::from(Script::from_bytes(*script)), last.iter().copied());
    }
    Ok(FontContext { collection, source_cache: SourceCache::new_shared() })
}

fn own() -> impl Iterator<Item = &'static [u8]> {
    use dejavu::{sans, sans_condensed, sans_mono, serif_condensed};
    [
        sans_condensed::regular(),
        sans_condensed::bold(),
        sans_condensed::oblique(),
        sans_condensed::bold_oblique(),
        serif_condensed::regular(),
        serif_condensed::bold(),
        serif_condensed::italic(),
        serif_condensed::bold_italic(),
        sans_mono::regular(),
        sans_mono::bold(),
        sans::regular(),
        sans::bold(),
    ]
    .into_iter()
}

fn unusable(folder: &Path, why: &str) -> RenderError {
    let way_out = "name another folder with UNCHAFF_FONTS, or none for the fonts in the program";
    let reason = format!("the fonts of {} cannot be used: {why}; {way_out}", folder.display());
    RenderError::Start { renderer: NAME, reason }
}

/// The font files of a folder and the folders in it, by name.
fn read(folder: &Path) -> Result<Vec<Blob<u8>>, RenderError> {
    let wrong = |reason: std::io::Error| unusable(folder, &reason.to_string());
    let mut found: Vec<PathBuf> = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).map_err(wrong)? {
            let entry = entry.map_err(wrong)?;
            let path = entry.path();
            let extension = path.extension().map(OsStr::to_ascii_lowercase);
            // Links are not followed into folders, which could lead round in a circle.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if extension.is_some_and(|extension| ["ttf", "otf", "ttc"].iter().any(|known| extension == *known)) {
                found.push(path);
            }
        }
    }
    found.sort();
    let small = |path: &PathBuf| path.metadata().is_ok_and(|found| found.is_file() && found.len() <= MOST_BYTES);
    found.iter().filter(|path| small(path)).map(|path| Ok(Blob::from(std::fs::read(path).map_err(wrong)?))).collect()
}
