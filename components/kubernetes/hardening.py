"""What no pod of ours may do: Pod Security's `restricted`, and a root file system that cannot be written."""

from pulumi_kubernetes.core import v1 as core


def pod_security(user: int) -> core.PodSecurityContextArgs:
    """Run as `user` (uid, gid and group of the volumes), never as root, with the usual system-call filter."""
    return core.PodSecurityContextArgs(
        run_as_non_root=True,
        run_as_user=user,
        run_as_group=user,
        fs_group=user,
        fs_group_change_policy="OnRootMismatch",  # else each start walks through every file of the volume
        seccomp_profile=core.SeccompProfileArgs(type="RuntimeDefault"),
    )


def container_security() -> core.SecurityContextArgs:
    """No capability, no way to gain one, and nothing writable but what is mounted."""
    return core.SecurityContextArgs(
        allow_privilege_escalation=False,
        capabilities=core.CapabilitiesArgs(drop=["ALL"]),
        read_only_root_filesystem=True,
    )
