"""Where a stack runs: one module per kind of cluster."""
