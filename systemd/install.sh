#!/bin/sh
# Installs Lampion on a Raspberry Pi, or removes it: `make install`, `make uninstall`.
#
# DESTDIR is put in front of every path (the running system is then left alone), PYTHON is the Python
# to use, PURGE=1 lets `uninstall` remove matches and settings, too. It may be repeated.
set -eu
umask 022 # the service reads what root puts here
here=$(cd "$(dirname "$0")/.." && pwd)
root=
if [ -n "${DESTDIR:-}" ]; then
  mkdir -p "$DESTDIR"
  root=$(cd "$DESTDIR" && pwd)
fi
python=${PYTHON:-python3}
home=/opt/lampion
units='lampion.service lampion-sim.service lampion-off.path lampion-off.service'
venv=$root$home/venv

refuse() {
  echo "lampion: $1" >&2
  exit 1
}

# Install a file, unless it is there already.
put() { # MODE FROM TO
  cmp -s "$2" "$root$3" || install -D -m "$1" "$2" "$root$3"
}

# Say whether a running systemd has to be told.
running() {
  [ -z "$root" ] && [ -d /run/systemd/system ]
}

check() {
  [ -n "$root" ] || [ "$(id -u)" = 0 ] || refuse "this needs root: sudo make $1"
}

# The tools that are called at the end must exist before anything is installed.
check_systemd() {
  [ -z "$root" ] || return 0
  needed=systemd-sysusers
  ! running || needed="$needed udevadm systemctl"
  for tool in $needed; do
    command -v "$tool" >/dev/null || refuse "there is no $tool: sudo apt-get install systemd udev"
  done
}

check_python() {
  bits=$("$python" -c 'import struct; print(struct.calcsize("P") * 8)' 2>/dev/null) ||
    refuse "there is no $python: sudo apt-get install python3-venv"
  [ "$bits" = 64 ] ||
    refuse "this is a $bits-bit system: install the 64-bit Raspberry Pi OS or Debian"
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    refuse "Python 3.11 or newer is needed: set PYTHON=/path/to/one"
  "$python" -c 'import ensurepip, venv' 2>/dev/null ||
    refuse "Python has no venv module here: sudo apt-get install python3-venv"
}

# A virtual environment with the packages of the locks; none of them is compiled.
install_program() {
  version='import sys; print(sys.version_info[:2])'
  [ "$("$venv/bin/python" -c "$version" 2>/dev/null)" = "$("$python" -c "$version")" ] ||
    sh "$here/.ci/venv.sh" "$python" "$venv" --clear
  set -- sh "$here/.ci/pip.sh" "$venv/bin/python" install --no-compile
  "$@" --only-binary :all: --require-hashes --requirement "$here/requirements-build.lock"
  "$@" --only-binary :all: --require-hashes --requirement "$here/requirements.lock" \
    --requirement "$here/requirements-pi.lock"
  # Built in a copy: files of an older build must not be included.
  build=$(mktemp -d)
  trap 'rm -rf "$build"' EXIT
  mkdir "$build/source"
  (cd "$here" && cp -R pyproject.toml setup.py tools README.md LICENSE drivers engine firmware_host \
    hardware "$build/source")
  sh "$here/.ci/pip.sh" "$venv/bin/python" wheel --no-build-isolation --no-deps \
    --wheel-dir "$build" "$build/source"
  "$@" --no-deps --no-index --find-links "$build" --force-reinstall lampion
  # The service may not write there. Compiled without times, so that repeating gives the same files;
  # all of them, because pip compiles its own with times, and with the path under DESTDIR.
  "$venv/bin/python" -m compileall -q -f --invalidation-mode unchecked-hash -s "$root" -p / \
    "$venv/lib"
  chmod -R go+rX "$root$home" # an earlier installation may have had another umask
  if [ -n "$root" ]; then # it will not stay here
    grep -rlI --exclude-dir=lib -F "$root" "$venv" | xargs -r sed -i "s|$root||g"
  fi
}

install_all() {
  check install
  check_systemd
  check_python
  install_program
  for unit in $units; do
    put 644 "$here/systemd/$unit" "/etc/systemd/system/$unit"
  done
  put 644 "$here/systemd/lampion.sysusers" /etc/sysusers.d/lampion.conf
  put 644 "$here/systemd/lampion.udev" /etc/udev/rules.d/60-lampion.rules
  [ -e "$root/etc/lampion/lampion.toml" ] ||
    put 644 "$here/systemd/lampion.toml" /etc/lampion/lampion.toml
  mkdir -p "$root/usr/local/bin"
  ln -sfn "$home/venv/bin/lampion" "$root/usr/local/bin/lampion"
  [ -z "$root" ] || return 0
  systemd-sysusers lampion.conf
  if running; then
    udevadm control --reload
    udevadm trigger --subsystem-match=i2c-dev --subsystem-match=spidev \
      --subsystem-match=gpio --subsystem-match=tty
    systemctl daemon-reload
    systemctl try-restart lampion lampion-sim
  fi
  echo "Lampion is in $home. Answer a few questions about your board: sudo lampion setup"
  echo "To start it now and whenever the Pi starts: sudo systemctl enable --now lampion"
}

uninstall_all() {
  check uninstall
  if running; then
    systemctl disable --now lampion lampion-sim 2>/dev/null || true
    systemctl stop lampion-off.path 2>/dev/null || true
  fi
  rm -rf "$root$home"
  rm -f "$root/usr/local/bin/lampion" "$root/etc/sysusers.d/lampion.conf" \
    "$root/etc/udev/rules.d/60-lampion.rules"
  for unit in $units; do
    rm -f "$root/etc/systemd/system/$unit"
  done
  if [ "${PURGE:-}" = 1 ]; then
    rm -rf "$root/etc/lampion" "$root/var/lib/lampion"
    # Only the service's user: a person may have the same name, with a number from 1000 on.
    if [ -z "$root" ] && [ "$(id -u lampion 2>/dev/null || echo 1000)" -lt 1000 ]; then
      userdel lampion 2>/dev/null || true
    fi
  else
    echo "Kept: /etc/lampion and /var/lib/lampion; make uninstall PURGE=1 removes them, too."
  fi
  if running; then
    udevadm control --reload
    systemctl daemon-reload
  fi
}

case ${1:-} in
  install) install_all ;;
  uninstall) uninstall_all ;;
  *) refuse "usage: sh systemd/install.sh install|uninstall" ;;
esac
