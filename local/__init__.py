"""The embedded Kubernetes and the stand-in images that run on it."""
