#!/bin/sh
# Draws the pictures of docs/tutorial/ by the commands that stand in its pages.
set -eu
cd "$(dirname "$0")/.."
program="$(dirname "$(realpath "${SISTRUM:-build/release/sistrum}")")"
PATH="$program:$PATH"
cd docs/tutorial
grep -h '^sistrum plot .* -o img/' ./*.md | while IFS= read -r command; do
    echo "$command"
    sh -c "$command --quiet"
done
size=$(du -cb img/*.png | awk 'END { print $1 }')
echo "$size bytes of pictures"
if [ "$size" -gt 1000000 ]; then
    echo "tutorial: the pictures are larger than 1 MB together" >&2
    exit 1
fi
