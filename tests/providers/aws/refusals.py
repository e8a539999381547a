"""What AWS refuses, in its own words where they are known, each row with where that was read.

`must not happen` rows are stricter than AWS: where it waits for twenty minutes, forgets something or leaves something
behind, a test had better end at once and name the cause.
"""

from dataclasses import dataclass
from typing import Any, Final

from tests.providers.refused import RefusedError

EKS = "docs.aws.amazon.com/eks/latest/userguide"
EC2 = "docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview"
VPC = "docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks"
IAM = "docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas"
STRICTER = "must not happen: stricter than AWS"


@dataclass(frozen=True)
class Refusal:
    """One refusal; the message may have placeholders."""

    code: str
    message: str
    source: str

    def error(self, **values: Any) -> RefusedError:
        """Return the error as the provider words it: the code, a colon, the message."""
        return RefusedError(f"{self.code}: {self.message.format(**values)}")


NOT_FOUND: Final = Refusal("ResourceNotFoundException", "no {kind} {id}", EC2)
EXISTS: Final = Refusal("ResourceInUseException", "{kind} {id} already exists", f"{EKS}, CreateCluster errors")
IN_USE: Final = Refusal(
    "DependencyViolation", "{kind} {id} has dependent objects: {users}", f"{EC2}; for roles and names {STRICTER} (B089)"
)
WRONG_ACCOUNT: Final = Refusal(
    "AWS account ID not allowed", "{number}", "hashicorp/terraform-provider-aws, internal/conns/config.go"
)
RANGE_SIZE: Final = Refusal("InvalidVpc.Range", "the CIDR '{range}' is invalid: /16 to /28", VPC)
SECOND_RANGE: Final = Refusal(
    "InvalidVpc.Range",
    "the CIDR '{range}' is restricted: not the same private block as '{first}'",
    f"{VPC}, table of IPv4 CIDR block association restrictions",
)
RANGE_TAKEN: Final = Refusal("InvalidSubnet.Conflict", "the CIDR '{range}' conflicts with another subnet", EC2)
RANGE_OUTSIDE: Final = Refusal("InvalidSubnet.Range", "the CIDR '{range}' is invalid: in no range of the VPC", EC2)
NO_ZONE: Final = Refusal("InvalidParameterValue", "Value ({zone}) for parameter availabilityZone is invalid", EC2)
NOT_ATTACHED: Final = Refusal(
    "Gateway.NotAttached", "network {vpc} has no Internet gateway attached, or no route of {subnet} leads to it", EC2
)
TWO_TARGETS: Final = Refusal("InvalidParameterCombination", "a route has exactly one target", EC2)
DUPLICATE_RULE: Final = Refusal("InvalidPermission.Duplicate", "the specified rule already exists", EC2)
NAME_LENGTH: Final = Refusal(
    "ValidationError", "name of a {kind} has {size} characters, at most {limit}", f"{IAM}; {EKS}, service quotas"
)
NO_POLICY: Final = Refusal("NoSuchEntity", "Policy {arn} does not exist or is not attachable", IAM)
FEW_ZONES: Final = Refusal(
    "InvalidParameterException",
    "Subnets specified must be in at least two different AZs",
    f"{EKS}/network-reqs",
)
OLD_VERSION: Final = Refusal(
    "InvalidParameterException", "unsupported Kubernetes version {version}", f"{EKS}, versions"
)
EXTENDED: Final = Refusal(
    "InvalidParameterException",
    "version {version} is in extended support, and the upgrade policy is STANDARD",
    f"{EKS}/view-upgrade-policy",
)
VERSION_STEP: Final = Refusal(
    "InvalidParameterException",
    "unsupported Kubernetes minor version update from {old} to {new}",
    f"{EKS}/update-cluster",
)
PUBLIC_CIDR: Final = Refusal(
    "InvalidParameterException", "the following CIDRs are reserved: {range}", f"{EKS}/cluster-endpoint"
)
NO_ENDPOINT: Final = Refusal(
    "InvalidParameterException", "private and public endpoint access cannot both be false", f"{EKS}/cluster-endpoint"
)
SERVICE_RANGE: Final = Refusal(
    "InvalidParameterException", "serviceIpv4Cidr overlaps with the VPC's range {range}", f"{EKS}, CreateCluster"
)
PROTECTED: Final = Refusal(
    "InvalidRequestException", "the cluster has deletion protection enabled", f"{EKS}/deletion-protection"
)
NO_ADDON: Final = Refusal("InvalidParameterException", "Addon {name} specified is not supported", f"{EKS}/eks-add-ons")
ADDON_VERSION: Final = Refusal(
    "InvalidParameterException", "Addon version {version} is not supported for {cluster}", f"{EKS}, CreateAddon"
)
ADDON_SETTINGS: Final = Refusal(
    "InvalidParameterException",
    "ConfigurationValue provided in request is not supported: Json schema validation failed with error: {key}",
    f"{EKS}, CreateAddon",
)
DEGRADED: Final = Refusal(
    "unexpected state 'DEGRADED'",
    "InsufficientNumberOfReplicas: The add-on is unhealthy because it doesn't have the desired number of replicas",
    "hashicorp/terraform-provider-aws, internal/service/eks/addon.go waits 20 minutes for ACTIVE",
)
NO_AGENT: Final = Refusal(
    "must not happen",
    "{name} has an identity, and no eks-pod-identity-agent gives it out",
    f"{EKS}/pod-identities; {STRICTER}",
)
NODES_NOT_READY: Final = Refusal(
    "NodeCreationFailure",
    "Instances failed to join the kubernetes cluster: {why}",
    f"{EKS}/troubleshooting, container runtime network not ready, Instances failed to join",
)
FORBIDDEN_IN_TEMPLATE: Final = Refusal(
    "InvalidRequestException", "You cannot specify {field} within the launch template", f"{EKS}/launch-templates"
)
SAID_TWICE: Final = Refusal(
    "InvalidRequestException",
    "You cannot specify {field} in both the request and the launch template",
    f"{EKS}/launch-templates",
)
VERSION_AND_IMAGE: Final = Refusal(
    "InvalidParameterException",
    "You cannot specify a Kubernetes version when specifying an image id in the launch template (B091)",
    "pulumi/pulumi-eks#1283",
)
NOT_MIME: Final = Refusal(
    "Ec2LaunchTemplateInvalidConfiguration", "User data was not in the MIME multipart format", f"{EKS}/launch-templates"
)
MINIMUM_ABOVE: Final = Refusal(
    "InvalidParameterException",
    "Minimum capacity {least} can't be greater than desired size {desired}",
    "terraform-aws-modules/terraform-aws-eks#2508, #3306: of a change that leaves the desired size as it is",
)
MAXIMUM_BELOW: Final = Refusal(
    "InvalidParameterException",
    "desired capacity {desired} can't be greater than max size {most}",
    f"{EKS}, UpdateNodegroupConfig",
)
NO_INSTANCE_TYPE: Final = Refusal("InvalidParameterException", "instance type {name} is not offered in {zone}", EC2)
USER_DATA_SIZE: Final = Refusal("InvalidUserData.Malformed", "User data is limited to 16384 bytes", EC2)
NOT_BASE64: Final = Refusal("InvalidUserData.Malformed", "Invalid BASE64 encoding of user data", EC2)
NO_NESTING: Final = Refusal(
    "Unsupported",
    "nested virtualization is not supported for {name}",
    "docs.aws.amazon.com/AWSEC2/latest/UserGuide/amazon-ec2-nested-virtualization",
)
ENTRY_TYPE: Final = Refusal(
    "InvalidRequestException",
    "an access policy cannot be associated with an entry of type EC2_LINUX",
    f"{EKS}/access-entries",
)
NO_ENTRY_MODE: Final = Refusal(
    "InvalidRequestException",
    "the cluster's authentication mode must be API or API_AND_CONFIG_MAP",
    f"{EKS}/access-entries",
)
NOT_LET_IN: Final = Refusal(
    "must not happen",
    "instances of {role} have no access entry of type EC2_LINUX and never join",
    f"{EKS}/self-managed; {STRICTER}",
)
KEY_WINDOW: Final = Refusal("ValidationException", "the waiting period is 7 to 30 days", "docs.aws.amazon.com/kms")
SECOND_MOUNT: Final = Refusal(
    "MountTargetConflict", "mount target already exists in this AZ", "docs.aws.amazon.com/efs"
)
