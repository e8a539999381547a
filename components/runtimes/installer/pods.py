"""The two pods of each node: one that installs and one that proves. Pure rendering, no resources."""

from dataclasses import dataclass

from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from components.kubernetes import names as kubernetes_names
from components.kubernetes.hardening import container_security, pod_security
from components.runtimes.installer import names, program
from stacks.runtime import GvisorRuntime
from stacks.target.gvisor import GvisorSettings

ROOT = "/node"
"""Where the installer sees folders of the node."""
HOME = "/opt/rakazo-infra"
CONTAINERD = "/etc/containerd"
SYSTEMD = "/run/systemd"
HOST_PATHS = {HOME: "DirectoryOrCreate", CONTAINERD: "Directory", SYSTEMD: "Directory"}
"""All that the installer sees of a node: gVisor's folder, containerd's configuration, and systemd's socket."""

NOBODY = 65534
GRACE_SECONDS = 180
"""Long enough to start containerd anew once more."""


@dataclass(frozen=True, kw_only=True)
class PodsArgs:
    """What both pods are made of."""

    application_namespace: str
    image: str
    """Has Python 3.11 or newer with its standard library: the image of the computers."""
    gvisor: GvisorSettings
    runtime: GvisorRuntime
    check_class: str
    """RuntimeClass under which the prover runs."""


def labels(args: PodsArgs, role: str) -> dict[str, str]:
    """Labels of the pods of a role."""
    return kubernetes_names.labels(args.application_namespace, role)


def installer(args: PodsArgs) -> core.PodTemplateSpecArgs:
    """Render the pod that installs: root, because the node's files are root's, and otherwise without any right.

    No host namespace and no capability: containerd is started anew by systemd, which is asked over its own socket.
    """
    variables = {
        "GVISOR_URL": args.gvisor.url,
        "GVISOR_SHA512": args.gvisor.sha512,
        "GVISOR_RELEASE": args.gvisor.release,
        "GVISOR_PLATFORM": args.gvisor.platform,
        "GVISOR_HANDLER": args.runtime.handler,
        "NODE_ROOT": ROOT,
        "NODE_HOME": HOME,
        "NODE_CONTAINERD": CONTAINERD,
        "NAMESPACE": names.namespace(args.application_namespace),
        "DAEMON_SET": names.INSTALLER,
    }
    mounts = [core.VolumeMountArgs(name=_volume(path), mount_path=f"{ROOT}{path}") for path in HOST_PATHS]
    volumes = [
        core.VolumeArgs(name=_volume(path), host_path=core.HostPathVolumeSourceArgs(path=path, type=kind))
        for path, kind in HOST_PATHS.items()
    ]
    return _template(
        args,
        names.INSTALLER,
        core.PodSpecArgs(
            service_account_name=names.INSTALLER,
            automount_service_account_token=True,
            enable_service_links=False,
            node_selector=dict(args.runtime.node_selector),
            tolerations=_tolerations(args.runtime),
            termination_grace_period_seconds=GRACE_SECONDS,
            security_context=core.PodSecurityContextArgs(
                run_as_user=0,
                run_as_group=0,
                seccomp_profile=core.SeccompProfileArgs(type="RuntimeDefault"),
            ),
            containers=[_container(args, "node.install", variables, memory="192Mi", mounts=mounts)],
            volumes=[*_volumes(), *volumes],
        ),
    )


def prover(args: PodsArgs) -> core.PodTemplateSpecArgs:
    """Render the pod that proves: an ordinary one under gVisor, with nothing of the node.

    It starts as soon as the node's containerd knows the handler, and is the only one that may label the node.
    """
    own_node = core.EnvVarSourceArgs(field_ref=core.ObjectFieldSelectorArgs(field_path="spec.nodeName"))
    variables = {
        "LABEL": names.LABEL,
        "LABEL_VALUE": names.READY,
        # Not read: another release is another pod, which proves that one.
        "GVISOR_RELEASE": f"{args.gvisor.release}@{args.gvisor.sha512[:12]}",
    }
    container = _container(
        args, "node.prove", variables, memory="128Mi", more=[core.EnvVarArgs(name="NODE_NAME", value_from=own_node)]
    )
    return _template(
        args,
        names.PROVER,
        core.PodSpecArgs(
            service_account_name=names.PROVER,
            automount_service_account_token=True,
            enable_service_links=False,
            runtime_class_name=args.check_class,
            # A daemon set looks at its own template alone for the nodes that it is to be on.
            node_selector=dict(args.runtime.node_selector),
            tolerations=_tolerations(args.runtime),
            termination_grace_period_seconds=30,
            security_context=pod_security(NOBODY),
            containers=[container],
            volumes=_volumes(),
        ),
    )


def _template(args: PodsArgs, role: str, spec: core.PodSpecArgs) -> core.PodTemplateSpecArgs:
    return core.PodTemplateSpecArgs(
        metadata=meta.ObjectMetaArgs(labels=labels(args, role), annotations={program.CHANGED: program.fingerprint()}),
        spec=spec,
    )


def _container(
    args: PodsArgs,
    module: str,
    variables: dict[str, str],
    *,
    memory: str,
    mounts: list[core.VolumeMountArgs] | None = None,
    more: list[core.EnvVarArgs] | None = None,
) -> core.ContainerArgs:
    shared = {"PYTHONPATH": "/program", "PYTHONDONTWRITEBYTECODE": "1"}
    return core.ContainerArgs(
        name=module.replace(".", "-"),
        image=args.image,
        image_pull_policy="IfNotPresent",
        command=["python3", "-m", module],
        working_dir="/",
        env=[
            *(core.EnvVarArgs(name=key, value=value) for key, value in {**variables, **shared}.items()),
            *(more or []),
        ],
        resources=core.ResourceRequirementsArgs(
            requests={"cpu": "10m", "memory": "48Mi", "ephemeral-storage": "8Mi"},
            limits={"cpu": "1", "memory": memory, "ephemeral-storage": "64Mi"},
        ),
        security_context=container_security(),
        readiness_probe=core.ProbeArgs(
            exec_=core.ExecActionArgs(command=["test", "-e", "/tmp/ready"]),  # noqa: S108 - the pod's own folder
            period_seconds=2,
            timeout_seconds=10,
        ),
        termination_message_policy="FallbackToLogsOnError",
        volume_mounts=[
            core.VolumeMountArgs(name="program", mount_path="/program/node", read_only=True),
            core.VolumeMountArgs(name="scratch", mount_path="/tmp"),  # noqa: S108 - see above
            *(mounts or []),
        ],
    )


def _volumes() -> list[core.VolumeArgs]:
    return [
        core.VolumeArgs(name="program", config_map=core.ConfigMapVolumeSourceArgs(name=names.PROGRAM)),
        core.VolumeArgs(name="scratch", empty_dir=core.EmptyDirVolumeSourceArgs(size_limit="8Mi")),
    ]


def _tolerations(runtime: GvisorRuntime) -> list[core.TolerationArgs]:
    return [
        core.TolerationArgs(key=taint.key, operator="Equal", value=taint.value, effect=taint.effect)
        for taint in runtime.tolerations
    ]


def _volume(path: str) -> str:
    return path.strip("/").replace("/", "-")
