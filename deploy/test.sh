#!/bin/sh
# Makes a virtual environment in .venv, installs pbem with its test extras, and runs every test.
# Usage: sh deploy/test.sh [pytest arguments]
set -eu
cd "$(dirname "$0")/.."
. deploy/venv.sh
make_venv .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
exec .venv/bin/python -m pytest -n "${PBEM_TEST_WORKERS:-2}" -q "$@"
