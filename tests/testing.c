/* Runs scenarios and programs for the unit tests, and finds measures in what they say.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/testing.h"

#include "apps/replay/list.h"
#include "base/memory.h"
#include "experiment/run.h"
#include "experiment/sweep.h"
#include "sim/platform/platform.h"
#include "simrun/answer.h"
#include "study/sections/runs.h"

#include <CUnit/Basic.h>
#include <glob.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int testing_run(const char *suite, const struct test *tests)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite added = CU_add_suite(suite, NULL, NULL);
    for (const struct test *test = tests; test->name != NULL; test++)
        CU_add_test(added, test->name, test->run);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures != 0;
}

int testing_one_in(void)
{
    return testing_arguments[0] != NULL ? atoi(testing_arguments[0]) : 1;
}

static int make_document(struct document *document, void *study, struct sim_error *error)
{
    (void)error;
    runs_document(document, study);
    return 0;
}

char *testing_print(const struct study *study, const char *format)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    const struct options options = {.format = report_find(format)};
    answer_write(stream, &options, make_document, (void *)(uintptr_t)study, NULL);
    fclose(stream);
    return text;
}

char *testing_text(const struct study *study)
{
    return testing_print(study, "text");
}

double testing_measure(const struct study_run *run, const char *group, const char *name)
{
    const struct measure *measure = result_find(&run->result, group, name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(measure);
    return measure_value(measure);
}

void testing_simulate(struct study *report, struct machine *machine, const char *file)
{
    struct scenario scenario;
    struct sim_error error;
    memset(report, 0, sizeof *report);
    CU_ASSERT_EQUAL_FATAL(scenario_load_file(&scenario, file, app_specs, &error), 0);
    if (machine->name == NULL)
        CU_ASSERT_EQUAL_FATAL(machine_load(machine, scenario.platform_file, &error), 0);
    struct run_context context = {.scenario = &scenario, .machine = machine, .sequential = sequential_times_new()};
    CU_ASSERT_EQUAL_FATAL(sweep_simulate(report, &context, 1, false, &error), 0);
    sequential_times_free(context.sequential);
    scenario_dispose(&scenario);
}

static bool has_row(const char *file, const char *folder, const char *extension, const char *row_name(size_t i))
{
    for (size_t i = 0; row_name(i) != NULL; i++) {
        char *expected = xformat("%s/%s%s", folder, row_name(i), extension);
        bool found = strcmp(file, expected) == 0;
        free(expected);
        if (found)
            return true;
    }
    return false;
}

void testing_check_table(const char *folder, const char *extension, const char *row_name(size_t i))
{
    char *pattern = xformat("%s/*/*%s", folder, extension);
    glob_t files;
    CU_ASSERT_FATAL(glob(pattern, 0, NULL, &files) == 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        bool found = has_row(files.gl_pathv[i], folder, extension, row_name);
        if (!found)
            printf("\n  %s has no row", files.gl_pathv[i]);
        CU_ASSERT(found);
    }
    globfree(&files);
    free(pattern);
}

/* splitmix64 */
int testing_random_to(int most)
{
    static uint64_t state = 1;
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (int)((z ^ z >> 31) % (uint64_t)most) + 1;
}
