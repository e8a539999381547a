"""The parts of a stack: what is created, in which order, behind which contract."""
