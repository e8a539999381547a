"""k3s on machines: what they are told, in which order, and the way to the cluster that comes of it."""
