/* The answer that study hands to report: title, sentences, facts, and tables with typed, named columns. Every format
 * writes every document, so that neither knows of the other: an answer says what there is to say, a format how it
 * looks.
 *
 * Items stand in the order in which they are said. Most are for everybody. All that readers cannot take in, such as all
 * measures of all runs, is for programs (JSON, CSV); what is chosen and arranged for readers is for them (text, page).
 * Drawings are for the page alone.
 *
 * Strings that are handed over are borrowed and must live as long as the document, unless document_own() has taken
 * them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef DOCUMENT_DOCUMENT_H
#define DOCUMENT_DOCUMENT_H

#include "base/scale.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most runs that are drawn of a study: the best one beside the next. */
enum { MOST_DRAWN = 2 };

/* FOR_LISTS: of tables for programs, cells that are lists or tables are shown, too. */
enum audience { FOR_READERS = 1, FOR_PROGRAMS = 2, FOR_ALL = 3, FOR_PAGE = 4, FOR_LISTS = 8 };

/* Which chart shows a table best. Its first column that is no key is the y axis, the last key the x axis. */
enum chart { CHART_NONE, CHART_LINE, CHART_BAR, CHART_STACKED_BAR, CHART_HEATMAP };

enum cell_kind {
    CELL_NONE,  /* there is no such value */
    CELL_BLANK, /* nothing is to be written there */
    CELL_TEXT,
    CELL_INTEGER,
    CELL_REAL, /* of what is not finite, it is not known */
    CELL_FLAG,
    CELL_LIST, /* the first column of `table` */
    CELL_ROWS, /* all of it */
};

struct cell {
    enum cell_kind kind;
    union {
        const char *text;
        int64_t integer; /* CELL_FLAG, too */
        double real;     /* in the base unit of its column */
        struct table *table;
    };
    const char *shown; /* how readers see it; NULL: as its unit says */
};

/* How readers see a column. */
enum column_flag {
    COLUMN_KEY = 1,        /* it says what a row is */
    COLUMN_OWN_UNIT = 2,   /* each cell has its own unit */
    COLUMN_OWN_DIGITS = 4, /* and its own digits */
    COLUMN_LIKE_LAST = 8,  /* as many digits as the column before it */
    COLUMN_BEGINS = 16,    /* a group of columns begins here */
    COLUMN_SILENT = 32,    /* its unit is said elsewhere */
    COLUMN_PARAMETER = 64, /* a key that is set; a number of it may be an axis */
    COLUMN_BESIDE = 128,   /* beside the point, or said already: what has room for little leaves it out */
    COLUMN_FINE = 256,     /* four digits of its largest value, not three of its least */
    COLUMN_LABEL = 512,    /* it only numbers the rows: no number of it is an axis */
    COLUMN_DETAIL = 1024,  /* its cells are rows that were asked for: what cannot nest them writes them apart */
    COLUMN_LEFT = 2048,    /* its texts begin below each other, so that parts can be indented */
};

struct column {
    const char *id;   /* the name in JSON and CSV; stable */
    const char *head; /* what readers see; NULL: the name */
    enum unit unit;
    unsigned flags;
    const char *group; /* the object in JSON that it belongs to; NULL: none */
    const char *flat;  /* the name where there are no groups; NULL: "group.id" */
};

enum item_kind { ITEM_HEADING, ITEM_SENTENCE, ITEM_NOTE, ITEM_FACT, ITEM_TABLE, ITEM_BYTES };

struct row_source;

struct table {
    struct document *document;
    const char *id;    /* stable; its name in JSON and CSV. Tables of one name are one there */
    const char *group; /* the object in JSON that it belongs to; NULL: none */
    const char *title; /* for readers; NULL: it goes on from what is before it */
    enum chart chart;
    bool unit_in_title;
    bool is_part;    /* of what is before it */
    bool is_aside;   /* it says something of another table: where a format has room for one, that is it */
    bool needs_rows; /* a program does not see it without rows either; readers never do */
    /* Rows that someone reading in brief sees, out of many; if none is marked, the first are seen. The number of the
     * others is said. Where others are named elsewhere, so that they are hidden silently, few rows are no exception. */
    bool *marks;
    size_t n_marks, marks_capacity; /* how many rows are marked */
    bool hides_silently;
    struct column *columns;
    size_t n_columns, columns_capacity;
    struct cell *cells; /* row by row */
    size_t n_cells, capacity;
    uint32_t *order;           /* of sparse rows: the columns of each, UINT32_MAX behind the last; else NULL */
    struct row_source *source; /* of rows that are made when they are asked for; NULL: they are in `cells` */
};

struct document_item {
    enum item_kind kind;
    unsigned audience;
    bool is_detail;      /* who reads in brief does not see it */
    bool is_asked;       /* who reads in brief sees it in any case: it was asked for by name */
    const char *text;    /* of a heading, sentence or note */
    struct column fact;  /* its name and unit, */
    struct cell value;   /* and its value */
    struct table *table; /* NULL: another kind */
    const void *bytes;   /* of what is drawn; `text` is their name */
    size_t length;
};

struct document {
    const char *title;
    const char *name;  /* one word: of what it is */
    unsigned audience; /* for whom it is made: others' items are left out */
    bool is_brief;     /* the reader wants what fits a screen: items are said in the order of their importance */
    const char *panel; /* of a figure: what it shows; borrowed */
    double width_mm;   /* and how wide it is */
    int most_lines;    /* of a brief one, titles and all; 0: what is usual */
    bool in_details;   /* the items that come next are details */
    bool are_asked;    /* they were asked for by name */
    struct document_item *items;
    size_t n_items, capacity;
    void **owned; /* strings, and what others are borrowed from */
    size_t n_owned, owned_capacity;
    struct table **tables; /* those in cells, too */
    size_t n_tables, tables_capacity;
};

void document_init(struct document *document, unsigned audience);
void document_dispose(struct document *document);

/* Give a string on the heap, or what strings are borrowed from, to the document. */
const char *document_own(struct document *document, char *text);
void document_keep(struct document *document, void *block);
const char *document_format(struct document *document, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Text for readers. A heading begins something new, a note stands below what is before it. The text is taken over. */
void document_heading(struct document *document, char *text);
void document_sentence(struct document *document, char *text);
void document_note(struct document *document, char *text);
/* A name and a value, of the whole. */
void document_fact(struct document *document, struct column name, struct cell value);
/* Bytes that a page draws, borrowed; their name, which is borrowed too, says which form they have. */
void document_bytes(struct document *document, const char *name, const void *bytes, size_t length);
struct cell cell_of_text(const char *text);
struct cell cell_of_integer(int64_t integer);
struct cell cell_of_real(double real);
struct cell cell_of_flag(bool flag);
/* The same cell, which readers see as that text. */
struct cell cell_shown(struct cell cell, const char *text);
struct cell cell_of_table(struct table *table, enum cell_kind kind);

/* An empty table at the end of the document; one, or a list of values, for a cell. They live as long as the
 * document. */
struct table *document_table(struct document *document, const char *id, const char *title, enum audience audience);
struct table *document_inner_table(struct document *document);
struct table *document_inner_list(struct document *document);
void table_column(struct table *table, struct column column);

/* The row that comes next matters: who reads in brief sees it. */
void table_mark(struct table *table);
bool table_is_marked(const struct table *table, size_t row);

/* The next cell, row by row. NAN: there is no such value. */
void table_cell(struct table *table, struct cell cell);
void table_text(struct table *table, const char *text);
void table_integer(struct table *table, int64_t integer);
void table_real(struct table *table, double real);
void table_none(struct table *table);
void table_blank(struct table *table);

/* A row of cells with nothing in them; the first of them. */
struct cell *table_row(struct table *table);

/* A row of a table whose rows do not have the same cells, nor in the same order. All rows are put twice: first to
 * find the columns, then to be filled in. */
struct sparse_row {
    struct table *table;
    bool fills;
    size_t row, count; /* where it is; the cells that have been put */
    size_t next;       /* the place behind the last column */
};
struct sparse_row sparse_row_begin(struct table *table, bool fills);
void sparse_put(struct sparse_row *row, struct column column, struct cell cell);
/* Rows of many, each made when it is asked for, and gone with the next one: what it is made from lives as long as the
 * document. `fill` makes the i-th row; it is called once for each at once, to find the columns. Cells that need tables
 * or strings of their own have them from row->table->document. */
typedef void table_fill(struct sparse_row *row, const void *self, size_t i);
void table_make_later(struct table *table, size_t n_rows, table_fill *fill, const void *self);
/* Make them all now, to stay: for who looks at several at a time. */
void document_make_rows(struct document *document);
/* The i-th column in the order of a row; n_columns behind the last. */
size_t table_order(const struct table *table, size_t row, size_t i);

size_t table_n_rows(const struct table *table);
const struct cell *table_at(const struct table *table, size_t row, size_t column);
/* A cell as a number; NAN where it is none. */
double cell_value(const struct cell *cell);

#endif
