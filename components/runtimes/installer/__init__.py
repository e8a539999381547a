"""gVisor on nodes that nobody but the cloud sets up: installed from inside the cluster."""
