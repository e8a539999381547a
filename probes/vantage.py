"""Where a probe looks from: pods of a verification's own, and the application's."""

from enum import StrEnum


class Vantage(StrEnum):
    """A place from which addresses are tried."""

    COMPUTER = "a computer"
    NEIGHBOUR = "another computer"
    """It answers on every screen port and on the ports beside them."""
    CONTROL = "a pod without policies"
    """Like a computer, on the computers' nodes and under their runtime, in a namespace where no policy is."""
    BYSTANDER = "a pod of another node"
    """An ordinary pod in a namespace where no policy is, on a node for ordinary pods."""
    IMPOSTOR = "a pod that calls itself web"
    """In a namespace of its own, with the labels of the application's web."""
    STRAY = "a stray pod of the application's namespace"
    """In the application's namespace, with no label of a service."""
    API = "api"
    WORKER = "worker"
    WEB = "web"
    POSTGRES = "postgres"


SERVICES = (Vantage.API, Vantage.WORKER, Vantage.WEB, Vantage.POSTGRES)
"""Pods of the application: the others are a verification's own."""
SERVED_PORT = 8080
"""Where CONTROL and BYSTANDER answer: they stand for any pod of the cluster."""
