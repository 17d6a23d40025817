"""One module per site: its template and its texts."""

from . import (
    asal_jabal,
    bibliotheque,
    cha_zhuye,
    cocina_blog,
    foto_galeri,
    grib_forum,
    harbour_news,
    lampen_shop,
    sentieri,
    tidewire_docs,
)

SITES = [
    m.SITE
    for m in (
        asal_jabal,
        bibliotheque,
        cha_zhuye,
        cocina_blog,
        foto_galeri,
        grib_forum,
        harbour_news,
        lampen_shop,
        sentieri,
        tidewire_docs,
    )
]
