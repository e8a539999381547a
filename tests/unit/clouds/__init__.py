"""What clouds answer on the recording engine, one module for each."""
