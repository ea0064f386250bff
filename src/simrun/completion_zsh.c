/* The completion of the command line for zsh.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/completion.h"
#include "simrun/option_rows.h"

#include <stdio.h>
#include <string.h>

/* _arguments reads options in quotes, with brackets around the explanation, and colons between the parts. */
static void print_zsh_text(const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            printf("%s%c", strchr("[]:\\", *text) != NULL ? "\\" : "", *text);
}

static void print_zsh_name(const char *dashes, const char *name, const struct option_row *row)
{
    printf(" \\\n            '*%s%s%s[", dashes, name,
           row->argument == NULL                   ? ""
           : (row->flags & MAY_LACK_ARGUMENT) != 0 ? "=-"
           : dashes[1] == '-'                      ? "="
                                                   : "+");
    print_zsh_text(row->help);
    fputs("]", stdout);
}

static void print_zsh_option(const struct list *list, int id)
{
    const struct option_row *row = &option_rows[id];
    char letter[2] = {row->letter, '\0'};
    for (int k = 0; k < (row->letter != 0 ? 2 : 1); k++) {
        struct builder words = {0};
        print_zsh_name(k == 0 ? "--" : "-", k == 0 ? row->name : letter, row);
        completion_add_values_of_option(&words, list, id);
        if (id == OPTION_SET) {
            completion_add_settings(&words, true);
            completion_print_taken(":NAME=VALUE:{ compadd -S \"\" -- ", &words, " }");
        } else if (row->argument != NULL) {
            fputs((row->flags & MAY_LACK_ARGUMENT) != 0 ? "::" : ":", stdout);
            print_zsh_text(row->argument);
            completion_print_taken(words.length > 0 ? ":_values -s , value " : ":_files", &words, "");
        }
        fputs("'", stdout);
    }
}

static void print_zsh_command(const struct list *list, const struct command *command)
{
    struct builder words = {0};
    printf("    %s%s%s)\n        _arguments -S", *command->name != '\0' ? "'" : "*", command->name,
           *command->name != '\0' ? "'" : "");
    for (int id = 0; id < N_OPTIONS; id++)
        if (completion_has_option(command, id))
            print_zsh_option(list, id);
    completion_add_values_of_command(&words, list, command->name);
    if (words.length > 0)
        completion_print_taken(" \\\n            '*:argument:{ compadd -- ", &words, "; _files }'\n        ;;\n");
    else
        fputs(" \\\n            '*:file:_files'\n        ;;\n", stdout);
}

void completion_print_zsh(const struct list *list)
{
    fputs("#compdef simrun\n"
          "# zsh completion of simrun, made by: simrun completion zsh\n"
          "_simrun() {\n"
          "    local -a names\n"
          "    local command=${words[2]}\n"
          "    if (( CURRENT == 2 )); then\n"
          "        names=(\n",
          stdout);
    for (int i = 1; commands[i] != NULL; i++)
        if (completion_is_first_of_its_word(i)) {
            printf("            '%.*s:", completion_first_word(commands[i]), commands[i]->name);
            print_zsh_text(commands[i]->summary);
            fputs("'\n", stdout);
        }
    fputs("        )\n"
          "        _describe command names\n"
          "    elif (( CURRENT == 3 )) && [[ $command == store ]]; then\n"
          "        names=(\n",
          stdout);
    for (int i = 1; commands[i] != NULL; i++)
        if (commands[i]->name[completion_first_word(commands[i])] == ' ') {
            printf("            '%s:", commands[i]->name + completion_first_word(commands[i]) + 1);
            print_zsh_text(commands[i]->summary);
            fputs("'\n", stdout);
        }
    fputs("        )\n"
          "        _describe command names\n"
          "        return\n"
          "    fi\n"
          "    [[ $command == store ]] && command=\"store ${words[3]}\"\n"
          "    case $command in\n",
          stdout);
    for (int i = 1; commands[i] != NULL; i++)
        print_zsh_command(list, commands[i]);
    print_zsh_command(list, commands[0]);
    fputs("    esac\n"
          "}\n"
          "[[ $funcstack[1] == _simrun ]] && _simrun || compdef _simrun simrun\n",
          stdout);
}
