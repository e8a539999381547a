"""How a cluster of EKS is entered: with a token that the AWS CLI makes at that moment, never with one that is kept."""

import yaml


def render_kubeconfig(*, context: str, cluster: str, region: str, endpoint: str, authority: str) -> str:
    """Return the document. It holds no secret: whoever uses it has to be somebody at AWS."""
    arguments = ["--region", region, "eks", "get-token", "--cluster-name", cluster, "--output", "json"]
    user = {
        "exec": {
            "apiVersion": "client.authentication.k8s.io/v1beta1",
            "command": "aws",
            "args": arguments,
            "interactiveMode": "Never",
        }
    }
    return yaml.safe_dump(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": context, "cluster": {"server": endpoint, "certificate-authority-data": authority}}],
            "users": [{"name": context, "user": user}],
            "contexts": [{"name": context, "context": {"cluster": context, "user": context}}],
            "current-context": context,
        }
    )
