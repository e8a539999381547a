"""Which inputs force a new resource, by kind, and in which lists order means nothing.

`willReplaceOnChanges` of pulumi-aws 7.51.1's schema comes from ForceNew and CustomizeDiff of terraform-provider-aws 6;
read there, in internal/service/<service>/<resource>.go.
"""

from collections.abc import Mapping
from typing import Final

REPLACES: Final[Mapping[str, frozenset[str]]] = {
    # ec2/vpc_.go
    "VPC": frozenset({"ipv4IpamPoolId", "ipv4NetmaskLength", "cidrBlock", "region"}),
    # ec2/vpc_ipv4_cidr_block_association.go
    "range": frozenset({"cidrBlock", "vpcId", "ipv4IpamPoolId", "ipv4NetmaskLength", "region"}),
    # ec2/vpc_subnet.go
    "subnet": frozenset({"availabilityZone", "availabilityZoneId", "cidrBlock", "vpcId", "outpostArn", "region"}),
    # ec2/vpc_internet_gateway.go: another VPC is an update
    "internet gateway": frozenset({"region"}),
    # ec2/vpc_nat_gateway.go
    "NAT gateway": frozenset({"allocationId", "connectivityType", "privateIp", "subnetId", "vpcId", "region"}),
    # ec2/ec2_eip.go
    "address": frozenset({"domain", "publicIpv4Pool", "networkBorderGroup", "region"}),
    # ec2/vpc_route_table.go
    "route table": frozenset({"vpcId", "region"}),
    # ec2/vpc_route.go
    "route": frozenset({"routeTableId", "destinationCidrBlock", "destinationIpv6CidrBlock", "region"}),
    # ec2/vpc_route_table_association.go
    "route table association": frozenset({"subnetId", "gatewayId", "region"}),
    # ec2/vpc_security_group.go
    "security group": frozenset({"description", "name", "namePrefix", "vpcId", "region"}),
    # ec2/vpc_security_group_ingress_rule.go
    "ingress rule": frozenset({"securityGroupId", "region"}),
    # ec2/vpc_security_group_egress_rule.go
    "egress rule": frozenset({"securityGroupId", "region"}),
    # ec2/ec2_launch_template.go
    "launch template": frozenset({"name", "namePrefix", "region"}),
    # iam/role.go
    "role": frozenset({"name", "namePrefix", "path"}),
    # iam/role_policy_attachment.go
    "policy attachment": frozenset({"role", "policyArn"}),
    # iam/instance_profile.go
    "instance profile": frozenset({"name", "namePrefix", "path"}),
    # kms/key.go
    "key": frozenset({"customerMasterKeySpec", "keyUsage", "multiRegion", "customKeyStoreId", "region"}),
    # logs/group.go
    "log group": frozenset({"name", "namePrefix", "logGroupClass", "region"}),
    # eks/cluster.go; of the network settings only the security group of the cluster's own cannot be told
    "cluster": frozenset({"name", "roleArn", "kubernetesNetworkConfig", "bootstrapSelfManagedAddons", "region"}),
    # eks/addon.go
    "addon": frozenset({"addonName", "clusterName", "region"}),
    # eks/node_group.go
    "node group": frozenset(
        {
            "amiType",
            "capacityType",
            "clusterName",
            "diskSize",
            "instanceTypes",
            "nodeGroupName",
            "nodeGroupNamePrefix",
            "nodeRoleArn",
            "remoteAccess",
            "subnetIds",
            "region",
        }
    ),
    # eks/access_entry.go
    "access entry": frozenset({"clusterName", "principalArn", "type", "region"}),
    # eks/access_policy_association.go
    "access policy": frozenset({"accessScope", "clusterName", "policyArn", "principalArn", "region"}),
    # autoscaling/group.go
    "group": frozenset({"name", "namePrefix", "region"}),
    # efs/file_system.go
    "file system": frozenset(
        {"creationToken", "encrypted", "kmsKeyId", "performanceMode", "availabilityZoneName", "region"}
    ),
    # efs/mount_target.go
    "mount target": frozenset({"fileSystemId", "subnetId", "ipAddress", "region"}),
}

UNORDERED: Final[Mapping[str, frozenset[str]]] = {
    "cluster": frozenset(
        {"enabledClusterLogTypes", "vpcConfig.publicAccessCidrs", "vpcConfig.subnetIds", "vpcConfig.securityGroupIds"}
    ),
    "node group": frozenset({"subnetIds", "taints"}),
    "group": frozenset({"vpcZoneIdentifiers", "tags"}),
    "launch template": frozenset({"vpcSecurityGroupIds"}),
    "mount target": frozenset({"securityGroups"}),
}
