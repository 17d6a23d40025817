//! The catalogue of TeCo 5.0 as published (Alarte 2023, Table 13.7): 150 sites, by number.
//!
//! Numbers 1 to 30 are institutions, then media, forums, personal pages, companies; of each thirty the last nine are for
//! evaluation. The published letters for that are damaged, so the split is taken from the number. Sites are known by the
//! domain their folder is named after; two share one (95 and 111), of the same category and split. The counts of nodes
//! are those of the suite's own table, taken in a browser; those of 95 to 110 are lost.

use super::Split;

/// A site of the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its number, from 1.
    pub id: usize,
    /// Its domain.
    pub domain: &'static str,
    /// Nodes of the key page, of its template, of its main content, and links of its menu.
    pub counts: Option<[u32; 4]>,
}

impl Entry {
    /// The category: `institution`, `media`, `forum`, `personal` or `company`.
    #[must_use]
    pub fn category(self) -> &'static str {
        ["institution", "media", "forum", "personal", "company"][(self.id - 1) / 30]
    }

    /// What it is for.
    #[must_use]
    pub fn split(self) -> Split {
        if (self.id - 1) % 30 < 21 { Split::Train } else { Split::Eval }
    }
}

/// The site of a domain; the first of two.
#[must_use]
pub fn find(domain: &str) -> Option<Entry> {
    all().find(|entry| entry.domain == domain)
}

/// All sites, by number.
pub fn all() -> impl Iterator<Item = Entry> {
    let counts = |counts: [u32; 4]| (counts[0] > 0).then_some(counts);
    SITES.iter().enumerate().map(move |(at, site)| Entry { id: at + 1, domain: site.0, counts: counts(site.1) })
}

/// Domains and counts; zeros where these are lost.
static SITES: [(&str, [u32; 4]); 150] = [
    ("web.mit.edu", [424, 252, 141, 9]),
    ("www.museodelprado.es", [639, 148, 168, 7]),
    ("www.u-tokyo.ac.jp", [614, 499, 97, 30]),
    ("www.savethechildren.net", [763, 690, 54, 21]),
    ("college.harvard.edu", [1098, 669, 397, 5]),
    ("www.linuxfoundation.org", [597, 534, 38, 118]),
    ("clinicaltrials.gov", [545, 424, 101, 37]),
    ("cordis.europa.eu", [980, 335, 164, 19]),
    ("parents.berkeley.edu", [287, 99, 180, 8]),
    ("www.mit.edu", [1290, 472, 809, 13]),
    ("cpoepalencia.es", [719, 644, 73, 51]),
    ("www.icann.org", [492, 397, 90, 46]),
    ("www.gip-jci-justice.fr", [887, 680, 137, 28]),
    ("www.einstein.yu.edu", [1168, 815, 187, 29]),
    ("www.americanacademy.de", [746, 670, 14, 37]),
    ("www.mensa.es", [422, 354, 37, 10]),
    ("www.bcrf.org", [917, 587, 294, 6]),
    ("www.ielts.org", [761, 605, 150, 43]),
    ("fr.unesco.org", [957, 615, 308, 73]),
    ("www.ccbe.eu", [1003, 783, 177, 33]),
    ("www.fraud.org", [558, 321, 61, 16]),
    ("www.jdi.org.za", [661, 401, 199, 10]),
    ("www.premiere-urgence.org", [502, 457, 32, 30]),
    ("www.indiangaming.org", [594, 209, 148, 7]),
    ("hispalinux.es", [515, 347, 144, 32]),
    ("www.gktw.org", [793, 646, 130, 8]),
    ("www.apnic.net", [650, 461, 79, 59]),
    ("www.unicef.org", [1057, 671, 381, 4]),
    ("www.klimabuendnis.org", [892, 536, 134, 75]),
    ("www.isoc-es.org", [279, 171, 56, 17]),
    ("edition.cnn.com", [3980, 192, 877, 15]),
    ("www.neoteo.com", [1051, 636, 388, 18]),
    ("riotimesonline.com", [2115, 1094, 743, 23]),
    ("www.turfparadise.com", [1072, 838, 205, 98]),
    ("www.cleanclothes.org", [1358, 266, 932, 7]),
    ("www.afp.com", [1208, 404, 789, 16]),
    ("www.history.com", [1324, 673, 260, 12]),
    ("detroit.cbslocal.com", [1261, 1004, 96, 65]),
    ("www.rocklists.com", [783, 533, 184, 6]),
    ("www.lashorasperdidas.com", [1924, 554, 683, 12]),
    ("www.journalism.org", [830, 459, 86, 10]),
    ("www.socialmediatoday.com", [1288, 666, 149, 8]),
    ("www.diariodeburgos.es", [606, 384, 69, 9]),
    ("wordofmouthmendo.com", [916, 668, 26, 26]),
    ("www.usine-digitale.fr", [994, 259, 124, 18]),
    ("1015fm.com.au", [1041, 835, 65, 28]),
    ("www.dw.com", [2593, 1596, 470, 135]),
    ("www.theday.com", [2147, 933, 456, 86]),
    ("nltimes.nl", [588, 115, 164, 10]),
    ("www.bbc.co.uk", [3029, 573, 1195, 22]),
    ("techcrunch.com", [2612, 1891, 586, 35]),
    ("biztechmagazine.com", [1950, 1057, 454, 97]),
    ("www.eeo.com.cn", [936, 676, 119, 11]),
    ("www.wishtv.com", [2380, 1993, 343, 77]),
    ("news.mit.edu", [2122, 1045, 128, 8]),
    ("asia.nikkei.com", [886, 671, 116, 42]),
    ("www.rcnky.com", [1771, 1435, 112, 17]),
    ("news.discovery.com", [2926, 1209, 791, 68]),
    ("www.kathimerini.gr", [1897, 1606, 117, 83]),
    ("news.un.org", [1809, 1258, 59, 42]),
    ("es.sharelatex.com", [1100, 877, 214, 6]),
    ("github.com", [1242, 453, 783, 5]),
    ("en.citizendium.org", [1092, 415, 633, 35]),
    ("www.filmaffinity.com", [1337, 352, 972, 32]),
    ("www.meneame.net", [769, 207, 423, 11]),
    ("www.accountkiller.com", [510, 222, 273, 8]),
    ("study.com", [7328, 1897, 5433, 74]),
    ("c.mi.com", [3506, 2949, 541, 37]),
    ("alumni.harvard.edu", [2026, 1785, 219, 40]),
    ("www.spacetimestudios.com", [5049, 1387, 3500, 47]),
    ("www.gimpforum.de", [2058, 457, 1300, 6]),
    ("www.emaildiscussions.com", [1129, 239, 674, 7]),
    ("forums.debian.net", [2766, 150, 2327, 7]),
    ("forums.mozillazine.org", [2023, 235, 1411, 4]),
    ("forums.tomsguide.com", [7911, 992, 5064, 22]),
    ("forums.mysql.com", [4493, 430, 3950, 10]),
    ("lawstudents.ca", [3563, 949, 1935, 11]),
    ("www.japanesepod101.com", [1574, 924, 434, 36]),
    ("forum.skyscraperpage.com", [3410, 146, 1676, 6]),
    ("forums.opera.com", [1456, 617, 829, 7]),
    ("forums.linuxmint.com", [5079, 327, 3872, 7]),
    ("frances.forosactivos.net", [814, 318, 495, 9]),
    ("www.wysiwygwebbuilder.com", [3941, 739, 3201, 7]),
    ("www.3dprintforums.com", [1125, 312, 748, 8]),
    ("www.strangehorizons.com", [643, 149, 406, 23]),
    ("communities.apple.com", [3144, 375, 1306, 10]),
    ("www.sloweurope.com", [4208, 526, 2789, 29]),
    ("community.ricksteves.com", [2061, 386, 1177, 9]),
    ("hackercombat.com", [1828, 828, 698, 6]),
    ("www.scbwi.org", [892, 219, 506, 6]),
    ("www.cocinaconmarta.com", [4154, 3404, 307, 9]),
    ("www.trendencias.com", [2503, 1139, 1040, 7]),
    ("googleblog.blogspot.com.es", [5096, 3574, 1494, 343]),
    ("www.robyncarr.com", [292, 92, 200, 4]),
    ("users.dsic.upv.es", [0, 0, 0, 0]),
    ("www.folj.com", [0, 0, 0, 0]),
    ("oneminutelist.com", [0, 0, 0, 0]),
    ("artsonline.uwaterloo.ca", [0, 0, 0, 0]),
    ("benjamincongdon.me", [0, 0, 0, 0]),
    ("michael.tsikerdekis.com", [0, 0, 0, 0]),
    ("www.beeorganisee.com", [0, 0, 0, 0]),
    ("www.danielgrindrod.com", [0, 0, 0, 0]),
    ("ofdollarsanddata.com", [0, 0, 0, 0]),
    ("blog.mint.com", [0, 0, 0, 0]),
    ("elainesir.com", [0, 0, 0, 0]),
    ("www.vindame.com.br", [0, 0, 0, 0]),
    ("www.rosamontero.es", [0, 0, 0, 0]),
    ("www.almezzer.com", [0, 0, 0, 0]),
    ("markahall.blogspot.com.es", [0, 0, 0, 0]),
    ("johnboyne.com", [0, 0, 0, 0]),
    ("users.dsic.upv.es", [243, 75, 160, 5]),
    ("johngardnerathome.info", [397, 176, 188, 21]),
    ("www.annmalaspina.com", [403, 190, 84, 8]),
    ("foodsense.is", [339, 104, 192, 5]),
    ("sites.google.com", [405, 320, 85, 32]),
    ("whatever.scalzi.com", [1693, 1434, 243, 11]),
    ("www.javiercelaya.es", [763, 682, 57, 12]),
    ("diarium.usal.es", [625, 82, 524, 3]),
    ("www.jameslovelock.org", [679, 465, 174, 20]),
    ("www.cipri.info", [955, 387, 556, 27]),
    ("today.java.net", [733, 342, 354, 6]),
    ("clotheshor.se", [465, 232, 228, 8]),
    ("www.raspberrypi.org", [398, 143, 209, 14]),
    ("doodle.com", [580, 491, 82, 5]),
    ("www.newprosoft.com", [833, 151, 679, 6]),
    ("worryfreelabs.com", [514, 321, 190, 7]),
    ("www.intelligencetest.com", [595, 323, 263, 18]),
    ("www.ikea.com", [1556, 407, 985, 10]),
    ("www.nubbeo.com.ar", [1642, 605, 975, 7]),
    ("www.mulberry.com", [8506, 3943, 4203, 152]),
    ("www.tous.com", [5109, 3010, 1056, 216]),
    ("preferenceweb.com", [2279, 725, 1322, 17]),
    ("www.trekbikes.com", [5698, 1924, 3760, 15]),
    ("addons.prestashop.com", [8062, 2333, 3382, 5]),
    ("us.pandora.net", [6375, 2011, 3376, 142]),
    ("kawaiipenshop.com", [1237, 821, 403, 26]),
    ("www.vam.ac.uk", [1595, 1186, 392, 61]),
    ("shop.fendt.com", [2278, 1433, 640, 55]),
    ("www.euroholds.com", [4923, 843, 3490, 89]),
    ("www.emmaclothes.com", [1088, 374, 705, 8]),
    ("www.arduino.cc", [854, 490, 336, 26]),
    ("naranjascarcaixent.com", [321, 172, 141, 6]),
    ("www.technicalbookstoreonline.com", [2971, 391, 2002, 12]),
    ("www.floridarealestatecollege.com", [1069, 556, 65, 29]),
    ("www.basf.com", [845, 776, 62, 12]),
    ("www.mcphersonoil.com", [891, 628, 225, 34]),
    ("www.thirteenhou.com", [1226, 137, 1073, 4]),
    ("www.embalajesterra.com", [2360, 1694, 470, 106]),
    ("www.crypto.ch", [346, 249, 68, 3]),
    ("www.shopbookshop.com", [1743, 1314, 387, 9]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_numbers_come_out() {
        // How many sites there are is from Alarte (2023, 13.3); the means are ours, over the rows of Table 13.7.
        let evaluation: Vec<Entry> = all().filter(|entry| entry.split() == Split::Eval).collect();
        assert_eq!((all().count(), evaluation.len()), (150, 45));
        for category in ["institution", "media", "forum", "personal", "company"] {
            assert_eq!(all().filter(|entry| entry.category() == category).count(), 30);
            assert_eq!(evaluation.iter().filter(|entry| entry.category() == category).count(), 9);
        }
        let means = [0, 1, 2, 3].map(|column| {
            let sum: u32 = evaluation.iter().map(|entry| entry.counts.unwrap()[column]).sum();
            format!("{:.2}", f64::from(sum) / 45.0)
        });
        assert_eq!(means, ["1317.93", "632.40", "476.98", "25.51"]);
    }

    #[test]
    fn sites_are_found_by_domain() {
        let entry = find("www.crypto.ch").unwrap();
        assert_eq!(
            (entry.id, entry.category(), entry.split(), entry.counts),
            (149, "company", Split::Eval, Some([346, 249, 68, 3]))
        );
        assert_eq!(find("users.dsic.upv.es").unwrap().counts, None);
        assert_eq!(find("example.org"), None);
    }
}
