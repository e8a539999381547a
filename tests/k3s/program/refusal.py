"""The one way in which the program gives up: a sentence for the person who reads the journal."""


class Refusal(Exception):  # noqa: N818 - it is what happens, not what went wrong
    """What k3s would end with; the message goes to the journal as its last line and the status is 1."""
