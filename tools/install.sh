#!/bin/sh
# Installs the Debian packages that a task needs and that are missing:  tools/install.sh build|test|hashes|gallery|deb|lv2|clap|windows|tidy|coverage|pd|sound|play|mpi|data|wheel|wheel-test|web|web-test|firefox
# Asks the package database first, so that nothing touches the network when nothing is missing.
set -eu

# a|b: either will do, a is what gets installed.
build="build-essential cmake pkg-config|pkgconf liblua5.4-dev libsndfile1-dev libjansson-dev libsqlite3-dev libhdf5-dev lv2-dev
       gnuplot-nox|gnuplot-qt|gnuplot-x11 fonts-dejavu-core"
# What sistrum play finds built in: JACK, PortAudio, MIDI.
sound="libjack-jackd2-dev|libjack-dev portaudio19-dev libasound2-dev"
# The page: WebAssembly, and Node to run it.
wasm="clang-14 lld-14 llvm-14 wasi-libc libclang-rt-14-dev-wasm32 dpkg-dev nodejs"
# A Node from elsewhere brings its own npm, and forbids Debian's.
npm=npm
if command -v npm >/dev/null; then npm=""; fi
case "${1:-build}" in
build) wanted="$build" ;;
test) wanted="$build clang clang-format libmpfr-dev python3 python3-numpy flac mandoc man-db groff-base dpf-source $wasm" ;;
hashes) wanted="$build clang clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32 nodejs qemu-user
                gcc-aarch64-linux-gnu libc6-dev-arm64-cross dpkg-dev" ;;
gallery) wanted="$build python3 python3-numpy flac" ;;
wheel) wanted="$build python3 python3-numpy python3-pip python3-setuptools python3-wheel" ;;
wheel-test) wanted="$build python3 python3-numpy python3-pip python3-setuptools python3-wheel python3-venv python3-pandas
                    python3-matplotlib python3-nbclient python3-ipykernel jupyter-nbconvert mypy" ;;
deb) wanted="$build $sound libopenmpi-dev debhelper dpkg-dev fakeroot lintian dh-python python3 python3-numpy dpf-source" ;;
lv2) wanted="$build lv2-dev sordi liblilv-dev lilv-utils jalv jackd2 libjack-jackd2-dev" ;;
tidy) wanted="$build clang-tidy cppcheck" ;;
coverage) wanted="$build libmpfr-dev python3 python3-numpy flac gcovr" ;;
sound) wanted="$build $sound" ;;
play) wanted="$build $sound python3 python3-pyte python3-pil jackd2 pipewire pipewire-jack libportaudio2" ;;
mpi) wanted="$build libopenmpi-dev openmpi-bin python3" ;;
data) wanted="$build libmatio-dev octave python3 python3-numpy python3-h5py python3-scipy" ;;
pd) wanted="$build python3 puredata-core puredata-dev" ;;
web) wanted="$build $wasm $npm" ;;
web-test) wanted="$build $wasm $npm chromium python3 python3-numpy flac" ;;
firefox) wanted="firefox-esr pulseaudio" ;;
clap) wanted="$build dpf-source qtractor" ;;
windows) wanted="$build dpf-source dpkg-dev gcc-mingw-w64-x86-64-win32" ;;
*)
    echo "usage: tools/install.sh [build|test|hashes|gallery|deb|lv2|clap|windows|tidy|coverage|pd|sound|play|mpi|data|wheel|wheel-test|web|web-test|firefox]" >&2
    exit 2
    ;;
esac

# Who has the libraries from elsewhere says so.
if [ -n "${SISTRUM_NO_INSTALL:-}" ]; then exit 0; fi
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    # shellcheck disable=SC2086 # a list of words
    echo "This machine has no apt. Install these yourself (Debian's names; a|b: either will do):" $wanted >&2
    echo "Then say SISTRUM_NO_INSTALL=1 in front of make." >&2
    exit 1
fi

is_installed() {
    dpkg-query -W -f='${Status}\n' "$1" 2>/dev/null | grep -q ' installed$'
}

missing=""
for choice in $wanted; do
    found=""
    for package in $(echo "$choice" | tr '|' ' '); do
        if is_installed "$package"; then found=yes; fi
    done
    if [ -z "$found" ]; then missing="$missing ${choice%%|*}"; fi
done
if [ -z "$missing" ]; then exit 0; fi

as_root=""
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "These packages are missing and only root may install them:" >&2
        echo "  apt-get install$missing" >&2
        exit 1
    fi
    as_root="sudo"
fi

echo "Installing:$missing"
export DEBIAN_FRONTEND=noninteractive
# apt COMMAND...: apt-get that waits while another program installs (new machines update themselves).
apt() {
    turns=0
    told=$(mktemp)
    while ! $as_root apt-get "$@" 2>"$told"; do
        if ! grep -q "Could not get lock" "$told" || [ "$turns" -ge 60 ]; then
            cat "$told" >&2
            rm -f "$told"
            return 1
        fi
        if [ "$turns" = 0 ]; then echo "Another program installs packages; waiting for it." >&2; fi
        turns=$((turns + 1))
        sleep 5
    done
    cat "$told" >&2
    rm -f "$told"
}
# shellcheck disable=SC2086 # a list of words
install_missing() { apt install -y --no-install-recommends $missing; }
# A new machine has no package lists, an old one has stale ones: fetch them only in those two cases.
if ! ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1; then
    apt update
    install_missing
elif ! install_missing; then
    apt update
    install_missing
fi
