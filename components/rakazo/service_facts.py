"""What a service's row in the table says to somebody who looks at the running service."""

from components.rakazo.services import MODEL_KEYS
from components.service import SecretValue, Service
from probes.facts import ServiceFacts


def service_facts(service: Service) -> ServiceFacts:
    """Return what it must and must not have; what a stack may leave out is in neither."""
    optional = set(MODEL_KEYS)
    return ServiceFacts(
        name=service.name,
        port=service.port,
        holds=tuple(
            sorted(
                key
                for key, source in service.variables.items()
                if key not in optional and isinstance(source, str | SecretValue)
            )
        ),
        forbidden=tuple(sorted(service.forbidden)),
        token=service.uses_kubernetes,
    )
