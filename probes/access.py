"""A way to the cluster through a kubeconfig, never through the environment's."""

import os
import tempfile
from pathlib import Path

import yaml
from kubernetes import client, config
from kubernetes.config.config_exception import ConfigException


class AccessError(Exception):
    """The kubeconfig does not lead to a cluster; the message names it and its context."""


def connect(kubeconfig: str, context: str | None = None) -> client.ApiClient:
    """Return a client for one context, the current one by default; `kubeconfig` is a path or the document itself.

    AccessError when there is no such file or context. The library writes keys into temporary files that live as long
    as the process: they are put beside the kubeconfig when that is a file, since its owner keeps that place closed.
    """
    configuration = client.Configuration()
    is_document = "\n" in kubeconfig.strip()
    where = "the kubeconfig" if is_document else f"kubeconfig {kubeconfig}"
    try:
        if is_document:
            config.load_kube_config_from_dict(
                yaml.safe_load(kubeconfig),
                context=context,
                client_configuration=configuration,
                persist_config=False,
                temp_file_path=tempfile.gettempdir(),
            )
        else:
            path = Path(kubeconfig).expanduser()
            if not path.is_file():
                raise AccessError(f"{where} does not exist; write its path under target.kubeconfig")
            beside = str(path.parent) if os.access(path.parent, os.W_OK) else tempfile.gettempdir()
            config.load_kube_config(
                str(path),
                context=context,
                client_configuration=configuration,
                persist_config=False,
                temp_file_path=beside,
            )
    except (ConfigException, yaml.YAMLError) as error:
        raise AccessError(f"{where} has no usable context{f' {context}' if context else ''}: {error}") from error
    return client.ApiClient(configuration)
