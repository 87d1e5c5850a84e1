#!/bin/sh
# pip.sh PYTHON ARGUMENTS…: runs pip, which says nothing unless something is wrong. What machines
# often lack is said in one line instead of pip's many.
set -eu
python=$1
shift
if said=$("$python" -m pip --quiet --disable-pip-version-check "$@" 2>&1); then
  [ -z "$said" ] || printf '%s\n' "$said" >&2
  exit 0
fi
case $said in
  *"connection broken by"*"from versions: none"* | *"Max retries exceeded"*)
    echo "lampion: no network: the packages cannot be fetched; connect, and try again" ;;
  *"No such file or directory: '"*"cc'"* | *"cc' failed: No such file"* | *"error: Python.h:"*)
    echo "lampion: a package must be compiled here: sudo apt-get install gcc python3-dev" ;;
  *) printf '%s\n' "$said" ;;
esac >&2
exit 1
