"""What the accounts of a stack may do with the Kubernetes API: five verbs in one place, and nothing else anywhere."""

from collections.abc import Iterator

from kubernetes import client
from kubernetes.client.exceptions import ApiException

from probes import rights
from probes.account import account_client
from probes.claim import Claim, Evidence, Group
from probes.facts import Facts
from probes.pods import said
from probes.reviews import Rules, may, rules, rules_everywhere
from probes.rights import FIVE, FOR_EVERYBODY, Right
from probes.scene import Scene

FORBIDDEN = 403
MOST = 6
"""Rules that one line names: a binding of `cluster-admin` has more than anybody reads."""
ASKED = "asked of the API server with the account's own token"
RBAC_REMEDY = (
    "Find the binding with `kubectl get rolebindings,clusterrolebindings --all-namespaces -o wide` and remove what "
    "rakazo-infra did not write; `pulumi up --refresh` writes its own anew."
)


def claims(facts: Facts) -> Iterator[Claim]:
    """Claims about the accounts' rights."""
    yield Claim(
        id="identity-verbs",
        group=Group.IDENTITY,
        sentence=f"Rakazo's account may make, read, delete and enter pods in {facts.computers}, and nothing else.",
        reason="Whoever breaks into api or worker holds this account, and with one verb more the cluster.",
        method=f"Each right that it needs and each that would be a way out, {ASKED}; then all rules that the API "
        "server lists for it; then one list of pods, really tried.",
        control="The same question about a right that it needs is answered with yes.",
        remedy=RBAC_REMEDY,
        look=_verbs,
    )
    yield Claim(
        id="identity-elsewhere",
        group=Group.IDENTITY,
        sentence="Rakazo's account has no right in any other namespace.",
        reason="A second binding, made for an afternoon, is forgotten and stays.",
        method=f"All rules in every namespace, {ASKED}, compared with those of an account that has none of its own.",
        control=f"The same question about {facts.computers} is answered with the five verbs.",
        remedy=RBAC_REMEDY,
        look=_elsewhere,
    )
    yield Claim(
        id="identity-default",
        group=Group.IDENTITY,
        sentence="The accounts that pods get without asking hold no right.",
        reason="A computer runs as `default`: should it ever come by its token, that must open nothing.",
        method=f"Each right of identity-verbs, {ASKED}; and all rules in the whole cluster.",
        control="The same questions are answered with yes for Rakazo's account.",
        remedy=RBAC_REMEDY,
        look=_defaults,
    )


def _asked(facts: Facts) -> list[Right]:
    return sorted(rights.granted(facts.computers) | rights.refused(facts.computers, facts.application))


def _verbs(scene: Scene) -> Iterator[Evidence]:
    facts, needed = scene.facts, rights.granted(scene.facts.computers)
    held = may(scene.rakazo, _asked(facts))
    witness = next((right for right in sorted(needed) if held[right]), None)
    for right in _asked(facts):
        yield judge_right(right, needed=right in needed, held=held[right], witness=witness)
    nobody = account_client(scene.operator, facts.computers, "default")
    listed, common = rules(scene.rakazo, facts.computers), rules(nobody, facts.computers)
    yield of_rules(
        f"all rules in {facts.computers}",
        too_much(listed, common, FIVE),
        listed.gap,
        nothing="nothing beyond the five verbs and what every account has",
        control=f"it lists {len(FIVE & listed.resources)} of the five verbs",
        controlled=bool(FIVE & listed.resources),
    )
    yield _deed(scene)


def judge_right(right: Right, *, needed: bool, held: bool, witness: Right | None) -> Evidence:
    """Return whether a right is held as it must be; `witness` is one that the API server said yes to."""
    control = f"{witness}: yes" if witness else "no right at all was answered with yes"
    if held is not needed:
        seen = "yes, and must not be" if held else "no, and Rakazo needs it"
        return Evidence(subject=str(right), seen=seen, control=control, holds=False)
    return Evidence(subject=str(right), seen="yes" if held else "no", control=control, holds=True if witness else None)


def too_much(listed: Rules, common: Rules, allowed: frozenset[str] = frozenset()) -> list[str]:
    """Return what an account may do beyond what is allowed and what an account without rights may do."""
    return sorted(listed.all - common.all - FOR_EVERYBODY - allowed)


def of_rules(
    subject: str, found: list[str], gap: str, *, nothing: str, control: str = "", controlled: bool
) -> Evidence:
    """Return what a list of rules says.

    That nothing was found proves nothing when the list has a gap, or when nothing is found either where it must be.
    """
    seen = few(found) or (f"{nothing}, but the list has a gap: {gap}" if gap else nothing)
    proven = True if controlled and not gap else None
    return Evidence(subject=subject, seen=seen, control=control, holds=False if found else proven)


def few(found: list[str]) -> str:
    """Return a list as a line of text, however long it is."""
    return ", ".join(found[:MOST]) + (f" and {len(found) - MOST} more" if len(found) > MOST else "")


def _deed(scene: Scene) -> Evidence:
    subject = f"list pods in {scene.facts.computers}, really tried"
    try:
        client.CoreV1Api(scene.rakazo).list_namespaced_pod(scene.facts.computers)
    except ApiException as error:
        return Evidence(subject=subject, seen=said(error), holds=True if error.status == FORBIDDEN else None)
    return Evidence(subject=subject, seen="a list of pods", holds=False)


def _namespaces(scene: Scene) -> list[str]:
    return [each.metadata.name for each in client.CoreV1Api(scene.operator).list_namespace().items]


def _elsewhere(scene: Scene) -> Iterator[Evidence]:
    facts, rakazo = scene.facts, scene.rakazo
    nobody = account_client(scene.operator, facts.computers, "default")
    everywhere = rules_everywhere(rakazo, _namespaces(scene))
    home = everywhere.pop(facts.computers)
    known = len(FIVE & home.resources)
    control = f"in {facts.computers}: {known} of the five verbs"
    common = rules(nobody, facts.computers)
    for namespace, listed in everywhere.items():
        found = too_much(listed, common)
        if found:  # what every account of this cluster has in that namespace is not Rakazo's
            found = too_much(listed, rules(nobody, namespace))
        nothing = "nothing beyond what every account has"
        yield of_rules(namespace, found, listed.gap, nothing=nothing, control=control, controlled=bool(known))


def _defaults(scene: Scene) -> Iterator[Evidence]:
    facts, namespaces = scene.facts, _namespaces(scene)
    nobody = Rules(resources=FOR_EVERYBODY, paths=rules(scene.rakazo, facts.computers).paths)
    held = sum(may(scene.rakazo, sorted(rights.granted(facts.computers))).values())
    control = f"Rakazo's account: {held} of the five verbs"
    for home in (facts.application, facts.computers):
        account = account_client(scene.operator, home, "default")
        answers = may(account, _asked(facts))
        found = [str(right) for right, yes in answers.items() if yes]
        yield Evidence(
            subject=f"default of {home}, {len(answers)} rights",
            seen=few(found) or "no, all of them",
            control=control,
            holds=False if found else (True if held else None),
        )
        everywhere = rules_everywhere(account, namespaces)
        extra = [f"{rule} in {where}" for where, each in everywhere.items() for rule in too_much(each, nobody)]
        yield of_rules(
            f"default of {home}, all rules in {len(everywhere)} namespaces",
            extra,
            next((each.gap for each in everywhere.values() if each.gap), ""),
            nothing="nothing beyond what every account has",
            control=control,
            controlled=bool(held),
        )
