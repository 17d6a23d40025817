//! The one HTTP client: a single GET, within a time, to an address that may be reached. Nothing else in the program opens a connection.
//!
//! Whether an address may be reached is decided on what its name resolves to, and the connection goes to these very addresses
//! (`public_address.rs`). A proxy of the environment looks up names by itself; where one is used, names are looked up here as well, as far as
//! this machine knows them. Redirects are not followed but handed on, no cookies are kept, and nothing is tried twice.

use std::net::{IpAddr, ToSocketAddrs};
use std::time::Duration;

use ureq::http::{Response, header};
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, Body};
use url::{Host, Url};

use crate::content_encoding;
use crate::error::FetchError;
use crate::fetch::shown;
use crate::public_address::{NotPublic, PublicResolver, is_public};

/// Which addresses may be connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Those of the open internet.
    Public,
    /// Also those of private networks and of this machine.
    Anywhere,
}

impl Reach {
    pub(crate) fn of(allow_private: bool) -> Reach {
        if allow_private { Reach::Anywhere } else { Reach::Public }
    }
}

/// Makes requests, from any number of threads; connections are reused where servers allow it.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    user_agent: String,
    timeout: Duration,
    // Two, so that no connection of the one is ever reused for the other.
    public: Agent,
    anywhere: Agent,
    is_proxied: bool,
}

impl Client {
    pub(crate) fn new(user_agent: &str, timeout: Duration, proxy_from_environment: bool) -> Client {
        let mut config = Agent::config_builder()
            .timeout_global(Some(timeout))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false);
        if !proxy_from_environment {
            config = config.proxy(None);
        }
        let config = config.build();
        Client {
            user_agent: user_agent.to_owned(),
            timeout,
            is_proxied: config.proxy().is_some(),
            public: Agent::with_parts(config.clone(), DefaultConnector::default(), <PublicResolver>::default()),
            anywhere: config.new_agent(),
        }
    }

    /// One request, in the time that is left, or in all of it.
    pub(crate) fn get(
        &self,
        url: &Url,
        accept: &str,
        reach: Reach,
        left: Option<Duration>,
    ) -> Result<Response<Body>, FetchError> {
        if reach == Reach::Public
            && let Some(refused) = self.refused_unseen(url)
        {
            return Err(refused);
        }
        let agent = if reach == Reach::Public { &self.public } else { &self.anywhere };
        let mut request = agent
            .get(url.as_str())
            .header(header::USER_AGENT, &self.user_agent)
            .header(header::ACCEPT, accept)
            .header(header::ACCEPT_ENCODING, content_encoding::ACCEPTED);
        // Only where it differs: a request with a configuration of its own cannot share the agent's TLS setup.
        if let Some(left) = left {
            request = request.config().timeout_global(Some(left)).build();
        }
        request.call().map_err(|cause| match cause {
            ureq::Error::Other(cause) if cause.is::<NotPublic>() => {
                FetchError::Private { url: shown(url), reason: cause.to_string() }
            }
            cause => FetchError::fetching(shown(url), self.timeout, cause),
        })
    }

    /// What can be told to be private before there is a connection, and must be where a proxy makes it.
    fn refused_unseen(&self, url: &Url) -> Option<FetchError> {
        let private = |address: IpAddr| !is_public(address);
        let found = match url.host()? {
            Host::Ipv4(address) => Some(IpAddr::from(address)).filter(|address| private(*address)),
            Host::Ipv6(address) => Some(IpAddr::from(address)).filter(|address| private(*address)),
            Host::Domain(name) if self.is_proxied => {
                let known = (name, url.port_or_known_default()?).to_socket_addrs();
                known.ok()?.map(|address| address.ip()).find(|address| private(*address))
            }
            Host::Domain(_) => None,
        };
        let address = found?;
        let reason = NotPublic { host: url.host_str().unwrap_or_default().to_owned(), address }.to_string();
        Some(FetchError::Private { url: shown(url), reason })
    }
}
