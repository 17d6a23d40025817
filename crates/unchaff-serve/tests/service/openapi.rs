//! The document that tells programs what there is: it is true of what is answered.

use crate::client::{options, start};
use crate::{LIGHTHOUSE, pages};
use serde_json::{Value, json};

/// What is wrong with a value, if it is not as its schema says.
fn fault(document: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let found = document.pointer(name.trim_start_matches('#')).unwrap_or_else(|| panic!("{name} is nowhere"));
        return fault(document, found, value, at);
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let faults: Vec<String> = any.iter().map_while(|one| fault(document, one, value, at)).collect();
        return (faults.len() == any.len()).then(|| faults.join(" and "));
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        return Some(format!("{at}: {value} is none of {allowed:?}"));
    }
    let is = match schema["type"].as_str() {
        None => true,
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some(other) => panic!("{other}"),
    };
    if !is {
        return Some(format!("{at}: {value} is no {}", schema["type"]));
    }
    if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
        return values.iter().enumerate().find_map(|(n, value)| fault(document, items, value, &format!("{at}/{n}")));
    }
    if let (Some(properties), Some(fields)) = (schema.get("properties"), value.as_object()) {
        let missing = schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .find(|name| !fields.contains_key(*name));
        if let Some(missing) = missing {
            return Some(format!("{at}: {missing} is missing"));
        }
        return fields.iter().find_map(|(name, value)| match properties.get(name) {
            None => Some(format!("{at}: {name} is not in the schema")),
            Some(schema) => fault(document, schema, value, &format!("{at}/{name}")),
        });
    }
    None
}

fn schema<'d>(document: &'d Value, path: &str, method: &str, status: &str, kind: &str) -> &'d Value {
    let schema = &document["paths"][path][method]["responses"][status]["content"][kind]["schema"];
    assert!(schema.is_object(), "{path} {method} {status} {kind}");
    schema
}

#[test]
fn answers_are_as_the_document_says() {
    let service = start(options());
    let document = service.get("/openapi.json").json();
    assert_eq!(document, unchaff_serve::openapi());
    let check = |path: &str, method: &str, status: &str, value: &Value| {
        let kind = if status == "default" { "application/problem+json" } else { "application/json" };
        let fault = fault(&document, schema(&document, path, method, status, kind), value, path);
        assert_eq!(fault, None);
    };
    for (name, bytes) in pages().into_iter().step_by(7) {
        for path in ["/v1/extract", "/v1/menu", "/v1/template", "/v1/segment"] {
            let query = if path == "/v1/segment" { "" } else { "?explain" };
            let reply = service.post(&format!("{path}{query}"), &bytes);
            assert_eq!(reply.status, 200, "{name}");
            check(path, "post", "200", &reply.json());
        }
    }
    check("/v1/techniques", "get", "200", &service.get("/v1/techniques").json());
    check(
        "/v1/sites/{name}/pages",
        "post",
        "200",
        &service.post("/v1/sites/a/pages?url=https://example.org/", LIGHTHOUSE).json(),
    );
    check("/v1/sites/{name}/extract", "post", "200", &service.post("/v1/sites/a/extract", LIGHTHOUSE).json());
    check("/v1/sites", "get", "200", &service.get("/v1/sites").json());
    check("/v1/sites/{name}", "get", "200", &service.get("/v1/sites/a").json());
    check("/v1/extract", "post", "default", &service.post("/v1/extract?format=pdf", b"x").json());
    // Questions that are understood are in the document too, and those that are not are not.
    let asked = &document["paths"]["/v1/extract"]["post"]["requestBody"]["content"]["application/json"]["schema"];
    let good = json!({"html": "<p>x", "url": "https://example.org/", "options": {"technique": "ccb", "set": {"range": 20}, "explain": true}});
    assert_eq!((fault(&document, asked, &good, "asked"), service.post_json("/v1/extract", &good).status), (None, 200));
    for bad in [json!({"page": "x"}), json!({"html": 1}), json!({"html": "", "options": {"format": 1}})] {
        assert!(fault(&document, asked, &bad, "asked").is_some(), "{bad}");
        assert_eq!(service.post_json("/v1/extract", &bad).status, 400, "{bad}");
    }
    service.ended();
}

#[test]
fn every_path_of_the_document_is_there() {
    let service = start(options());
    let document = unchaff_serve::openapi();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys().filter(|method| *method != "parameters") {
            let reply = service.ask(&method.to_uppercase(), &path.replace("{name}", "x"), &[], b"");
            assert!(![405, 500].contains(&reply.status) && !reply.text().contains("there is no /"), "{method} {path}: {reply:?}");
        }
    }
    service.ended();
}
