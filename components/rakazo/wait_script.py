"""The program that keeps a computer from starting before its network policies are in force."""

from dataclasses import dataclass

_SCRIPT = """\
import errno, os, socket, sys, time

CLOSED = {{errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.EACCES, errno.EPERM, errno.ETIMEDOUT}}
address = os.environ["KUBERNETES_SERVICE_HOST"], int(os.environ["KUBERNETES_SERVICE_PORT"])
begin = time.monotonic()
in_a_row = 0
last = "no attempt was made"
while time.monotonic() - begin < {deadline_seconds!r}:
    try:
        socket.create_connection(address, {attempt_seconds!r}).close()
    except OSError as error:
        closed = isinstance(error, TimeoutError) or error.errno in CLOSED
        last = str(error)
    else:
        closed, last = False, "connected"
    in_a_row = in_a_row + 1 if closed else 0
    if in_a_row == {refusals!r}:
        print("network policies are in force after %.1f s" % (time.monotonic() - begin))
        sys.exit(0)
    time.sleep({interval_seconds!r})
sys.exit(
    "network policies are not in force after {deadline_seconds} s: the API server at %s:%d must not be "
    "reachable from a computer, but the last attempt ended with: %s" % (*address, last)
)
"""


@dataclass(frozen=True, kw_only=True)
class Wait:
    """How long and how often; all times in seconds."""

    refusals: int = 5
    """In a row. More than one, because a policy's rules can arrive in several steps."""
    interval_seconds: float = 0.1
    attempt_seconds: float = 1.0
    """Some network plugins drop what they forbid: silence for this long counts as refused."""
    deadline_seconds: float = 30.0
    """Half of the shortest time for which Rakazo is thought to wait for a computer."""


def render_script(wait: Wait) -> str:
    """Return the Python text: exit 0 once the API server is out of reach, exit 1 at the deadline.

    The API server answers every pod that no policy holds back, on every cluster; so being refused there
    means that the pod's policies have arrived. Python, which every computer image has, tells a refusal from
    a broken network or a missing address; a shell cannot, and would take both for a policy.
    """
    return _SCRIPT.format(
        refusals=wait.refusals,
        interval_seconds=wait.interval_seconds,
        attempt_seconds=wait.attempt_seconds,
        deadline_seconds=wait.deadline_seconds,
    )


def render_command(wait: Wait) -> list[str]:
    """Run the script without the user's site packages and without writing anything."""
    return ["python3", "-I", "-S", "-B", "-c", render_script(wait)]
