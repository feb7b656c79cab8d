#!/bin/sh
# Builds the Debian packages in a clean copy of the sources, holds lintian against them, unpacks them into a scratch root
# and uses what is in there as a user would. They end up in build/deb/.
#   tools/deb.sh
# DEBFULLNAME and DEBEMAIL say who made them.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/#define SIS_VERSION "\(.*\)"/\1/p' include/sistrum/sistrum.h)
soversion=${version%.*}
work="$PWD/build/deb"
copy="$work/sistrum-$version"
maintainer="${DEBFULLNAME:-Sistrum contributors} <${DEBEMAIL:-sistrum@example.com}>"
rm -rf "$work"
mkdir -p "$copy"

# What is under version control, as it is now; of an unpacked archive, everything.
if git rev-parse --show-toplevel >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2>/dev/null |
        tar -c -f - -T - | tar -x -f - -C "$copy"
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
else
    tar -c -f - --exclude=./build . | tar -x -f - -C "$copy"
    SOURCE_DATE_EPOCH=$(date -r include/sistrum/sistrum.h +%s)
fi
export SOURCE_DATE_EPOCH
unset MAKEFLAGS MFLAGS MAKELEVEL
cd "$copy"

# Names that follow from the version, which the header states.
cat debian/control.in >debian/control
if [ -d python/sistrum ]; then
    cat debian/python.in >>debian/control
    sed -i 's/^ *libjansson-dev$/&,\n               dh-python,\n               python3:any/' debian/control
    export DH_WITH="--with python3"
else
    rm debian/python3-sistrum.*
fi
sed -i -e "s/@SOVERSION@/$soversion/g" -e "s/@MAINTAINER@/$maintainer/" debian/control
mv debian/libsistrumSOVERSION.install "debian/libsistrum$soversion.install"
rm debian/*.in
cat >debian/changelog <<END
sistrum ($version) unstable; urgency=medium

  * Version $version; CHANGELOG.md tells what changed.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END
{
    cat <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: sistrum

Files: *
$(sed -n 's/^Copyright (c) \(.*\)/Copyright: \1/p' LICENSE)
License: Expat
END
    sed -e '1,/^Copyright/d' LICENSE | sed -e '/./,$!d' -e 's/^$/./' -e 's/^/ /'
} >debian/copyright

echo "== dpkg-buildpackage"
DEB_BUILD_OPTIONS="parallel=$(nproc) ${DEB_BUILD_OPTIONS:-}" dpkg-buildpackage -us -uc -b >"$work/build.log" 2>&1 || {
    tail -n 40 "$work/build.log" >&2
    exit 1
}
cd "$work"
rm -rf "$copy"

echo "== lintian"
lintian --allow-root --fail-on error,warning --suppress-tags bad-distribution-in-changes-file ./*.changes

echo "== a scratch root"
root="$work/root"
mkdir "$root"
for package in ./*.deb; do
    case "$package" in *-dbgsym_*) ;; *) dpkg-deb -x "$package" "$root" ;; esac
done
triplet=$(dpkg-architecture -q DEB_HOST_MULTIARCH)
export LD_LIBRARY_PATH="$root/usr/lib/$triplet"
mkdir play
cd play
"$root/usr/bin/sistrum" scenes >scenes.txt
"$root/usr/bin/sistrum" render tanpura -o tanpura.wav
"$root/usr/bin/sistrum" new drone --quiet
"$root/usr/bin/sistrum" render drone -o drone.wav --duration 0.5 --quiet
"$root/usr/bin/sistrum" repro list >papers.txt
test -s tanpura.wav && test -s drone.wav && test -s papers.txt && grep -q '^ *tanpura ' scenes.txt
"$root/usr/bin/sistrum" plugin drone -o lv2 --quiet
test -s lv2/drone.lv2/sistrum.so && test -s "$root/usr/lib/lv2/tanpura.lv2/manifest.ttl"
test -s "$root/usr/lib/clap/sistrum.clap" && grep -q "It contains Lua" "$root/usr/lib/clap/sistrum.clap.txt"
test -s "$root/usr/share/man/man1/sistrum.1.gz"
bash -n "$root/usr/share/bash-completion/completions/sistrum"
# The pages are a tree: every picture that one of them shows is there.
find "$root/usr/share/doc/sistrum/docs" -name '*.md' | while read -r page; do
    { grep -o '[(][^() ]*[.]png[)]' "$page" || true; } | tr -d '()' | while read -r picture; do
        test -s "$(dirname "$page")/$picture" || { echo "$page: no $picture" >&2; exit 1; }
    done
done
if readelf -d "$root/usr/bin/sistrum" | grep -E 'RPATH|RUNPATH'; then exit 1; fi

# The library, by pkg-config, as another program uses it.
cat >user.c <<'END'
#include <sistrum/sistrum.h>
#include <string.h>
int main(void) { return strcmp(sis_version(), SIS_VERSION) != 0; }
END
# shellcheck disable=SC2046 # a list of flags
cc user.c $(PKG_CONFIG_PATH="$root/usr/lib/$triplet/pkgconfig" pkg-config --cflags --libs sistrum) -o user
./user
if [ -d "$root/usr/lib/python3/dist-packages/sistrum" ]; then
    PYTHONPATH="$root/usr/lib/python3/dist-packages" /usr/bin/python3 -B -c \
        "import sistrum; run = sistrum.load('drone.lua'); print('python:', len(run.params), 'knobs of', 'drone.lua')
print(sistrum.sweep('tanpura', random=3, duration=0.05), run.render(0.1).wav('python.wav'))"
fi

cd "$work"
rm -rf play root
echo
echo "The packages are in build/deb/; to install them: apt-get install ./build/deb/*.deb"
ls -1 ./*.deb
