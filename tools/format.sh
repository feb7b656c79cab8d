#!/bin/sh
# Lays out every C file by .clang-format; with --check only names those that are not, and fails.
set -eu
cd "$(dirname "$0")/.."
status=0
for file in $(find examples include python src script out music live plugin pd study sweep app bench campaign test web/wasm -name '*.[ch]' -o -name '*.cpp' | sort); do
    if [ "${1:-}" != "--check" ]; then
        clang-format -i "$file"
    elif ! clang-format "$file" | cmp -s - "$file"; then
        echo "$file: not in the layout of .clang-format (make format)"
        status=1
    fi
done
exit $status
