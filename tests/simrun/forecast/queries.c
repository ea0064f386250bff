/* Queries of simrun forecast: what is understood, and what is said of all else.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/simrun.h"
#include "simrun/forecast.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <string.h>

static const char cluster[] = "hosts star 8 455Mf 11MBps 50us\nkernel.dgemm poly mnk=4.3956ns\n"
                              "kernel.dtrsm poly mnn=2ns\nkernel.matadd poly mn=80ns\n";

static struct machine *machine;
static struct fast *fast;

static void read_machine(void)
{
    struct sim_error error;
    if (simrun_read_machine(&machine, "cluster", cluster, &error) != 0)
        CU_FAIL_FATAL(error.message);
    fast = fast_new(machine);
}

static int understand(struct query *query, const char *text, struct sim_error *error)
{
    if (query_split(query, text, error) != 0)
        return -1;
    if (query_parse(query, fast, error) == 0)
        return 0;
    query_dispose(query);
    return -1;
}

#define FORMS                                                                                                          \
    "allowed: 'ROUTINE DIMENSION... on HOST', 'pdgemm|pdtrsm DIMENSION... [NAME=VALUE]... on ROWSxCOLUMNS|PROCESSES'," \
    " 'HOST to HOST [SIZE]'"

static void test_refused(void)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "not understood; " FORMS},
        {"dgemm", "not understood; " FORMS},
        {"pdgemm 2048", "not understood; " FORMS},
        {"on n3", "not understood; " FORMS},
        {"n0 to n1 1MiB 2", "not understood; " FORMS},
        {"a 1 2 3 4 on j", "more than 3 dimensions, from '4' on"},
        {"dgemm 0 2 3 on n3", "'0' is out of range; allowed: 1 to 2147483647"},
        {"dgemm 1 2147483648 3 on n3", "'2147483648' is out of range; allowed: 1 to 2147483647"},
        {"dgemm 1 x 3 on n3", "'x' is not a whole number such as 256"},
        {"dgemm 1 2 3 block=4 on n3", "'block=4': parameters belong to pdgemm and pdtrsm"},
        {"n0 to n1 1parsec", "unknown unit 'parsec' in '1parsec'; known: B kB MB GB KiB MiB GiB"},
        {"pdgemm 64 on n0", "'n0' is neither a grid such as 4x8 nor a number of processes such as 32"},
        {"pdgemm 64 on 0", "'0' is out of range; allowed: 1 to 1024"},
        {"pdgemm 64 on 1025", "'1025' is out of range; allowed: 1 to 1024"},
        {"pdgemm 64 on 4x", "'4x' is not ROWSxCOLUMNS (each 1 ... 65536)"},
        {"a a a a a a a a a a a a a a a a a a a a a a a a a", "more than 24 words"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct query query;
        struct sim_error error = {.message = ""};
        char expected[1024];
        snprintf(expected, sizeof expected, "forecast '%s': %s", rows[i].text, rows[i].message);
        CU_ASSERT_EQUAL(understand(&query, rows[i].text, &error), -1);
        CU_ASSERT_EQUAL(error.status, SIM_BAD_INPUT);
        if (strcmp(error.message, expected) != 0)
            fprintf(stderr, "\n  expected %s\n  found    %s\n", expected, error.message);
        CU_ASSERT_STRING_EQUAL(error.message, expected);
    }
}

static struct query understood(const char *text)
{
    struct query query = {.text = NULL};
    struct sim_error error;
    if (understand(&query, text, &error) != 0)
        CU_FAIL_FATAL(error.message);
    return query;
}

static void test_hosts(void)
{
    struct query query = understood("  dtrsm\t64 2147483647 on  n0 ");
    CU_ASSERT_EQUAL(query.kind, QUERY_HOST);
    CU_ASSERT_STRING_EQUAL(query.call.routine, "dtrsm");
    CU_ASSERT(query.call.m == 64 && query.call.n == 2147483647 && query.call.k == 0 && query.n_dimensions == 2);
    CU_ASSERT_STRING_EQUAL(query.host, "n0");
    CU_ASSERT_PTR_NULL(query.platform);
    query_dispose(&query);
    query = understood("n0 to n3 64KiB of icluster");
    CU_ASSERT_EQUAL(query.kind, QUERY_MESSAGE);
    CU_ASSERT_STRING_EQUAL(query.host, "n0");
    CU_ASSERT_STRING_EQUAL(query.to, "n3");
    CU_ASSERT_EQUAL(query.bytes, 65536);
    CU_ASSERT_STRING_EQUAL(query.platform, "icluster");
    query_dispose(&query);
    query = understood("n0 to of");
    CU_ASSERT_EQUAL(query.bytes, -1);
    CU_ASSERT_STRING_EQUAL(query.to, "of");
    query_dispose(&query);
}

static void test_grids(void)
{
    struct query query = understood("pdgemm 2048 on 4x8");
    CU_ASSERT_EQUAL(query.kind, QUERY_GRID);
    CU_ASSERT(query.call.m == 2048 && query.call.n == 0 && query.call.rows == 4 && query.call.columns == 8);
    CU_ASSERT_PTR_NULL(query.settings[0]);
    query_dispose(&query);
    query = understood("pdtrsm 1024 2048 block=32 uplo=lower on 32 of icluster-loaded");
    CU_ASSERT_EQUAL(query.kind, QUERY_GRIDS);
    CU_ASSERT(query.call.m == 1024 && query.call.n == 2048 && query.n_processes == 32);
    CU_ASSERT_STRING_EQUAL(query.settings[0], "block=32");
    CU_ASSERT_STRING_EQUAL(query.settings[1], "uplo=lower");
    CU_ASSERT_PTR_NULL(query.settings[2]);
    CU_ASSERT_STRING_EQUAL(query.platform, "icluster-loaded");
    query_dispose(&query);
}

int main(void)
{
    static const struct test tests[] = {
        {"refused", test_refused},
        {"of hosts and messages", test_hosts},
        {"of grids", test_grids},
        {NULL, NULL},
    };
    read_machine();
    int status = testing_run("queries", tests);
    fast_free(fast);
    simrun_free_machine(machine);
    return status;
}
