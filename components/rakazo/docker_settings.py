"""Values of the table's settings for one stack whose computers Docker runs."""

from components.compose.networks import supervisor_address
from components.kubernetes import names
from components.service import Setting, Settings
from stacks.docker_stack import DockerStackSettings
from stacks.quantity import cpu_millis


def choose_docker_settings(stack: DockerStackSettings) -> Settings:
    """Return a value for every setting that the table of services names where computers are Docker's."""
    application, computers = stack.application, stack.computers
    return {
        Setting.ORIGIN: application.public.origin,
        Setting.HOST: application.public.host,
        Setting.API_URL: f"http://{names.API}:{names.API_PORT}",
        Setting.COMPUTER_IMAGE: stack.images.computer,
        Setting.CPU_LIMIT: f"{cpu_millis(computers.cpu) / 1000:g}",
        Setting.MEMORY_LIMIT: computers.docker_memory,
        Setting.PIDS_LIMIT: str(computers.pids),
        Setting.COMPUTER_MOUNTS: ",".join(mount.spelled for mount in computers.mounts) or None,
        Setting.SUPERVISOR_ADDRESS: supervisor_address(stack.target.docker.address_pool),
        Setting.MOST_COMPUTERS: str(computers.maximum),
        Setting.AGENT_RUNTIME: application.agent_runtime,
        Setting.SIGNUPS_ENABLED: "true" if application.signups_enabled else "false",
        Setting.SIGNUP_ALLOWLIST: ",".join(application.signup_allowlist) or None,
    }
