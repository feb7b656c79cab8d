#!/bin/sh
# The wheel in a fresh environment without the sources; the notebooks in Jupyter; and what make test passes over where pandas,
# matplotlib or mypy are missing:  tools/wheel_test.sh [--picture]
# --picture draws docs/img/python_notebook.png anew; it needs chromium and python3-pil.
# The last line counts.
set -eu
cd "$(dirname "$0")/.."
. tools/stages.sh
python="${PYTHON:-/usr/bin/python3}"
out="$PWD/build/notebooks"
rm -rf "$out"
mkdir -p "$out"
rm -f build/wheel_counts.txt
if ! tools/install.sh wheel-test; then
    echo "skipped: pandas, matplotlib, mypy or Jupyter cannot be installed"
    tell build/wheel_counts.txt
    exit 0
fi
tools/build.sh release sistrum-cli sistrum-scene sistrum-data

in_jupyter() {
    PYTHONPATH="$PWD/python" PYDEVD_DISABLE_FILE_VALIDATION=1 "$python" -m nbconvert --log-level ERROR --to html --execute \
        --ExecutePreprocessor.timeout=300 --output-dir "$out" "$1"
}

# with_all NAME: a test of the package that passes nothing over.
with_all() {
    if ! SISTRUM="$PWD/build/release/sistrum" SISTRUM_SOURCE="$PWD" SISTRUM_LIBRARY="$PWD/build/release/libsistrum-scene.so" \
        SISTRUM_LONG=1 PYTHONDONTWRITEBYTECODE=1 "$python" "test/python_$1.py" >"$out/log.txt" 2>&1 ||
        grep -q skipped "$out/log.txt"; then
        cat "$out/log.txt"
        return 1
    fi
}

if stage "wheel" tools/wheel.sh; then
    stage "the wheel without the sources" "$python" test/wheel.py build/wheel/*.whl build/wheel/test || true
fi
for notebook in python/notebooks/*.ipynb; do
    stage "$notebook in Jupyter" in_jupyter "$notebook" || true
done
for name in study sound hints notebooks; do
    stage "python_$name with pandas, matplotlib and mypy" with_all "$name" || true
done

if [ "${1:-}" = --picture ]; then
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1000,2700 --virtual-time-budget=4000 \
        --screenshot="$out/page.png" "file://$out/hardness.html" >/dev/null 2>&1
    "$python" - "$out/page.png" docs/img/python_notebook.png <<'END'
import sys
from PIL import Image

page = Image.open(sys.argv[1]).convert("RGB").crop((20, 610, 950, 2535))
page.quantize(256, Image.Quantize.MAXCOVERAGE).save(sys.argv[2], optimize=True)
END
    echo "docs/img/python_notebook.png"
fi
tell build/wheel_counts.txt
