//! Addresses of advertisements: domains of advertising networks, and what ad servers are usually called.

/// Domains of advertising networks and of the redirections of affiliate programs, sorted.
const NETWORKS: &[&str] = &[
    "2mdn.net",
    "adblade.com",
    "adbrite.com",
    "adform.net",
    "adfox.ru",
    "adnxs.com",
    "adriver.ru",
    "adroll.com",
    "ads-twitter.com",
    "adsrvr.org",
    "adtech.de",
    "adtechus.com",
    "advertising.com",
    "afy11.net",
    "amazon-adsystem.com",
    "an.yandex.ru",
    "anrdoezrs.net",
    "atdmt.com",
    "awin1.com",
    "begun.ru",
    "bidvertiser.com",
    "buysellads.com",
    "buysellads.net",
    "carbonads.com",
    "carbonads.net",
    "casalemedia.com",
    "chitika.net",
    "clicksor.com",
    "contextweb.com",
    "cpro.baidu.com",
    "criteo.com",
    "criteo.net",
    "doubleclick.net",
    "dpbolvw.net",
    "exoclick.com",
    "fastclick.net",
    "googleadservices.com",
    "googlesyndication.com",
    "gumgum.com",
    "infolinks.com",
    "intellitxt.com",
    "jdoqocy.com",
    "kontera.com",
    "kqzyfj.com",
    "linksynergy.com",
    "media.net",
    "mediaplex.com",
    "mgid.com",
    "moatads.com",
    "mookie1.com",
    "openx.net",
    "outbrain.com",
    "plista.com",
    "pos.baidu.com",
    "propellerads.com",
    "pubmatic.com",
    "quigo.com",
    "rcm.amazon.com",
    "revcontent.com",
    "rubiconproject.com",
    "serving-sys.com",
    "shareasale.com",
    "smartadserver.com",
    "sponsorads.de",
    "taboola.com",
    "tanx.com",
    "teads.tv",
    "tkqlhce.com",
    "tradedoubler.com",
    "tribalfusion.com",
    "valueclick.com",
    "yabs.yandex.ru",
    "yieldmanager.com",
    "zanox.com",
    "zedo.com",
    "zergnet.com",
];

/// First labels of hosts that serve advertisements: `ads.example.org`.
const SERVERS: &[&str] =
    &["ad", "ads", "adserv", "adserver", "adsrv", "adx", "adv", "adclick", "pagead", "banner", "banners", "openx", "oas"];

/// Pieces of paths of ad servers that sites run themselves.
const PATHS: &[&str] = &[
    "/adclick",
    "/adserver",
    "/adframe",
    "/adsense",
    "/pagead/",
    "/www/delivery/",
    "/phpads",
    "/openads",
    "/show_ads",
    "/bannerfarm",
];

/// Whether an address leads to an advertising network or a server of advertisements.
pub(crate) fn is_network(address: &str) -> bool {
    let rest = address.trim_start();
    let host_and_path =
        rest.split_once("//").filter(|(scheme, _)| scheme.is_empty() || scheme.ends_with(':')).map(|(_, rest)| rest);
    let (host, path) = match host_and_path {
        Some(rest) => rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len())),
        None => ("", rest),
    };
    let path = &path[..path.find(['?', '#']).unwrap_or(path.len())];
    is_network_host(host) || PATHS.iter().any(|piece| path.contains(piece))
}

fn is_network_host(host: &str) -> bool {
    let host = host.rsplit('@').next().unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default();
    let Some((first, mut domain)) = host.split_once('.') else { return false };
    if domain.contains('.') && SERVERS.iter().any(|server| first.eq_ignore_ascii_case(server)) {
        return true;
    }
    let known = |domain: &str| NETWORKS.iter().any(|network| network.eq_ignore_ascii_case(domain));
    if known(host) {
        return true;
    }
    while let Some((_, rest)) = domain.split_once('.') {
        if known(domain) {
            return true;
        }
        domain = rest;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_networks() {
        for address in [
            "http://ad.doubleclick.net/a",
            "//cdn.taboola.com/x",
            "https://ADS.example.org:80/",
            "/openads/adclick.php?x",
            "http://u@ads.x.org/",
        ] {
            assert!(is_network(address), "{address}");
        }
        for address in [
            "",
            "/",
            "http://",
            "http://ads",
            "https://example.org/ads.doubleclick.net",
            "/download",
            "http://adsb.example.org/",
            "http://ad.org/",
        ] {
            assert!(!is_network(address), "{address}");
        }
    }

    #[test]
    fn networks_are_sorted_and_in_lower_case() {
        assert!(NETWORKS.is_sorted());
        assert!(NETWORKS.iter().all(|network| !network.bytes().any(|byte| byte.is_ascii_uppercase())));
    }
}
