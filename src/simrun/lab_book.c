/* Puts labs and their files together.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/lab_book.h"

#include "base/builder.h"
#include "base/memory.h"
#include "os/data.h"
#include "os/named.h"
#include "os/path.h"
#include "report/page_block.h"
#include "simrun/lab_language.h"
#include "simrun/lab_scenario.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static struct lab *next_lab(struct lab_book *book)
{
    book->labs = xgrow(book->labs, book->n_labs, &book->labs_capacity, sizeof *book->labs);
    return &book->labs[book->n_labs++];
}

/* ---- What a lab names ---- */

/* The file of a scenario: NULL if none lies beside the lab. */
static char *find_beside(const char *lab, const char *scenario)
{
    for (int i = 0; i < 2; i++) {
        char *name = xformat(i == 0 ? "%s.xml" : "scenarios/%s.xml", scenario);
        char *file = path_beside(lab, name, strlen(name));
        free(name);
        if (access(file, R_OK) == 0)
            return file;
        free(file);
    }
    return NULL;
}

/* The same, or one of ./scenarios; NULL: it comes with simrun, and so with the page, or there is none. */
static char *find_scenario(const char *lab, const char *scenario)
{
    char *data = data_folder(), *own = xformat("%s/scenarios/%s.xml", data, scenario);
    char *file = find_beside(lab, scenario);
    if (file == NULL && access(own, R_OK) != 0)
        file = named_find("scenarios", scenario);
    free(own);
    free(data);
    return file;
}

/* An error behind the place of the row that names what is wrong. */
static int blame(const char *file, const struct lab_row *row, struct sim_error *error)
{
    char message[sizeof error->message];
    snprintf(message, sizeof message, "%s", error->message);
    return sim_error_set(error, error->status, file, row->line, "%s", message);
}

/* The scenario of a block with the block's settings, and the lines and the trace that controls name. */
static int add_block(struct lab_book *book, const struct lab *lab, const struct lab_block *block,
                     struct sim_error *error)
{
    const struct lab_row *named = lab_row(block, "scenario"), *lines = lab_row(block, "lines");
    char *file = find_scenario(lab->file, named->words[1]);
    int status = lab_scenario_check(file != NULL ? file : named->words[1], block, error);
    if (status == 0 && file != NULL)
        status = lab_scenario_add(book, file, error);
    for (int i = 1; status == 0 && file != NULL && lines != NULL && i < lines->n_words; i++)
        status = lab_scenario_add_lines(book, file, lines->words[i], error);
    free(file);
    return status == 0 ? 0 : blame(lab->file, named, error);
}

int lab_book_add(struct lab_book *book, const char *file, struct sim_error *error)
{
    const char *ending = strrchr(file, '.');
    struct lab *lab = next_lab(book);
    *lab = (struct lab){0};
    if (ending != NULL && strcasecmp(ending, ".xml") == 0) {
        char *text = lab_scenario_text(file, error);
        if (text == NULL || lab_make(lab, file, text, error) != 0)
            return -1;
    } else if (ending == NULL || strcasecmp(ending, ".md") != 0)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is neither a lab (.md) nor a scenario (.xml)");
    else if (lab_load(lab, file, error) != 0 || lab_language_add(lab, error) != 0)
        return -1;
    for (size_t i = 0; i + 1 < book->n_labs; i++)
        if (strcmp(book->labs[i].name, lab->name) == 0)
            return sim_error_set(error, SIM_BAD_INPUT, file, 0, "has the same name as %s", book->labs[i].file);
    for (size_t i = 0; i < lab->n_blocks; i++)
        if (add_block(book, lab, &lab->blocks[i], error) != 0)
            return -1;
    return 0;
}

/* ---- Solutions ---- */

/* Read a sheet, if there is one. */
static int read_sheet(char **text, const char *file, struct sim_error *error)
{
    struct lab sheet = {0};
    int status = access(file, F_OK) == 0 ? lab_load(&sheet, file, error) : 0;
    if (status == 0) {
        *text = sheet.text;
        sheet.text = NULL;
    }
    lab_dispose(&sheet);
    return status;
}

/* The sheet of a lab in the languages in which the lab is. */
static int add_sheet(struct lab *lab, struct sim_error *error)
{
    char *name = xformat("solutions/%s.md", lab->name), *file = path_beside(lab->file, name, strlen(name));
    int status = read_sheet(&lab->sheet, file, error);
    for (int i = 0; status == 0 && i < N_LAB_LANGUAGES; i++)
        if (lab->translations[i] != NULL) {
            char *translated = lab_language_file(file, i);
            status = read_sheet(&lab->translations[i]->sheet, translated, error);
            free(translated);
        }
    free(file);
    free(name);
    return status;
}

int lab_book_add_sheets(struct lab_book *book, struct sim_error *error)
{
    bool has_any = false;
    for (size_t i = 0; i < book->n_labs; i++) {
        if (add_sheet(&book->labs[i], error) != 0)
            return -1;
        has_any = has_any || book->labs[i].sheet != NULL;
    }
    if (has_any)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, book->labs[0].file, 0,
                         "--solutions: no lab has any; those of NAME.md are solutions/NAME.md beside it");
}

/* ---- One experiment ---- */

static bool is_called(const struct lab *lab, const char *name, size_t length)
{
    return strncmp(lab->name, name, length) == 0 && (lab->name[length] == '\0' || lab->name[length] == '-');
}

static char *text_of(const struct lab *lab, const struct lab_block *block)
{
    struct builder text = {0};
    const struct lab_row *title = lab_row(block, "title");
    builder_add(&text, "#");
    for (int i = 1; title != NULL && i < title->n_words; i++)
        builder_add(&text, " %s", title->words[i]);
    if (title == NULL)
        builder_add(&text, " %s", lab->name);
    builder_add(&text, "\n\n```experiment\n");
    for (size_t r = 0; r < block->n_rows; r++)
        for (int i = 0; i < block->rows[r].n_words && &block->rows[r] != title; i++)
            builder_add(&text, "%s%s", block->rows[r].words[i], i + 1 < block->rows[r].n_words ? " " : "\n");
    builder_add(&text, "```\n");
    return builder_take(&text);
}

/* Leave nothing of a lab and its translations but the block at this place, and its solutions. */
static int reduce(struct lab *lab, size_t place, struct sim_error *error)
{
    struct lab kept;
    int status = lab_make(&kept, lab->file, text_of(lab, &lab->blocks[place]), error);
    kept.sheet = lab->sheet;
    lab->sheet = NULL;
    for (int i = 0; i < N_LAB_LANGUAGES; i++) {
        kept.translations[i] = lab->translations[i];
        lab->translations[i] = NULL;
        if (status == 0 && kept.translations[i] != NULL)
            status = reduce(kept.translations[i], place, error);
    }
    lab_dispose(lab);
    *lab = kept;
    return status;
}

/* Leave one lab alone. */
static void keep_lab(struct lab_book *book, size_t place)
{
    struct lab kept = book->labs[place];
    for (size_t i = 0; i < book->n_labs; i++)
        if (i != place)
            lab_dispose(&book->labs[i]);
    book->labs[0] = kept;
    book->n_labs = 1;
}

int lab_book_keep(struct lab_book *book, const char *only, struct sim_error *error)
{
    const char *dot = strrchr(only, '.');
    int number = dot != NULL ? atoi(dot + 1) : 0;
    for (size_t i = 0; i < book->n_labs && dot != NULL; i++)
        for (size_t b = 0; b < book->labs[i].n_blocks; b++) {
            const struct lab_block *block = &book->labs[i].blocks[b];
            if (block->kind != LAB_EXPERIMENT || block->number != number ||
                !is_called(&book->labs[i], only, (size_t)(dot - only)))
                continue;
            keep_lab(book, i);
            return reduce(&book->labs[0], b, error);
        }
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "--only %s: no lab has that experiment; LAB.NUMBER is wanted, such as 1-gauss-jordan.2", only);
}

/* ---- The block ---- */

void lab_book_write_files(struct json_writer *writer, const struct lab_book *book)
{
    json_begin(writer, '{');
    for (size_t i = 0; i < book->n_files; i++) {
        json_name(writer, book->files[i].name);
        json_text(writer, book->files[i].text);
    }
    json_end(writer, '}');
}

static const char *text_in(const struct lab *lab)
{
    return lab->text;
}

static const char *sheet_in(const struct lab *lab)
{
    return lab->sheet;
}

void lab_book_write(FILE *stream, const struct lab_book *book)
{
    struct page_block *block = page_block_begin(stream, "own-labs");
    struct json_writer writer;
    json_writer_init(&writer, page_block_take, block);
    json_begin(&writer, '{');
    json_name(&writer, "labs");
    json_begin(&writer, '[');
    for (size_t i = 0; i < book->n_labs; i++) {
        json_begin(&writer, '{');
        json_name(&writer, "name");
        json_text(&writer, book->labs[i].name);
        json_name(&writer, "text");
        json_text(&writer, book->labs[i].text);
        json_name(&writer, "solution");
        json_text(&writer, book->labs[i].sheet);
        lab_language_write(&writer, "texts", &book->labs[i], text_in);
        lab_language_write(&writer, "solutions", &book->labs[i], sheet_in);
        json_end(&writer, '}');
    }
    json_end(&writer, ']');
    json_name(&writer, "files");
    lab_book_write_files(&writer, book);
    json_end(&writer, '}');
    json_writer_finish(&writer);
    page_block_end(block);
}

void lab_book_dispose(struct lab_book *book)
{
    for (size_t i = 0; i < book->n_labs; i++)
        lab_dispose(&book->labs[i]);
    for (size_t i = 0; i < book->n_files; i++) {
        free(book->files[i].name);
        free(book->files[i].source);
        free(book->files[i].text);
    }
    free(book->labs);
    free(book->files);
}
