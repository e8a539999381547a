"""`k3s token rotate`: another server token, while the cluster runs."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from tests.k3s.program.http_client import Answer, Client, verifying
from tests.k3s.program.join_token import SERVER_USER, Token, new_password
from tests.k3s.program.paths import DATA, Layout
from tests.k3s.program.refusal import Refusal


def run(arguments: Sequence[str]) -> None:
    """Rotate; Refusal when the old token is wrong, no server answers, or another subcommand is asked for."""
    parser = argparse.ArgumentParser(prog="k3s token", allow_abbrev=False)
    parser.add_argument("command", choices=["rotate"])
    parser.add_argument("-d", "--data-dir", default=str(DATA))
    parser.add_argument("--kubeconfig")
    parser.add_argument("-s", "--server", default=os.environ.get("K3S_URL", "https://127.0.0.1:6443"))
    parser.add_argument("-t", "--token", default=os.environ.get("K3S_TOKEN", ""))
    parser.add_argument("--new-token", default="")
    options = parser.parse_args(arguments)
    layout = Layout(Path(options.data_dir))
    try:
        old = options.token or layout.token.read_text(encoding="utf-8").strip()
        authority = layout.tls / "server-ca.crt"
        context = verifying(authority)
        Token.parse(old).check(authority.read_text(encoding="utf-8"))
    except OSError as error:
        raise Refusal(f"token rotate: this is no server that has been started: {error}") from error
    new = options.new_token or new_password()
    headers = {"Authorization": Token.parse(old).header(SERVER_USER)}
    try:
        Client(options.server, context, headers).json("POST", "/v1-k3s/token", {"newToken": Token.parse(new).password})
    except (OSError, Answer) as error:
        raise Refusal(f"token rotate: {options.server}: {error}") from error
    print("WARNING: Recommended to keep a record of the old token: a snapshot from before needs it.")
    print("Token rotated, restart k3s nodes with new token")
