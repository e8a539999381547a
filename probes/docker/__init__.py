"""How the claims are probed where Docker runs computers: over SSH, from inside containers."""
