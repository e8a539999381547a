"""Load the stack, deploy it, export what others need to know."""

import pulumi

from components.deployment import deploy
from stacks.load import load

settings, secrets = load(pulumi.Config())
for name, value in deploy(settings, secrets).items():
    pulumi.export(name, value)
