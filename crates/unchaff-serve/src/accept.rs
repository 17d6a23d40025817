//! Content negotiation: the format of an answer by what the one who asks accepts (RFC 9110, 12.5.1).

use crate::problem::Problem;
use axum::http::{HeaderMap, header};
use unchaff::Format;

/// What can be asked for by its media type; the first is what one gets who accepts anything.
const OFFERED: [(&str, Format); 5] = [
    ("application/json", Format::Json),
    ("text/markdown", Format::Markdown),
    ("text/plain", Format::Text),
    ("text/html", Format::Html),
    ("text/csv", Format::Csv),
];

/// The media type of a format.
pub(crate) fn media_type(format: Format) -> &'static str {
    match format.extension() {
        "json" => "application/json",
        "jsonl" => "application/x-ndjson",
        "md" => "text/markdown; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "xml" => "application/tei+xml",
        _ => "text/plain; charset=utf-8",
    }
}

/// The format that is accepted with the greatest weight.
///
/// # Errors
/// If none is.
pub(crate) fn accepted(headers: &HeaderMap) -> Result<Format, Problem> {
    let ranges: Vec<(String, f32)> = headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(range)
        .collect();
    if ranges.is_empty() {
        return Ok(Format::Json);
    }
    let mut best: Option<(f32, Format)> = None;
    for (name, format) in OFFERED {
        let weight = weight(&ranges, name);
        if weight > best.map_or(0.0, |(weight, _)| weight) {
            best = Some((weight, format));
        }
    }
    best.map(|(_, format)| format).ok_or_else(|| {
        let names = OFFERED.map(|(name, _)| name).join(", ");
        Problem::not_acceptable(format!("none of what is accepted can be had; there are {names}, and others with format=NAME"))
    })
}

/// A media range and its weight.
fn range(text: &str) -> Option<(String, f32)> {
    let mut parts = text.split(';').map(str::trim);
    let name = parts.next()?.to_ascii_lowercase();
    let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse().ok()).unwrap_or(1.0);
    (!name.is_empty()).then_some((name, weight))
}

/// The weight of a media type: that of the most precise range it is in.
fn weight(ranges: &[(String, f32)], name: &str) -> f32 {
    let group = name.split_once('/').map_or("", |(group, _)| group);
    let of = |wanted: &str| ranges.iter().find(|(range, _)| range == wanted).map(|(_, weight)| *weight);
    of(name).or_else(|| of(&format!("{group}/*"))).or_else(|| of("*/*")).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(accept: &str) -> Option<Format> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, accept.parse().unwrap());
        accepted(&headers).ok()
    }

    #[test]
    fn the_most_precise_range_decides() {
        assert_eq!(accepted(&HeaderMap::new()).ok(), Some(Format::Json));
        assert_eq!(chosen("*/*"), Some(Format::Json));
        assert_eq!(chosen("text/markdown"), Some(Format::Markdown));
        assert_eq!(chosen("text/*;q=0.5, text/html, */*;q=0.1"), Some(Format::Html));
        assert_eq!(chosen("text/*, text/markdown;q=0"), Some(Format::Text));
        assert_eq!(chosen("TEXT/PLAIN;q=0.9, application/json;q=0.2"), Some(Format::Text));
        assert_eq!(chosen("image/png"), None);
        assert_eq!(chosen("application/json;q=0"), None);
    }
}
