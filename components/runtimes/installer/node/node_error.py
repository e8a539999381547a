"""What keeps a node from being ready, in words for whoever reads the log."""


class NodeError(Exception):
    """Something is wrong with the node, the mirror or the release; the next round tries again."""
