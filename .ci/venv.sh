#!/bin/sh
# venv.sh PYTHON FOLDER OPTIONS…: makes a venv in a folder. `-m venv` alone hides what its pip
# complains of, as a full disk.
set -eu
python=$1 folder=$2
shift 2
"$python" -m venv --without-pip "$@" "$folder"
said=$("$folder/bin/python" -Im ensurepip --upgrade --default-pip 2>&1) && exit 0
printf '%s\n' "$said" | grep '^ERROR: ' >&2 || printf '%s\n' "$said" >&2
exit 1
