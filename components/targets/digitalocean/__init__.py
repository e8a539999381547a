"""A cluster that DigitalOcean runs."""
