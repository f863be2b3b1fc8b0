#!/bin/sh
# Makes a virtual environment in .venv, installs pbem, and plays a whole game by mail into ./demo.
# Usage: sh deploy/demo.sh [further arguments of 'pbem demo']
set -eu
cd "$(dirname "$0")/.."
. deploy/venv.sh
make_venv .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check -e .
exec .venv/bin/pbem demo demo "$@"
