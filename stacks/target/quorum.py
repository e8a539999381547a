"""How many servers a cluster's database takes."""

LARGEST = 5


def refused_server_count(count: int) -> str | None:
    """Say why etcd does not live on so many servers, or None."""
    if count == 0:
        return "none is a server, and somebody has to run the Kubernetes API; write role: server on one of them"
    if count == 2:  # noqa: PLR2004 - the one number that looks safe and is not
        return (
            "there are two servers, of which neither may fail: etcd decides by majority, and one of two is none. "
            "Write one server, or three, of which one may fail"
        )
    if count % 2 == 0:
        return (
            f"there are {count} servers: etcd decides by majority, so an even number stands no more failures than one "
            f"less and has one machine more to fail; write {count - 1}"
        )
    if count > LARGEST:
        return f"there are {count} servers, at most {LARGEST} make sense: each write waits for most of them; write 3"
    return None
