"""What a target hands on where computers are Docker's: a machine."""

from dataclasses import dataclass

import pulumi

from components.machines.login import Login


@dataclass(frozen=True, kw_only=True)
class DockerMachine:
    """A machine that can be logged in to, whoever made it: all that Docker computers need of a target."""

    name: str
    """What errors call it."""
    address: pulumi.Input[str]
    login: Login
    identity: pulumi.Input[str] | None = None
    """Changes when another machine takes its place; None: nobody but its owner replaces it."""
    gone_with: pulumi.Resource | None = None
    """Takes everything on the machine with it when it is deleted; None: what was put on it is removed one by one."""
    reached: pulumi.Resource
    """That it is the right machine and its user may become root; nothing is sent before."""
    is_new: bool
    """Whether its first start has to have ended before anything is done with it."""
