/* simrun completion SHELL: the words of the command line, out of the tables of commands, options and lists. Each
 * shell's form of them is in a file of its own, completion_SHELL.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/completion.h"

#include "apps/replay/list.h"
#include "base/debug.h"
#include "base/known.h"
#include "base/memory.h"
#include "core/settings.h"
#include "document/glossary.h"
#include "simrun/option_rows.h"

#include <stdlib.h>
#include <string.h>

/* Where the values of an option come from: a kind of simrun list. */
static const struct {
    enum option_id option;
    const char *kind;
} option_values[] = {
    {OPTION_PLATFORM, "platforms"}, {OPTION_NETWORK, "networks"}, {OPTION_WHAT_IF, "causes"},
    {OPTION_DETAIL, "details"},     {OPTION_FORMAT, "formats"},   {OPTION_DEBUG, "debug"},
};

/* The same of a command's arguments, which may all be files, too. */
static const struct {
    const char *command, *kind;
} command_values[] = {
    {"", "scenarios"},         {"list", "kinds"},        {"check", "scenarios"}, {"model", "scenarios"},
    {"forecast", "platforms"}, {"completion", "shells"}, {"explain", "words"},   {"compare", "scenarios"},
};

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

void completion_add_word(struct builder *words, const char *word)
{
    builder_add(words, "%s%s", words->length > 0 ? " " : "", word);
}

bool completion_has_word(const struct builder *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words->text; words->length > 0 && (at = strstr(at, word)) != NULL; at += length)
        if ((at == words->text || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* The words that simrun explain explains, but for those of several words, which the shell would take for several. */
static void add_explained(struct builder *words)
{
    char *word;
    for (size_t i = 0; (word = glossary_word_at(i)) != NULL; i++) {
        if (word[strcspn(word, " '\"\\()[]{}$*?&|;<>:")] == '\0' && !completion_has_word(words, word))
            completion_add_word(words, word);
        free(word);
    }
}

/* --- parameters, for --set --- */

const struct param_spec *completion_param_at(int i)
{
    if (i < N_COMMON_PARAMS)
        return &common_params[i];
    i -= N_COMMON_PARAMS;
    for (int a = 0; app_specs[a] != NULL; i -= app_specs[a++]->n_params)
        if (i < app_specs[a]->n_params)
            return &app_specs[a]->params[i];
    return NULL;
}

void completion_add_settings(struct builder *words, bool with_values)
{
    const struct param_spec *param;
    for (int i = 0; (param = completion_param_at(i)) != NULL; i++) {
        bool has_choices = with_values && param->type == PARAM_CHOICE;
        for (int k = 0; has_choices ? param->choices[k] != NULL : k == 0; k++) {
            char *word = xformat("%s=%s", param->name, has_choices ? param->choices[k] : "");
            if (!completion_has_word(words, word))
                completion_add_word(words, word);
            free(word);
        }
    }
}

void completion_add_choices(struct builder *words, const char *name)
{
    const struct param_spec *param;
    for (int i = 0; (param = completion_param_at(i)) != NULL; i++)
        for (int k = 0; param->type == PARAM_CHOICE && strcmp(param->name, name) == 0 && param->choices[k] != NULL; k++)
            if (!completion_has_word(words, param->choices[k]))
                completion_add_word(words, param->choices[k]);
}

/* --- lists --- */

/* The names of all things of a kind. Formats are those of results, the first kind of that name. */
static void add_names(struct builder *words, const struct list *list, const char *kind)
{
#define DEBUG_NAME(ID, name, summary) name,
    static const char *const categories[] = {DEBUG_CATEGORIES(DEBUG_NAME) NULL};
#undef DEBUG_NAME
    const char *const *table = strcmp(kind, "debug") == 0 ? categories : strcmp(kind, "shells") == 0 ? shells : NULL;
    for (int i = 0; table != NULL && table[i] != NULL; i++)
        completion_add_word(words, table[i]);
    if (strcmp(kind, "words") == 0)
        add_explained(words);
    const struct list_kind *row = list_kinds;
    for (; row->name != NULL && strcmp(row->name, kind) != 0; row++)
        if (strcmp(kind, "kinds") == 0 && (row == list_kinds || strcmp(row->name, row[-1].name) != 0))
            completion_add_word(words, row->name);
    const char *name;
    for (int i = 0; row->name != NULL && (name = list_row_of(list, row, i).name) != NULL; i++)
        completion_add_word(words, name);
}

void completion_add_values_of_option(struct builder *words, const struct list *list, int id)
{
    for (size_t i = 0; i < sizeof option_values / sizeof *option_values; i++)
        if ((int)option_values[i].option == id)
            add_names(words, list, option_values[i].kind);
}

void completion_add_values_of_command(struct builder *words, const struct list *list, const char *command)
{
    for (size_t i = 0; i < sizeof command_values / sizeof *command_values; i++)
        if (strcmp(command_values[i].command, command) == 0)
            add_names(words, list, command_values[i].kind);
}

bool completion_has_option(const struct command *command, int id)
{
    return (command->options & OPTION_BIT(id)) != 0 || id == OPTION_HELP || id == OPTION_VERSION;
}

int completion_first_word(const struct command *command)
{
    return (int)strcspn(command->name, " ");
}

bool completion_is_first_of_its_word(int i)
{
    return i == 1 || completion_first_word(commands[i]) != completion_first_word(commands[i - 1]) ||
           strncmp(commands[i]->name, commands[i - 1]->name, (size_t)completion_first_word(commands[i])) != 0;
}

void completion_print_taken(const char *before, struct builder *words, const char *after)
{
    printf("%s%s%s", before, words->length > 0 ? words->text : "", after);
    free(words->text);
    *words = (struct builder){0};
}

/* --- the command --- */

static void (*const printers[])(const struct list *list) = {completion_print_bash, completion_print_zsh,
                                                            completion_print_fish};

static int run(const struct options *options, struct sim_error *error)
{
    struct list list;
    size_t shell = 0;
    while (shells[shell] != NULL && strcmp(shells[shell], options->files[0]) != 0)
        shell++;
    if (shells[shell] == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "completion: unknown shell '%.80s'; known: bash zsh fish",
                             options->files[0]);
    find_all(&list.scenarios, "scenarios");
    find_all(&list.platforms, "platforms");
    printers[shell](&list);
    found_dispose(&list.scenarios);
    found_dispose(&list.platforms);
    return 0;
}

const struct command command_completion = {
    .name = "completion",
    .arguments = "SHELL",
    .summary = "print the completion for bash, zsh or fish",
    .about = "An installed simrun is completed already. Otherwise, for this shell:\n"
             "    bash   source <(simrun completion bash)\n"
             "    zsh    source <(simrun completion zsh)\n"
             "    fish   simrun completion fish | source\n",
    .example = "completion bash",
    .least = 1,
    .most = 1,
    .run = run,
};
