/* The completion of the command line for fish.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/completion.h"
#include "simrun/option_rows.h"

#include <stdio.h>

static void print_fish_text(const char *text)
{
    putchar('\'');
    for (; *text != '\0'; text++)
        printf("%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
    putchar('\'');
}

/* When a line is for a command: none of the words is a command, or the command's own are there. */
static void print_fish_condition(const struct command *command)
{
    fputs("complete -c simrun -n ", stdout);
    if (*command->name == '\0')
        fputs("'not __fish_seen_subcommand_from $__simrun_commands'", stdout);
    else if (command->name[completion_first_word(command)] == ' ')
        printf("'__fish_seen_subcommand_from %.*s; and __fish_seen_subcommand_from %s'", completion_first_word(command),
               command->name, command->name + completion_first_word(command) + 1);
    else
        printf("'__fish_seen_subcommand_from %s'", command->name);
}

static void print_fish_option(const struct list *list, const struct command *command, int id)
{
    const struct option_row *row = &option_rows[id];
    struct builder words = {0};
    print_fish_condition(command);
    printf(" -l %s", row->name);
    if (row->letter != 0)
        printf(" -s %c", row->letter);
    if (id == OPTION_SET)
        completion_add_settings(&words, true);
    else
        completion_add_values_of_option(&words, list, id);
    if (row->argument != NULL && (row->flags & MAY_LACK_ARGUMENT) == 0)
        fputs(words.length > 0 && id != OPTION_PLATFORM ? " -x" : " -r", stdout);
    if (words.length > 0)
        completion_print_taken(" -a '", &words, "'");
    fputs(" -d ", stdout);
    print_fish_text(row->help);
    putchar('\n');
}

static void print_fish_command(const struct list *list, const struct command *command)
{
    struct builder words = {0};
    for (int id = 0; id < N_OPTIONS; id++)
        if (completion_has_option(command, id))
            print_fish_option(list, command, id);
    completion_add_values_of_command(&words, list, command->name);
    if (words.length > 0) {
        print_fish_condition(command);
        completion_print_taken(" -a '", &words, "'\n");
    }
}

void completion_print_fish(const struct list *list)
{
    fputs("# fish completion of simrun, made by: simrun completion fish\nset -g __simrun_commands", stdout);
    for (int i = 1; commands[i] != NULL; i++)
        if (completion_is_first_of_its_word(i))
            printf(" %.*s", completion_first_word(commands[i]), commands[i]->name);
    putchar('\n');
    for (int i = 1; commands[i] != NULL; i++) {
        int first = completion_first_word(commands[i]);
        bool has_second = commands[i]->name[first] == ' ';
        if (completion_is_first_of_its_word(i)) {
            printf("complete -c simrun -n __fish_use_subcommand -a %.*s -d ", first, commands[i]->name);
            print_fish_text(commands[i]->summary);
            putchar('\n');
        }
        if (has_second) {
            printf("complete -c simrun -f -n '__fish_seen_subcommand_from %.*s' -a %s -d ", first, commands[i]->name,
                   commands[i]->name + first + 1);
            print_fish_text(commands[i]->summary);
            putchar('\n');
        }
    }
    for (int i = 0; commands[i] != NULL; i++)
        print_fish_command(list, commands[i]);
}
