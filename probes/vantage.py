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
    SUPERVISOR = "supervisor"
    """It alone holds the socket of Docker, where computers are its containers."""
    STRANGER = "a container that no rule knows"
    """Like a computer, on a network of Docker whose name no rule matches."""
    LISTENER = "a container of somebody else"
    """An ordinary one beside the last, which listens."""
    MACHINE = "the machine itself"
    """Where Docker runs: its administrator, outside of every container."""
    OUTSIDE = "whoever verifies"
    """The place from which a verification is started: as far as SSH reaches, another machine."""


SERVICES = (Vantage.API, Vantage.WORKER, Vantage.WEB, Vantage.POSTGRES)
"""Pods of the application: the others are a verification's own."""
DOCKER_SERVICES = (*SERVICES, Vantage.SUPERVISOR)
"""Services of the application where computers are containers of Docker."""
BASH_ONLY = (*DOCKER_SERVICES, Vantage.MACHINE)
"""Where there is bash, and perhaps no Python."""
SERVED_PORT = 8080
"""Where CONTROL and BYSTANDER answer: they stand for any pod of the cluster."""
