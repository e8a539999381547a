"""Instance types of EC2, as far as a stack file can be wrong about them without asking AWS."""

import re
from typing import Annotated

from pydantic import AfterValidator

from stacks import machine_type

TOO_SMALL = ("nano", "micro", "small", "medium")
_SHAPE = re.compile(r"[a-z]+[0-9]+[a-z0-9]*(-[a-z0-9]+)?\.([0-9]*[a-z]+[-0-9a-z]*)")


def _checked_type(name: str) -> str:
    match = _SHAPE.fullmatch(name)
    if match is None:
        raise ValueError('is no instance type; write one such as "m7i.2xlarge"')
    if machine_type.is_arm("eks", name):
        raise ValueError("is an Arm instance, and the images of a stack are for x86-64; write such as m7i.2xlarge")
    if match[2] in TOO_SMALL:
        raise ValueError("is too small for a node: the cluster's own pods alone fill it; write such as m7i.xlarge")
    return name


InstanceType = Annotated[str, AfterValidator(_checked_type)]
