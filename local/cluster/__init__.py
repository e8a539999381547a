"""The embedded Kubernetes: two nodes and an outside on this machine, without a trace outside its state folder.

`up`, `down`, `status`, `environment` and `way_in` are the whole interface; `Facts` is what a running cluster tells.
"""

from local.cluster.access import environment, way_in
from local.cluster.folder import ClusterFolder, Facts, names
from local.cluster.layout import Layout, NodeLayout, Taint
from local.cluster.start import up
from local.cluster.status import Status, status
from local.cluster.stop import down

__all__ = [
    "ClusterFolder",
    "Facts",
    "Layout",
    "NodeLayout",
    "Status",
    "Taint",
    "down",
    "environment",
    "names",
    "status",
    "up",
    "way_in",
]
