"""What runs on a node to install gVisor there: a program of its own, for any Python from 3.11 on, without packages.

`python3 -m node.install` has the node's folders and no right in the cluster but to see whether it is to leave;
`python3 -m node.prove` runs under gVisor, has nothing of the node, and may say that its own node is ready.
"""
