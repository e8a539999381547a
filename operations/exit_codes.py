"""What the command's exit code means; a script may rely on it."""

FAILED_CLAIM = 1
"""`verify`: a claim about the isolation does not hold."""
UNCHECKED = 2
"""`verify`: a claim, or all of them, could not be checked."""
REMAINS = 1
"""`leftovers`: something carries the stack's labels."""
NOT_ASKED = 2
"""`leftovers`: Hetzner could not be asked."""
UNHEALTHY = 3
"""`local status` looked, and something does not run or does not answer."""

EXIT_CODES = (
    f"Exit codes: 0 done, 1 an error that is told, 2 wrong usage, {UNHEALTHY} status found something unhealthy."
)
