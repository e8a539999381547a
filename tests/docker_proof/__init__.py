"""Broken variants of a machine with Docker, and a verification of it without SSH."""
