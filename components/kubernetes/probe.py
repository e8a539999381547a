"""A probe of the table as Kubernetes has it."""

from pulumi_kubernetes.core import v1 as core

from components.service import CommandProbe, HttpProbe, Probe, TcpProbe

TIMEOUT_SECONDS = 5
"""As upstream's own checks; a starved service answers in 2 to 3 s."""


def render_probe(probe: Probe | None) -> core.ProbeArgs | None:
    """Render a probe; None stays None, which in Kubernetes means that the container is taken to be well."""
    match probe:
        case HttpProbe():
            action = core.ProbeArgs(http_get=core.HTTPGetActionArgs(path=probe.path, port=probe.port))
        case TcpProbe():
            action = core.ProbeArgs(tcp_socket=core.TCPSocketActionArgs(port=probe.port))
        case CommandProbe():
            action = core.ProbeArgs(exec_=core.ExecActionArgs(command=list(probe.command)))
        case None:
            return None
    action.period_seconds = probe.period_seconds
    action.failure_threshold = probe.failures
    action.timeout_seconds = TIMEOUT_SECONDS
    return action
