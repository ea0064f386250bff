/* The letters of BLAS as other names of choices.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/list.h"
#include "tests/testing.h"

#include <CUnit/CUnit.h>
#include <string.h>

static int64_t value_of(const char *app, const char *name, const char *text)
{
    int64_t value;
    char why[200];
    const struct param_spec *param = app_find(app_skeletons, app)->params;
    while (param->name != NULL && strcmp(param->name, name) != 0)
        param++;
    CU_ASSERT_PTR_NOT_NULL_FATAL(param->name);
    return param_parse(&value, param, text, why, sizeof why) == 0 ? value : -1;
}

static void test_letters(void)
{
    static const struct {
        const char *app, *param, *letter, *name;
    } rows[] = {
        {"pdgemm", "transa", "N", "no"},  {"pdgemm", "transa", "T", "yes"},    {"pdgemm", "transb", "t", "yes"},
        {"pdgemm", "transb", "C", "yes"}, {"pdtrsm", "trans", "n", "no"},      {"pdtrsm", "trans", "C", "yes"},
        {"pdtrsm", "uplo", "U", "upper"}, {"pdtrsm", "uplo", "l", "lower"},    {"pdtrsm", "side", "L", "left"},
        {"pdtrsm", "side", "r", "right"}, {"pdtrsm", "diag", "N", "non-unit"}, {"pdtrsm", "diag", "u", "unit"},
    };
    for (int i = 0; i < (int)(sizeof rows / sizeof rows[0]); i++) {
        int64_t value = value_of(rows[i].app, rows[i].param, rows[i].name);
        CU_ASSERT(value >= 0);
        CU_ASSERT_EQUAL(value_of(rows[i].app, rows[i].param, rows[i].letter), value);
    }
    CU_ASSERT_EQUAL(value_of("pdtrsm", "uplo", "N"), -1);
    CU_ASSERT_EQUAL(value_of("pdgemm", "transa", "TT"), -1);
}

int main(void)
{
    static const struct test tests[] = {{"letters", test_letters}, {NULL, NULL}};
    return testing_run("letters of BLAS", tests);
}
