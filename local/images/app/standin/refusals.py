"""Why a service does not start."""


class RefusalError(Exception):
    """A service must not start; carries every reason found, so that one restart shows them all."""

    def __init__(self, reasons: list[str]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons
