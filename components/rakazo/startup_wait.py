"""Closing the moment between a pod's start and the arrival of its network policies."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.admissionregistration import v1 as admissionregistration
from pulumi_kubernetes.meta import v1 as meta

from components.kubernetes import names
from components.rakazo.network_peer import NAMESPACE_NAME
from components.rakazo.quota import Size
from components.rakazo.wait_script import Wait, render_command

CONTAINER = "network-policy-wait"
USER_ID = 1000
"""The computer image's own user. Written out, since a name in the image would fail `runAsNonRoot`."""


@dataclass(frozen=True, kw_only=True)
class StartupWaitArgs:
    """Inputs of :class:`StartupWait`."""

    application_namespace: str
    computers_namespace: str
    limits: Size
    """As of the computer itself: an init container of the same size makes the pod no larger."""
    requests: Size
    mutates_admission: bool
    """Whether the cluster serves MutatingAdmissionPolicy v1."""


class StartupWait(pulumi.ComponentResource):
    """A computer's first program runs when its network policies are in force, or never.

    Network plugins apply policies some time after a pod has started; until then it reaches everything. On
    a cluster that is too old for the policy nothing is made, and the preview says so.
    """

    container: str | None
    """Name of the init container that every computer gets, or None."""
    objects: Sequence[pulumi.Resource]
    """The mutating policy and its binding, where the cluster has such."""

    def __init__(self, name: str, args: StartupWaitArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:rakazo:StartupWait", name, None, opts)
        self.container = CONTAINER if args.mutates_admission else None
        self.objects = []
        if args.mutates_admission:
            self._declare(name, args)
        else:
            pulumi.log.warn(
                "target.kubernetes_version is below 1.36: a computer may reach everything for about a second "
                "after its start, until its network policies arrive. Upgrade the cluster to close this.",
                resource=self,
            )
        self.register_outputs({"container": self.container})

    def _declare(self, name: str, args: StartupWaitArgs) -> None:
        metadata = meta.ObjectMetaArgs(
            name=f"{args.application_namespace}-startup-wait", labels=names.labels(args.application_namespace)
        )
        policy = admissionregistration.MutatingAdmissionPolicy(
            name,
            metadata=metadata,
            spec=admissionregistration.MutatingAdmissionPolicySpecArgs(
                failure_policy="Fail",
                reinvocation_policy="Never",
                match_constraints=admissionregistration.MatchResourcesArgs(
                    resource_rules=[
                        admissionregistration.NamedRuleWithOperationsArgs(
                            api_groups=[""], api_versions=["v1"], operations=["CREATE"], resources=["pods"]
                        )
                    ]
                ),
                mutations=[
                    admissionregistration.MutationArgs(
                        patch_type="JSONPatch",
                        json_patch=admissionregistration.JSONPatchArgs(
                            expression=render_patch(args.limits, args.requests)
                        ),
                    )
                ],
            ),
            opts=pulumi.ResourceOptions(parent=self),
        )
        binding = admissionregistration.MutatingAdmissionPolicyBinding(
            name,
            metadata=metadata,
            spec=admissionregistration.MutatingAdmissionPolicyBindingSpecArgs(
                policy_name=f"{args.application_namespace}-startup-wait",
                match_resources=admissionregistration.MatchResourcesArgs(
                    namespace_selector=meta.LabelSelectorArgs(match_labels={NAMESPACE_NAME: args.computers_namespace})
                ),
            ),
            opts=pulumi.ResourceOptions(parent=self, depends_on=[policy]),
        )
        self.objects = [policy, binding]


def render_patch(limits: Size, requests: Size) -> str:
    """Return the CEL expression that puts the wait in front of every other init container.

    Two steps, because API server 1.36.3 panics on a patch whose value is a list that holds an object. The
    container names its resources itself, since the LimitRange may have had its turn before: those of the computer,
    because under gVisor the larger of the two is what the whole pod may take.
    """
    container = "Object.spec.initContainers"
    security = f"{container}.securityContext"
    return "\n".join(
        (
            "(has(object.spec.initContainers) ? [] : [",
            '  JSONPatch{op: "add", path: "/spec/initContainers", value: []}',
            "]) + [",
            f'  JSONPatch{{op: "add", path: "/spec/initContainers/0", value: {container}{{',
            f"    name: {json.dumps(CONTAINER)},",
            "    image: object.spec.containers[0].image,",
            f"    command: {json.dumps(render_command(Wait()))},",
            # What it said last is in the pod's status, for whoever wonders why a computer does not start.
            '    terminationMessagePolicy: "FallbackToLogsOnError",',
            f"    resources: {container}.resources{{",
            f"      limits: {_own('limits', limits)},",
            f"      requests: {_own('requests', requests)}",
            "    },",
            f"    securityContext: {security}{{",
            "      allowPrivilegeEscalation: false,",
            "      readOnlyRootFilesystem: true,",
            "      runAsNonRoot: true,",
            f"      runAsUser: {USER_ID},",
            f'      capabilities: {security}.capabilities{{drop: ["ALL"]}},',
            f'      seccompProfile: {security}.seccompProfile{{type: "RuntimeDefault"}}',
            "    }",
            "  }}",
            "]",
        )
    )


def _own(kind: str, configured: Size) -> str:
    """Return the computer's own amounts, or the configured ones where it brings none."""
    return f"object.spec.containers[0].?resources.?{kind}.orValue({json.dumps(configured.as_resources())})"
