/* The completion of the command line for bash.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/completion.h"
#include "simrun/option_rows.h"

#include <stdlib.h>
#include <string.h>

static void print_bash_command(const struct list *list, const struct command *command)
{
    struct builder words = {0};
    const char *second = strchr(command->name, ' ');
    if (*command->name == '\0')
        printf("    *)\n");
    else
        printf("    '%s%s'*)\n", command->name, second != NULL ? "" : " ");
    for (int id = 0; id < N_OPTIONS; id++)
        if (completion_has_option(command, id)) {
            builder_add(&words, "%s--%s", words.length > 0 ? " " : "", option_rows[id].name);
            if (option_rows[id].letter != 0)
                builder_add(&words, " -%c", option_rows[id].letter);
        }
    completion_print_taken("        options='", &words, "'\n");
    completion_add_values_of_command(&words, list, command->name);
    completion_print_taken("        values='", &words, "'\n        ;;\n");
}

static void print_bash_option(const struct list *list, int id)
{
    const struct option_row *row = &option_rows[id];
    struct builder words = {0};
    completion_add_values_of_option(&words, list, id);
    if (words.length == 0)
        return;
    printf("    --%s | --%s=", row->name, row->name);
    if (row->letter != 0)
        printf(" | -%c", row->letter);
    completion_print_taken(") values='", &words, "' ;;\n");
}

/* A parameter, and its values behind "=", which is a word of its own to bash. */
static void print_bash_settings(void)
{
    struct builder words = {0}, done = {0};
    const struct param_spec *param;
    completion_add_settings(&words, false);
    completion_print_taken("    --set | -s)\n        values='", &words,
                           "'\n        compopt -o nospace 2>/dev/null\n        ;;\n");
    for (int i = 0; (param = completion_param_at(i)) != NULL; i++) {
        if (completion_has_word(&done, param->name))
            continue;
        completion_add_word(&done, param->name);
        completion_add_choices(&words, param->name);
        if (words.length > 0) {
            printf("    %s=", param->name);
            completion_print_taken(") values='", &words, "' ;;\n");
        }
    }
    free(done.text);
}

void completion_print_bash(const struct list *list)
{
    struct builder words = {0};
    fputs("# bash completion of simrun, made by: simrun completion bash\n"
          "_simrun() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options values\n"
          "    [[ $word == '=' ]] && word= before+='='\n"
          "    [[ $before == '=' ]] && before=${COMP_WORDS[COMP_CWORD - 2]}=\n"
          "    case \"${COMP_WORDS[1]} ${COMP_WORDS[2]} \" in\n",
          stdout);
    for (int i = 1; commands[i] != NULL; i++)
        print_bash_command(list, commands[i]);
    print_bash_command(list, commands[0]);
    fputs("    esac\n", stdout);
    for (int i = 1; commands[i] != NULL; i++)
        if (completion_is_first_of_its_word(i))
            builder_add(&words, " %.*s", completion_first_word(commands[i]), commands[i]->name);
    completion_print_taken("    [[ $COMP_CWORD -eq 1 ]] && values+='", &words, "'\n");
    for (int i = 1; commands[i] != NULL; i++)
        if (commands[i]->name[completion_first_word(commands[i])] == ' ')
            builder_add(&words, " %s", commands[i]->name + completion_first_word(commands[i]) + 1);
    completion_print_taken("    [[ $COMP_CWORD -eq 2 && ${COMP_WORDS[1]} == store ]] && values='", &words, "'\n");
    fputs("    case $before in\n", stdout);
    for (int id = 0; id < N_OPTIONS; id++)
        print_bash_option(list, id);
    print_bash_settings();
    fputs("    esac\n"
          "    [[ $word == -* ]] && values=$options\n"
          "    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\")\n"
          "}\n"
          "complete -o bashdefault -o default -F _simrun simrun ./simrun\n",
          stdout);
}
