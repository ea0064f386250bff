/* simrun explain [WORD]...: what the words of reports mean, out of the glossary, or where they are declared.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "base/builder.h"
#include "base/known.h"
#include "base/memory.h"
#include "document/glossary.h"
#include "metrics/metrics.h"
#include "simrun/command.h"
#include "simrun/list_kinds.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 1000, WIDTH = 100 };

/* All words, NULL behind the last; to be freed, and this, too. */
static char **find_words(void)
{
    char **words = xcalloc(MOST_WORDS + 1, sizeof *words);
    for (size_t i = 0; i < MOST_WORDS && (words[i] = glossary_word_at(i)) != NULL;)
        i++;
    return words;
}

static void free_words(char **words)
{
    for (size_t i = 0; words[i] != NULL; i++)
        free(words[i]);
    free(words);
}

static const char *word_at(const void *table, int i)
{
    char *const *words = table;
    return words[i];
}

/* --- printing --- */

/* The text, behind four blanks, in lines of at most WIDTH. Text marked as `code` loses its marks. */
static void print_text(const char *text, size_t length)
{
    size_t column = 0;
    for (size_t i = 0; i < length;) {
        size_t word = strcspn(text + i, " ");
        word = word < length - i ? word : length - i;
        if (column > 0 && column + 1 + word > WIDTH)
            column = 0;
        column += (size_t)printf("%s%s", column == 0 && i > 0 ? "\n" : "", column == 0 ? "    " : " ");
        for (size_t k = 0; k < word; k++)
            if (text[i + k] != '`')
                putchar(text[i + k]);
        column += word;
        i += word + 1;
    }
    putchar('\n');
}

/* Print the entries that have the word, and return how many these are. */
static int find_word(const char *word)
{
    struct glossary_entry entry;
    int count = 0;
    for (size_t at = 0; glossary_next(&entry, &at);) {
        if (!glossary_has(&entry, word))
            continue;
        count++;
        printf("%.*s (%.*s)\n", (int)entry.word_length, entry.word, (int)entry.group_length, entry.group);
        print_text(entry.text, entry.text_length);
    }
    return count;
}

static void print_entry(const char *word, const char *group, const char *text)
{
    printf("%s (%s)\n", word, group);
    print_text(text, strlen(text));
}

/* The same of the columns of results. */
static int find_column(const char *word)
{
    int count = 0;
    for (int id = 0; id < N_TABLES; id++)
        for (size_t c = 0; c < table_specs[id].n_columns; c++)
            if (strcmp(table_specs[id].columns[c].name, word) == 0) {
                const char *what = kind_specs[table_specs[id].columns[c].kind].what;
                count++;
                print_entry(word, table_specs[id].name, what != NULL ? what : "a word: simrun list tables");
            }
    return count;
}

/* The same of the parameters of applications. Text that neighbors in the list have in common is printed once. */
static int find_parameter(const char *word)
{
    int count = 0;
    const char *last = "";
    for (int a = 0; app_specs[a] != NULL; a++) {
        const struct app_spec *app = app_specs[a];
        int param = param_find(app->params, app->n_params, word);
        if (param < 0 || strcmp(app->params[param].summary, last) == 0)
            continue;
        last = app->params[param].summary;
        count++;
        print_entry(word, "parameter", last);
    }
    return count;
}

/* The same of the scopes of applications, once for all that have it. */
static int find_scope(const char *word)
{
    int count = 0;
    struct builder text = {0};
    for (int a = 0; app_specs[a] != NULL; a++)
        for (int s = 0; app_specs[a]->scopes[s] != NULL; s++)
            if (strcmp(app_specs[a]->scopes[s], word) == 0)
                builder_add(&text, "%s%s", count++ > 0 ? ", " : "a part of the source of ", app_specs[a]->name);
    if (count > 0)
        print_entry(word, "scope", text.text);
    free(text.text);
    return count;
}

/* The same of measures whose names are not the words that readers see, as off_processor. */
static int find_measure(const char *word)
{
    for (int id = 0; id < N_MEASURES; id++) {
        const struct measure_spec *spec = &measure_specs[id];
        if (spec->name != NULL && spec->label != NULL && strcmp(spec->name, word) == 0 && find_word(spec->label) > 0)
            return 1;
    }
    return 0;
}

/* The same of what simrun list lists with a sentence. */
static int find_listed(const char *word)
{
    int count = 0;
    struct list none = {0};
    struct list_row row;
    for (const struct list_kind *kind = list_kinds; kind->name != NULL; kind++)
        for (int i = 0; (row = list_row_of(&none, kind, i)).name != NULL; i++)
            if (row.summary != NULL && row.summary[0] != '\0' && strcmp(row.name, word) == 0) {
                count++;
                print_entry(word, kind->name, row.summary);
            }
    return count;
}

/* The same of what the program declares, and the glossary need not know. */
static int find_declared(const char *word)
{
    int count = find_listed(word) + find_column(word) + find_parameter(word) + find_scope(word);
    return count > 0 ? count : find_measure(word);
}

static void print_all(void)
{
    struct glossary_entry entry;
    const char *group = "";
    for (size_t at = 0; glossary_next(&entry, &at);) {
        if (entry.group != group)
            printf("%s%.*s\n", group[0] != '\0' ? "\n" : "", (int)entry.group_length, entry.group);
        group = entry.group;
        printf("    %.*s\n", (int)entry.word_length, entry.word);
    }
}

/* --- the command --- */

static int refuse(const char *word, struct sim_error *error)
{
    char **words = find_words(), hint[100] = "";
    const char *meant = known_find_meant(word, word_at, words);
    if (meant != NULL)
        snprintf(hint, sizeof hint, "; did you mean '%.60s'?", meant);
    free_words(words);
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "explain: unknown word '%.80s'%s simrun explain lists them",
                         word, meant != NULL ? hint : ";");
}

/* All known words are printed; the first that is not known is an error. */
static int run(const struct options *options, struct sim_error *error)
{
    int status = 0;
    for (int i = 0; i < options->n_files; i++) {
        const char *word = options->files[i];
        if (find_word(word) == 0 && find_declared(word) == 0 && status == 0)
            status = refuse(word, error);
    }
    if (options->n_files == 0)
        print_all();
    return status;
}

const struct command command_explain = {
    .name = "explain",
    .arguments = "[WORD]...",
    .summary = "explain a word of a report, with its formula",
    .about = "Without a WORD, all words are listed. Put a term of several words in quotes.\n",
    .example = "explain 'overhead ratio'",
    .run = run,
};
