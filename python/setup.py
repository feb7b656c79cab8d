"""The tag of the wheel: any Python 3, no interface of its C code, and the oldest glibc whose symbols the libraries need."""

import os
import platform
import re
import subprocess

from setuptools import setup
from setuptools.dist import Distribution
from wheel.bdist_wheel import bdist_wheel

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARIES = sorted(name for name in os.listdir(os.path.join(HERE, "sistrum")) if ".so" in name)
if not os.path.exists(os.path.join(HERE, "VERSION")):
    raise SystemExit("the libraries are not here: run make wheel in the folder above, which writes build/wheel/*.whl")


def oldest_glibc():
    """(2, 34): the highest version of a symbol that any library asks for."""
    found = set()
    for name in LIBRARIES:
        symbols = subprocess.run(["objdump", "-T", os.path.join(HERE, "sistrum", name)], capture_output=True, text=True,
                                 check=True).stdout
        found |= {(int(a), int(b)) for a, b in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols)}
    return max(found)


class Tagged(bdist_wheel):
    """py3-none-manylinux_2_34_x86_64."""

    def get_tag(self):
        return "py3", "none", "manylinux_%d_%d_%s" % (*oldest_glibc(), platform.machine())


class Binary(Distribution):
    """It has libraries inside."""

    def has_ext_modules(self):
        return True


with open(os.path.join(HERE, "VERSION"), encoding="ascii") as f:
    setup(version=f.read().strip(), cmdclass={"bdist_wheel": Tagged}, distclass=Binary)
