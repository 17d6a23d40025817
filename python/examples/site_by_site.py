"""Learns every site of a mirror, a folder each, and keeps what was learned beside it.

    python site_by_site.py mirror/
"""

from __future__ import annotations

import sys
from pathlib import Path

import unchaff


def learned(folder: Path, kept: Path) -> unchaff.SiteModel:
    """The model of a site: what is kept of it, with what the folder teaches."""
    site = unchaff.learn(folder)
    if kept.exists():
        site.merge(unchaff.SiteModel.from_bytes(kept.read_bytes()))
    kept.write_bytes(bytes(site))
    return site


def main(mirror: Path) -> None:
    for folder in sorted(path for path in mirror.iterdir() if path.is_dir()):
        site = learned(folder, folder.with_suffix(".model"))
        for doc in unchaff.read(folder, base_url=f"https://{folder.name}/", site=site):
            first: unchaff.MenuItem | None = doc.menu[0] if doc.menu else None
            print(doc.url, doc.template_name, len(doc.text), first.text if first else "-", sep="\t")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
