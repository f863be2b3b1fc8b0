# Sourced by the scripts beside it: finds a Python that will do and makes a virtual environment.

find_python() {
    for candidate in "${PYTHON:-}" python3 python3.13 python3.12 python3.11; do
        [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1 || continue
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return 0
        fi
    done
    echo "pbem needs Python 3.11 or newer; install it (Debian, Ubuntu: apt-get install python3 python3-venv) or set PYTHON to its path" >&2
    return 1
}

# make_venv DIR: without ensurepip (Debian and Ubuntu leave it out of python3) it is fetched with apt where possible.
make_venv() {
    [ -x "$1/bin/python" ] && "$1/bin/python" -m pip --version >/dev/null 2>&1 && return 0
    python=$(find_python)
    rm -rf "$1"
    if "$python" -m venv "$1" >/dev/null 2>&1; then
        return 0
    fi
    rm -rf "$1"
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >/dev/null
        "$python" -m venv "$1" && return 0
    fi
    echo "cannot make a virtual environment in $1: install the venv module (Debian, Ubuntu: sudo apt-get install python3-venv) and run this again" >&2
    return 1
}
