"""A service of the table as a Kubernetes pod: pure rendering, no resources."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from components.kubernetes.hardening import container_security, pod_security
from components.kubernetes.probe import render_probe
from components.service import SecretValue, Service, Setting, Settings, Size

CONFIGURATION = "rakazo-infra/configuration"
"""Annotation of a pod: a digest of the secrets it reads, so that it is restarted when one changes."""

AWAITED_SECONDS = 120
"""How long a pod waits for what it connects to; policies of a busy node take up to a minute."""


@dataclass(frozen=True, kw_only=True)
class PodArgs:
    """What a pod needs beside the table's row."""

    image: str
    labels: Mapping[str, str]
    settings: Settings
    secret_holders: Mapping[str, str]
    """Name of the Secret that holds each of the row's secret variables; optional ones may be missing."""
    configuration: pulumi.Output[str] | None = None
    """Digest of the secrets' values; not secret itself. None: it reads none."""
    service_account: str | None = None
    """Its token is mounted; None mounts none."""
    affinity: core.AffinityArgs | None = None
    topology_spread: core.TopologySpreadConstraintArgs | None = None
    restart: str = "Always"


def render_pod(service: Service, args: PodArgs) -> core.PodTemplateSpecArgs:
    """Render the template of a service's pods."""
    trusted = service.uses_kubernetes and args.service_account is not None
    annotations = None if args.configuration is None else {CONFIGURATION: args.configuration}
    return core.PodTemplateSpecArgs(
        metadata=meta.ObjectMetaArgs(labels=dict(args.labels), annotations=annotations),
        spec=core.PodSpecArgs(
            automount_service_account_token=trusted,
            service_account_name=args.service_account if trusted else None,
            enable_service_links=False,  # else every Service of the namespace writes variables into the pod
            security_context=pod_security(service.user),
            termination_grace_period_seconds=service.grace_seconds,
            restart_policy=args.restart,
            affinity=args.affinity,
            topology_spread_constraints=[args.topology_spread] if args.topology_spread else None,
            init_containers=[*_prove_writable(service, args.image), *_await(service, args.image)] or None,
            containers=[_container(service, args)],
            volumes=_volumes(service) or None,
        ),
    )


def _container(service: Service, args: PodArgs) -> core.ContainerArgs:
    return core.ContainerArgs(
        name=service.name,
        image=args.image,
        image_pull_policy="IfNotPresent",  # the digest says which; Always would need the registry at each start
        command=list(service.command) or None,
        working_dir=service.working_directory,
        env=render_variables(service, args),
        ports=_ports(service),
        resources=_resources(service.requests, service.limits),
        security_context=container_security(),
        startup_probe=render_probe(service.startup),
        readiness_probe=render_probe(service.readiness),
        liveness_probe=render_probe(service.liveness),
        termination_message_policy="FallbackToLogsOnError",
        volume_mounts=_mounts(service) or None,
    )


def render_variables(service: Service, args: PodArgs) -> list[core.EnvVarArgs]:
    """Render exactly the row's variables, by name; a secret is referred to and never copied into the pod."""
    variables: list[core.EnvVarArgs] = []
    for name, source in sorted(service.variables.items()):
        match source:
            case SecretValue():
                if name in args.secret_holders:
                    reference = _reference(args.secret_holders[name], name)
                    variables.append(core.EnvVarArgs(name=name, value_from=reference))
            case Setting():
                value = args.settings[source]
                if value is not None:
                    variables.append(core.EnvVarArgs(name=name, value=value))
            case str():
                variables.append(core.EnvVarArgs(name=name, value=source))
    return variables


def _reference(secret: str, key: str) -> core.EnvVarSourceArgs:
    return core.EnvVarSourceArgs(secret_key_ref=core.SecretKeySelectorArgs(name=secret, key=key))


def _ports(service: Service) -> list[core.ContainerPortArgs] | None:
    if service.port is None:
        return None
    return [core.ContainerPortArgs(name=service.name, container_port=service.port)]


def _resources(requests: Size, limits: Size) -> core.ResourceRequirementsArgs:
    return core.ResourceRequirementsArgs(requests=_quantities(requests), limits=_quantities(limits))


def _quantities(size: Size) -> dict[str, str]:
    return {
        "cpu": f"{size.cpu_millis}m",
        "memory": f"{size.memory_mib}Mi",
        "ephemeral-storage": f"{size.disk_mib}Mi",
    }


def _mounts(service: Service) -> list[core.VolumeMountArgs]:
    mounts = [
        core.VolumeMountArgs(name=f"scratch-{index}", mount_path=scratch.path)
        for index, scratch in enumerate(service.scratch)
    ]
    if service.volume is not None:
        mounts.append(core.VolumeMountArgs(name=service.volume.name, mount_path=service.volume.path))
    return mounts


def _volumes(service: Service) -> list[core.VolumeArgs]:
    volumes = [
        core.VolumeArgs(
            name=f"scratch-{index}",
            empty_dir=core.EmptyDirVolumeSourceArgs(size_limit=f"{scratch.mib}Mi"),
        )
        for index, scratch in enumerate(service.scratch)
    ]
    if service.volume is not None:
        claim = core.PersistentVolumeClaimVolumeSourceArgs(claim_name=service.volume.name)
        volumes.append(core.VolumeArgs(name=service.volume.name, persistent_volume_claim=claim))
    return volumes


def _prove_writable(service: Service, image: str) -> Iterator[core.ContainerArgs]:
    """Fail before the service starts: Rakazo itself starts without its volume and loses files in silence."""
    if service.volume is None:
        return
    path = service.volume.path
    script = (
        f'probe="$(mktemp -d {path}/.writable-XXXXXX)" && rmdir "$probe" && exit 0; '
        f'echo "{path} is not writable for uid $(id -u): $(ls -ldn {path})" >&2; exit 1'
    )
    mounts = [core.VolumeMountArgs(name=service.volume.name, mount_path=path)]
    yield _before_start("volume-is-writable", image, ["sh", "-c", script], mounts)


def _await(service: Service, image: str) -> Iterator[core.ContainerArgs]:
    """Wait in the same pod, since each new one has to be let through anew."""
    if service.awaits is None:
        return
    host, port = service.awaits.host, service.awaits.port
    script = (
        f"until (exec 3<>/dev/tcp/{host}/{port}) 2>/dev/null; do "
        f"if [ $SECONDS -ge {AWAITED_SECONDS} ]; then "
        f'echo "{host}:{port} took no connection for {AWAITED_SECONDS} s" >&2; exit 1; fi; sleep 0.3; done'
    )
    yield _before_start(f"{host}-answers", image, ["bash", "-c", script], [])


def _before_start(name: str, image: str, command: list[str], mounts: list[core.VolumeMountArgs]) -> core.ContainerArgs:
    return core.ContainerArgs(
        name=name,
        image=image,
        image_pull_policy="IfNotPresent",
        command=command,
        resources=_resources(_SMALL, _SMALL),
        security_context=container_security(),
        termination_message_policy="FallbackToLogsOnError",
        volume_mounts=mounts or None,
    )


_SMALL = Size(cpu_millis=50, memory_mib=64, disk_mib=16)
