"""What a stack may say: settings, their loading, their schema, and the stack files."""
