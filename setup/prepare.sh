#!/usr/bin/env bash
# Sets up what a make target needs: system packages through apt, a virtual environment, this package in it.
# usage: setup/prepare.sh run|dev|opencv-4 VENV
# Does nothing, quickly, where all is there already. Where apt may not be used it says the one line to type.
set -euo pipefail

purpose=${1:?"usage: setup/prepare.sh run|dev|opencv-4 VENV"}
venv=${2:?"usage: setup/prepare.sh run|dev|opencv-4 VENV"}
cd "$(dirname "$0")/.."
PATH=$PATH:/sbin:/usr/sbin # ldconfig is there, and not on every user's path

on_raspberry_pi() {
    [[ -n ${ARENA_CAM_FOR_A_PI:-} ]] || grep -qs "Raspberry Pi" /proc/device-tree/model
}

# On a Pi apt's picamera2 must be visible, and it exists for the system's Python alone.
find_python() {
    local candidate
    for candidate in ${PYTHON:-} $(on_raspberry_pi && echo /usr/bin/python3) python3 /usr/bin/python3; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "arena-cam needs Python 3.11 or newer; install it, or name it: PYTHON=/path/to/python3 make ..." >&2
    return 1
}

has_library() {
    [[ $(ldconfig -p) == *"$1"* ]]
}

# The Debian packages that are needed here and not there, one a line; of "this|that" this, or that where there is no this.
missing_packages() {
    has_library libzbar.so.0 || echo libzbar0              # pyzbar loads it
    has_library libGL.so.1 || echo libgl1                  # opencv-python loads it
    has_library libgthread-2.0.so.0 || echo libglib2.0-0   # opencv-python loads it
    "$python" -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv
    if on_raspberry_pi; then
        /usr/bin/python3 -c 'import picamera2' 2>/dev/null || echo python3-picamera2
    fi
    if [[ $purpose != run ]]; then
        # The pages are tested in a real browser; the one without a window opens a page in a third of the time.
        command -v chromium-headless-shell chromium >/dev/null || echo "chromium-headless-shell|chromium"
        command -v mosquitto >/dev/null || [[ -x /usr/sbin/mosquitto ]] || echo mosquitto # a broker to publish to
        [[ -d /usr/share/fonts/truetype/dejavu ]] || echo fonts-dejavu-core # which draws no text without a font
        command -v shellcheck >/dev/null || echo shellcheck
        command -v cc >/dev/null || printf '%s\n' gcc libc6-dev # compiles vision/kernels; without, numpy computes
        command -v systemd-analyze >/dev/null || echo systemd # checks the unit in systemd/; nothing is started
    fi
}

install_packages() {
    local packages=("$@") as_root=() number
    if ! command -v apt-get >/dev/null; then
        echo "These are missing, and there is no apt-get to install them with: ${packages[*]}" >&2
        return 1
    fi
    if [[ $EUID -ne 0 ]]; then
        if ! sudo -n true 2>/dev/null; then
            echo "Some system packages are missing. Type this line, then the same make again:" >&2
            echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages[*]##*|}" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update -qq
    for number in "${!packages[@]}"; do
        if apt-cache show "${packages[number]%%|*}" &>/dev/null; then
            packages[number]=${packages[number]%%|*}
        else
            packages[number]=${packages[number]##*|}
        fi
    done
    echo "installing with apt: ${packages[*]}"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
}

# Modules that apt built against numpy 1 (bookworm's picamera2) break beside numpy 2, which newer OpenCV asks for.
needs_numpy_1() {
    on_raspberry_pi && /usr/bin/python3 -c 'import sys, numpy; sys.exit(numpy.__version__[0] != "1")' 2>/dev/null
}

# Whether importing the package finds this checkout. A virtual environment that was copied or moved together with its
# checkout goes on running the old one: an editable install and the scripts' first lines hold whole paths.
runs_this_checkout() {
    "$venv/bin/python" -I -c 'import sys; from pathlib import Path; import arena_cam
sys.exit(Path(arena_cam.__file__).resolve().parent.parent != Path(sys.argv[1]).resolve())' "$here" 2>/dev/null
}

make_venv() {
    local site=() constraints=() anew=() what=".[dev]"
    if on_raspberry_pi; then site=(--system-site-packages); fi
    if [[ $purpose == run ]]; then what=.; fi
    if [[ $purpose == opencv-4 ]] || needs_numpy_1; then constraints=(--constraint setup/opencv-4.txt); fi
    if [[ -e $venv && $made_in != "$here" ]]; then anew=(--clear); fi # pip would keep the scripts of the old place
    echo "preparing $venv (the first time this takes a minute or two)"
    "$python" -m venv "${anew[@]}" "${site[@]}" "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "${constraints[@]}" --editable "$what"
}

# Compiled once here: whoever starts it may not be allowed to write here, as a service is not, and would compile it anew
# at every start.
compile_package() {
    "$venv/bin/python" -m compileall -qq arena_cam || true
}

python=$(find_python)
mapfile -t packages < <(missing_packages)
if ((${#packages[@]})); then install_packages "${packages[@]}"; fi

# The stamp's first line says for what, and from which state of these files, the environment was made; its second line
# in which checkout. One made for dev serves run.
here=$(pwd -P)
state=$(cat pyproject.toml setup.py arena_cam/vision/kernels/*.[ch] setup/prepare.sh setup/opencv-4.txt <("$python" --version) | sha256sum | cut -c 1-64)
stamp=$venv/prepared
made_for="" made_in=""
if [[ -f $stamp ]]; then { read -r made_for && read -r made_in; } <"$stamp" || true; fi
if [[ -n $made_in && $made_in == "$here" ]] && ! runs_this_checkout; then made_in="elsewhere"; fi
if [[ $made_in == "$here" ]] &&
    [[ $made_for == "$state $purpose" || ($purpose == run && $made_for == "$state dev") ]]; then
    compile_package
    exit 0
fi
make_venv
compile_package
printf '%s\n' "$state $purpose" "$here" >"$stamp"
