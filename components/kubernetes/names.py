"""Every name and label of Rakazo's Kubernetes objects, known before anything is deployed."""

API = "rakazo-api"
"""Never `api`: Kubernetes would inject API_PORT=tcp://… for it, which Rakazo reads as its port."""
WEB = "rakazo-web"
POSTGRES = "rakazo-postgres"
MIGRATE = "rakazo-migrate"
PREPULL = "rakazo-prepull"
WORKER = "rakazo-worker"
SUPERVISOR = "rakazo-supervisor"
"""Where computers are Docker's; the only name here that no cluster has."""

API_PORT = 3100
WEB_PORT = 5173
POSTGRES_PORT = 5432
SUPERVISOR_PORT = 7091
"""Ports are the same on Service and container: policies of some network plugins see only one of them."""

KEPT_SECRET = "rakazo-encryption-key"  # noqa: S105 - the name of a Secret
"""The Secret whose values stay as they were first written."""

SERVICE_ACCOUNT = "rakazo"
"""The identity of api and worker, the only pods that talk to the Kubernetes API."""

DATA_VOLUME = "rakazo-data"
POSTGRES_VOLUME = "rakazo-postgres"

POOL_LABEL = "rakazo-infra/pool"
"""Label of nodes and key of the taint that keeps all but computers off the computers' nodes."""
COMPUTERS_POOL = "computers"

MANAGED_BY = "app.kubernetes.io/managed-by"
INSTANCE = "app.kubernetes.io/instance"
NAME = "app.kubernetes.io/name"
COMPONENT = "app.kubernetes.io/component"


def labels(namespace: str, component: str | None = None) -> dict[str, str]:
    """Labels of an object of the stack whose application namespace is `namespace`."""
    shared = {NAME: "rakazo", MANAGED_BY: "rakazo-infra", INSTANCE: namespace}
    return shared if component is None else {**shared, COMPONENT: component}


def selector(namespace: str, component: str) -> dict[str, str]:
    """Return the least that tells a service's pods apart; never anything that a release changes."""
    return {INSTANCE: namespace, COMPONENT: component}


def service_object(component: str) -> str:
    """Name of the workload, Secret and Service of a component of Rakazo."""
    return f"rakazo-{component}"


def runtime_class(namespace: str, sandbox: str) -> str:
    """Name of a cluster-wide RuntimeClass that two stacks on one cluster do not fight over."""
    return f"{namespace}-{sandbox}"


def migrate_job(image: str) -> str:
    """Name of the one migration of a release, after its image's digest (`…@sha256:<64 hex>`)."""
    return f"{MIGRATE}-{_release(image)}"


def prepull_job(image: str) -> str:
    """Name of what brings a release's image, after its digest as well."""
    return f"{PREPULL}-{_release(image)}"


def _release(image: str) -> str:
    return image.rpartition(":")[2][:12]
