"""Answers of cloud metadata services, with credentials that are visibly invented.

The paths are the real ones: what a stolen connection would be used for is what a test asks for.
"""

import json

INVENTED = "invented-by-rakazo-infra-not-a-secret"

_ROLE = "invented-node-role"
_AWS_CREDENTIALS = json.dumps(
    {
        "Code": "Success",
        "Type": "AWS-HMAC",
        "AccessKeyId": "INVENTEDACCESSKEY",
        "SecretAccessKey": INVENTED,
        "Token": INVENTED,
        "Expiration": "2999-01-01T00:00:00Z",
    }
)
_BEARER = json.dumps({"access_token": INVENTED, "expires_in": 3599, "token_type": "Bearer"})

METADATA_PATHS = {
    "/latest/api/token": INVENTED,
    "/latest/meta-data/iam/security-credentials/": _ROLE,
    f"/latest/meta-data/iam/security-credentials/{_ROLE}": _AWS_CREDENTIALS,
    "/latest/user-data": f"#cloud-config\n# {INVENTED}\n",
    "/computeMetadata/v1/instance/service-accounts/default/token": _BEARER,
    "/metadata/v1/user-data": f"#cloud-config\n# {INVENTED}\n",
    "/metadata/v1.json": json.dumps({"droplet_id": 1, "user_data": INVENTED}),
    "/metadata/identity/oauth2/token": _BEARER,
    "/hetzner/v1/userdata": f"#cloud-config\n# {INVENTED}\n",
}
POD_IDENTITY_PATHS = {"/v1/credentials": _AWS_CREDENTIALS}
TASK_PATHS = {
    "/v2/metadata": json.dumps({"Cluster": "invented", "TaskARN": INVENTED, "Family": "invented"}),
    "/v2/credentials/invented-task": _AWS_CREDENTIALS,
}
AZURE_PATHS = {
    "/machine": f"<GoalState><Incarnation>1</Incarnation><ContainerId>{INVENTED}</ContainerId></GoalState>",
    "/metadata/identity/oauth2/token": _BEARER,
}
_ALIBABA_ROLES = "/latest/meta-data/ram/security-credentials/"
ALIBABA_PATHS = {
    _ALIBABA_ROLES: _ROLE,
    f"{_ALIBABA_ROLES}{_ROLE}": json.dumps(
        {
            "Code": "Success",
            "AccessKeyId": "INVENTEDACCESSKEY",
            "AccessKeySecret": INVENTED,
            "SecurityToken": INVENTED,
            "Expiration": "2999-01-01T00:00:00Z",
        }
    ),
}
ORACLE_PATHS = {"/latest/user-data": f"#cloud-config\n# {INVENTED}\n", "/latest/attributes/userdata": INVENTED}

_PATHS = {
    "metadata": METADATA_PATHS,
    "metadata-ipv6": METADATA_PATHS,
    "google-metadata-ipv6": METADATA_PATHS,
    "pod-identity": POD_IDENTITY_PATHS,
    "pod-identity-ipv6": POD_IDENTITY_PATHS,
    "task-metadata": TASK_PATHS,
    "azure-wire": AZURE_PATHS,
    "alibaba-metadata": ALIBABA_PATHS,
    "oracle-metadata": ORACLE_PATHS,
}


def answer(kind: str, path: str) -> str:
    """Return what the listener of this kind says: a known path's credentials, otherwise one line naming the kind."""
    return _PATHS.get(kind, {}).get(path, f"{kind}\n")
