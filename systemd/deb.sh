#!/bin/sh
# Builds a Debian package in dist/ from what `make install` installs: `make deb`.
#
# The package needs the Python and the processor of the machine where it is built. PYTHON is Debian's
# own Python there.
set -eu
umask 022
here=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-/usr/bin/python3}

refuse() {
  echo "lampion: $1" >&2
  exit 1
}

for tool in dpkg dpkg-deb; do
  command -v $tool >/dev/null || refuse "there is no $tool: build the package on Debian"
done
case $(readlink -f "$(command -v "$python" || echo /)") in
  /usr/bin/*) ;;
  *) refuse "$python is not Debian's Python: set PYTHON=/usr/bin/python3" ;;
esac

field() { # NAME, from pyproject.toml
  sed -n "s/^$1 = \"\\(.*\\)\"\$/\\1/p" "$here/pyproject.toml" | head -n 1
}
version=$(field version)
minor=$("$python" -c 'import sys; print(sys.version_info[1])')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
DESTDIR=$root PYTHON=$python sh "$here/systemd/install.sh" install

# A package has its units, users and rules where an administrator can override them.
move() { # FROM TO
  mkdir -p "$root$(dirname "$2")"
  mv "$root$1" "$root$2"
}
for unit in lampion.service lampion-sim.service lampion-off.path lampion-off.service; do
  move /etc/systemd/system/$unit /usr/lib/systemd/system/$unit
done
move /etc/sysusers.d/lampion.conf /usr/lib/sysusers.d/lampion.conf
move /etc/udev/rules.d/60-lampion.rules /usr/lib/udev/rules.d/60-lampion.rules
move /usr/local/bin/lampion /usr/bin/lampion
find "$root" -depth -type d -empty -delete
install -D -m 644 "$here/LICENSE" "$root/usr/share/doc/lampion/copyright"

mkdir "$root/DEBIAN"
cat > "$root/DEBIAN/control" <<CONTROL
Package: lampion
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: The Lampion authors
Installed-Size: $(du -sk "$root" | cut -f 1)
Depends: python3 (>= 3.$minor), python3 (<< 3.$((minor + 1))), libc6, systemd, udev
Section: games
Priority: optional
Description: game board that knows the rules
 $(field description)
 The simulated board needs nothing else: lampion sim. A board on the wires of a
 Raspberry Pi is run by the service lampion, which is not started by itself.
CONTROL
echo /etc/lampion/lampion.toml > "$root/DEBIAN/conffiles"
for script in preinst postinst prerm postrm; do
  install -m 755 "$here/systemd/deb/$script" "$root/DEBIAN/$script"
done
mkdir -p "$here/dist"
dpkg-deb --build --root-owner-group "$root" "$here/dist"
