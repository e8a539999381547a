"""The one kind of failure that the embedded environment reports to a person."""


class LocalError(Exception):
    """A failure whose message says what is wrong, the limit, and what to do."""
