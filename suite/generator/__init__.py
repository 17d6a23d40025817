"""Writes the sites, pages and golds of our own suite; see suite/README.md."""
