/* Finds labs in other languages, and compares their blocks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/lab_language.h"

#include "base/builder.h"
#include "base/memory.h"
#include "os/path.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const lab_languages[N_LAB_LANGUAGES] = {"en", "de"};

char *lab_language_file(const char *file, int language)
{
    const char *slash = strrchr(file, '/'), *own = slash != NULL ? slash + 1 : file;
    char *name = xformat("%s/%s", lab_languages[language], own), *found = path_beside(file, name, strlen(name));
    free(name);
    return found;
}

/* ---- Comparing blocks ---- */

/* A row that readers see, which is translated. */
static bool is_text(const struct lab_row *row)
{
    return strcmp(row->words[0], "ask") == 0 || strcmp(row->words[0], "title") == 0;
}

/* The next row of a block, from `*at` on, that is the same in all languages; NULL: there is none. */
static const struct lab_row *next_row(const struct lab_block *block, size_t *at)
{
    while (*at < block->n_rows && is_text(&block->rows[*at]))
        ++*at;
    return *at < block->n_rows ? &block->rows[(*at)++] : NULL;
}

static bool is_same(const struct lab_row *a, const struct lab_row *b)
{
    if (a->n_words != b->n_words)
        return false;
    for (int i = 0; i < a->n_words; i++)
        if (strcmp(a->words[i], b->words[i]) != 0)
            return false;
    return true;
}

static char *text_of_row(const struct lab_row *row)
{
    struct builder text = {0};
    for (int i = 0; i < row->n_words; i++)
        builder_add(&text, "%s%s", i > 0 ? " " : "", row->words[i]);
    return builder_take(&text);
}

/* The translation has `its` where the lab has `own`; one of them may be NULL. line: that of the translation's block. */
static int complain(const struct lab *lab, const struct lab_row *own, const struct lab *translation,
                    const struct lab_row *its, long line, struct sim_error *error)
{
    char *has = its != NULL ? text_of_row(its) : NULL, *wants = own != NULL ? text_of_row(own) : NULL;
    if (its == NULL)
        sim_error_set(error, SIM_BAD_INPUT, translation->file, line, "the block lacks '%.80s' of %s:%ld", wants,
                      lab->file, own->line);
    else if (own == NULL)
        sim_error_set(error, SIM_BAD_INPUT, translation->file, its->line, "'%.80s': the block of %s has no such line",
                      has, lab->file);
    else
        sim_error_set(error, SIM_BAD_INPUT, translation->file, its->line,
                      "'%.80s' differs from '%.80s' of %s:%ld; only ask and title may", has, wants, lab->file,
                      own->line);
    free(has);
    free(wants);
    return -1;
}

static int compare_block(const struct lab *lab, const struct lab_block *own, const struct lab *translation,
                         const struct lab_block *its, struct sim_error *error)
{
    if (own->kind != its->kind)
        return sim_error_set(error, SIM_BAD_INPUT, translation->file, its->line,
                             "this block is of another kind at %s:%ld", lab->file, own->line);
    for (size_t i = 0, k = 0;;) {
        const struct lab_row *a = next_row(own, &i), *b = next_row(its, &k);
        if (a == NULL && b == NULL)
            return 0;
        if (a == NULL || b == NULL || !is_same(a, b))
            return complain(lab, a, translation, b, its->line, error);
    }
}

/* Answers are kept by the numbers of blocks, which must therefore be the same in all languages. */
static int compare(const struct lab *lab, const struct lab *translation, struct sim_error *error)
{
    for (size_t i = 0; i < lab->n_blocks && i < translation->n_blocks; i++)
        if (compare_block(lab, &lab->blocks[i], translation, &translation->blocks[i], error) != 0)
            return -1;
    if (lab->n_blocks == translation->n_blocks)
        return 0;
    bool is_more = translation->n_blocks > lab->n_blocks;
    const struct lab *longer = is_more ? translation : lab, *shorter = is_more ? lab : translation;
    return sim_error_set(error, SIM_BAD_INPUT, translation->file, is_more ? longer->blocks[shorter->n_blocks].line : 0,
                         "%zu blocks, but %s has %zu", translation->n_blocks, lab->file, lab->n_blocks);
}

/* ---- All languages ---- */

int lab_language_add(struct lab *lab, struct sim_error *error)
{
    for (int i = 0; i < N_LAB_LANGUAGES; i++) {
        char *file = lab_language_file(lab->file, i);
        int status = 0;
        if (access(file, F_OK) == 0) {
            lab->translations[i] = xcalloc(1, sizeof *lab->translations[i]);
            status = lab_load(lab->translations[i], file, error);
            if (status == 0)
                status = compare(lab, lab->translations[i], error);
        }
        free(file);
        if (status != 0)
            return -1;
    }
    return 0;
}

void lab_language_write(struct json_writer *writer, const char *name, const struct lab *lab,
                        const char *(*text_of)(const struct lab *lab))
{
    bool has_any = false;
    for (int i = 0; i < N_LAB_LANGUAGES; i++) {
        const char *text = lab->translations[i] != NULL ? text_of(lab->translations[i]) : NULL;
        if (text == NULL)
            continue;
        if (!has_any) {
            json_name(writer, name);
            json_begin(writer, '{');
        }
        has_any = true;
        json_name(writer, lab_languages[i]);
        json_text(writer, text);
    }
    if (has_any)
        json_end(writer, '}');
}
