"""The rows of the table that are different where computers are Docker's: one service more, and who is told about it."""

from dataclasses import replace

from components.kubernetes import names
from components.rakazo.services import (
    API,
    COMPUTERS,
    DATA_DIR,
    DATABASE_LOGINS,
    MIGRATE,
    MODEL_KEYS,
    NEVER,
    NODE,
    POSTGRES,
    SIGN_IN,
    SUPERVISOR_TOKEN,
    WEB,
    WORKER,
)
from components.service import HttpProbe, Scratch, SecretValue, Service, Setting, Size, Source, Volume

DOCKER_COMPUTERS: dict[str, Source] = {
    "SANDBOX_PROVIDER": "docker",
    "SANDBOX_SUPERVISOR_URL": f"http://{names.SUPERVISOR}:{names.SUPERVISOR_PORT}",
    "SANDBOX_SUPERVISOR_TOKEN": SecretValue.SUPERVISOR_TOKEN,
    "SANDBOX_MAX_COMPUTERS_PER_SPACE": Setting.MOST_COMPUTERS,
}
"""What api and worker have in the place of Kubernetes' variables."""
SUPERVISOR = Service(
    name="supervisor",
    image="app",
    command=NODE,
    working_directory="/app/infra/sandboxes/supervisor",
    port=names.SUPERVISOR_PORT,
    user=0,  # Docker's socket is root's
    capabilities=("DAC_READ_SEARCH",),  # to look into homes, which are their owner's alone
    variables={
        "NODE_ENV": "production",
        "DATA_DIR": DATA_DIR,
        "SUPERVISOR_HOST": Setting.SUPERVISOR_ADDRESS,  # never all: it joins every computer's network
        "SUPERVISOR_PORT": str(names.SUPERVISOR_PORT),
        SUPERVISOR_TOKEN: SecretValue.SUPERVISOR_TOKEN,
        "RAKAZO_COMPUTER_IMAGE": Setting.COMPUTER_IMAGE,
        "RAKAZO_COMPUTER_CPUS": Setting.CPU_LIMIT,
        "RAKAZO_COMPUTER_MEMORY": Setting.MEMORY_LIMIT,
        "RAKAZO_COMPUTER_PIDS_LIMIT": Setting.PIDS_LIMIT,
        "SANDBOX_COMPUTER_MOUNTS": Setting.COMPUTER_MOUNTS,
        # Releases from September 2026 on count here, and not in api and worker.
        "SANDBOX_MAX_COMPUTERS_PER_SPACE": Setting.MOST_COMPUTERS,
        "SANDBOX_SCREEN_NETWORK": "isolated",  # a network per computer, which only it and web join
        "SANDBOX_COMPUTER_EGRESS": "restricted",  # without the machine's rules no computer starts
    },
    forbidden=frozenset({"ENCRYPTION_KEY", *DATABASE_LOGINS, *SIGN_IN, *MODEL_KEYS, *(NEVER - {SUPERVISOR_TOKEN})}),
    requests=Size(cpu_millis=50, memory_mib=128, disk_mib=64),  # not measured
    limits=Size(cpu_millis=1000, memory_mib=512, disk_mib=256),  # upstream's memory
    startup=HttpProbe(path="/health", port=names.SUPERVISOR_PORT, period_seconds=1, failures=180),
    readiness=HttpProbe(path="/health", port=names.SUPERVISOR_PORT, period_seconds=5, failures=3),
    scratch=(Scratch(path="/tmp", mib=128),),  # noqa: S108 - in a container
    volume=Volume(name=names.DATA_VOLUME, path=DATA_DIR),
    uses_docker=True,
    grace_seconds=30,
    after=("migrate",),
)


def _by_supervisor(service: Service) -> Service:
    """Return a service as it is where the supervisor makes its computers."""
    kept = {name: source for name, source in service.variables.items() if name not in COMPUTERS}
    return replace(
        service,
        variables={**kept, **DOCKER_COMPUTERS},
        forbidden=(service.forbidden - {SUPERVISOR_TOKEN}) | (COMPUTERS.keys() - DOCKER_COMPUTERS.keys()),
        uses_kubernetes=False,
        after=(*service.after, SUPERVISOR.name),
    )


DOCKER_SERVICES = (POSTGRES, MIGRATE, SUPERVISOR, _by_supervisor(API), _by_supervisor(WORKER), replace(WEB, replicas=1))
"""In the order in which they start, where computers are Docker's. One web: one container has the machine's port."""
