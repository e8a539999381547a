"""What a pod that may label its node cannot do with that: label another one, or change anything else."""

from collections.abc import Mapping
from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.admissionregistration import v1 as admissionregistration
from pulumi_kubernetes.meta import v1 as meta

from components.kubernetes import names

NODE_OF_THE_TOKEN = "authentication.kubernetes.io/node-name"  # noqa: S105 - a key, not a secret
"""What the API server notes of the node for which a pod's token was made; the pod cannot change it."""

KEPT = {"annotations": "{}", "finalizers": "[]", "ownerReferences": "[]"}
"""What else of a node's metadata can be changed, and what it is where it is missing; a node whose owner does not exist
is deleted as garbage."""


@dataclass(frozen=True, kw_only=True)
class OwnNodeAloneArgs:
    """Inputs of :class:`OwnNodeAlone`."""

    application_namespace: str
    role: str
    """Last part of the policy's name, which is cluster-wide."""
    user: str
    """User name of the account that it holds for."""
    who: str
    """What it is called to whoever is refused, such as "a prover"."""
    label: str
    """Key of the label that it may change."""
    kubelets: bool = False
    """Whether its rights lead to kubelets too, whose every pod would be open to it."""


class OwnNodeAlone(pulumi.ComponentResource):
    """Whoever takes over a node or such a pod on it says of that node alone that it is ready, which it could anyway."""

    def __init__(self, name: str, args: OwnNodeAloneArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:runtimes:OwnNodeAlone", name, None, opts)
        self._args = args
        self._deny(name, args.role, ("nodes", "UPDATE"), rules(args.who, args.label))
        if args.kubelets:
            told = {"false": f"{args.who} may not reach a kubelet through the API"}
            self._deny(f"{name}-kubelets", f"{args.role}-kubelets", ("nodes/proxy", "CONNECT"), told)
        self.register_outputs({})

    def _deny(self, name: str, role: str, action: tuple[str, str], rules: Mapping[str, str]) -> None:
        application = self._args.application_namespace
        metadata = meta.ObjectMetaArgs(name=f"{application}-{role}", labels=names.labels(application))
        resource, operation = action
        policy = admissionregistration.ValidatingAdmissionPolicy(
            name,
            metadata=metadata,
            spec=admissionregistration.ValidatingAdmissionPolicySpecArgs(
                failure_policy="Fail",
                match_constraints=admissionregistration.MatchResourcesArgs(
                    resource_rules=[
                        admissionregistration.NamedRuleWithOperationsArgs(
                            api_groups=[""], api_versions=["v1"], resources=[resource], operations=[operation]
                        )
                    ]
                ),
                match_conditions=[
                    admissionregistration.MatchConditionArgs(
                        name="this-account", expression=f'request.userInfo.username == "{self._args.user}"'
                    )
                ],
                validations=[
                    admissionregistration.ValidationArgs(expression=expression, message=message)
                    for expression, message in rules.items()
                ],
            ),
            opts=pulumi.ResourceOptions(parent=self),
        )
        admissionregistration.ValidatingAdmissionPolicyBinding(
            name,
            metadata=metadata,
            spec=admissionregistration.ValidatingAdmissionPolicyBindingSpecArgs(
                policy_name=f"{application}-{role}", validation_actions=["Deny"]
            ),
            opts=pulumi.ResourceOptions(parent=self, depends_on=[policy]),
        )


def rules(who: str, label: str) -> dict[str, str]:
    """Return each rule's expression and what is said to whoever breaks it."""
    ours = f"key == '{label}'"
    kept = f"object.metadata.labels.all(key, {ours} || oldObject.metadata.labels[?key] == object.metadata.labels[?key])"
    still = f"oldObject.metadata.labels.all(key, {ours} || key in object.metadata.labels)"
    same = "object.metadata.?{0}.orValue({1}) == oldObject.metadata.?{0}.orValue({1})"
    return {
        f"request.userInfo.extra[?'{NODE_OF_THE_TOKEN}'][0].orValue('') == request.name": (
            f"{who} may label the node that it runs on, and no other"
        ),
        f"{kept} && {still}": f"{who} may change the label {label}, and no other",
        "object.spec == oldObject.spec": f"{who} may not change a node's taints, nor whether pods go there",
        " && ".join(same.format(field, empty) for field, empty in KEPT.items()): (
            f"{who} may change a node's labels, and nothing else"
        ),
    }
