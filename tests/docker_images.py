"""The stand-in images as a machine pulls them: by digest, from the estate's registry."""

from local import images
from tests.estate_stack import CONSOLE
from tests.machines.estate import Estate
from tests.machines.registry import reference


def image_settings(estate: Estate, computer: str = "computer-lite") -> dict[str, str]:
    """Return `settings.images`; the registry offers them from then on, to machines that are shown its `trusted`.

    `computer` names which of the two desktops is used.
    """
    named = {"app": "app", "computer": computer, "postgres": "postgres"}
    found = images.ensure(CONSOLE, named.values())
    estate.registry.serve(found.values())
    return {key: reference(found[name]) for key, name in named.items()}
