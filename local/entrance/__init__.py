"""The host's two ways into an embedded cluster: its API, and the way in to the application.

One program in the `system` machine serves both. Its listening sockets were made on the host's 127.0.0.1 before it was
moved into the machine, so the host needs no link and no route to the cluster.
"""
