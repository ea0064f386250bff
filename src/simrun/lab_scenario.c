/* Finds the files that scenarios name, and gives them the places that they have in the page.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/lab_scenario.h"

#include "base/builder.h"
#include "base/memory.h"
#include "os/named.h"
#include "os/path.h"
#include "simrun/experiment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_BYTES = 64 << 20 }; /* of one that a page embeds, at most */

/* ---- Check ---- */

static void add_setting(struct options *options, char *setting)
{
    options->settings = xrealloc(options->settings, (size_t)(options->n_settings + 1) * sizeof *options->settings);
    options->settings[options->n_settings++] = setting;
}

/* Later rows take the place of earlier ones, as controls do with what is set. */
static void set(struct options *options, const char *name, const char *value)
{
    size_t length = strlen(name);
    char *setting = xformat("%s=%s", name, value);
    for (int i = 0; i < options->n_settings; i++)
        if (strncmp(options->settings[i], setting, length + 1) == 0) {
            free(options->settings[i]);
            options->settings[i] = setting;
            return;
        }
    add_setting(options, setting);
}

static void set_all(struct options *options, const struct lab_block *block)
{
    for (size_t i = 0; i < block->n_rows; i++) {
        const struct lab_row *row = &block->rows[i];
        for (int w = 1; strcmp(row->words[0], "set") == 0 && w < row->n_words; w++) {
            char *name = xstrdup(row->words[w]), *equals = strchr(name, '=');
            if (equals != NULL)
                *equals = '\0';
            set(options, name, equals != NULL ? equals + 1 : "");
            free(name);
        }
        if (strcmp(row->words[0], "slider") == 0 || strcmp(row->words[0], "menu") == 0)
            set(options, row->words[1], row->words[row->n_words - 1]);
    }
}

int lab_scenario_check(const char *scenario, const struct lab_block *block, struct sim_error *error)
{
    struct options options = options_default();
    struct experiment experiment;
    set_all(&options, block);
    int status = experiment_load(&experiment, scenario, &options, error);
    experiment_close(&experiment);
    for (int i = 0; i < options.n_settings; i++)
        free(options.settings[i]);
    free(options.settings);
    return status;
}

/* ---- Files ---- */

static char *read_text(const char *file, size_t *length, struct sim_error *error)
{
    FILE *stream = fopen(file, "rb");
    struct builder text = {0};
    char bytes[1 << 14];
    *length = 0;
    bool is_text = true;
    for (size_t n = 1; stream != NULL && n > 0 && *length <= FILE_BYTES; *length += n) {
        n = fread(bytes, 1, sizeof bytes, stream);
        is_text = is_text && memchr(bytes, '\0', n) == NULL;
        builder_add(&text, "%.*s", (int)n, bytes);
    }
    bool is_read = stream != NULL && !ferror(stream);
    int why = errno;
    if (stream != NULL)
        fclose(stream);
    char *all = builder_take(&text);
    if (is_read && is_text && *length <= FILE_BYTES)
        return all;
    free(all);
    sim_error_set(error, SIM_BAD_INPUT, file, 0, "%s",
                  !is_read  ? strerror(why)
                  : is_text ? "has more than 64 MiB, which is the most that a page embeds"
                            : "is no text; a page embeds texts alone, such as traces in TI");
    return NULL;
}

/* A name leads out of the folder of the file that it stands in. */
static bool leads_out(const char *name)
{
    return name[0] == '/' || strncmp(name, "../", 3) == 0 || strstr(name, "/../") != NULL;
}

/* Two names of one file, or one. */
static bool are_same(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return strcmp(a, b) == 0 ||
           (stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino);
}

/* Names are taken over. A file that is there already stays. */
static int add_text(struct lab_book *book, char *name, const char *source, char *text, size_t length,
                    struct sim_error *error)
{
    for (size_t i = 0; i < book->n_files; i++)
        if (strcmp(book->files[i].name, name) == 0) {
            bool is_same = are_same(book->files[i].source, source);
            free(name);
            free(text);
            return is_same ? 0
                           : sim_error_set(error, SIM_BAD_INPUT, source, 0,
                                           "has the same name in the page as %s; rename one", book->files[i].source);
        }
    book->files = xgrow(book->files, book->n_files, &book->files_capacity, sizeof *book->files);
    book->files[book->n_files++] = (struct lab_file){name, xstrdup(source), text, length};
    return 0;
}

static int add_file(struct lab_book *book, char *name, const char *source, struct sim_error *error)
{
    size_t length;
    char *text = read_text(source, &length, error);
    if (text != NULL)
        return add_text(book, name, source, text, length, error);
    free(name);
    return -1;
}

/* Add the files of a trace's ranks, if the trace, which is in the page, is a list of them. What is no list names no
 * files at its beginning. */
static int add_listed(struct lab_book *book, const char *name, const char *file, const char *list,
                      struct sim_error *error)
{
    char *names = xstrdup(list), *rest;
    int status = 0, n_added = 0;
    for (char *line = strtok_r(names, "\r\n", &rest); line != NULL && status == 0;
         line = strtok_r(NULL, "\r\n", &rest)) {
        line += strspn(line, " \t");
        if (*line == '#' || *line == '\0')
            continue;
        char *source = path_beside(file, line, strlen(line));
        bool is_file = access(source, R_OK) == 0;
        if (is_file && leads_out(line))
            status = sim_error_set(error, SIM_BAD_INPUT, file, 0, "names '%.80s', which is in another folder", line);
        else if (is_file)
            status = add_file(book, path_beside(name, line, strlen(line)), source, error);
        free(source);
        if (!is_file && n_added == 0)
            break;
        n_added++;
    }
    free(names);
    return status;
}

/* ---- The names in a scenario ---- */

/* Add the file that the scenario calls `name`, and put what the page's scenario calls it. */
static int add_named(struct lab_book *book, struct builder *text, const char *scenario, const char *name,
                     bool is_platform, struct sim_error *error)
{
    char *file = path_beside(scenario, name, strlen(name));
    if (is_platform && access(file, R_OK) != 0) {
        char *found = named_find("platforms", name);
        if (found != NULL) {
            free(file);
            file = found;
        }
    }
    const char *base = path_base(file);
    bool stays = !is_platform && !leads_out(name);
    builder_add(text, "%s%s", is_platform ? "../platforms/" : "", stays ? name : base);
    char *in_page = xformat("/%s/%s", is_platform ? "platforms" : "scenarios", stays ? name : base);
    size_t before = book->n_files;
    int status = add_file(book, xstrdup(in_page), file, error);
    if (status == 0 && !is_platform && book->n_files > before)
        status = add_listed(book, in_page, file, book->files[before].text, error);
    free(in_page);
    free(file);
    return status;
}

/* Names of files: the value of an attribute, with commas between them. */
static int add_list(struct lab_book *book, struct builder *text, const char *scenario, char *names, bool is_platform,
                    struct sim_error *error)
{
    char *rest;
    int status = 0;
    for (char *name = strtok_r(names, ",", &rest); name != NULL && status == 0; name = strtok_r(NULL, ",", &rest)) {
        status = add_named(book, text, scenario, name, is_platform, error);
        if (rest != NULL && *rest != '\0')
            builder_add(text, ",");
    }
    return status;
}

/* The element that a place in a text is in begins with these letters. */
static bool is_in(const char *begin, const char *at, const char *element)
{
    while (at > begin && *at != '<')
        at--;
    return strncmp(at, element, strlen(element)) == 0;
}

int lab_scenario_add_text(struct lab_book *book, const char *file, const char *name, const char *text,
                          struct sim_error *error)
{
    static const char mark[] = " file=\"";
    struct builder changed = {0};
    const char *rest = text;
    int status = 0;
    for (const char *found; status == 0 && (found = strstr(rest, mark)) != NULL;) {
        const char *value = found + sizeof mark - 1;
        size_t size = strcspn(value, "\"");
        char *names = xformat("%.*s", (int)size, value);
        builder_add(&changed, "%.*s", (int)(value - rest), rest);
        status = add_list(book, &changed, file, names, is_in(text, found, "<platform"), error);
        free(names);
        rest = value + size;
    }
    if (status == 0)
        builder_add(&changed, "%s", rest);
    char *whole = builder_take(&changed);
    if (status == 0)
        return add_text(book, xformat("/scenarios/%s.xml", name), file, whole, strlen(whole), error);
    free(whole);
    return -1;
}

int lab_scenario_add_platform(struct lab_book *book, const char *file, struct sim_error *error)
{
    return add_file(book, xformat("/platforms/%s", path_base(file)), file, error);
}

int lab_scenario_add(struct lab_book *book, const char *file, struct sim_error *error)
{
    size_t length;
    char *text = read_text(file, &length, error), *name = path_title(file);
    int status = text != NULL ? lab_scenario_add_text(book, file, name, text, error) : -1;
    free(name);
    free(text);
    return status;
}

int lab_scenario_add_lines(struct lab_book *book, const char *scenario, const char *name, struct sim_error *error)
{
    char *beside = xformat("own/%s.txt", name), *file = path_beside(scenario, beside, strlen(beside));
    int status = 0;
    if (access(file, R_OK) == 0)
        status = add_file(book, xformat("/scenarios/%s", beside), file, error);
    free(file);
    free(beside);
    return status;
}

/* ---- A lab of a scenario ---- */

/* "menu n 64,128 64 128 = 64,128": all of its values, or one. */
static void add_menu(struct builder *text, const struct scenario_param *param)
{
    struct builder all = {0}, each = {0};
    for (int i = 0; i < param->n_values; i++) {
        char value[64];
        param_format(value, sizeof value, param->spec, param->values[i]);
        builder_add(&all, "%s%s", i > 0 ? "," : "", value);
        builder_add(&each, " %s", value);
    }
    char *whole = builder_take(&all), *parts = builder_take(&each);
    builder_add(text, "menu %s %s%s = %s\n", param->spec->name, whole, parts, whole);
    free(whole);
    free(parts);
}

char *lab_scenario_text(const char *file, struct sim_error *error)
{
    enum { MENU_VALUES = 40 };
    struct options options = options_default();
    struct experiment experiment;
    struct builder text = {0};
    if (experiment_load(&experiment, file, &options, error) != 0) {
        experiment_close(&experiment);
        return NULL;
    }
    char *heading = scenario_heading(&experiment.scenario), *name = path_title(file);
    builder_add(&text, "# %s\n\n```experiment\nscenario %s\n", heading, name);
    for (int i = 0; i < experiment.scenario.n_params; i++)
        if (experiment.scenario.params[i].n_values > 1 && experiment.scenario.params[i].n_values <= MENU_VALUES)
            add_menu(&text, &experiment.scenario.params[i]);
    builder_add(&text, "factor latency\nfactor bandwidth\n"
                       "show answer scaling ranking crossover topologies grid overheads states timeline\n```\n");
    free(heading);
    free(name);
    experiment_close(&experiment);
    return builder_take(&text);
}
