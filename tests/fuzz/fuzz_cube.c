/* Fuzzing of the reader of profiles in Cube's format: the archive, and the values of all its metrics. Of a profile that
 * is read, as many values as it says are there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "cube/cube.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cube cube;
    struct sim_error error;
    fuzz_check_quiet();
    fuzz_write("x.cubex", data, size);
    char *file = fuzz_path("x.cubex");
    int status = cube_open(&cube, file, &error);
    fuzz_has_read(status, &error);
    for (size_t i = 0; status == 0 && i < cube.n_metrics; i++) {
        double *values = NULL;
        if (!cube.metrics[i].is_stored || cube.n_nodes > 1 << 20 || cube.n_locations > 1 << 10)
            continue;
        int got = cube_read_values(&values, &cube, &cube.metrics[i], &error);
        fuzz_has_read(got, &error);
        for (size_t v = 0; got == 0 && v < cube.n_nodes * cube.n_locations; v++)
            fuzz_check(values[v] == values[v] || cube.metrics[i].type == CUBE_REAL);
        free(values);
    }
    cube_close(&cube);
    free(file);
    fuzz_check_quiet();
    return 0;
}
