"""Whether a machine is still the node that it was: a look at it before anything is changed."""

import shlex

from components.k3s import config, unit
from components.k3s.plan import Node, Plan
from components.machines.file import LIBRARY, STATE

_LOOK = """\
set -eu
fail() {{
  echo "error on {name}: $*. Nothing was changed" >&2
  exit 1
}}
applied={state}/k3s-applied
database={root}/var/lib/rancher/k3s/server/db/etcd/member
# A first run that failed may be corrected. A node's password and etcd's folder are there before anybody has let k3s in;
# this file comes when k3s has started, and that folder when the others know it as a member, or it began a cluster.
[ -e $applied ] || {{ [ -d $database ] && [ ! -e {state}/restoring ]; }} || exit 0
[ -e {library}/machine.env ] || exit 0
. {library}/machine.env
[ "$STACK" = {stack} ] || exit 0 # whose it is, the delivery says
anew="take the machine away first (delete its entry, or pulumi destroy) and then add it"
# What was delivered after k3s has started for the last time is not what it is: a run has failed with it.
holds() {{
  [ -e "$1" ] && {{ [ ! -e $applied ] || [ ! "$1" -nt $applied ]; }}
}}
said() {{
  ! holds {root}{own} || sed -n "s/^$1: *//p" {root}{own} | tr -d "'"
}}
was="$(said node-name)"
[ "${{was:-{name}}}" = {name} ] || fail "this machine is the node $was, and with another name it would be \
another node on the same disk. Write name: $was; or $anew"
was={role}
if holds {root}{agent}; then
  was=agent
elif holds {root}{server} || [ -d $database ]; then
  was=server
fi
[ "$was" = {role} ] || fail "it runs as $was, and a node keeps its role. Write role: $was; or $anew"
[ {role} = server ] || exit 0
was="$(said advertise-address)"
[ "${{was:-{address}}}" = {address} ] || fail "the other servers and its database know it as $was, \
and {address} would be another server. Let it keep $was as the address among nodes; or $anew"
[ -d $database ] || exit 0
keeps() {{
  was="$(sed -n "s/^$1: *//p" {root}{config} 2>/dev/null || true)"
  [ "${{was:-$2}}" = "$2" ] || fail "the cluster has $was for its $3, and cannot change it to $2 while it is there. \
Write network.$3: $was; or begin another one (pulumi destroy)"
}}
keeps cluster-cidr {pods} pods
keeps service-cidr {services} services
"""


def render_look(plan: Plan, node: Node, root: str = "") -> str:
    """Return a POSIX script that fails where a node's name, role, a server's address or the cluster's ranges change.

    k3s on the machine would start as somebody else with the data of the one before, and a name that is gone from the
    settings is taken off the machine that still has it. A machine on which k3s has never run may be anything. `root`
    is a folder that is taken for a machine.
    """
    return _LOOK.format(
        stack=shlex.quote(plan.stack),
        name=node.name,
        role=node.role,
        address=node.node_address,
        pods=plan.ranges.pods,
        services=plan.ranges.services,
        config=config.SHARED,
        own=config.OWN,
        agent=unit.path("agent"),
        server=unit.path("server"),
        state=f"{root}{STATE}",
        library=f"{root}{LIBRARY}",
        root=root,
    )
