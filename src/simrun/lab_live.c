/* Says what a page that simulates needs: its controls, the options of the command, and the files.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/lab_live.h"

#include "base/memory.h"
#include "metrics/detail.h"
#include "metrics/words.h"
#include "os/data.h"
#include "report/report.h"
#include "simrun/lab_book.h"
#include "simrun/lab_scenario.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- What is refused ---- */

static int check_engine(struct sim_error *error)
{
    char *engine = data_engine();
    bool is_there = access(engine, R_OK) == 0;
    free(engine);
    if (is_there)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s",
                         data_is_build() ? "--live: the simulator for pages has not been built: cmake --build "
                                           "build/release --target lab (needs npm and clang)"
                                         : "--live: this simrun was installed without its pages (SIMRUN_PAGES=OFF)");
}

/* A page can simulate anew one scenario with parameters, a whole study of it. */
static int check_options(const struct scenario *scenario, const struct options *options, struct sim_error *error)
{
    static const enum option_id refused[] = {OPTION_BASELINE, OPTION_SHARD};
    static const char *const names[] = {"baseline", "shard"};
    if (strcmp(options->format->name, "html") != 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "--live is for pages: --format html --live");
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (options_has(options, refused[i]))
            return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "--live does not go with --%s", names[i]);
    if (scenario->allocation != NULL)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "--live: a page puts ranks by an order, such as --placement fill, not on named hosts");
    return 0;
}

int lab_live_refuse_trace(const char *file, struct sim_error *error)
{
    return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                         "--live: nothing is simulated in the analysis of a trace; replay it with --platform");
}

/* ---- Controls ---- */

static char *values_of(const struct scenario_param *param)
{
    struct builder text = {0};
    for (int i = 0; i < param->n_values; i++) {
        char value[64];
        param_format(value, sizeof value, param->spec, param->values[i]);
        builder_add(&text, "%s%s", i > 0 ? "," : "", value);
    }
    return builder_take(&text);
}

/* "field broadcast flat binomial = flat,binomial": what it may be, if these are words, and what it is. */
static void add_field(struct builder *spec, const struct scenario_param *param)
{
    char *values = values_of(param);
    builder_add(spec, "field %s", param->spec->name);
    for (int i = 0; param->spec->type == PARAM_CHOICE && param->spec->choices[i] != NULL; i++)
        builder_add(spec, " %s", param->spec->choices[i]);
    builder_add(spec, " = %s\n", values);
    free(values);
}

/* Parameters that somebody has set come first; a page folds the others away. */
static void add_fields(struct builder *spec, const struct scenario *scenario, bool are_set)
{
    for (int i = 0; i < scenario->n_params; i++) {
        const struct scenario_param *param = &scenario->params[i];
        if ((param->line > 0 || param->changed) == are_set && param->n_values > 0)
            add_field(spec, param);
    }
}

static void add_platforms(struct builder *spec, const struct scenario *scenario)
{
    builder_add(spec, "field platform");
    for (int i = 0; i < scenario->n_platforms; i++)
        builder_add(spec, " %s", scenario->platforms[i].name);
    builder_add(spec, " = ");
    for (int i = 0; i < scenario->n_platforms; i++)
        builder_add(spec, "%s%s", i > 0 ? "," : "", scenario->platforms[i].name);
    builder_add(spec, "\n");
}

static void add_names(struct builder *spec, const char *option, uint32_t bits, const char *(*name_of)(int), int n)
{
    const char *before = option;
    for (int i = 0; i < n; i++)
        if ((bits & UINT32_C(1) << i) != 0 && name_of(i) != NULL) {
            builder_add(spec, "%s%s", before, name_of(i));
            before = ",";
        }
}

static const char *detail_name(int i)
{
    return detail_specs[i].name;
}

static const char *cause_name(int i)
{
    return without_names[i];
}

/* The command's own options; and what its settings have changed. */
static void add_options(struct builder *spec, const struct scenario *scenario, const struct options *options)
{
    builder_add(spec, "options");
    add_names(spec, " --what-if=", options->what_if, cause_name, N_CAUSES);
    add_names(spec, " --detail=", options->details, detail_name, N_DETAILS);
    builder_add(spec, "\nset");
    for (int i = 0; i < scenario->n_params; i++)
        if (scenario->params[i].changed) {
            char *values = values_of(&scenario->params[i]);
            builder_add(spec, " %s=%s", scenario->params[i].spec->name, values);
            free(values);
        }
    if (scenario->has_other_platforms)
        for (int i = 0; i < scenario->n_platforms; i++)
            builder_add(spec, "%s%s", i > 0 ? "," : " platform=", scenario->platforms[i].name);
    builder_add(spec, "\n");
}

static char *write_spec(const struct scenario *scenario, const struct options *options)
{
    struct builder spec = {0};
    builder_add(&spec, "scenario %s\n", scenario->name);
    add_options(&spec, scenario, options);
    if (scenario->n_platforms > 1)
        add_platforms(&spec, scenario);
    add_fields(&spec, scenario, true);
    builder_add(&spec, "factor latency\nfactor bandwidth\nfactor cpu\nfactor fpu\nfactor memory\nfactor io\nmore\n");
    add_fields(&spec, scenario, false);
    return builder_take(&spec);
}

/* ---- The block ---- */

/* The scenario and what it names, and platforms that the command line has in their place. */
static int add_files(struct lab_book *book, const struct scenario *scenario, struct sim_error *error)
{
    char *text = xformat("%.*s", (int)scenario->size, scenario->text);
    int status = lab_scenario_add_text(book, scenario->file, scenario->name, text, error);
    for (int i = 0; status == 0 && scenario->has_other_platforms && i < scenario->n_platforms; i++)
        status = lab_scenario_add_platform(book, scenario->platforms[i].file, error);
    free(text);
    return status;
}

static void take(void *block, const void *bytes, size_t length)
{
    builder_add(block, "%.*s", (int)length, (const char *)bytes);
}

int lab_live_make(struct builder *block, const struct scenario *scenario, const struct options *options,
                  struct sim_error *error)
{
    struct lab_book book = {0};
    int status = check_options(scenario, options, error) != 0 || check_engine(error) != 0 ? -1 : 0;
    if (status == 0)
        status = add_files(&book, scenario, error);
    if (status == 0) {
        char *spec = write_spec(scenario, options);
        struct json_writer writer;
        json_writer_init(&writer, take, block);
        json_begin(&writer, '{');
        json_name(&writer, "spec");
        json_text(&writer, spec);
        json_name(&writer, "files");
        lab_book_write_files(&writer, &book);
        json_end(&writer, '}');
        json_writer_finish(&writer);
        free(spec);
    }
    lab_book_dispose(&book);
    return status;
}
