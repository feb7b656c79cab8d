#!/bin/sh
# clang-tidy by .clang-tidy and cppcheck over the sources; any finding fails.
set -eu
cd "$(dirname "$0")/.."
tools/build.sh dev
failed=0
sources=$(find src script out music study sweep app bench campaign -name '*.c' | sort)
# shellcheck disable=SC2086 # a list of files
echo $sources | xargs -n 4 -P "$(nproc)" clang-tidy -p build/dev --quiet --warnings-as-errors='*' 2>/dev/null ||
    failed=1
# Left out: nullPointerRedundantCheck and uninitvar do not know our functions that never return or that fill
# what they are given; the analyzer above and the sanitizers of make test do.
cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr -j "$(nproc)" \
    --enable=warning,performance,portability \
    --suppress=missingIncludeSystem --suppress=internalAstError --suppress=unmatchedSuppression \
    --suppress=nullPointerRedundantCheck --suppress=uninitvar \
    -Iinclude -Isrc -Iscript -Iout -Imusic -Istudy -Isweep -Ibench src script out music study sweep app bench campaign || failed=1
if [ $failed = 0 ]; then echo "tidy: clean"; fi
exit $failed
