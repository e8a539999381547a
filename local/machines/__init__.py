"""Machines: processes with namespaces of their own in which the embedded Kubernetes' nodes live.

A machine is one process that is PID 1 of its own pid, mount, network, UTS and IPC namespaces. Nothing of it is
visible on the host but that process: links, routes, firewall rules and mounts live in its namespaces and vanish with
it, and the kernel ends every process of a pid namespace when its PID 1 ends. What does not vanish by itself are
control groups and files; `local.machines.control_groups` and the cluster's state folder name exactly those.
"""
