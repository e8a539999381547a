"""Who connects to whom in the tests of this package."""

from tests.unit.policies import Host, Pod, Policies
from tests.unit.rakazo.surroundings import APPLICATION, COMPUTERS, labels
from tests.unit.recorder import Recorder

API, WORKER, WEB, POSTGRES, MIGRATE = (
    Pod(APPLICATION, labels(component), f"10.42.0.{number}")
    for number, component in enumerate(("api", "worker", "web", "postgres", "migrate"), start=5)
)
COMPUTER = Pod(COMPUTERS, {}, "10.42.1.7")
OTHER_COMPUTER = Pod(COMPUTERS, {}, "10.42.1.8")
STRANGER = Pod("elsewhere", {}, "10.42.0.99")
STRANGER_IN_DISGUISE = Pod("elsewhere", labels("api"), "10.42.0.98")
UNKNOWN_IN_APPLICATION = Pod(APPLICATION, {}, "10.42.0.97")
LABELLED_COMPUTER = Pod(COMPUTERS, labels("web"), "10.42.1.9")
RESOLVER = Pod("kube-system", {"k8s-app": "kube-dns"}, "10.42.0.3")
NODE = Host("10.10.0.12")
PUBLIC = Host("192.175.48.80")
METADATA = ("169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200", "192.0.0.192", "168.63.129.16")
RAKAZO = {"api": API, "worker": WORKER, "web": WEB, "postgres": POSTGRES, "migrate": MIGRATE}


def policies(recorder: Recorder) -> Policies:
    """Collect the policies that a program declared."""
    return Policies([resource.inputs for resource in recorder.of_kind("NetworkPolicy")])
