/* unit MODULE [ARGUMENT...]: the tests of a module, which is a file of this program with a main() of its own.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/testing.h"
#include "units.h"

#include <stdio.h>
#include <string.h>

char **testing_arguments;

static const struct {
    const char *module;
    int (*run)(void);
} units[] = {
#define UNIT(module) {#module, unit_##module},
#include "units.def"
#undef UNIT
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof units / sizeof units[0]; i++)
        if (strcmp(argv[1], units[i].module) == 0) {
            testing_arguments = argv + 2;
            return units[i].run();
        }
    fprintf(stderr, "usage: unit MODULE [ARGUMENT...]; known:");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        fprintf(stderr, " %s", units[i].module);
    fputs("\n", stderr);
    return 2;
}
