"""`digitalocean.KubernetesNodePool`: nodes beside the default pool."""

from tests.providers.call import Call
from tests.providers.digitalocean import refusals
from tests.providers.digitalocean.account_type import AccountType
from tests.providers.resource_type import Created, Resource
from tests.providers.values import Properties


class KubernetesNodePool(AccountType):
    """Its nodes are a number: those of the cluster behind are there all the time."""

    token = "digitalocean:index/kubernetesNodePool:KubernetesNodePool"
    kind = "node pool"

    def outputs(self, identifier: str) -> Properties:
        """Return the pool with its nodes."""
        pool = super().outputs(identifier)
        count = pool.pop("nodes")
        nodes = [{"id": f"{identifier}-{number}", "name": f"{pool['name']}-{number}"} for number in range(count)]
        return {"autoScale": False, "tags": [], "labels": {}, **pool, "nodes": nodes, "actualNodeCount": count}

    def create(self, inputs: Properties, call: Call) -> Created:
        """Make the pool."""
        with self.account.lock:
            self.account.must("cluster", inputs["clusterId"])
            self._check(inputs, own="")
            if not self.account.catalogue.is_node(inputs["size"]):
                raise refusals.SIZE_REFUSED.error()
            count = _count(inputs)
            self.account.check_droplets(count)
            identifier = self.account.add(self.kind, {**inputs, "nodes": count})
            return Created(id=identifier, outputs=self.outputs(identifier))

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Change everything but the size."""
        with self.account.lock:
            pool = self.account.must(self.kind, old.id)
            self._check(inputs, own=old.id)
            count = _count(inputs)
            self.account.check_droplets(count - int(pool["nodes"]))
            pool.clear()
            pool.update({**inputs, "nodes": count})
            return self.outputs(old.id)

    def delete(self, resource: Resource, call: Call) -> None:
        """Drain and remove the nodes."""
        with self.account.lock:
            self.account.remove(self.kind, resource.id)

    def _check(self, inputs: Properties, *, own: str) -> None:
        pools = self.account.all(self.kind).items()
        others = [each for key, each in pools if key != own and each["clusterId"] == inputs["clusterId"]]
        default = self.account.must("cluster", inputs["clusterId"])["nodePool"]["name"]
        if inputs["name"] in [default, *(each["name"] for each in others)]:
            raise refusals.POOL_NAME_USED.error()
        if inputs.get("autoScale") and inputs.get("minNodes", 0) > inputs.get("maxNodes", 0):
            raise refusals.NODE_COUNT.error()


def _count(inputs: Properties) -> int:
    return int(inputs["nodeCount"] if "nodeCount" in inputs else inputs.get("minNodes", 0))
