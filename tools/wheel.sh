#!/bin/sh
# The Python package with its libraries and scenes in one wheel, which needs numpy and nothing else:  build/wheel/*.whl
# Libraries of others in it: Lua (MIT, inside ours) and SQLite (public domain, a file of its own).
set -eu
cd "$(dirname "$0")/.."
python="${PYTHON:-/usr/bin/python3}"
work="$PWD/build/wheel"
stage="$work/package"
version=$(sed -n 's/#define SIS_VERSION "\(.*\)"/\1/p' include/sistrum/sistrum.h)
soversion=${version%.*}
rm -rf "$work"
mkdir -p "$stage"

# As they are installed: they find each other where they lie.
DESTDIR="" cmake --install build/release --component python --prefix "$work/prefix" >/dev/null
libraries=$(dirname "$(find "$work/prefix" -name "libsistrum-data.so.$soversion")")
cp -R python/sistrum python/pyproject.toml python/setup.py README.md "$stage"
find "$stage" -name __pycache__ -prune -exec rm -rf {} +
for name in scene data; do
    cp -L "$libraries/libsistrum-$name.so.$soversion" "$stage/sistrum/"
done
sqlite=$(ldd "$libraries/libsistrum-data.so.$soversion" | sed -n 's/.*libsqlite3[^ ]* => \(\/[^ ]*\).*/\1/p')
if [ -n "$sqlite" ]; then cp -L "$sqlite" "$stage/sistrum/libsqlite3.so.0"; fi
strip --strip-unneeded "$stage"/sistrum/*.so*
mkdir -p "$stage/sistrum/share/sistrum"
cp -R scenes "$stage/sistrum/share/sistrum/"
cp build/release/python-notices.txt "$stage/sistrum/NOTICES.txt"
cp build/release/python-notices.txt "$stage/LICENSE"
echo "$version" >"$stage/VERSION"

# The same bytes from the same sources.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date -r include/sistrum/sistrum.h +%s)
export SOURCE_DATE_EPOCH
cd "$work"
"$python" -m pip wheel --quiet --disable-pip-version-check --no-index --no-build-isolation --no-deps -w "$work" "$stage" ||
    { echo "tools/wheel.sh: pip wheel has failed; it needs python3-pip, python3-setuptools and python3-wheel" >&2; exit 1; }
rm -rf "$work/prefix"
for wheel in *.whl; do echo "build/wheel/$wheel: $(du -k "$wheel" | cut -f1) kB"; done
