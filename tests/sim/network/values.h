/* The values of an application's parameters, for tests that simulate it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VALUES_H
#define TESTS_VALUES_H

#include "base/memory.h"
#include "core/settings.h"
#include "sim/kernel/app.h"

#include <CUnit/Basic.h>
#include <string.h>

/* `settings` are names and values by turns. */
static int64_t *values_of(const struct app_spec *app, const char *const *settings)
{
    int64_t *values = xcalloc((size_t)(N_COMMON_PARAMS + app->n_params), sizeof *values);
    char why[200];
    for (int i = 0; i < N_COMMON_PARAMS + app->n_params; i++) {
        const struct param_spec *spec = i < N_COMMON_PARAMS ? &common_params[i] : &app->params[i - N_COMMON_PARAMS];
        const char *text = spec->fallback;
        for (int s = 0; settings[s] != NULL; s += 2)
            text = strcmp(settings[s], spec->name) == 0 ? settings[s + 1] : text;
        CU_ASSERT_EQUAL_FATAL(param_parse(&values[i], spec, text, why, sizeof why), 0);
    }
    return values;
}

#endif
