"""How a cloud says no on the recording engine."""


class AnswerRefusedError(Exception):
    """Raised by an answer: the program is told of it as it is told by a provider, and may go on."""
