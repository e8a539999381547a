"""The table of services as a Compose project: pure rendering."""
