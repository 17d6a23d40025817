//! Published techniques that compare pages, one file each, under the names of their authors.
//!
//! Alarte and colleagues: TemEx, HybEx, the site-level ConEx and MenEx, and the earlier versions of TemEx. Other detectors
//! of templates: SST, RTDM-TD, IWPTD, RBM-TD, Gibson's two, pagelets. Of content: InfoDiscoverer, LAMIS, WISDOM, ContentExtractor, document
//! frequency, and the bootstrap that makes a training set for any of them.

pub(crate) mod bootstrap;
pub(crate) mod conex_site;
pub(crate) mod contentextractor;
pub(crate) mod df_filter;
pub(crate) mod earlier_versions;
pub(crate) mod gibson_dom;
pub(crate) mod gibson_text;
pub(crate) mod hybex;
pub(crate) mod infodiscoverer;
pub mod iwptd;
pub(crate) mod lamis;
pub(crate) mod menex_site;
pub(crate) mod pagelets;
pub(crate) mod rbm_td;
pub(crate) mod rtdm_news;
pub(crate) mod rtdm_td;
pub mod site_structure;
pub(crate) mod sst;
pub(crate) mod temex;
pub(crate) mod wisdom;
