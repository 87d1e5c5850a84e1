#!/bin/sh
# `make rig-deep`: a machine of its own, with a systemd and the kernel's own I2C, SPI and GPIO, in
# which Lampion is installed and plays on simulated chips. The machine is user-mode Linux: a kernel
# that is a program. The first run builds it and a Debian beneath: some ten minutes of two cores.
#
# RIG is where that is kept (~/.cache/lampion-rig), SUITE the Debian (bookworm), LIMIT the seconds
# that the machine may take.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
rig=${RIG:-$HOME/.cache/lampion-rig}
suite=${SUITE:-bookworm}
root=$rig/$suite
tree=$rig/linux

skip() {
  echo "rig-deep is left out: $1" >&2
  exit 1
}

[ "$(uname -sm)" = "Linux x86_64" ] || skip "user-mode Linux needs a Linux on x86-64"
[ "$(id -u)" = 0 ] || skip "it needs root, for the files of a Debian: sudo make rig-deep"
lacks=
for tool in gcc make flex bison bc patch debootstrap; do
  command -v $tool >/dev/null || lacks="$lacks $tool"
done
source=$(ls /usr/src/linux-source-*.tar.xz 2>/dev/null | tail -1)
[ -n "$source" ] || lacks="$lacks linux-source-6.1"
[ -z "$lacks" ] || skip "install what it lacks: apt-get install$lacks"
mkdir -p "$rig"

# A kernel, and what stands in for a Pi's adapters.
if ! [ -x "$tree/linux" ] || ! cat "$here"/kernel.* | cmp -s - "$rig/made-from"; then
  rm -rf "$tree"
  mkdir "$tree"
  tar -xf "$source" -C "$tree" --strip-components 1
  patch -s -p1 -d "$tree" <"$here/kernel.patch"
  make -s -C "$tree" ARCH=um allnoconfig KCONFIG_ALLCONFIG="$here/kernel.config" >"$rig/log" 2>&1
  make -s -C "$tree" ARCH=um -j2 >>"$rig/log" 2>&1 || skip "no kernel: $(tail -1 "$rig/log")"
  cat "$here"/kernel.* >"$rig/made-from"
fi
mkdir -p "$rig/module"
cp "$here/module/"* "$rig/module"
make -s -C "$tree" ARCH=um M="$rig/module" modules >"$rig/log" 2>&1 ||
  skip "no module: $(tail -1 "$rig/log")"

# A Debian, and the packages that the locks name: the machine has no network.
if ! [ -e "$root/ready" ]; then
  rm -rf "$root"
  with=systemd,systemd-sysv,dbus,udev,make,python3-venv,kmod,procps
  debootstrap --variant=minbase --include=$with "$suite" "$root" >"$rig/log" 2>&1 ||
    skip "no Debian: $(tail -1 "$rig/log")"
  touch "$root/ready"
fi
python=$(ls "$root/usr/bin" | grep -x 'python3\.[0-9]*')
for lock in requirements-build requirements requirements-pi; do
  "$top/.venv/bin/python" -m pip download --quiet --no-deps --require-hashes \
    --only-binary :all: --python-version "${python#python}" --dest "$rig/wheels" \
    --requirement "$top/$lock.lock" >"$rig/log" 2>&1 ||
    skip "no packages: $(tail -1 "$rig/log")"
done

# What the machine may see of here, and what it says.
shared=$root/rig
rm -rf "$shared"
mkdir -p "$shared/source"
(cd "$top" && git ls-files -z --cached --others --exclude-standard |
  xargs -0 cp --parents -t "$shared/source")
# The tests alone: the program is imported from where it is installed.
mkdir "$shared/path"
ln -s ../source/tests "$shared/path/tests"
cp -r "$rig/wheels" "$rig/module/lampion_rig.ko" "$shared"
install -m 755 "$here/init" "$root/lampion-init"
: >"$shared/said"
# Its time passes only while all of it waits, so nothing depends on how busy this computer is.
TMPDIR=/dev/shm timeout "${LIMIT:-2400}" "$tree/linux" mem=1500M root=none rootfstype=hostfs \
  hostfs="$root" ro init=/lampion-init con=null con0=null,fd:1 time-travel=inf-cpu \
  </dev/null >"$rig/console" 2>&1 || true

cat "$shared/said"
passed=$(grep -c '^ok ' "$shared/said" || true)
failed=$(grep -c '^not ok ' "$shared/said" || true)
if ! grep -qx 'the end' "$shared/said"; then
  echo "not ok - the machine ended early: see $rig/console and $shared/journal"
  failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
