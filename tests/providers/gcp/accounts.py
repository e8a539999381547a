"""`gcp.serviceaccount.Account` and `gcp.projects.IAMMember`: who machines are, and what they may."""

import re
from collections.abc import Mapping
from typing import Any

from tests.providers.call import Call
from tests.providers.failure import Failure
from tests.providers.gcp.google_type import GoogleType, never
from tests.providers.resource_type import Resource
from tests.providers.values import Properties

ACCOUNT = re.compile(r"[a-z]([-a-z0-9]{4,28}[a-z0-9])")
"""pulumi-gcp 10.2.0, Account.account_id."""


class Account(GoogleType):
    """A service account."""

    token = "gcp:serviceaccount/account:Account"
    kind = "service account"

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take ids of 6 to 30 characters."""
        if isinstance(inputs.get("accountId"), str) and not ACCOUNT.fullmatch(inputs["accountId"]):
            return [Failure(path="accountId", reason=f"must be 6 to 30 characters of {ACCOUNT.pattern}")]
        return []

    def identify(self, inputs: Properties) -> str:
        """Return the path of the account."""
        return f"projects/{self.project.name}/serviceAccounts/{self._email(inputs)}"

    def completed(self, inputs: Properties, identifier: str) -> Properties:
        """Add its address."""
        email = self._email(inputs)
        return {
            **inputs,
            "deletionPolicy": "DELETE",
            "project": self.project.name,
            "email": email,
            "member": f"serviceAccount:{email}",
            "name": identifier,
            "uniqueId": str(self.project.number()),
        }

    def delete(self, resource: Resource, call: Call) -> None:
        """Remove the account, once no machine is it; stricter than Google, where the machines go on without rights."""
        with self.project.lock:
            email = self.project.must(self.kind, resource.id)["email"]
            self.project.check_unused(self.kind, email, "node pool", "cluster", "IAM member")
            self.project.remove(self.kind, resource.id)

    def _email(self, inputs: Properties) -> str:
        return f"{inputs['accountId']}@{self.project.name}.iam.gserviceaccount.com"


class IamMember(GoogleType):
    """One member of one role."""

    token = "gcp:projects/iAMMember:IAMMember"
    kind = "IAM member"

    def identify(self, inputs: Properties) -> str:
        """Return project, role and member."""
        return f"{inputs['project']}/{inputs['role']}/{inputs['member']}"

    def completed(self, inputs: Properties, identifier: str) -> Properties:
        """Look for the account, when it is one of the project's."""
        who, _, address = inputs["member"].partition(":")
        if who == "serviceAccount" and address.endswith(f"@{self.project.name}.iam.gserviceaccount.com"):
            self.project.must("service account", f"projects/{self.project.name}/serviceAccounts/{address}")
        return {**inputs, "etag": "BwY="}

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Never asked for: every input replaces."""
        raise never(call)
