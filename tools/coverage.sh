#!/bin/sh
# Which lines of the libraries and the program the tests reach: a table here, pages in build/coverage/html.
set -eu
cd "$(dirname "$0")/.."
tools/build.sh coverage
find build/coverage -name '*.gcda' -delete
status=0
ctest --test-dir build/coverage -j "$(nproc)" --output-on-failure || status=1
mkdir -p build/coverage/html
gcovr --root . --filter 'src/' --filter 'script/' --filter 'out/' --filter 'music/' --filter 'study/' --filter 'sweep/' --filter 'app/' \
    --html-details build/coverage/html/index.html --print-summary build/coverage
echo "pages: build/coverage/html/index.html"
exit $status
