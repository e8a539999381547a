"""The kubeconfig of a cluster of Google's."""

import yaml

PLUGIN = "gke-gcloud-auth-plugin"


def render_kubeconfig(context: str, endpoint: str) -> str:
    """Return a kubeconfig without any credential: who uses it is whoever Google knows on that machine.

    `endpoint` is the control plane's DNS name. Its certificate is signed by a public authority, so none is named.
    """
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": context, "cluster": {"server": f"https://{endpoint}"}}],
        "users": [
            {
                "name": context,
                "user": {
                    "exec": {
                        "apiVersion": "client.authentication.k8s.io/v1beta1",
                        "command": PLUGIN,
                        "installHint": f"Install {PLUGIN}: gcloud components install {PLUGIN}",
                        "interactiveMode": "Never",
                        "provideClusterInfo": True,
                    }
                },
            }
        ],
        "contexts": [{"name": context, "context": {"cluster": context, "user": context}}],
        "current-context": context,
    }
    return yaml.safe_dump(document, sort_keys=False)
