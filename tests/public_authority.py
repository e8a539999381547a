"""An embedded cluster's authority in the place of the public ones, for a kubeconfig that names none.

The control plane of some clouds has a DNS name, whose certificate a public authority signs. The embedded one's is
signed by its own, so whoever is to reach it under such a kubeconfig is given that one to trust, and no other.
"""

from tests.cloud_stack import CloudStack

CERTIFI = '''"""The one authority there is; web sockets of the Kubernetes client ask for it in this way only."""

import os


def where():
    return os.environ["SSL_CERT_FILE"]


def contents():
    with open(where(), encoding="ascii") as file:
        return file.read()
'''


def trust_embedded_authority(cloud: CloudStack) -> None:
    """Let the CLI, its plugins and the program trust the cluster's authority as they trust public ones elsewhere."""
    folder = cloud.folder.cluster / "authorities"
    package = folder / "certifi"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(CERTIFI, encoding="utf-8")
    certificate = folder / "authority.pem"
    certificate.write_text(cloud.credentials.authority_text, encoding="utf-8")
    cloud.pulumi.environment |= {"SSL_CERT_FILE": str(certificate), "PYTHONPATH": str(folder)}
