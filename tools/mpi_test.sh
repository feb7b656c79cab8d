#!/bin/sh
# Studies on the ranks of an MPI job: the same rows and sounds for any number of threads and ranks, also after ranks were
# killed; what sistrum-mpi refuses; batch scripts.
#   tools/mpi_test.sh
# SISTRUM_LONG=1 makes five to ten times as many runs. The last line counts.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build
if ! tools/install.sh mpi; then
    echo "skipped: OpenMPI cannot be installed"
    echo "0 passed, 0 failed" | tee build/mpi_counts.txt
    exit 0
fi
tools/build.sh release sistrum-cli sistrum-mpi
exec python3 test/mpi/run.py build/release/sistrum build/release/sistrum-mpi build/mpi_test build/mpi_counts.txt
