/* Finds the command that a command line names, and writes its help.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/command.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* --- which one --- */

/* The number of words of its name that the command line begins with; 0 unless it begins with all of them. */
static int count_words(const struct command *command, int argc, char **argv)
{
    int n_words = 0;
    for (const char *word = command->name; *word != '\0'; n_words++) {
        size_t length = strcspn(word, " ");
        if (n_words == argc || strlen(argv[n_words]) != length || strncmp(argv[n_words], word, length) != 0)
            return 0;
        word += length + strspn(word + length, " ");
    }
    return n_words;
}

static bool begins_with(const struct command *command, const char *word)
{
    size_t length = strlen(word);
    return length > 0 && strncmp(command->name, word, length) == 0 && command->name[length] == ' ';
}

/* A first word that commands share: say what may follow it. */
static int fail_half(const char *word, const char *next, struct sim_error *error)
{
    char known[200] = "";
    for (int i = 0; commands[i] != NULL; i++)
        if (begins_with(commands[i], word))
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s simrun %s", known[0] != '\0' ? "," : "",
                     commands[i]->name);
    bool has_next = next != NULL && next[0] != '-';
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "'%.40s%s%.40s' is not a %scommand; known:%s", word,
                         has_next ? " " : "", has_next ? next : "", has_next ? "" : "complete ", known);
}

/* The command, unless this build lacks what it needs. */
static const struct command *offer(const struct command *command, struct sim_error *error)
{
    if (library_is_there(command->needs))
        return command;
    library_refuse(command->needs, command->name, error);
    return NULL;
}

static const struct command *find(int *n_words, int argc, char **argv, bool helps, struct sim_error *error)
{
    for (int i = 1; commands[i] != NULL; i++)
        if ((*n_words = count_words(commands[i], argc, argv)) > 0)
            return offer(commands[i], error);
    for (int i = 1; argc > 0 && commands[i] != NULL; i++)
        if (begins_with(commands[i], argv[0])) {
            *n_words = 1;
            bool wants_help = helps || (argc > 1 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0));
            if (wants_help || !library_is_there(commands[i]->needs))
                return offer(commands[i], error);
            fail_half(argv[0], argc > 1 ? argv[1] : NULL, error);
            return NULL;
        }
    *n_words = 0;
    return commands[0];
}

const struct command *command_find(int *n_words, int argc, char **argv, struct sim_error *error)
{
    return find(n_words, argc, argv, false, error);
}

const struct command *command_find_help(int *n_words, int argc, char **argv, struct sim_error *error)
{
    return find(n_words, argc, argv, true, error);
}

const char *command_word_at(const void *table, int i)
{
    enum { MOST = 32 };
    static char words[MOST][16]; /* each stays what it is */
    (void)table;
    if (i + 1 >= MOST || commands[i + 1] == NULL)
        return NULL;
    const char *name = commands[i + 1]->name;
    snprintf(words[i], sizeof words[i], "%.*s", (int)strcspn(name, " "), name);
    return words[i];
}

/* --- help --- */

static void write_usage(FILE *stream, const struct command *command, const char *head)
{
    const char *parts[] = {command->name, command->options != 0 ? "[OPTION]..." : "", command->arguments};
    fprintf(stream, "%s simrun", head);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        fprintf(stream, "%s%s", parts[i][0] != '\0' ? " " : "", parts[i]);
    fputc('\n', stream);
}

/* Commands that share their first word are explained together. */
static bool is_sister(const struct command *a, const struct command *b)
{
    size_t length = strcspn(a->name, " ");
    return a != b && a->name[length] == ' ' && strncmp(a->name, b->name, length + 1) == 0;
}

static void write_commands(FILE *stream)
{
    fputs("\nCommands; simrun COMMAND --help explains each\n", stream);
    for (int i = 1; commands[i] != NULL; i++) {
        if (!library_is_there(commands[i]->needs))
            continue;
        int column = fprintf(stream, "  %s %s", commands[i]->name, commands[i]->arguments);
        fprintf(stream, "%*s%s\n", HELP_COLUMN > column ? HELP_COLUMN - column : 1, "", commands[i]->summary);
    }
}

/* "Compare two stored runs." */
static void write_summary(FILE *stream, const struct command *command)
{
    fprintf(stream, "%c%s.\n", toupper((unsigned char)command->summary[0]), command->summary + 1);
}

void command_help(FILE *stream, const struct command *command)
{
    uint64_t options = command->options;
    write_usage(stream, command, "Usage:");
    for (int i = 0; commands[i] != NULL; i++)
        if (is_sister(command, commands[i]))
            write_usage(stream, commands[i], "      ");
    if (command == commands[0])
        fputs("       simrun COMMAND ...\n", stream);
    write_summary(stream, command);
    for (int i = 0; commands[i] != NULL; i++)
        if (is_sister(command, commands[i])) {
            write_summary(stream, commands[i]);
            options |= commands[i]->options;
        }
    fputs(command->about, stream);
    options_help(stream, options);
    if (command == commands[0])
        write_commands(stream);
    fprintf(stream, "\nExample: simrun %s\n", command->example);
}
