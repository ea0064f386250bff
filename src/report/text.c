/* The report for people: sentences and tables, and, of a brief one, which of them.
 *
 * A brief report is cut into blocks: what stands below one heading or title. They are in the order of their importance.
 * Each is taken for which there is still room, but for those that are details. Its last sentence names what was left
 * out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/report.h"

#include "base/builder.h"
#include "base/memory.h"
#include "report/sentence.h"
#include "report/table.h"

#include <stdlib.h>
#include <string.h>

/* Lines of a brief report, and those of them that say what was left out. */
enum { MOST_LINES = 60, LAST_LINES = 4 };

/* --- items --- */

static bool is_written(const struct document_item *item)
{
    return item->kind != ITEM_FACT && (item->kind != ITEM_TABLE || table_n_rows(item->table) > 0);
}

/* An empty line is before what begins something new. */
static bool begins(const struct document_item *item, const struct document_item *before)
{
    if (item->kind == ITEM_SENTENCE)
        return before != NULL && before->kind != ITEM_SENTENCE && before->kind != ITEM_HEADING;
    return item->kind == ITEM_HEADING || (item->kind == ITEM_TABLE && item->table->title != NULL);
}

static void write_item(FILE *stream, const struct document_item *item, bool is_brief)
{
    if (item->kind == ITEM_TABLE)
        table_write(stream, item->table, is_brief);
    else
        sentence_write(stream, item->text, item->kind == ITEM_NOTE ? 2 : 0);
}

static void write_title(FILE *stream, const struct document *document)
{
    if (document->title[0] == '\0')
        return;
    sentence_write(stream, document->title, 0);
    fputc('\n', stream);
}

/* --- blocks --- */

struct block {
    const struct document_item *head;
    bool is_detail, is_part; /* is_part: of the last block that is none */
    char *text;
    size_t size;
};

static bool is_part(const struct document_item *item)
{
    return item->kind == ITEM_TABLE && item->table->is_part;
}

/* A block of the items from *i on, which moves on behind them. An item right after a heading stays with it. */
static struct block make_block(const struct document *document, size_t *i)
{
    struct block block = {.head = NULL};
    const struct document_item *before = NULL;
    FILE *stream = open_memstream(&block.text, &block.size);
    for (; *i < document->n_items; ++*i) {
        const struct document_item *item = &document->items[*i];
        if (!is_written(item))
            continue;
        if (before != NULL && before->kind != ITEM_HEADING &&
            (begins(item, before) || item->is_detail != before->is_detail))
            break;
        if (before == NULL)
            block = (struct block){item, item->is_detail, is_part(item), block.text, block.size};
        else if (begins(item, before))
            fputc('\n', stream);
        if (before == block.head && item->kind == ITEM_TABLE && item->table->title != NULL)
            block.head = item; /* its title names the block */
        write_item(stream, item, true);
        before = item;
    }
    fclose(stream);
    return block;
}

static int count_lines(const char *text)
{
    int count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

/* "Where the processors' time went": the first words of the block. */
static void add_name(struct builder *names, const struct document_item *head)
{
    const char *title = head->kind == ITEM_TABLE ? head->table->title : head->text;
    if (title == NULL || title[0] == '\0')
        return;
    int length = (int)strcspn(title, "(:,[|");
    while (length > 0 && title[length - 1] == ' ')
        length--;
    char *name = xformat("%s%.*s", names->length > 0 ? "; " : "", length, title);
    if (names->length == 0 || strstr(names->text, name + (names->length > 0 ? 2 : 0)) == NULL)
        builder_add(names, "%s", name);
    free(name);
}

static void write_left_out(FILE *stream, struct builder *names)
{
    if (names->length == 0)
        return;
    char *sentence = xformat("With -v also: %s.", names->text);
    fputc('\n', stream);
    sentence_write(stream, sentence, 0);
    free(sentence);
    free(names->text);
}

static void write_brief(FILE *stream, const struct document *document)
{
    int most_lines = document->most_lines > 0 ? document->most_lines : MOST_LINES;
    int room = most_lines - LAST_LINES - (document->title[0] != '\0' ? 2 : 0);
    bool is_first = true, is_whole_taken = true;
    struct builder left_out = {0};
    for (size_t i = 0; i < document->n_items;) {
        struct block block = make_block(document, &i);
        int lines = count_lines(block.text) + !is_first;
        bool is_asked = block.head != NULL && block.head->is_asked;
        bool takes =
            is_asked || (block.head != NULL && !block.is_detail && lines <= room && (!block.is_part || is_whole_taken));
        if (takes) {
            fprintf(stream, "%s%s", is_first ? "" : "\n", block.text);
            room -= is_asked ? 0 : lines;
            is_first = false;
        } else if (block.head != NULL && !block.is_part)
            add_name(&left_out, block.head);
        if (block.head != NULL && !block.is_part)
            is_whole_taken = takes;
        free(block.text);
    }
    write_left_out(stream, &left_out);
}

/* --- the document --- */

static void write_whole(FILE *stream, const struct document *document)
{
    const struct document_item *before = NULL;
    for (size_t i = 0; i < document->n_items; i++) {
        const struct document_item *item = &document->items[i];
        if (!is_written(item))
            continue;
        if (before != NULL && begins(item, before))
            fputc('\n', stream);
        write_item(stream, item, false);
        before = item;
    }
}

static void text_write(FILE *stream, const struct document *document)
{
    write_title(stream, document);
    (document->is_brief ? write_brief : write_whole)(stream, document);
}

const struct report_spec report_text = {
    .name = "text", .summary = "tables for reading, the answer first", .audience = FOR_READERS, .write = text_write};
