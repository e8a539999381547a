"""Rakazo: its namespaces, what guards them, and its services in the order in which they start."""

from dataclasses import dataclass

import pulumi

from components.contracts import Application, Cluster, Network, Sandbox
from components.kubernetes import names
from components.kubernetes.fingerprint import fingerprint
from components.rakazo import ranges
from components.rakazo.api import Api
from components.rakazo.guards import Guards, GuardsArgs
from components.rakazo.migrate import Migrate
from components.rakazo.postgres import Postgres
from components.rakazo.prepull import Prepull, PrepullArgs
from components.rakazo.service_args import ServiceArgs
from components.rakazo.service_facts import service_facts
from components.rakazo.service_secrets import ServiceSecrets, ServiceSecretsArgs
from components.rakazo.service_settings import choose_settings
from components.rakazo.services import API, MIGRATE, POSTGRES, SERVICES, WEB, WORKER
from components.rakazo.volumes import Volumes, VolumesArgs
from components.rakazo.web import Web
from components.rakazo.worker import Worker
from components.service import Service
from stacks.application import ApplicationSettings
from stacks.computers import ComputersSettings
from stacks.images import ImagesSettings
from stacks.secrets import Secrets


@dataclass(frozen=True, kw_only=True)
class RakazoArgs:
    """Inputs of :class:`Rakazo`."""

    cluster: Cluster
    sandbox: Sandbox
    application: ApplicationSettings
    computers: ComputersSettings
    images: ImagesSettings
    secrets: Secrets


class Rakazo(pulumi.ComponentResource):
    """A running Rakazo; no pod of it, and no computer, starts before everything that guards it exists."""

    application: Application

    def __init__(self, name: str, args: RakazoArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:rakazo:Rakazo", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)
        namespace = args.application.namespace

        guards = Guards(
            f"{name}-guards",
            GuardsArgs(
                cluster=args.cluster,
                sandbox=args.sandbox,
                application=args.application,
                computers=args.computers,
                computer_image=args.images.computer,
            ),
            child,
        )
        secrets = ServiceSecrets(
            f"{name}-secrets",
            ServiceSecretsArgs(namespace=namespace, secrets=args.secrets, after=guards.fence),
            child,
        )
        volumes = Volumes(
            f"{name}-volumes",
            VolumesArgs(
                namespace=namespace,
                storage=args.cluster.storage,
                data=args.application.data_volume,
                postgres=args.application.postgres_volume,
                after=guards.fence,
            ),
            child,
        )
        settings = choose_settings(args.application, args.computers, args.images.computer, args.sandbox)

        def inputs(service: Service, *after: pulumi.Resource, schema: pulumi.Output[str] | None = None) -> ServiceArgs:
            return ServiceArgs(
                namespace=namespace,
                image=args.images.postgres if service.image == "postgres" else args.images.app,
                settings=settings,
                secret=secrets.of[service.name],
                replicas=args.application.web_replicas if service is WEB else None,
                schema=schema,
                shared_storage=args.cluster.storage.shared,
                begun_from=args.cluster.begun_from if service in (MIGRATE, API, WORKER) else "",
                after=[*guards.fence, *after],
            )

        postgres = Postgres(f"{name}-postgres", inputs(POSTGRES, volumes.postgres), child)
        prepull = Prepull(
            f"{name}-prepull",
            PrepullArgs(namespace=namespace, image=args.images.app, after=guards.fence),
            child,
        )
        migrate = Migrate(f"{name}-migrate", inputs(MIGRATE, postgres, prepull), child)
        schema = migrate.namespace
        api = Api(f"{name}-api", inputs(API, migrate, volumes.data, *guards.around_computers, schema=schema), child)
        worker = Worker(f"{name}-worker", inputs(WORKER, api, volumes.data, schema=schema), child)
        web = Web(f"{name}-web", inputs(WEB, worker, schema=schema), child)

        self.application = Application(
            web_service=names.WEB,
            api_service=names.API,
            namespace=namespace,
            computers_namespace=args.application.computers_namespace,
            account=names.SERVICE_ACCOUNT,
            services=[service_facts(service) for service in SERVICES if service is not MIGRATE],
            denied_ranges=args.cluster.network.complete().apply(_denied),
            isolation=fingerprint([*guards.objects, *(service.workload for service in (postgres, api, worker, web))]),
            ready=web,
        )
        self.register_outputs({})


def _denied(network: Network) -> list[str]:
    """Return what policies take out of the public internet, in the families that pods have."""
    return [text for everywhere in ranges.families(network.pods) for text in ranges.denied_ranges(network, everywhere)]
