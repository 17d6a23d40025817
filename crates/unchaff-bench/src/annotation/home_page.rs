//! Which page of a site is its home page: the one at the top, by address.
//!
//! That is `/` on the host that most pages are of, or its index; else the top of the folder that all pages are below; else the page with the shortest address, as
//! good a guess as any.

use std::collections::HashMap;
use url::Url;

/// Files that stand for the folder they are in.
const INDEX: [&str; 4] = ["index", "default", "home", "start"];

/// What is known about the addresses of a site.
#[derive(Debug)]
pub(super) struct HomePage {
    host: String,
    folder: String,
}

impl HomePage {
    /// That of a site with these pages.
    pub(super) fn of(urls: &[Url]) -> HomePage {
        let mut hosts: HashMap<&str, usize> = HashMap::new();
        for url in urls {
            *hosts.entry(url.host_str().unwrap_or_default()).or_default() += 1;
        }
        // Of as many pages, the host with the shorter name: `www.` is no other site, a `blog.` may be one.
        let host = hosts.into_iter().max_by_key(|(host, pages)| (*pages, std::cmp::Reverse((host.len(), *host))));
        let host = host.map_or_else(String::new, |(host, _)| host.to_owned());
        let mut folders = urls.iter().filter(|url| url.host_str() == Some(&host)).map(|url| folder(url.path()));
        let mut common: Vec<&str> = folders.next().unwrap_or("/").split('/').collect();
        for folder in folders {
            let same = common.iter().zip(folder.split('/')).take_while(|(one, other)| **one == *other).count();
            common.truncate(same);
        }
        HomePage { folder: format!("{}/", common.join("/").trim_end_matches('/')), host }
    }

    /// How far a page is from being the home page; to be compared.
    pub(super) fn distance(&self, url: &Url) -> impl Ord + use<> {
        let path = url.path();
        let name = &path[folder(path).len()..];
        let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
        let is_top = url.query().is_none() && (name.is_empty() || INDEX.contains(&stem.as_str()));
        let place = match folder(path) {
            "/" if is_top => 0,
            folder if is_top && folder == self.folder => 1,
            _ => 2,
        };
        let length = path.len() + url.query().map_or(0, |query| query.len() + 1);
        (place, url.host_str() != Some(&self.host), length, url.as_str().to_owned())
    }
}

/// The folder of a path, with its slash.
fn folder(path: &str) -> &str {
    path.rfind('/').map_or("/", |at| &path[..=at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(addresses: &[&str]) -> String {
        let urls: Vec<Url> = addresses.iter().map(|address| Url::parse(&format!("https://{address}")).unwrap()).collect();
        let home = HomePage::of(&urls);
        urls.iter().min_by_key(|url| home.distance(url)).unwrap().as_str().trim_start_matches("https://").to_owned()
    }

    #[test]
    fn the_home_page_is_at_the_top() {
        assert_eq!(home(&["a.example/b", "a.example/index.html", "a.example/c/"]), "a.example/index.html");
        assert_eq!(home(&["a.example/index.php", "a.example/", "a.example/b"]), "a.example/");
        assert_eq!(home(&["a.example/?page=2", "a.example/Home.htm", "a.example/b"]), "a.example/Home.htm");
        // A shop that hangs on to a site.
        assert_eq!(home(&["blog.a.example/", "www.a.example/", "www.a.example/b"]), "www.a.example/");
        // A site below a folder, where the shortest address is another page.
        assert_eq!(
            home(&["uni.example/~ann/cv", "uni.example/~ann/index.html", "uni.example/~ann/x/y"]),
            "uni.example/~ann/index.html"
        );
        assert_eq!(home(&["a.example/news/one", "a.example/about"]), "a.example/about");
    }
}
