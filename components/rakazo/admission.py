"""What the API server refuses in the computers' namespace."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.admissionregistration import v1 as admissionregistration
from pulumi_kubernetes.meta import v1 as meta

from components.contracts import Sandbox
from components.kubernetes import names
from components.rakazo import admission_rules
from components.rakazo.admission_rules import Expected, Rule
from components.rakazo.network_peer import NAMESPACE_NAME

CONNECTIONS = ["pods/exec", "pods/attach", "pods/portforward", "pods/proxy"]


@dataclass(frozen=True, kw_only=True)
class AdmissionArgs:
    """Inputs of :class:`Admission`."""

    application_namespace: str
    computers_namespace: str
    sandbox: Sandbox
    computer_image: str
    """`name@sha256:<64 hex>`; ValueError without a digest."""
    creators: Sequence[str]
    """User names that may create computers and connect to them, Rakazo's first."""
    first_init_container: str | None
    """Name of the init container that closes the start-up window; None where nothing adds it."""


class Admission(pulumi.ComponentResource):
    """Nothing but Rakazo's own computers can exist in their namespace, and only Rakazo enters them.

    It holds against everybody, administrators included: to look into a computer, act as Rakazo's account.
    """

    objects: Sequence[pulumi.Resource]
    """The policies and their bindings."""

    def __init__(self, name: str, args: AdmissionArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:rakazo:Admission", name, None, opts)
        if "@sha256:" not in args.computer_image:
            raise ValueError(
                "images.computer has no digest, so what a computer runs could change behind the policy; "
                "write name@sha256:<64 hex digits>"
            )
        computers = self._policy(
            name,
            "computers",
            args,
            # Debugging containers come in through a resource of their own.
            resources=["pods", "pods/ephemeralcontainers"],
            operations=["CREATE", "UPDATE"],
            rules=list(
                admission_rules.render_rules(
                    Expected(
                        sandbox=args.sandbox,
                        computer_image=args.computer_image,
                        creators=args.creators,
                        first_init_container=args.first_init_container,
                    )
                )
            ),
            variables=admission_rules.VARIABLES,
            condition=admission_rules.SPEC_CHANGES,
            beside_each=admission_rules.BESIDE_EACH,
        )
        connections = self._policy(
            name,
            "connections",
            args,
            resources=CONNECTIONS,
            operations=["CONNECT"],
            rules=[admission_rules.render_creator(args.creators)],
        )
        self.objects = [*computers, *connections]
        self.register_outputs({})

    def _policy(
        self,
        name: str,
        subject: str,
        args: AdmissionArgs,
        *,
        resources: list[str],
        operations: list[str],
        rules: list[Rule],
        variables: dict[str, str] | None = None,
        condition: str | None = None,
        beside_each: tuple[str, str] | None = None,
    ) -> tuple[pulumi.Resource, pulumi.Resource]:
        """Declare a policy and bind it to the computers' namespace; its rules hold beside each object of a kind."""
        # Cluster-wide objects carry the namespace's name, so that two stacks on one cluster do not collide.
        metadata = meta.ObjectMetaArgs(
            name=f"{args.application_namespace}-{subject}", labels=names.labels(args.application_namespace)
        )
        policy = admissionregistration.ValidatingAdmissionPolicy(
            f"{name}-{subject}",
            metadata=metadata,
            spec=admissionregistration.ValidatingAdmissionPolicySpecArgs(
                failure_policy="Fail",
                param_kind=None
                if beside_each is None
                else admissionregistration.ParamKindArgs(api_version=beside_each[0], kind=beside_each[1]),
                match_constraints=admissionregistration.MatchResourcesArgs(
                    resource_rules=[
                        admissionregistration.NamedRuleWithOperationsArgs(
                            api_groups=[""],
                            api_versions=["v1"],
                            operations=operations,
                            resources=resources,
                        )
                    ]
                ),
                match_conditions=None
                if condition is None
                else [admissionregistration.MatchConditionArgs(name="the-spec-changes", expression=condition)],
                variables=None
                if variables is None
                else [
                    admissionregistration.VariableArgs(name=variable, expression=expression)
                    for variable, expression in variables.items()
                ],
                validations=[
                    admissionregistration.ValidationArgs(
                        expression=rule.expression, message=rule.message, reason="Forbidden"
                    )
                    for rule in rules
                ],
            ),
            opts=pulumi.ResourceOptions(parent=self),
        )
        binding = admissionregistration.ValidatingAdmissionPolicyBinding(
            f"{name}-{subject}",
            metadata=metadata,
            spec=admissionregistration.ValidatingAdmissionPolicyBindingSpecArgs(
                policy_name=f"{args.application_namespace}-{subject}",
                validation_actions=["Deny"],
                param_ref=None
                if beside_each is None
                else admissionregistration.ParamRefArgs(
                    selector=meta.LabelSelectorArgs(), parameter_not_found_action="Deny"
                ),
                match_resources=admissionregistration.MatchResourcesArgs(
                    namespace_selector=meta.LabelSelectorArgs(match_labels={NAMESPACE_NAME: args.computers_namespace})
                ),
            ),
            opts=pulumi.ResourceOptions(parent=self, depends_on=[policy]),
        )
        return policy, binding
