//! Keeps us out of private networks: a page from outside must not lead to what only insiders can reach.
//!
//! The check is made on the addresses that a name resolves to, and the connection goes to these very addresses, so neither
//! a redirect nor a name that is changed between check and connection gets around it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

/// A name that leads only to addresses that are not public.
#[derive(Debug, thiserror::Error)]
#[error("{host} is {address}, which is not a public address")]
pub struct NotPublic {
    pub(crate) host: String,
    pub(crate) address: IpAddr,
}

/// Resolves names to public addresses only, of those that another resolver finds.
#[derive(Debug, Default)]
pub struct PublicResolver<R = DefaultResolver> {
    resolver: R,
}

impl<R: Resolver> Resolver for PublicResolver<R> {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let all = self.resolver.resolve(uri, config, timeout)?;
        // Of a proxy, this is where it is itself, which the environment says; where it leads is looked at before (`client.rs`).
        if config.proxy().is_some_and(|proxy| Some(proxy.host()) == uri.host() && Some(proxy.port()) == uri.port_u16()) {
            return Ok(all);
        }
        let mut public = self.empty();
        for address in all.iter().filter(|address| is_public(address.ip())) {
            public.push(*address);
        }
        match all.first() {
            Some(first) if public.is_empty() => {
                let host = uri.host().unwrap_or_default().to_owned();
                Err(ureq::Error::Other(Box::new(NotPublic { host, address: first.ip() })))
            }
            _ => Ok(public),
        }
    }
}

/// Whether an address is one of the open internet (the registries of special addresses, RFC 6890 and later).
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || address.is_multicast()
        || a == 0
        || a >= 240
        || (a, b & 0xc0) == (100, 64) // shared by a provider's customers
        || (a, b, c) == (192, 0, 0)
        || (a, b, c) == (192, 88, 99)
        || (a, b & 0xfe) == (198, 18); // benchmarks
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let [.., high, low] = segments;
    let last = || Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match segments {
        // An IPv4 address in another dress: mapped, translated, tunnelled.
        [0, 0, 0, 0, 0, 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => is_public_v4(last()),
        [0x2002, high, low, ..] => is_public_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low))),
        [0x2001, 0, ..] | [0x2001, 0xdb8, ..] => false,
        // Only this eighth of all addresses is given out.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_are_known_in_every_dress() {
        for address in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "198.19.0.1",
            "192.0.0.8",
            "::1",
            "::",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "ff02::1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "2001::1",
            "2001:db8::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
        for address in
            ["93.184.216.34", "100.63.0.1", "172.32.0.1", "2606:2800:220:1::1", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"]
        {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    /// A name server that says one thing first and another next (DNS rebinding).
    #[derive(Debug)]
    struct Changing {
        answers: std::sync::Mutex<std::collections::VecDeque<Vec<std::net::SocketAddr>>>,
        asked: std::sync::Arc<std::sync::atomic::AtomicUsize>,
    }

    impl Resolver for Changing {
        fn resolve(&self, _: &Uri, _: &Config, _: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
            self.asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            let mut found = self.empty();
            let answer = self.answers.lock().unwrap().pop_front().expect("nobody asks more often than there are answers");
            answer.into_iter().for_each(|address| found.push(address));
            Ok(found)
        }
    }

    /// One port of this machine, on a public and on a private address, each with its own server that tells who was reached.
    #[test]
    fn a_name_that_changes_leads_to_what_was_checked_and_nowhere_else() {
        use crate::test_network::{PUBLIC, is_inside};
        use std::io::{Read, Write};
        use std::net::{SocketAddr, TcpListener};
        use std::sync::Arc;
        use std::sync::atomic::{AtomicUsize, Ordering};
        if !is_inside("public_address::tests::a_name_that_changes_leads_to_what_was_checked_and_nowhere_else") {
            return;
        }
        let serve = |address: SocketAddr, says: &'static str| {
            let listener = TcpListener::bind(address).unwrap();
            let (address, reached) = (listener.local_addr().unwrap(), Arc::new(AtomicUsize::new(0)));
            let counted = Arc::clone(&reached);
            std::thread::spawn(move || {
                for mut stream in listener.incoming().filter_map(Result::ok) {
                    counted.fetch_add(1, Ordering::SeqCst);
                    let _ = stream.read(&mut [0; 4096]);
                    let length = says.len();
                    let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{says}");
                }
            });
            (address, reached)
        };
        let (public, reached_public) = serve(SocketAddr::new(PUBLIC.parse().unwrap(), 0), "public");
        let (private, reached_private) = serve(SocketAddr::from(([127, 0, 0, 1], public.port())), "private");
        let asked = Arc::new(AtomicUsize::new(0));
        let answers = [vec![public], vec![private], vec![private, public], vec![public]];
        let resolver = Changing { answers: std::sync::Mutex::new(answers.into()), asked: Arc::clone(&asked) };
        let config = ureq::Agent::config_builder().proxy(None).build();
        let agent = ureq::Agent::with_parts(
            config,
            ureq::unversioned::transport::DefaultConnector::default(),
            PublicResolver { resolver },
        );
        let get = || agent.get(format!("http://changing.example:{}/", public.port())).call();
        let said =
            |answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>| answer.unwrap().body_mut().read_to_string().unwrap();
        // Asked once, checked, and connected to as it was answered: the second answer, which is private, does not matter to the first request.
        assert_eq!((said(get()).as_str(), asked.load(Ordering::SeqCst)), ("public", 1));
        // The name now leads inside, and is refused before there is a connection.
        assert!(get().is_err_and(|error| matches!(error, ureq::Error::Other(cause) if cause.is::<NotPublic>())));
        // Of an answer with both, what is public is taken.
        assert_eq!(said(get()), "public");
        assert_eq!(said(get()), "public");
        assert_eq!((reached_public.load(Ordering::SeqCst), reached_private.load(Ordering::SeqCst)), (3, 0));
    }
}
