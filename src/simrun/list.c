/* simrun list [THING]...: what there is to choose from.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/known.h"
#include "base/message.h"
#include "os/file_kind.h"
#include "simrun/command.h"
#include "simrun/inputs.h"
#include "simrun/json_schema.h"
#include "simrun/list_kinds.h"

#include <stdlib.h>
#include <string.h>

/* The names of all kinds, so that of equally near names theirs is found, then those of all things. */
static const char *name_at(const void *table, int i)
{
    const char *name;
    for (const struct list_kind *kind = list_kinds; kind->name != NULL; kind++)
        if (i-- == 0)
            return kind->name;
    for (const struct list_kind *kind = list_kinds; kind->name != NULL; kind++)
        for (int k = 0; (name = list_row_of(table, kind, k).name) != NULL; k++)
            if (i-- == 0)
                return name;
    return NULL;
}

static int refuse(const struct list *list, const char *word, struct sim_error *error)
{
    char known[200] = "", hint[80] = "";
    const char *meant = known_find_meant(word, name_at, list);
    if (meant != NULL)
        snprintf(hint, sizeof hint, " did you mean '%.60s'?", meant);
    for (const struct list_kind *kind = list_kinds; kind->name != NULL; kind++)
        if (kind == list_kinds || strcmp(kind->name, kind[-1].name) != 0)
            snprintf(known + strlen(known), sizeof known - strlen(known), " %s", kind->name);
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "list: unknown '%.80s';%s known: any name, or one of the kinds%s", word, hint, known);
}

static void print_kind(const struct list *list, const struct list_kind *kind, enum list_detail detail)
{
    printf("%s\n", kind->title);
    for (int i = 0; list_row_of(list, kind, i).name != NULL; i++)
        list_print(list, kind, i, detail);
    if (kind->end != NULL)
        kind->end(detail);
}

/* How many things of a kind have this name; they are printed under its title, if they are to be. */
static int find_things(const struct list *list, const struct list_kind *kind, const char *word, bool prints)
{
    int count = 0;
    const char *name;
    for (int i = 0; (name = list_row_of(list, kind, i).name) != NULL; i++) {
        if (strcmp(name, word) != 0 && (kind->has == NULL || !kind->has(i, word)))
            continue;
        if (prints && count == 0)
            printf("%s\n", kind->title);
        if (prints)
            list_print(list, kind, i, LIST_THING);
        count++;
    }
    return count;
}

/* How many kinds have this name, or if none has, how many things. */
static int find_word(const struct list *list, const char *word, bool prints)
{
    int count = 0;
    for (const struct list_kind *kind = list_kinds; kind->name != NULL; kind++)
        if (strcmp(kind->name, word) == 0) {
            if (prints)
                print_kind(list, kind, LIST_KIND);
            count++;
        }
    bool is_kind = count > 0;
    for (const struct list_kind *kind = list_kinds; !is_kind && kind->name != NULL; kind++)
        count += find_things(list, kind, word, prints);
    return count;
}

/* True if it is a file of a kind that is known; if asked to, print what it is. */
static bool find_file(const char *word, bool prints)
{
    const struct file_kind *kind = file_kind_of(word);
    bool has_advice = kind->advice[0] != '\0';
    if (kind->name[0] == '\0')
        return false;
    char *name = message_clean(word);
    if (prints)
        printf("%s: is %s%s%s\n", name, kind->name, has_advice ? "; " : "", kind->advice);
    free(name);
    return true;
}

/* All is asked for, or what is in simrun's own folder. */
static bool needs_data(const struct options *options)
{
    for (int i = 0; i < options->n_files; i++)
        if (strcmp(options->files[i], "scenarios") == 0 || strcmp(options->files[i], "platforms") == 0)
            return true;
    return options->n_files == 0;
}

/* Nothing is printed unless all words are known. */
static int run(const struct options *options, struct sim_error *error)
{
    struct list list;
    int status = 0;
    if (options->schema && options->n_files > 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "list: --schema goes without a THING");
    if (options->schema) {
        json_schema_write(stdout);
        return 0;
    }
    if (needs_data(options) && inputs_check_data(error) != 0)
        return -1;
    find_all(&list.scenarios, "scenarios");
    find_all(&list.platforms, "platforms");
    for (int i = 0; status == 0 && i < options->n_files; i++)
        if (find_word(&list, options->files[i], false) == 0 && !find_file(options->files[i], false))
            status = refuse(&list, options->files[i], error);
    for (int i = 0; status == 0 && i < options->n_files; i++)
        if (find_word(&list, options->files[i], true) == 0)
            find_file(options->files[i], true);
    for (const struct list_kind *kind = list_kinds; options->n_files == 0 && kind->name != NULL; kind++)
        print_kind(&list, kind, LIST_BRIEF);
    found_dispose(&list.scenarios);
    found_dispose(&list.platforms);
    return status;
}

const struct command command_list = {
    .name = "list",
    .arguments = "[THING]...",
    .summary = "list what is available: all, a kind, or one thing",
    .about = "A THING is a kind, to list all of it: scenarios, platforms, parameters,\napplications, broadcasts, "
             "collectives, networks, topologies, routings, metrics,\nmeasures, tables, details, causes, panels, "
             "formats; a name of any kind, to\ndescribe it; or a file, to identify it.\n",
    .example = "list gauss-jordan",
    .options = OPTION_BIT(OPTION_SCHEMA),
    .run = run,
};
