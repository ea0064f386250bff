/* simrun completion SHELL: the completion of the command line for bash, zsh or fish, out of the tables of commands,
 * options and lists.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "base/builder.h"
#include "base/debug.h"
#include "base/known.h"
#include "base/memory.h"
#include "core/settings.h"
#include "document/glossary.h"
#include "simrun/command.h"
#include "simrun/list_kinds.h"
#include "simrun/option_rows.h"

#include <stdbool.h>
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

static void add_word(struct builder *words, const char *word)
{
    builder_add(words, "%s%s", words->length > 0 ? " " : "", word);
}

static bool has_word(const struct builder *words, const char *word)
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
        if (word[strcspn(word, " '\"\\()[]{}$*?&|;<>:")] == '\0' && !has_word(words, word))
            add_word(words, word);
        free(word);
    }
}

/* --- parameters, for --set --- */

/* The i-th of all that there are, common ones first; NULL behind the last. */
static const struct param_spec *param_at(int i)
{
    if (i < N_COMMON_PARAMS)
        return &common_params[i];
    i -= N_COMMON_PARAMS;
    for (int a = 0; app_specs[a] != NULL; i -= app_specs[a++]->n_params)
        if (i < app_specs[a]->n_params)
            return &app_specs[a]->params[i];
    return NULL;
}

/* What may be set: "ranks=", and with its values what has a few of them: "layout=snake". */
static void add_settings(struct builder *words, bool with_values)
{
    const struct param_spec *param;
    for (int i = 0; (param = param_at(i)) != NULL; i++) {
        bool has_choices = with_values && param->type == PARAM_CHOICE;
        for (int k = 0; has_choices ? param->choices[k] != NULL : k == 0; k++) {
            char *word = xformat("%s=%s", param->name, has_choices ? param->choices[k] : "");
            if (!has_word(words, word))
                add_word(words, word);
            free(word);
        }
    }
}

/* The values that parameters of this name have; none for numbers. */
static void add_choices(struct builder *words, const char *name)
{
    const struct param_spec *param;
    for (int i = 0; (param = param_at(i)) != NULL; i++)
        for (int k = 0; param->type == PARAM_CHOICE && strcmp(param->name, name) == 0 && param->choices[k] != NULL; k++)
            if (!has_word(words, param->choices[k]))
                add_word(words, param->choices[k]);
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
        add_word(words, table[i]);
    if (strcmp(kind, "words") == 0)
        add_explained(words);
    const struct list_kind *row = list_kinds;
    for (; row->name != NULL && strcmp(row->name, kind) != 0; row++)
        if (strcmp(kind, "kinds") == 0 && (row == list_kinds || strcmp(row->name, row[-1].name) != 0))
            add_word(words, row->name);
    const char *name;
    for (int i = 0; row->name != NULL && (name = list_row_of(list, row, i).name) != NULL; i++)
        add_word(words, name);
}

static void add_values_of_option(struct builder *words, const struct list *list, int id)
{
    for (size_t i = 0; i < sizeof option_values / sizeof *option_values; i++)
        if ((int)option_values[i].option == id)
            add_names(words, list, option_values[i].kind);
}

static void add_values_of_command(struct builder *words, const struct list *list, const char *command)
{
    for (size_t i = 0; i < sizeof command_values / sizeof *command_values; i++)
        if (strcmp(command_values[i].command, command) == 0)
            add_names(words, list, command_values[i].kind);
}

static bool has_option(const struct command *command, int id)
{
    return (command->options & OPTION_BIT(id)) != 0 || id == OPTION_HELP || id == OPTION_VERSION;
}

/* How long the first word of a command is. */
static int first_word(const struct command *command)
{
    return (int)strcspn(command->name, " ");
}

static bool is_first_of_its_word(int i)
{
    return i == 1 || first_word(commands[i]) != first_word(commands[i - 1]) ||
           strncmp(commands[i]->name, commands[i - 1]->name, (size_t)first_word(commands[i])) != 0;
}

/* --- bash --- */

static void print_taken(const char *before, struct builder *words, const char *after)
{
    printf("%s%s%s", before, words->length > 0 ? words->text : "", after);
    free(words->text);
    *words = (struct builder){0};
}

static void print_bash_command(const struct list *list, const struct command *command)
{
    struct builder words = {0};
    const char *second = strchr(command->name, ' ');
    if (*command->name == '\0')
        printf("    *)\n");
    else
        printf("    '%s%s'*)\n", command->name, second != NULL ? "" : " ");
    for (int id = 0; id < N_OPTIONS; id++)
        if (has_option(command, id)) {
            builder_add(&words, "%s--%s", words.length > 0 ? " " : "", option_rows[id].name);
            if (option_rows[id].letter != 0)
                builder_add(&words, " -%c", option_rows[id].letter);
        }
    print_taken("        options='", &words, "'\n");
    add_values_of_command(&words, list, command->name);
    print_taken("        values='", &words, "'\n        ;;\n");
}

static void print_bash_option(const struct list *list, int id)
{
    const struct option_row *row = &option_rows[id];
    struct builder words = {0};
    add_values_of_option(&words, list, id);
    if (words.length == 0)
        return;
    printf("    --%s | --%s=", row->name, row->name);
    if (row->letter != 0)
        printf(" | -%c", row->letter);
    print_taken(") values='", &words, "' ;;\n");
}

/* A parameter, and its values behind "=", which is a word of its own to bash. */
static void print_bash_settings(void)
{
    struct builder words = {0}, done = {0};
    const struct param_spec *param;
    add_settings(&words, false);
    print_taken("    --set | -s)\n        values='", &words, "'\n        compopt -o nospace 2>/dev/null\n        ;;\n");
    for (int i = 0; (param = param_at(i)) != NULL; i++) {
        if (has_word(&done, param->name))
            continue;
        add_word(&done, param->name);
        add_choices(&words, param->name);
        if (words.length > 0) {
            printf("    %s=", param->name);
            print_taken(") values='", &words, "' ;;\n");
        }
    }
    free(done.text);
}

static void print_bash(const struct list *list)
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
        if (is_first_of_its_word(i))
            builder_add(&words, " %.*s", first_word(commands[i]), commands[i]->name);
    print_taken("    [[ $COMP_CWORD -eq 1 ]] && values+='", &words, "'\n");
    for (int i = 1; commands[i] != NULL; i++)
        if (commands[i]->name[first_word(commands[i])] == ' ')
            builder_add(&words, " %s", commands[i]->name + first_word(commands[i]) + 1);
    print_taken("    [[ $COMP_CWORD -eq 2 && ${COMP_WORDS[1]} == store ]] && values='", &words, "'\n");
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

/* --- zsh --- */

/* What _arguments reads is in quotes, with brackets around the explanation, and colons between the parts. */
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
        add_values_of_option(&words, list, id);
        if (id == OPTION_SET) {
            add_settings(&words, true);
            print_taken(":NAME=VALUE:{ compadd -S \"\" -- ", &words, " }");
        } else if (row->argument != NULL) {
            fputs((row->flags & MAY_LACK_ARGUMENT) != 0 ? "::" : ":", stdout);
            print_zsh_text(row->argument);
            print_taken(words.length > 0 ? ":_values -s , value " : ":_files", &words, "");
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
        if (has_option(command, id))
            print_zsh_option(list, id);
    add_values_of_command(&words, list, command->name);
    if (words.length > 0)
        print_taken(" \\\n            '*:argument:{ compadd -- ", &words, "; _files }'\n        ;;\n");
    else
        fputs(" \\\n            '*:file:_files'\n        ;;\n", stdout);
}

static void print_zsh(const struct list *list)
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
        if (is_first_of_its_word(i)) {
            printf("            '%.*s:", first_word(commands[i]), commands[i]->name);
            print_zsh_text(commands[i]->summary);
            fputs("'\n", stdout);
        }
    fputs("        )\n"
          "        _describe command names\n"
          "    elif (( CURRENT == 3 )) && [[ $command == store ]]; then\n"
          "        names=(\n",
          stdout);
    for (int i = 1; commands[i] != NULL; i++)
        if (commands[i]->name[first_word(commands[i])] == ' ') {
            printf("            '%s:", commands[i]->name + first_word(commands[i]) + 1);
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

/* --- fish --- */

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
    else if (command->name[first_word(command)] == ' ')
        printf("'__fish_seen_subcommand_from %.*s; and __fish_seen_subcommand_from %s'", first_word(command),
               command->name, command->name + first_word(command) + 1);
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
        add_settings(&words, true);
    else
        add_values_of_option(&words, list, id);
    if (row->argument != NULL && (row->flags & MAY_LACK_ARGUMENT) == 0)
        fputs(words.length > 0 && id != OPTION_PLATFORM ? " -x" : " -r", stdout);
    if (words.length > 0)
        print_taken(" -a '", &words, "'");
    fputs(" -d ", stdout);
    print_fish_text(row->help);
    putchar('\n');
}

static void print_fish_command(const struct list *list, const struct command *command)
{
    struct builder words = {0};
    for (int id = 0; id < N_OPTIONS; id++)
        if (has_option(command, id))
            print_fish_option(list, command, id);
    add_values_of_command(&words, list, command->name);
    if (words.length > 0) {
        print_fish_condition(command);
        print_taken(" -a '", &words, "'\n");
    }
}

static void print_fish(const struct list *list)
{
    fputs("# fish completion of simrun, made by: simrun completion fish\nset -g __simrun_commands", stdout);
    for (int i = 1; commands[i] != NULL; i++)
        if (is_first_of_its_word(i))
            printf(" %.*s", first_word(commands[i]), commands[i]->name);
    putchar('\n');
    for (int i = 1; commands[i] != NULL; i++) {
        int first = first_word(commands[i]);
        bool has_second = commands[i]->name[first] == ' ';
        if (is_first_of_its_word(i)) {
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

/* --- the command --- */

static void (*const printers[])(const struct list *list) = {print_bash, print_zsh, print_fish};

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
