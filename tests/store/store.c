/* The experiment store: what goes in comes out to the last bit, and content that does not fit is an error.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "store/internal.h"
#include "tests/metrics/sample_run.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char file[] = P_tmpdir "/test_store-XXXXXX";

static const struct store_origin origin = {.kind = "simulated",
                                           .scenario = "tests",
                                           .scenario_text = "<scenario/>\0with a zero",
                                           .scenario_size = 23,
                                           .platform_text = "<platform/>",
                                           .platform_size = 11,
                                           .platform = "none",
                                           .input = "",
                                           .program = "0.0.0"};

/* --- opening --- */

static struct store *open_store(enum store_mode mode)
{
    struct store *store = NULL;
    struct sim_error error = {.message = ""};
    int status = store_open(&store, file, mode, &error);
    if (status != 0)
        printf("\n  %s", error.message);
    CU_ASSERT_EQUAL_FATAL(status, 0);
    return store;
}

/* A store with the runs n = 1 ... count. */
static void make_store(int count)
{
    struct sim_error error;
    int64_t id;
    unlink(file);
    struct store *store = open_store(STORE_WRITE);
    CU_ASSERT_EQUAL_FATAL(store_find_origin(&id, store, &origin, &error), 0);
    for (int i = 1; i <= count; i++) {
        struct study_parameter parameters[3];
        struct study_run run = new_run(parameters, i);
        CU_ASSERT_EQUAL(store_add(NULL, store, id, 0, "gcc 1.0, none", &run, &error), 0);
        CU_ASSERT_EQUAL(store_add(NULL, store, id, 0, "gcc 1.0, none", &run, &error), 0); /* is there already */
        result_dispose(&run.result);
    }
    store_close(store);
}

static void execute(const char *sql)
{
    sqlite3 *database;
    char *message = NULL;
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(file, &database), SQLITE_OK);
    if (sqlite3_exec(database, sql, NULL, NULL, &message) != SQLITE_OK)
        printf("\n  %s: %s", sql, message);
    CU_ASSERT_PTR_NULL(message);
    sqlite3_close(database);
}

/* --- tests --- */

static void test_round_trip(void)
{
    struct sim_error error;
    struct store_run stored;
    int64_t *ids;
    int n_ids;
    make_store(3);
    struct store *store = open_store(STORE_READ);
    CU_ASSERT_EQUAL_FATAL(store_select(&ids, &n_ids, store, NULL, 0, &error), 0);
    CU_ASSERT_EQUAL_FATAL(n_ids, 3);
    for (int i = 0; i < 3; i++) {
        struct study_parameter parameters[3];
        struct study_run run = new_run(parameters, i + 1);
        CU_ASSERT_EQUAL_FATAL(store_load(&stored, store, ids[i], &error), 0);
        CU_ASSERT(same_run(&run, &stored.run));
        CU_ASSERT(stored.run.n_parameters == 3 && stored.run.parameters[1].number == i + 1 &&
                  stored.run.parameters[1].is_number && !stored.run.parameters[2].is_number);
        CU_ASSERT_STRING_EQUAL(stored.run.parameters[2].text, "standard");
        CU_ASSERT_STRING_EQUAL(stored.program, "0.0.0");
        CU_ASSERT_STRING_EQUAL(stored.compiler, "gcc 1.0, none");
        CU_ASSERT_STRING_EQUAL(stored.scenario, "tests");
        free(stored.run.parameters);
        result_dispose(&stored.run.result);
        result_dispose(&run.result);
    }
    free(ids);
    store_close(store);
}

static void test_find(void)
{
    struct sim_error error;
    struct study_parameter parameters[3];
    bool found;
    int64_t id, other;
    make_store(2);
    struct store *store = open_store(STORE_WRITE);
    struct store_origin another = origin;
    another.platform_text = "<platform />";
    another.platform_size = 12;
    CU_ASSERT_EQUAL_FATAL(store_find_origin(&id, store, &origin, &error), 0);
    CU_ASSERT_EQUAL_FATAL(store_find_origin(&other, store, &another, &error), 0);
    CU_ASSERT_NOT_EQUAL(id, other);
    for (int n = 1; n <= 3; n++)
        for (int o = 0; o < 2; o++) {
            struct study_run asked = new_run(parameters, n), run = asked;
            run.result = (struct result){0};
            CU_ASSERT_EQUAL(store_find_run(&found, store, o == 0 ? id : other, &run, &error), 0);
            CU_ASSERT_EQUAL(found, n <= 2 && o == 0);
            CU_ASSERT(run.parameters == parameters);
            if (found) {
                CU_ASSERT(same_run(&asked, &run));
                result_dispose(&run.result);
            }
            result_dispose(&asked.result);
        }
    store_close(store);
}

/* A discarded run has neither measures nor states. */
static void test_discarded(void)
{
    struct sim_error error;
    struct store_run stored;
    int64_t id;
    unlink(file);
    struct store *store = open_store(STORE_WRITE);
    struct study_run run = {.platform = "none", .network = "quiet", .ranks = 2, .discarded = "too large"};
    CU_ASSERT_EQUAL_FATAL(store_find_origin(&id, store, &origin, &error), 0);
    CU_ASSERT_EQUAL(store_add(NULL, store, id, 0, "gcc 1.0, none", &run, &error), 0);
    CU_ASSERT_EQUAL_FATAL(store_load(&stored, store, 1, &error), 0);
    CU_ASSERT_STRING_EQUAL(stored.run.discarded, "too large");
    CU_ASSERT(stored.run.result.n_measures == 0 && stored.run.result.state_ps == NULL);
    free(stored.run.parameters);
    result_dispose(&stored.run.result);
    store_close(store);
}

static void test_conditions(void)
{
    static const struct {
        struct store_condition conditions[2];
        int n_conditions, n_runs;
    } rows[] = {
        {{{"n", "=", "2", true, 2}}, 1, 1},
        {{{"n", ">", "2", true, 2}, {"n", "<=", "5", true, 5}}, 2, 3},
        {{{"parameters.n", "!=", "2", true, 2}}, 1, 5},
        {{{"time_s", "<", "1", true, 1}}, 1, 6},
        {{{"time_s", ">", "1", true, 1}}, 1, 0},
        {{{"b_ratio.third", ">=", "0.25", true, 0.25}}, 1, 6},
        {{{"mode", "=", "standard", false, 0}}, 1, 6},
        {{{"mode", "=", "' OR 1=1 --", false, 0}}, 1, 0},
        {{{"scenario", "=", "tests", false, 0}, {"run", "=", "1", true, 1}}, 2, 1},
        {{{"platform", "!=", "none", false, 0}}, 1, 0},
        {{{"beyond", ">", "9e18", true, 9e18}}, 1, 6},
        {{{"compiler", "=", "gcc 1.0, none", false, 0}}, 1, 6},
    };
    make_store(6);
    struct store *store = open_store(STORE_READ);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sim_error error = {.message = ""};
        int64_t *ids = NULL;
        int n_ids = -1;
        CU_ASSERT_EQUAL(store_select(&ids, &n_ids, store, rows[i].conditions, rows[i].n_conditions, &error), 0);
        if (n_ids != rows[i].n_runs)
            printf("\n  row %zu: %d runs %s", i, n_ids, error.message);
        CU_ASSERT_EQUAL(n_ids, rows[i].n_runs);
        free(ids);
    }
    store_close(store);
}

/* Hostile changes to a store. */
static void test_hostile(void)
{
    static const struct {
        const char *sql, *message; /* NULL: what is changed does not matter */
    } rows[] = {
        {"UPDATE measures SET value = 'x' WHERE position = 0", "a measure is neither"},
        {"UPDATE measures SET value = 'x' WHERE position = 6", "a measure is neither"},
        {"UPDATE measures SET value = 1.5 WHERE position = 0", "a measure is neither"},
        {"UPDATE measures SET value = '1234567890123456789012345678901234567890' WHERE position = 0",
         "a measure is neither"},
        {"UPDATE measures SET value = zeroblob(100) WHERE position = 3", "a measure is neither"},
        {"UPDATE measure_names SET type = 'text' WHERE name = 'time_s'", "a measure is neither"},
        {"UPDATE measure_names SET type = 'colour' WHERE name = 'time_s'", "a measure is neither"},
        {"UPDATE measure_names SET name = 'elsewhere' WHERE name = 'time_s'", "a run has no time"},
        {"UPDATE tables SET cells = zeroblob(7) WHERE position = 0", "other cells than columns"},
        {"UPDATE tables SET cells = zeroblob(100000) WHERE position = 0", "other cells than columns"},
        {"UPDATE tables SET n_rows = 99 WHERE position = 0", "other cells than columns"},
        {"UPDATE tables SET n_rows = 9223372036854775807 WHERE position = 0", "other cells than columns"},
        {"UPDATE tables SET n_rows = -1 WHERE position = 0", "other cells than columns"},
        {"UPDATE tables SET columns = '' WHERE position = 0", "other cells than columns"},
        {"UPDATE tables SET columns = 'a:time b' WHERE position = 0", "other cells than columns"},
        {"UPDATE tables SET columns = 'a:text' WHERE position = 0", "other cells than columns"},
        {"UPDATE tables SET columns = replace(hex(zeroblob(200)), '00', 'a:time ') WHERE position = 0",
         "other cells than columns"},
        {"UPDATE runs SET states = zeroblob(41)", "incomplete"},
        {"UPDATE runs SET ranks = 4294967296", "impossible value of ranks"},
        {"UPDATE runs SET ranks = -1", "impossible value of ranks"},
        {"UPDATE runs SET discarded = replace(hex(zeroblob(200)), '00', 'd')", "impossible value of discarded"},
        {"UPDATE runs SET notes = hex(zeroblob(100))", "impossible value of notes"},
        {"PRAGMA foreign_keys = OFF; DELETE FROM origins", "has no origin"},
        {"UPDATE runs SET notes = replace(hex(zeroblob(10000)), '00', 'long' || char(10)), platform = char(27) || "
         "'[2J'",
         NULL},
        {"UPDATE tables SET columns = 'a:text', n_rows = 1, cells = x'031b5b4a'", NULL},
        {"UPDATE parameters SET name = replace(hex(zeroblob(5000)), '00', 'x'), text = replace(hex(zeroblob(5000)), "
         "'00', 'y')",
         NULL},
        {"CREATE TRIGGER t BEFORE INSERT ON runs BEGIN DELETE FROM runs; END", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sim_error error = {.message = ""};
        struct store_run stored;
        make_store(1);
        execute(rows[i].sql);
        struct store *store = open_store(STORE_WRITE);
        int status = store_load(&stored, store, 1, &error);
        bool right = rows[i].message == NULL ? status == 0
                                             : status == -1 && error.status == SIM_BAD_INPUT &&
                                                   strstr(error.message, rows[i].message) != NULL;
        if (!right)
            printf("\n  %s: %s", rows[i].sql, error.message);
        CU_ASSERT(right);
        if (status == 0) {
            CU_ASSERT(strchr(stored.run.platform, 27) == NULL);
            const struct result_table *table = &stored.run.result.tables[0];
            CU_ASSERT(strchr(result_cell(table, 0, 0).text, 27) == NULL);
            free(stored.run.parameters);
            result_dispose(&stored.run.result);
        }
        store_close(store);
    }
}

/* A trigger of the file's is not run. */
static void test_trigger(void)
{
    struct sim_error error;
    struct study_parameter parameters[3];
    int64_t id, *ids;
    int n_ids;
    make_store(2);
    execute("CREATE TRIGGER t BEFORE INSERT ON runs BEGIN DELETE FROM runs; END");
    struct store *store = open_store(STORE_WRITE);
    struct study_run run = new_run(parameters, 9);
    CU_ASSERT_EQUAL_FATAL(store_find_origin(&id, store, &origin, &error), 0);
    CU_ASSERT_EQUAL(store_add(NULL, store, id, 0, "gcc 1.0, none", &run, &error), 0);
    CU_ASSERT_EQUAL_FATAL(store_select(&ids, &n_ids, store, NULL, 0, &error), 0);
    CU_ASSERT_EQUAL(n_ids, 3);
    free(ids);
    result_dispose(&run.result);
    store_close(store);
}

/* Two at the same time: each sees what the other has added, and no run is there twice. */
static void test_two(void)
{
    struct sim_error error;
    struct study_parameter parameters[3];
    int64_t ids[2];
    bool found;
    unlink(file);
    struct store *stores[2] = {open_store(STORE_WRITE), open_store(STORE_WRITE)};
    for (int s = 0; s < 2; s++)
        CU_ASSERT_EQUAL_FATAL(store_find_origin(&ids[s], stores[s], &origin, &error), 0);
    CU_ASSERT_EQUAL(ids[0], ids[1]);
    for (int n = 0; n < 6; n++) {
        struct study_run run = new_run(parameters, n), seen = run;
        CU_ASSERT_EQUAL(store_add(NULL, stores[n % 2], ids[0], 0, "gcc 1.0, none", &run, &error), 0);
        CU_ASSERT_EQUAL(store_add(NULL, stores[1 - n % 2], ids[0], 0, "gcc 1.0, none", &run, &error), 0);
        CU_ASSERT_EQUAL(store_find_run(&found, stores[1 - n % 2], ids[0], &seen, &error), 0);
        CU_ASSERT_FATAL(found);
        CU_ASSERT(same_run(&run, &seen));
        result_dispose(&seen.result);
        result_dispose(&run.result);
    }
    int64_t *all;
    int n_all;
    CU_ASSERT_EQUAL_FATAL(store_select(&all, &n_all, stores[0], NULL, 0, &error), 0);
    CU_ASSERT_EQUAL(n_all, 6);
    free(all);
    store_close(stores[0]);
    store_close(stores[1]);
}

int main(void)
{
    static const struct test tests[] = {
        {"round trip", test_round_trip}, {"find", test_find},
        {"discarded", test_discarded},   {"conditions", test_conditions},
        {"hostile", test_hostile},       {"trigger", test_trigger},
        {"two writers", test_two},       {NULL, NULL},
    };
    int descriptor = mkstemp(file);
    if (descriptor < 0)
        return 1;
    close(descriptor);
    int status = testing_run("store", tests);
    unlink(file);
    return status;
}
