#!/bin/sh
# Puts Lampion onto the card of a Raspberry Pi, which installs it at its first start: `make sdcard`.
#
# CARD is the folder of the card's boot partition, just written with Raspberry Pi OS 13, 64-bit;
# CONFIG is the configuration of the board. MACHINE is the processor, as pip calls it.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-$here/.venv/bin/python}
card=${CARD:-}
config=${CONFIG:-}
machine=${MACHINE:-aarch64}

refuse() {
  echo "lampion: $1" >&2
  exit 1
}

[ -n "$card" ] && [ -n "$config" ] ||
  refuse "name the card and the board's configuration: make sdcard CARD=/media/${USER:-me}/bootfs CONFIG=lampion.toml"
[ -f "$card/user-data" ] && [ -f "$card/meta-data" ] ||
  refuse "$card is not the boot partition of Raspberry Pi OS 13: there is no user-data"
[ ! -e "$card/vendor-data" ] || cmp -s "$here/systemd/sdcard/vendor-data" "$card/vendor-data" ||
  refuse "$card/vendor-data is of another program: delete it, or write the card again"
"$python" -m firmware_host config show --config "$config" >/dev/null

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/wheels"
cp "$config" "$work/lampion.toml"
# What the locks name, for the Python of Debian 13: the Pi needs no network.
for lock in requirements-build requirements requirements-pi; do
  sh "$here/.ci/pip.sh" "$python" download --no-deps --require-hashes --only-binary :all: \
    --python-version 3.13 --platform "manylinux2014_$machine" --platform "manylinux_2_34_$machine" \
    --dest "$work/wheels" --requirement "$here/$lock.lock"
done
tar -czf "$card/lampion.tar.gz" --exclude __pycache__ --owner 0 --group 0 \
  -C "$work" wheels lampion.toml -C "$here" .ci drivers engine firmware_host hardware systemd tools \
  LICENSE README.md pyproject.toml setup.py requirements.lock requirements-build.lock \
  requirements-pi.lock
cp "$here/systemd/sdcard/vendor-data" "$card/vendor-data"
sync
echo "The card is ready. Put it into the Pi and switch it on: it installs Lampion and restarts once."
