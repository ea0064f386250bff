/* LaTeX: the title, sentences, and each table as a tabular that needs no packages.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/report.h"

#include <string.h>

/* With what LaTeX would take for commands written out. */
static void write_escaped(FILE *stream, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("&%$#_{}", *text) != NULL)
            fprintf(stream, "\\%c", *text);
        else if (strchr("\\^~<>|", *text) != NULL)
            fprintf(stream, "%s",
                    *text == '\\'  ? "\\textbackslash{}"
                    : *text == '^' ? "\\textasciicircum{}"
                    : *text == '~' ? "\\textasciitilde{}"
                    : *text == '<' ? "\\textless{}"
                    : *text == '>' ? "\\textgreater{}"
                                   : "\\textbar{}");
        else
            fputc(*text, stream);
    }
}

static void write_cell(FILE *stream, const struct column *column, const struct cell *cell)
{
    char text[64];
    if (cell->shown != NULL || cell->kind == CELL_TEXT)
        write_escaped(stream, cell->shown != NULL ? cell->shown : cell->text);
    else if (cell->kind == CELL_FLAG)
        fputs(cell->integer != 0 ? "yes" : "no", stream);
    else if (cell->kind != CELL_BLANK)
        write_escaped(stream, scale_format(text, sizeof text, column->unit, cell_value(cell)));
}

static void write_heads(FILE *stream, const struct table *table)
{
    fputs("\\begin{tabular}{", stream);
    for (size_t c = 0; c < table->n_columns; c++)
        fputc(table->columns[c].unit == UNIT_TEXT ? 'l' : 'r', stream);
    fputs("}\n\\hline\n", stream);
    for (size_t c = 0; c < table->n_columns; c++) {
        fputs(c > 0 ? " & " : "", stream);
        write_escaped(stream, table->columns[c].head != NULL ? table->columns[c].head : table->columns[c].id);
    }
    fputs(" \\\\\n\\hline\n", stream);
}

static void write_table(FILE *stream, const struct table *table)
{
    if (table->title != NULL && table->title[0] != '\0') {
        fputs("\\paragraph{", stream);
        write_escaped(stream, table->title);
        fputs("}\\mbox{}\n\n", stream);
    }
    write_heads(stream, table);
    for (size_t row = 0; row < table_n_rows(table); row++) {
        for (size_t c = 0; c < table->n_columns; c++) {
            fputs(c > 0 ? " & " : "", stream);
            write_cell(stream, &table->columns[c], table_at(table, row, c));
        }
        fputs(" \\\\\n", stream);
    }
    fputs("\\hline\n\\end{tabular}\n\n", stream);
}

static void write_text(FILE *stream, const char *before, const char *text, const char *after)
{
    fputs(before, stream);
    write_escaped(stream, text);
    fputs(after, stream);
}

static void latex_write(FILE *stream, const struct document *document)
{
    write_text(stream, "\\section*{", document->title[0] != '\0' ? document->title : document->name, "}\n\n");
    for (size_t i = 0; i < document->n_items; i++) {
        const struct document_item *item = &document->items[i];
        if (item->kind == ITEM_TABLE && table_n_rows(item->table) > 0)
            write_table(stream, item->table);
        else if (item->kind == ITEM_HEADING)
            write_text(stream, "\\subsection*{", item->text, "}\n\n");
        else if (item->kind == ITEM_SENTENCE || item->kind == ITEM_NOTE)
            write_text(stream, "", item->text, "\n\n");
    }
}

const struct report_spec report_latex = {.name = "latex",
                                         .summary = "LaTeX: tables and sentences for a paper",
                                         .audience = FOR_READERS,
                                         .write = latex_write};
