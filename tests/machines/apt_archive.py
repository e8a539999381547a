"""An archive of packages on a machine itself: Debian's own cannot be reached by machines of an estate."""

from tests.machines.machine import Machine

FOLDER = "/srv/archive"
TAKE = f"""
set -eu
made="$(mktemp -d)"
mkdir -p "$made/DEBIAN" "$made/usr/bin" {FOLDER}
cp "/usr/bin/$1" "$made/usr/bin/$1"
printf 'Package: %s\\nVersion: 99\\nArchitecture: all\\nMaintainer: tests\\nDescription: tests\\n' "$1" \\
  >"$made/DEBIAN/control"
dpkg --purge --force-depends "$1"
cd {FOLDER}
dpkg-deb --build "$made" package.deb
{{
  cat "$made/DEBIAN/control"
  echo "Filename: ./package.deb"
  echo "Size: $(stat -c %s package.deb)"
  echo "SHA256: $(sha256sum <package.deb | cut -d' ' -f1)"
}} >Packages
rm -f /etc/apt/sources.list.d/*
echo "deb [trusted=yes] file:{FOLDER} ./" >/etc/apt/sources.list
"""


def take_away(machine: Machine, program: str) -> None:
    """Remove the package that is named like its one program, so that apt of the machine can bring it back."""
    machine.run(["sh", "-c", TAKE, "sh", program])
