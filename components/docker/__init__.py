"""Docker on a machine of the stack: the engine, and what its containers must not reach."""
