"""What is claimed of the isolation, and how each claim is probed from inside a pod."""
