"""Values of the table's settings for one stack."""

from components.contracts import Sandbox
from components.kubernetes import names
from components.service import Setting, Settings
from stacks.application import ApplicationSettings
from stacks.computers import ComputersSettings


def choose_settings(
    application: ApplicationSettings, computers: ComputersSettings, computer_image: str, sandbox: Sandbox
) -> Settings:
    """Return a value for every setting that the table of services names.

    A computer's limits are handed to Rakazo only without `reserve`: Rakazo would write them into the pod,
    Kubernetes would copy them into its requests, and the reserve would book nothing. With it, the
    LimitRange gives each computer both.
    """
    written = computers.reserve is None
    return {
        Setting.ORIGIN: application.public.origin,
        Setting.HOST: application.public.host,
        Setting.API_URL: f"http://{names.API}:{names.API_PORT}",
        Setting.COMPUTERS_NAMESPACE: application.computers_namespace,
        Setting.COMPUTER_IMAGE: computer_image,
        Setting.RUNTIME_CLASS: sandbox.runtime_class,
        Setting.CPU_LIMIT: computers.cpu if written else None,
        Setting.MEMORY_LIMIT: computers.memory if written else None,
        Setting.AGENT_RUNTIME: application.agent_runtime,
        Setting.SIGNUPS_ENABLED: "true" if application.signups_enabled else "false",
        Setting.SIGNUP_ALLOWLIST: ",".join(application.signup_allowlist) or None,
    }
