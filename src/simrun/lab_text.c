/* Reads the blocks of labs, and checks them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/lab_text.h"

#include "base/known.h"
#include "base/memory.h"
#include "os/path.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[N_LAB_KINDS] = {"experiment", "question", "predict"};

enum { E = 1 << LAB_EXPERIMENT, Q = 1 << LAB_QUESTION, P = 1 << LAB_PREDICT };

/* The keys of rows: in which blocks they may stand, and how many words they need behind them. */
static const struct key {
    const char *name;
    int kinds, least;
} keys[] = {
    {"scenario", E | Q | P, 1}, {"set", E | Q | P, 1}, {"title", E, 1},    {"slider", E, 6},     {"menu", E, 4},
    {"what-if", E, 0},          {"lines", E, 1},       {"trace", E, 1},    {"factor", E, 1},     {"show", E, 1},
    {"ask", Q | P, 1},          {"answer", Q | P, 1},  {"unit", Q | P, 1}, {"within", Q | P, 1}, {"curve", P, 5},
};
enum { N_KEYS = sizeof keys / sizeof keys[0] };

/* ---- The file ---- */

static int read_file(struct lab *lab, struct sim_error *error)
{
    FILE *file = fopen(lab->file, "rb");
    if (file == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, lab->file, 0, "cannot be read: %s", strerror(errno));
    lab->text = xmalloc(LAB_BYTES + 1);
    lab->length = fread(lab->text, 1, LAB_BYTES + 1, file);
    int status = 0;
    if (ferror(file))
        status = sim_error_set(error, SIM_BAD_INPUT, lab->file, 0, "cannot be read: %s", strerror(errno));
    else if (lab->length > LAB_BYTES)
        status = sim_error_set(error, SIM_BAD_INPUT, lab->file, 0, "has more than 1 MiB; a lab is a text");
    else if (memchr(lab->text, '\0', lab->length) != NULL)
        status = sim_error_set(error, SIM_BAD_INPUT, lab->file, 0, "is no text: it has a byte of zero");
    fclose(file);
    if (status == 0)
        lab->text[lab->length] = '\0';
    return status;
}

/* ---- Blocks ---- */

static const char *key_at(const void *kind, int i)
{
    int found = 0;
    for (int k = 0; k < N_KEYS; k++)
        if ((keys[k].kinds & 1 << *(const enum lab_kind *)kind) != 0 && found++ == i)
            return keys[k].name;
    return NULL;
}

static int check_row(const struct lab *lab, const struct lab_block *block, const struct lab_row *row,
                     struct sim_error *error)
{
    for (int k = 0; k < N_KEYS; k++)
        if ((keys[k].kinds & 1 << block->kind) != 0 && strcmp(keys[k].name, row->words[0]) == 0) {
            if (row->n_words > keys[k].least)
                return 0;
            return sim_error_set(error, SIM_BAD_INPUT, lab->file, row->line, "%s needs at least %d words, not %d",
                                 keys[k].name, keys[k].least, row->n_words - 1);
        }
    char known[300];
    known_format(known, sizeof known, row->words[0], key_at, &block->kind);
    return sim_error_set(error, SIM_BAD_INPUT, lab->file, row->line, "unknown line '%.60s' in a block of %s%s",
                         row->words[0], kind_names[block->kind], known);
}

static int add_row(struct lab *lab, struct lab_block *block, char *text, long line, struct sim_error *error)
{
    char *words[LAB_WORDS], *rest;
    struct lab_row row = {.line = line};
    for (char *word = strtok_r(text, " \t\r", &rest); word != NULL; word = strtok_r(NULL, " \t\r", &rest)) {
        if (row.n_words == LAB_WORDS)
            return sim_error_set(error, SIM_BAD_INPUT, lab->file, line, "more than %d words", LAB_WORDS);
        words[row.n_words++] = word;
    }
    if (row.n_words == 0)
        return 0;
    row.words = xmalloc((size_t)row.n_words * sizeof *row.words);
    memcpy(row.words, words, (size_t)row.n_words * sizeof *row.words);
    block->rows = xgrow(block->rows, block->n_rows, &block->rows_capacity, sizeof *block->rows);
    block->rows[block->n_rows++] = row;
    return check_row(lab, block, &row, error);
}

const struct lab_row *lab_row(const struct lab_block *block, const char *key)
{
    for (size_t i = 0; i < block->n_rows; i++)
        if (strcmp(block->rows[i].words[0], key) == 0)
            return &block->rows[i];
    return NULL;
}

static int check_number(const struct lab *lab, const struct lab_row *row, int word, struct sim_error *error)
{
    char *end;
    double number = strtod(row->words[word], &end);
    if (end != row->words[word] && *end == '\0' && isfinite(number))
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, lab->file, row->line, "%s: '%.60s' is not a number", row->words[0],
                         row->words[word]);
}

static int check_answer(const struct lab *lab, const struct lab_row *row, struct sim_error *error)
{
    char **words = row->words;
    bool is_plain = row->n_words == 2 || (strcmp(words[1], "ratio") == 0 && row->n_words == 3);
    bool is_best = row->n_words >= 5 && strcmp(words[2], "of") == 0 &&
                   (strcmp(words[3], "least") == 0 || strcmp(words[3], "most") == 0);
    if (is_plain || (is_best && row->n_words == 5))
        return 0;
    if (is_best && row->n_words == 9 && strcmp(words[5], "if") == 0 && strcmp(words[7], ">=") == 0)
        return check_number(lab, row, 8, error);
    return sim_error_set(error, SIM_BAD_INPUT, lab->file, row->line,
                         "answer is X, ratio X, or X of least Y (or most Y), and behind that if Z >= NUMBER");
}

/* The lines that each kind of block must have. */
static int check_block(const struct lab *lab, const struct lab_block *block, struct sim_error *error)
{
    static const char *const needed[N_LAB_KINDS][3] = {
        {"scenario", "show"}, {"scenario", "ask", "answer"}, {"scenario", "ask"}};
    for (int i = 0; i < 3 && needed[block->kind][i] != NULL; i++)
        if (lab_row(block, needed[block->kind][i]) == NULL)
            return sim_error_set(error, SIM_BAD_INPUT, lab->file, block->line, "a block of %s needs the line '%s'",
                                 kind_names[block->kind], needed[block->kind][i]);
    const struct lab_row *answer = lab_row(block, "answer"), *within = lab_row(block, "within");
    if (within != NULL && check_number(lab, within, 1, error) != 0)
        return -1;
    if (block->kind == LAB_PREDICT && (answer != NULL) == (lab_row(block, "curve") != NULL))
        return sim_error_set(error, SIM_BAD_INPUT, lab->file, block->line,
                             "a block of predict needs the line 'answer' or 'curve', one of them");
    return answer != NULL ? check_answer(lab, answer, error) : 0;
}

/* The kind of a block that a line begins; N_LAB_KINDS: it is none. */
static enum lab_kind kind_of(const char *line)
{
    int kind = 0;
    while (kind < N_LAB_KINDS && (strncmp(line, "```", 3) != 0 || strcmp(line + 3, kind_names[kind]) != 0))
        kind++;
    return (enum lab_kind)kind;
}

static struct lab_block *add_block(struct lab *lab, enum lab_kind kind, long line)
{
    int number = 1;
    for (size_t i = 0; i < lab->n_blocks; i++)
        number += lab->blocks[i].kind == kind;
    lab->blocks = xgrow(lab->blocks, lab->n_blocks, &lab->blocks_capacity, sizeof *lab->blocks);
    lab->blocks[lab->n_blocks] = (struct lab_block){.kind = kind, .number = number, .line = line};
    return &lab->blocks[lab->n_blocks++];
}

static int split(struct lab *lab, struct sim_error *error)
{
    struct lab_block *open = NULL;
    long number = 0;
    int status = 0;
    for (char *line = lab->words, *next; line != NULL && status == 0; line = next) {
        number++;
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        enum lab_kind kind = kind_of(line);
        if (open == NULL && kind != N_LAB_KINDS)
            open = add_block(lab, kind, number);
        else if (open != NULL && strncmp(line, "```", 3) == 0) {
            status = check_block(lab, open, error);
            open = NULL;
        } else if (open != NULL)
            status = add_row(lab, open, line, number, error);
    }
    if (status == 0 && open != NULL)
        return sim_error_set(error, SIM_BAD_INPUT, lab->file, open->line, "the block has no end (```)");
    return status;
}

int lab_load(struct lab *lab, const char *file, struct sim_error *error)
{
    *lab = (struct lab){.file = xstrdup(file), .name = path_title(file)};
    if (read_file(lab, error) != 0)
        return -1;
    lab->words = xstrdup(lab->text);
    return split(lab, error);
}

int lab_make(struct lab *lab, const char *file, char *text, struct sim_error *error)
{
    *lab = (struct lab){.file = xstrdup(file), .name = path_title(file), .text = text, .length = strlen(text)};
    lab->words = xstrdup(text);
    return split(lab, error);
}

void lab_dispose(struct lab *lab)
{
    for (size_t i = 0; i < lab->n_blocks; i++) {
        for (size_t r = 0; r < lab->blocks[i].n_rows; r++)
            free(lab->blocks[i].rows[r].words);
        free(lab->blocks[i].rows);
    }
    for (int i = 0; i < N_LAB_LANGUAGES; i++)
        if (lab->translations[i] != NULL) {
            lab_dispose(lab->translations[i]);
            free(lab->translations[i]);
        }
    free(lab->blocks);
    free(lab->words);
    free(lab->text);
    free(lab->sheet);
    free(lab->name);
    free(lab->file);
}

bool lab_question(struct lab_question *question, const struct lab_block *block)
{
    const struct lab_row *answer = lab_row(block, "answer"), *within = lab_row(block, "within");
    if (answer == NULL)
        return false;
    char **words = answer->words;
    bool is_ratio = strcmp(words[1], "ratio") == 0 && answer->n_words == 3, is_best = answer->n_words >= 5;
    bool has_condition = answer->n_words == 9;
    *question = (struct lab_question){
        .block = block,
        .scenario = lab_row(block, "scenario")->words[1],
        .name = words[is_ratio ? 2 : 1],
        .of = is_best ? words[4] : NULL,
        .where = has_condition ? words[6] : NULL,
        .at_least = has_condition ? strtod(words[8], NULL) : 0,
        .is_least = is_best && strcmp(words[3], "least") == 0,
        .is_ratio = is_ratio,
        .within = within != NULL ? strtod(within->words[1], NULL) / 100 : 0.02,
    };
    return true;
}
