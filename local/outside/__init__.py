"""The outside of an embedded cluster: what lies behind the nodes' default route, with something alive at each end.

Nothing here is reachable from anywhere but the cluster, and nothing of the cluster gets further than here. Every
address that a network policy must block has a listener, so that "blocked" in a test means blocked and not absent.
"""
