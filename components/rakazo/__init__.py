"""Rakazo itself: one noun per file."""
