/* Parameters: parsing, and writing so that parsing reads it back.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/program/param.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const colours[] = {"red", "green", "blue", NULL};

enum { COUNT, SIZE, RATE, REAL, CHOICE, MESH, GRID, GIVEN_GRID, N_SPECS };
static const struct param_spec specs[N_SPECS] = {
    [COUNT] = {"count", PARAM_COUNT, "1", .min = -5, .max = 1000},
    [SIZE] = {"size", PARAM_SIZE, "1", .min = 1, .max = INT64_C(1) << 40},
    [RATE] = {"rate", PARAM_RATE, "0", .max = INT64_C(1000000000000)},
    [REAL] = {"real", PARAM_REAL, "0", .min = -UNITS_REAL, .max = UNITS_REAL / 2},
    [CHOICE] = {"choice", PARAM_CHOICE, "red", .choices = colours},
    [MESH] = {"mesh", PARAM_MESH, "auto", .excludes_auto = false},
    [GRID] = {"grid", PARAM_PROCESS_GRID, "auto", .excludes_auto = false},
    [GIVEN_GRID] = {"given_grid", PARAM_PROCESS_GRID, .excludes_auto = true},
};

#define MESH_RANGE "WIDTHxHEIGHT (each 1 ... 65536) | auto"
#define GRID_RANGE "ROWSxCOLUMNS (each 1 ... 65536)"

/* `written` is how param_format() gives the value back; NULL where the text is refused, for the reason `why`. */
static const struct {
    int spec;
    const char *text;
    int64_t value;
    const char *written;
    const char *why;
} rows[] = {
    {COUNT, "1", 1, "1", NULL},
    {COUNT, "1e3", 1000, "1000", NULL},
    {COUNT, "-5", -5, "-5", NULL},
    {COUNT, "-6", 0, NULL, "'-6' is outside -5 ... 1000"},
    {COUNT, "1001", 0, NULL, "'1001' is outside -5 ... 1000"},
    {COUNT, "", 0, NULL, "'' is empty"},
    {COUNT, "1.5", 0, NULL, "'1.5' is not a whole number"},
    {COUNT, "1kB", 0, NULL, "'1kB' is not a whole number such as 256"},
    {SIZE, "65536", 65536, "64KiB", NULL},
    {SIZE, "1024GiB", INT64_C(1) << 40, "1024GiB", NULL},
    {SIZE, "4194304B", 4194304, "4MiB", NULL},
    {SIZE, "3000kB", 3000000, "3MB", NULL},
    {SIZE, "2056", 2056, "2056", NULL},
    {SIZE, "0", 0, NULL, "'0' is outside 1 ... 1099511627776 bytes"},
    {SIZE, "2000GiB", 0, NULL, "'2000GiB' is outside 1 ... 1099511627776 bytes"},
    {SIZE, "1us", 0, NULL, "unknown unit 'us' in '1us'; known: B kB MB GB KiB MiB GiB"},
    {RATE, "4Gf", 4000000000, "4Gf", NULL},
    {RATE, "455000000", 455000000, "455Mf", NULL},
    {RATE, "0", 0, "0", NULL},
    {RATE, "2Tf", 0, NULL, "'2Tf' is outside 0 ... 1000000000000 flop/s"},
    {RATE, "1KiB", 0, NULL, "unknown unit 'KiB' in '1KiB'; known: f kf Mf Gf Tf"},
    {REAL, "0", 0, "0", NULL},
    {REAL, "0.05", 50000, "0.05", NULL},
    {REAL, "5e-2", 50000, "0.05", NULL},
    {REAL, "-0.25", -250000, "-0.25", NULL},
    {REAL, "-1", -1000000, "-1", NULL},
    {REAL, "0.000001", 1, "0.000001", NULL},
    {REAL, "0.10", 100000, "0.1", NULL},
    {REAL, "0.0000001", 0, NULL, "'0.0000001' has more than six decimals"},
    {REAL, "0.6", 0, NULL, "'0.6' is outside -1 ... 0.5"},
    {REAL, "5%", 0, NULL, "'5%' is not a number such as 0.05"},
    {REAL, "nan", 0, NULL, "'nan' is not a number such as 0.05"},
    {CHOICE, "red", 0, "red", NULL},
    {CHOICE, "blue", 2, "blue", NULL},
    {CHOICE, "Green", 0, NULL, "'Green' is unknown; did you mean 'green'? known: red green blue"},
    {CHOICE, "yellow", 0, NULL, "'yellow' is unknown; known: red green blue"},
    {CHOICE, "xx", 0, NULL, "'xx' is unknown; known: red green blue"},
    {MESH, "auto", 0, "auto", NULL},
    {MESH, "1x1", PARAM_MESH_PACK(1, 1), "1x1", NULL},
    {MESH, "16x8", PARAM_MESH_PACK(16, 8), "16x8", NULL},
    {MESH, "65536x65536", PARAM_MESH_PACK(65536, 65536), "65536x65536", NULL},
    {MESH, "65537x1", 0, NULL, "'65537x1' is not " MESH_RANGE},
    {MESH, "1x65537", 0, NULL, "'1x65537' is not " MESH_RANGE},
    {MESH, "99999999999999999999x1", 0, NULL, "'99999999999999999999x1' is not " MESH_RANGE},
    {MESH, "0x1", 0, NULL, "'0x1' is not " MESH_RANGE},
    {MESH, "1x0", 0, NULL, "'1x0' is not " MESH_RANGE},
    {MESH, "x", 0, NULL, "'x' is not " MESH_RANGE},
    {MESH, "x4", 0, NULL, "'x4' is not " MESH_RANGE},
    {MESH, "4x", 0, NULL, "'4x' is not " MESH_RANGE},
    {MESH, "4", 0, NULL, "'4' is not " MESH_RANGE},
    {MESH, "4x4x4", 0, NULL, "'4x4x4' is not " MESH_RANGE},
    {MESH, "+4x4", 0, NULL, "'+4x4' is not " MESH_RANGE},
    {MESH, "4X4", 0, NULL, "'4X4' is not " MESH_RANGE},
    {MESH, "Auto", 0, NULL, "'Auto' is not " MESH_RANGE},
    {GRID, "auto", 0, "auto", NULL},
    {GRID, "4x3", PARAM_MESH_PACK(4, 3), "4x3", NULL},
    {GRID, "4", 0, NULL, "'4' is not " GRID_RANGE " | auto"},
    {GIVEN_GRID, "4x3", PARAM_MESH_PACK(4, 3), "4x3", NULL},
    {GIVEN_GRID, "auto", 0, NULL, "'auto' is not " GRID_RANGE},
};

static void check_good(size_t i)
{
    char why[256] = "", written[64];
    int64_t value = -77, again = -77;
    const struct param_spec *spec = &specs[rows[i].spec];
    int status = param_parse(&value, spec, rows[i].text, why, sizeof why);
    if (status != 0 || value != rows[i].value) {
        printf("\n  %s '%s': %" PRId64 " and \"%s\"", spec->name, rows[i].text, value, why);
        CU_FAIL("a good value was not read");
        return;
    }
    param_format(written, sizeof written, spec, value);
    if (strcmp(written, rows[i].written) != 0)
        printf("\n  %s '%s': written as '%s'", spec->name, rows[i].text, written);
    CU_ASSERT_STRING_EQUAL(written, rows[i].written);
    CU_ASSERT(param_parse(&again, spec, written, why, sizeof why) == 0 && again == value);
}

static void check_bad(size_t i)
{
    char why[256] = "";
    int64_t value = -77;
    int status = param_parse(&value, &specs[rows[i].spec], rows[i].text, why, sizeof why);
    if (status != -1 || value != -77 || strcmp(why, rows[i].why) != 0)
        printf("\n  %s '%s': %" PRId64 " and \"%s\"", specs[rows[i].spec].name, rows[i].text, value, why);
    CU_ASSERT(status == -1 && value == -77 && strcmp(why, rows[i].why) == 0);
}

static void test_rows(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        rows[i].written != NULL ? check_good(i) : check_bad(i);
}

static void test_ranges(void)
{
    static const char *const ranges[N_SPECS] = {"-5 ... 1000",
                                                "1 ... 1099511627776 bytes",
                                                "0 ... 1000000000000 flop/s",
                                                "-1 ... 0.5",
                                                "red | green | blue",
                                                MESH_RANGE,
                                                GRID_RANGE " | auto",
                                                GRID_RANGE};
    char text[128], tiny[6];
    for (int i = 0; i < N_SPECS; i++) {
        param_format_range(text, sizeof text, &specs[i]);
        CU_ASSERT_STRING_EQUAL(text, ranges[i]);
        param_format_range(tiny, sizeof tiny, &specs[i]);
        CU_ASSERT(strlen(tiny) == 5 && strncmp(tiny, ranges[i], 5) == 0);
    }
}

static void test_find(void)
{
    for (int i = 0; i < N_SPECS; i++)
        CU_ASSERT(param_find(specs, N_SPECS, specs[i].name) == i);
    CU_ASSERT(param_find(specs, N_SPECS, "coun") == -1);
    CU_ASSERT(param_find(specs, COUNT, "count") == -1);
}

static void test_mesh_halves(void)
{
    int64_t value = PARAM_MESH_PACK(65536, 3);
    CU_ASSERT(PARAM_MESH_WIDTH(value) == 65536);
    CU_ASSERT(PARAM_MESH_HEIGHT(value) == 3);
}

int main(void)
{
    static const struct test tests[] = {
        {"rows", test_rows}, {"ranges", test_ranges}, {"find", test_find}, {"both sides of a mesh", test_mesh_halves},
        {NULL, NULL},
    };
    return testing_run("param", tests);
}
