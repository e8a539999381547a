"""Hetzner Cloud: servers that are rented, and what lies around them."""
