# Runs of the library on measured machines, for tests/core/measures.c; `simrun` describes the machines.
# SPDX-License-Identifier: BSD-3-Clause

# describe SCENARIO: its machine.
describe() {
    echo "machine $1"
    "$SIMRUN" platform --text "$SOURCE_DIR/scenarios/$1.xml"
}

# The runs of scenarios/gj256.xml.
gj256() {
    local ranks
    describe gj256
    for ranks in 1 2 4 8 16 32 64 128; do echo "run gauss-jordan n=256 broadcast=neighbour ranks=$ranks"; done
}

# Others: derived machines, other networks, shared memory, causes, forecasts.
others() {
    local app
    describe gj256
    echo "run gauss-jordan n=64 broadcast=fastest ranks=32"
    echo "run gauss-jordan n=64 topology=torus ranks=16"
    echo "what-if gauss-jordan n=64 ranks=16"
    describe pdgemm2048
    echo "run pdgemm size=512 grid=2x4 ranks=8"
    echo "forecast pdgemm 2048 4 8"
    echo "forecast pdtrsm 4096 8 4"
    echo "run broadcast ranks=32 bytes=64KiB network=fluid broadcast=binomial rounds=4"
    echo "run collective ranks=24 network=fluid"
    describe ncp2-jacobi
    echo "run jacobi ranks=4 rows=200 columns=200 iterations=4"
    echo "run sor ranks=4 rows=200 columns=200 iterations=4"
    for app in tsp water quicksort; do echo "run $app ranks=4"; done
    echo "run radix ranks=2"
    echo "what-if gauss-shared ranks=4 n=64"
}
