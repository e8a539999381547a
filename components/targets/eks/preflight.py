"""The questions to AWS that every preview asks, all of them through data sources: nothing is made before they pass."""

from collections.abc import Sequence
from typing import Any

import pulumi
import pulumi_aws as aws

from components.targets.eks.answers import Answers, faults
from components.targets.eks.network_answers import NetworkAnswers, SubnetAnswer, VpcAnswer
from stacks.target import EksTarget
from stacks.target.eks_network import ExistingNetwork


def passed(settings: EksTarget, provider: aws.Provider, *, nests: bool) -> pulumi.Output[str]:
    """Return the region once nothing speaks against making the cluster there; the preview fails else.

    What is made waits for it, since it is where everything is made. `nests` is whether computers are virtual machines.
    """
    opts = pulumi.InvokeOutputOptions(provider=provider)

    def judged(known: dict[str, Any]) -> str:
        wrong = faults(settings, Answers(**known))
        if wrong:
            raise pulumi.RunError("AWS speaks against the stack:\n  " + "\n  ".join(wrong))
        return settings.region

    types = sorted({settings.system.type, settings.computers.type})
    details = {name: aws.ec2.get_instance_type_output(instance_type=name, opts=opts) for name in types}
    zones = aws.get_availability_zones_output(state="available", opts=opts)
    return pulumi.Output.all(
        caller=_caller(opts),
        zones=zones.names,
        versions=_versions(opts),
        offered=_offered(types, opts),
        architectures={name: found.supported_architectures for name, found in details.items()},
        hypervisors={name: found.hypervisor for name, found in details.items()},
        features={name: found.supported_cpu_features for name, found in details.items()},
        nests=nests,
        network=_network(settings, opts),
    ).apply(judged)


def _caller(opts: pulumi.InvokeOutputOptions) -> pulumi.Output[str]:
    who = aws.get_caller_identity_output(opts=opts)
    return aws.iam.get_session_context_output(arn=who.arn, opts=opts).issuer_arn


def _versions(opts: pulumi.InvokeOutputOptions) -> pulumi.Output[dict[str, str]]:
    def told(found: aws.eks.GetClusterVersionsResult) -> dict[str, str]:
        return {each.cluster_version: each.version_status for each in found.cluster_versions}

    return aws.eks.get_cluster_versions_output(include_all=True, opts=opts).apply(told)


def _offered(types: Sequence[str], opts: pulumi.InvokeOutputOptions) -> pulumi.Output[dict[str, list[str]]]:
    def told(found: aws.ec2.GetInstanceTypeOfferingsResult) -> dict[str, list[str]]:
        pairs = list(zip(found.instance_types, found.locations, strict=True))
        return {name: [zone for offered, zone in pairs if offered == name] for name in types}

    return aws.ec2.get_instance_type_offerings_output(
        location_type="availability-zone",
        filters=[aws.ec2.GetInstanceTypeOfferingsFilterArgs(name="instance-type", values=list(types))],
        opts=opts,
    ).apply(told)


def _network(settings: EksTarget, opts: pulumi.InvokeOutputOptions) -> pulumi.Output[NetworkAnswers] | None:
    network = settings.network
    if not isinstance(network, ExistingNetwork):
        return None
    ids = [subnet.id for zone in network.subnets.values() for subnet in (zone.nodes, zone.pods)]
    found = {each: aws.ec2.get_subnet_output(id=each, opts=opts).apply(_subnet) for each in ids}
    vpc = aws.ec2.get_vpc_output(id=network.vpc, opts=opts).apply(_vpc)
    return pulumi.Output.all(vpc=vpc, subnets=pulumi.Output.all(**found)).apply(lambda told: NetworkAnswers(**told))


def _vpc(found: aws.ec2.GetVpcResult) -> VpcAnswer:
    return VpcAnswer(
        ranges=[each.cidr_block for each in found.cidr_block_associations],
        names=found.enable_dns_support and found.enable_dns_hostnames,
    )


def _subnet(found: aws.ec2.GetSubnetResult) -> SubnetAnswer:
    return SubnetAnswer(
        zone=found.availability_zone,
        vpc=found.vpc_id,
        range=found.cidr_block,
        free=found.available_ip_address_count,
        tags=dict(found.tags),
    )
