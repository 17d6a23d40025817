"""Separates what a web page is about from everything around it.

>>> import unchaff
>>> print(unchaff.extract("<nav><a href=/>Home</a></nav><h1>Rain</h1><p>It rained all day.</p>"))
# Rain
<BLANKLINE>
It rained all day.
<BLANKLINE>
"""

from ._api import (
    cluster,
    detect,
    extract,
    extract_many,
    learn,
    menu,
    read,
    read_warc,
    segment,
    techniques,
    template,
)
from ._columns import extract_columns
from ._engine import VERSION as __version__
from ._engine import Element, Extraction, Extractions, Extractor, Page, SiteModel
from ._errors import ModelError, OptionError, PageError, SourceError, UnchaffError
from ._technique import Technique, register
from ._values import (
    Block,
    Cluster,
    Clusters,
    Comment,
    Explanation,
    MenuItem,
    Metadata,
    Node,
    Notice,
    Parameter,
    Row,
    Segment,
    Segmentation,
    SegmentNode,
    TechniqueInfo,
    Value,
)

__all__ = [
    "Block",
    "Cluster",
    "Clusters",
    "Element",
    "Comment",
    "Explanation",
    "Extraction",
    "Extractions",
    "Extractor",
    "MenuItem",
    "Metadata",
    "ModelError",
    "Node",
    "Notice",
    "OptionError",
    "Page",
    "PageError",
    "Parameter",
    "Row",
    "Segment",
    "SegmentNode",
    "Segmentation",
    "SiteModel",
    "SourceError",
    "Technique",
    "TechniqueInfo",
    "UnchaffError",
    "Value",
    "__version__",
    "cluster",
    "detect",
    "extract",
    "extract_columns",
    "extract_many",
    "learn",
    "menu",
    "read",
    "read_warc",
    "register",
    "segment",
    "techniques",
    "template",
]
