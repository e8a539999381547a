"""What Pulumi waits for after it has made or changed a Kubernetes object."""

SKIP_AWAIT = {"pulumi.com/skipAwait": "true"}
"""For Services and volume claims; both are proven by the pods that use them.

The provider waits 10 s after every change of a Service's endpoints. A claim of a class that binds at first use
it expects to be unbound, also when it is grown later, and gives up after 5 minutes.
"""

REPLACE_UNREADY = {"pulumi.com/replaceUnready": "true"}
"""For Jobs: one that has failed is made anew by the next deployment instead of failing it for ever."""
