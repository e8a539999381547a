"""Ways in to a running Rakazo."""
