//! What is answered when there is no answer: problem documents (RFC 9457). Each names what is wrong and the way out.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use unchaff_bench::annotation::project::ProjectError;
use unchaff_bench::database::DatabaseError;
use unchaff_bench::exchange::ExchangeError;
use unchaff_bench::report::ReportError;
use unchaff_bench::suite::SuiteError;
use unchaff_job::Panicked;
use unchaff_source::FetchError;

/// A problem, as it is sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProblemDocument {
    /// A name for the kind of problem, stable: `urn:unchaff:too-large`.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// The name of the status.
    pub(crate) title: String,
    /// The status.
    pub(crate) status: u16,
    /// What is wrong, and the way out.
    pub(crate) detail: String,
}

/// Why a request is not answered.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    kind: &'static str,
    detail: String,
    /// Seconds after which it may be tried again.
    retry_after: Option<u64>,
    /// Who may ask instead.
    challenge: bool,
    /// Whether the rest of the request is not read, so that the connection has to end.
    closes: bool,
}

impl Problem {
    fn new(status: StatusCode, kind: &'static str, detail: impl Into<String>) -> Problem {
        Problem { status, kind, detail: detail.into(), retry_after: None, challenge: false, closes: false }
    }

    /// What was asked makes no sense.
    pub(crate) fn bad(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "bad-request", detail)
    }

    pub(crate) fn not_found(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "not-found", detail)
    }

    pub(crate) fn no_method() -> Problem {
        Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method", "this address is asked in another way; /openapi.json tells how")
    }

    pub(crate) fn not_acceptable(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_ACCEPTABLE, "not-acceptable", detail)
    }

    pub(crate) fn media_type(detail: impl Into<String>) -> Problem {
        Problem { closes: true, ..Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type", detail) }
    }

    pub(crate) fn too_large(limit: u64) -> Problem {
        let detail = format!("a request has at most {limit} bytes here; `unchaff serve --max-bytes N` raises it");
        Problem { closes: true, ..Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", detail) }
    }

    pub(crate) fn slow(detail: impl Into<String>) -> Problem {
        Problem { closes: true, ..Problem::new(StatusCode::REQUEST_TIMEOUT, "slow", detail) }
    }

    pub(crate) fn broken(detail: impl Into<String>) -> Problem {
        Problem { closes: true, ..Problem::bad(detail) }
    }

    /// One asks for too much at a time.
    pub(crate) fn too_many(limit: usize) -> Problem {
        let detail = format!("at most {limit} requests at a time from one address; wait for some of them");
        Problem { retry_after: Some(1), closes: true, ..Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many", detail) }
    }

    /// All together ask for too much.
    pub(crate) fn busy(detail: impl Into<String>) -> Problem {
        Problem { retry_after: Some(1), closes: true, ..Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail) }
    }

    pub(crate) fn no_token() -> Problem {
        let detail = "this service is for those who know its token: Authorization: Bearer TOKEN";
        Problem { challenge: true, closes: true, ..Problem::new(StatusCode::UNAUTHORIZED, "token", detail) }
    }

    pub(crate) fn misdirected(host: &str) -> Problem {
        let detail = format!(
            "this service is for this machine, by the names localhost and 127.0.0.1, but was asked for as `{host}`; --host NAME allows another"
        );
        Problem { closes: true, ..Problem::new(StatusCode::MISDIRECTED_REQUEST, "host", detail) }
    }

    pub(crate) fn foreign_origin(origin: &str) -> Problem {
        let detail = format!("a page of {origin} may not use this service");
        Problem { closes: true, ..Problem::new(StatusCode::FORBIDDEN, "origin", detail) }
    }

    pub(crate) fn no_fetching() -> Problem {
        let detail = "this service fetches nothing; send the page itself (html), or start it with `unchaff serve --fetch`";
        Problem::new(StatusCode::FORBIDDEN, "no-fetching", detail)
    }

    pub(crate) fn full(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::INSUFFICIENT_STORAGE, "full", detail)
    }

    pub(crate) fn internal(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
    }

    /// What is wrong, and the way out.
    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }
}

impl From<Panicked> for Problem {
    fn from(panicked: Panicked) -> Problem {
        Problem::internal(panicked.to_string())
    }
}

impl From<DatabaseError> for Problem {
    fn from(error: DatabaseError) -> Problem {
        Problem::internal(error.to_string())
    }
}

impl From<ExchangeError> for Problem {
    fn from(error: ExchangeError) -> Problem {
        match error {
            ExchangeError::Database(error) => error.into(),
            ExchangeError::TooMany => Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", error.to_string()),
            error => Problem::bad(error.to_string()),
        }
    }
}

impl From<ReportError> for Problem {
    fn from(error: ReportError) -> Problem {
        match error {
            ReportError::Database(_) => Problem::internal(error.to_string()),
            error => Problem::not_found(error.to_string()),
        }
    }
}

impl From<ProjectError> for Problem {
    fn from(error: ProjectError) -> Problem {
        match error {
            ProjectError::NoPage { .. } | ProjectError::Nothing { .. } => Problem::not_found(error.to_string()),
            ProjectError::OtherGold(_) => Problem::new(StatusCode::CONFLICT, "other-gold", format!("{error} (replace=1)")),
            ProjectError::File(SuiteError::Read { .. }) | ProjectError::Write(_) => Problem::internal(error.to_string()),
            error => Problem::bad(error.to_string()),
        }
    }
}

impl From<FetchError> for Problem {
    fn from(error: FetchError) -> Problem {
        let (status, kind) = match &error {
            FetchError::BadUrl { .. } => (StatusCode::BAD_REQUEST, "bad-address"),
            // Which address a name leads to is nobody's business: it would tell about the network behind.
            FetchError::Private { url, .. } => {
                let detail = format!("{url} is not fetched: it is no public address");
                return Problem::new(StatusCode::FORBIDDEN, "private-address", detail);
            }
            FetchError::Timeout { .. } => (StatusCode::GATEWAY_TIMEOUT, "not-fetched"),
            _ => (StatusCode::BAD_GATEWAY, "not-fetched"),
        };
        Problem::new(status, kind, error.to_string())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let document = ProblemDocument {
            kind: format!("urn:unchaff:{}", self.kind),
            title: self.status.canonical_reason().unwrap_or_default().to_owned(),
            status: self.status.as_u16(),
            detail: self.detail,
        };
        let json = serde_json::to_string(&document).unwrap_or_default() + "\n";
        let mut response = (self.status, json).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.challenge {
            headers
                .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"unchaff\", Basic realm=\"unchaff\""));
        }
        if self.closes {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}
