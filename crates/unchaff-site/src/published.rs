//! Published techniques that compare pages, one file each, under the names of their authors.
//!
//! Alarte and colleagues: TemEx, HybEx, the site-level ConEx and MenEx, and the [earlier versions](earlier_versions) of TemEx. Other detectors
//! of templates: SST, RTDM-TD, IWPTD, RBM-TD, Gibson's two, pagelets. Of content: InfoDiscoverer, LAMIS, WISDOM, ContentExtractor, document
//! frequency, and the bootstrap that makes a training set for any of them.

pub mod bootstrap;
pub mod conex_site;
pub mod contentextractor;
pub mod df_filter;
pub mod earlier_versions;
pub mod gibson_dom;
pub mod gibson_text;
pub mod hybex;
pub mod infodiscoverer;
pub mod iwptd;
pub mod lamis;
pub mod menex_site;
pub mod pagelets;
pub mod rbm_td;
pub mod rtdm_news;
pub mod rtdm_td;
pub mod site_structure;
pub mod sst;
pub mod temex;
pub mod wisdom;
