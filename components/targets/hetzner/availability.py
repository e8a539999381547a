"""The question to Hetzner where new servers can be had, asked in every preview."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_hcloud as hcloud

from components.targets.hetzner.names import named, selector
from components.targets.hetzner.stock import NowhereError, Offer, choose_location, endings
from stacks.target import HetznerTarget
from stacks.target.docker_hetzner import DockerHetznerTarget


@dataclass(frozen=True, kw_only=True)
class AvailabilityArgs:
    """What is asked for."""

    stack: str
    settings: HetznerTarget | DockerHetznerTarget
    provider: hcloud.Provider


def choose(args: AvailabilityArgs) -> pulumi.Output[str]:
    """Return the location for new servers; the preview fails when a server is to be made and cannot be had.

    A stack whose servers all exist goes on, whatever is sold out: what exists stays where it is.
    """
    wanted = list(dict.fromkeys(machine.type for machine in args.settings.machines))
    options = pulumi.InvokeOutputOptions(provider=args.provider)
    asked = [hcloud.get_server_type_output(name=server_type, opts=options) for server_type in wanted]

    def chosen(answers: Sequence[hcloud.GetServerTypeResult]) -> pulumi.Output[str]:
        offers = {
            server_type: {
                place.name: Offer(available=place.available, ends=place.unavailable_after) for place in answer.locations
            }
            for server_type, answer in zip(wanted, answers, strict=True)
        }
        try:
            location = choose_location(args.settings.locations, offers)
        except NowhereError as error:
            return _all_there_or(error, args, options)
        for warning in endings(location, offers):
            pulumi.log.warn(warning)
        return pulumi.Output.from_input(location)

    return pulumi.Output.all(*asked).apply(chosen)


def _all_there_or(
    error: NowhereError, args: AvailabilityArgs, options: pulumi.InvokeOutputOptions
) -> pulumi.Output[str]:
    """Return a location that nobody uses when every server exists already with its type; the error else."""
    existing = hcloud.get_servers_output(with_selector=selector(args.stack), opts=options)

    def judged(found: hcloud.GetServersResult) -> str:
        # Another type is an order too.
        there = {server.name: server.server_type for server in found.servers}
        if any(there.get(named(args.stack, machine.key)) != machine.type for machine in args.settings.machines):
            raise pulumi.RunError(str(error))
        return args.settings.locations[0]

    return existing.apply(judged)
