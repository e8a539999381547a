"""A cluster that Google runs: its network, its account, its control plane and its pools of machines."""
