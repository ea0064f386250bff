/* Reads the options of a command, by the one table of all options.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/options.h"

#include "figure/figure.h"

#include "base/known.h"
#include "base/memory.h"
#include "simrun/command.h"
#include "simrun/option_rows.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of_row(const void *table, int i)
{
    (void)table;
    return i < N_OPTIONS ? option_rows[i].name : NULL;
}

bool options_has(const struct options *options, enum option_id id)
{
    return (options->given & OPTION_BIT(id)) != 0;
}

struct options options_default(void)
{
    return (struct options){
        .jobs = 1, .n_ranks = 2, .width_mm = FIGURE_USUAL_MM, .sequential_ps = -1, .format = report_specs[0]};
}

/* --- by getopt --- */

enum { LONG = 256 }; /* above all letters: what getopt gives for a long name is LONG plus the option */

/* The names, then those of an empty one, and the letters. */
static void list_known(struct option *names, char *letters, uint64_t known)
{
    *letters++ = ':'; /* a missing argument is told apart, and getopt prints nothing */
    for (int id = 0; id < N_OPTIONS; id++) {
        const struct option_row *row = &option_rows[id];
        if ((known & OPTION_BIT(id)) == 0)
            continue;
        int has = row->argument == NULL                   ? no_argument
                  : (row->flags & MAY_LACK_ARGUMENT) != 0 ? optional_argument
                                                          : required_argument;
        *names++ = (struct option){.name = row->name, .has_arg = has, .val = LONG + id};
        if (row->letter != '\0')
            *letters++ = row->letter;
        if (row->letter != '\0' && row->argument != NULL)
            *letters++ = ':';
    }
    *names = (struct option){0};
    *letters = '\0';
}

/* A letter may be that of another option in another command. */
static int option_of(int code, uint64_t known)
{
    for (int id = 0; id < N_OPTIONS; id++)
        if ((known & OPTION_BIT(id)) != 0 && (code == LONG + id || (code != 0 && code == option_rows[id].letter)))
            return id;
    return -1;
}

static int count_beginning(const char *name, uint64_t known)
{
    int count = 0;
    for (int id = 0; id < N_OPTIONS; id++)
        count += (known & OPTION_BIT(id)) != 0 && strncmp(option_rows[id].name, name, strlen(name)) == 0;
    return count;
}

/* A command that has the option of that name; NULL: none has, or `command` itself. */
static const struct command *owner_of(const char *option, const struct command *command)
{
    uint64_t bit = 0;
    for (int i = 0; i < N_OPTIONS; i++)
        if (strcmp(option_rows[i].name, option) == 0)
            bit |= OPTION_BIT(i);
    for (int i = 0; (command->options & bit) == 0 && commands[i] != NULL; i++)
        if ((commands[i]->options & bit) != 0)
            return commands[i];
    return NULL;
}

/* "; did you mean '--jobs'?", or whose it is, or "" where nothing is near. */
static void suggest(char *text, size_t size, const char *name, const struct command *command)
{
    const char *meant = known_find_meant(name, name_of_row, NULL), *word;
    const struct command *owner = meant != NULL ? owner_of(meant, command) : NULL;
    snprintf(text, size, meant == NULL ? "%s" : "; did you mean '--%s'?", meant != NULL ? meant : "");
    if (owner != NULL)
        snprintf(text, size, "; '--%s' is an option of simrun %s", meant,
                 *owner->name != '\0' ? owner->name : owner->arguments);
    bool is_option = meant != NULL && strcmp(meant, name) == 0;
    for (int i = 0; !is_option && command == commands[0] && (word = command_word_at(NULL, i)) != NULL; i++)
        if (strcmp(word, name) == 0)
            snprintf(text, size, "; did you mean the command 'simrun %s'?", word);
}

/* `word` is what getopt does not take. */
static int refuse(const struct command *command, const char *word, uint64_t known, struct sim_error *error)
{
    char hint[100], of[40], short_name[3] = {'-', (char)optopt, '\0'};
    snprintf(of, sizeof of, *command->name != '\0' ? " of simrun %s" : "%s", command->name);
    if (optopt >= LONG)
        return option_fail(error, "option '--%s' takes no argument", option_rows[optopt - LONG].name);
    if (optopt != 0)
        return option_fail(error, "unrecognized option '%s'%s", short_name, of);
    char *name = xformat("%.*s", (int)strcspn(word + 2, "="), word + 2);
    suggest(hint, sizeof hint, name, command);
    int status = count_beginning(name, known) > 1 ? option_fail(error, "option '%s' is ambiguous", word)
                                                  : option_fail(error, "unrecognized option '%s'%s%s", word, of, hint);
    free(name);
    return status;
}

static int read_options(struct options *options, const struct command *command, int argc, char **argv,
                        struct sim_error *error)
{
    struct option names[N_OPTIONS + 1];
    char letters[2 * N_OPTIONS + 3];
    uint64_t known = command->options | OPTION_BIT(OPTION_HELP) | OPTION_BIT(OPTION_VERSION);
    int code, status = 0;
    letters[0] = '+'; /* stop at the first that is no option */
    list_known(names, letters + command->takes_program, known);
    opterr = 0;
    optind = 0; /* the C library documents that this makes it begin anew */
    while (status == 0 && (code = getopt_long(argc, argv, letters, names, NULL)) != -1) {
        if (code == ':')
            status =
                option_fail(error, "option '--%s' requires an argument", option_rows[option_of(optopt, known)].name);
        else if (code == '?')
            status = refuse(command, argv[optind - 1], known, error);
        else
            status = option_take(options, (enum option_id)option_of(code, known), optarg, error);
    }
    options->files = argv + optind;
    options->n_files = argc - optind;
    return status;
}

/* --- what goes together --- */

/* A setting by an option of its own begins with the two hyphens. */
static const char *assignment_of(const char *setting)
{
    return setting + (strncmp(setting, "--", 2) == 0 ? 2 : 0);
}

/* The last of two would win without a word; several values of one parameter are a list. */
static int check_settings(const struct options *options, struct sim_error *error)
{
    for (int i = 0; i < options->n_settings; i++)
        for (int k = 0; k < i; k++) {
            const char *first = assignment_of(options->settings[k]), *second = assignment_of(options->settings[i]);
            size_t length = strcspn(first, "=");
            if (strncmp(first, second, length) == 0 && strcspn(second, "=") == length)
                return option_fail(
                    error, "'%.*s' is set twice, by %s and %s; several values have commas between them: --set %s,%s",
                    (int)length, first, first, second, first, second + length + (second[length] == '='));
        }
    return 0;
}

static int check_arguments(const struct options *options, const struct command *command, struct sim_error *error)
{
    if (options->n_files < command->least || (command->most > 0 && options->n_files > command->most))
        return option_fail(error, "too %s arguments: simrun %s%s%s; try simrun %s",
                           options->n_files < command->least ? "few" : "many", command->name,
                           *command->name != '\0' ? " " : "", command->arguments, command->example);
    return 0;
}

int options_check_alone(const struct options *options, struct sim_error *error)
{
    for (int id = 0; options->n_files > 1 && id < N_OPTIONS; id++)
        if ((option_rows[id].flags & ALONE) != 0 && options_has(options, (enum option_id)id))
            return option_fail(error, "--%s goes with one file, not with %d: one at a time", option_rows[id].name,
                               options->n_files);
    return 0;
}

int options_parse(struct options *options, const struct command *command, int n_words, char **words,
                  struct sim_error *error)
{
    static char name[] = "simrun";
    char **argv = xcalloc((size_t)n_words + 2, sizeof *argv);
    *options = options_default();
    options->argv = argv;
    argv[0] = name;
    if (n_words > 0)
        memcpy(argv + 1, words, (size_t)n_words * sizeof *argv);
    if (read_options(options, command, n_words + 1, argv, error) != 0)
        return -1;
    if (options->help || options->version)
        return 0;
    if (options->output != NULL && strcmp(options->output, "-") == 0)
        options->output = NULL;
    if (check_arguments(options, command, error) != 0)
        return -1;
    return check_settings(options, error);
}

void options_dispose(struct options *options)
{
    for (int i = 0; i < options->n_settings; i++)
        free(options->settings[i]);
    free(options->settings);
    free((void *)options->conditions);
    free(options->argv);
}

/* --- help --- */

static void write_row(FILE *stream, const struct option_row *row)
{
    const char *before = row->argument == NULL ? "" : (row->flags & MAY_LACK_ARGUMENT) != 0 ? "[=" : " ";
    int column = row->letter != '\0' ? fprintf(stream, "  -%c, --%s", row->letter, row->name)
                                     : fprintf(stream, "      --%s", row->name);
    column += fprintf(stream, "%s%s%s", before, row->argument != NULL ? row->argument : "",
                      (row->flags & MAY_LACK_ARGUMENT) != 0 ? "]" : "");
    fprintf(stream, "%*s%s\n", HELP_COLUMN > column ? HELP_COLUMN - column : 1, "", row->help);
}

void options_help(FILE *stream, uint64_t options)
{
    options |= OPTION_BIT(OPTION_HELP);
    for (int group = 0; group < N_OPTION_GROUPS; group++) {
        bool has_head = false;
        for (int id = 0; id < N_OPTIONS; id++) {
            const struct option_row *row = &option_rows[id];
            if ((options & OPTION_BIT(id)) == 0 || (int)row->group != group || !library_is_there(row->needs))
                continue;
            if (!has_head)
                fprintf(stream, "\n%s\n", option_group_names[group]);
            has_head = true;
            write_row(stream, row);
        }
    }
}
