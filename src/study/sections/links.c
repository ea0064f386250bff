/* The busiest links of a run, and how long messages waited for each. */
#include "study/sections/sections.h"

#include "base/memory.h"

#include <stdlib.h>

enum { FEW = 10 };

/* A row of the table "links". */
struct order {
    size_t row;
    double busy_s, waited_s;
};

static int by_busy(const void *left, const void *right)
{
    const struct order *a = left, *b = right;
    if (a->busy_s != b->busy_s)
        return (a->busy_s < b->busy_s) - (a->busy_s > b->busy_s);
    if (a->waited_s != b->waited_s)
        return (a->waited_s < b->waited_s) - (a->waited_s > b->waited_s);
    return (a->row > b->row) - (a->row < b->row);
}

/* Those that anything crossed, the busiest first; to be freed. */
static struct order *sort_links(size_t *count, const struct result_table *links)
{
    struct order *order = xcalloc(links->n_rows + 1, sizeof *order);
    *count = 0;
    for (size_t row = 0; row < links->n_rows; row++)
        if (named_number(links, row, "messages") > 0)
            order[(*count)++] =
                (struct order){row, named_number(links, row, "busy_s"), named_number(links, row, "waited_s")};
    qsort(order, *count, sizeof *order, by_busy);
    return order;
}

static void add_run(struct document *document, const struct study *study, const struct study_run *run,
                    const struct result_table *links)
{
    static const struct column columns[] = {
        {.id = "link", .unit = UNIT_TEXT, .flags = COLUMN_KEY},
        {.id = "from", .unit = UNIT_TEXT},
        {.id = "to", .unit = UNIT_TEXT},
        {.id = "messages", .unit = UNIT_COUNT},
        {.id = "bytes", .head = "carried", .unit = UNIT_BYTES},
        {.id = "busy", .unit = UNIT_SECONDS},
        {.id = "share", .head = "of time", .unit = UNIT_SHARE},
        {.id = "waited for", .unit = UNIT_SECONDS},
    };
    size_t count;
    struct order *order = sort_links(&count, links);
    size_t n_shown = study->verbose || count < FEW ? count : FEW;
    struct builder title = {0};
    builder_add(&title, "%s links, ", n_shown < count ? "The busiest" : "All");
    study_name_run(&title, study, run);
    struct table *table =
        document_table(document, "busiest_links", document_own(document, builder_take(&title)), FOR_READERS);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    for (size_t i = 0; i < n_shown; i++) {
        size_t row = order[i].row;
        table_text(table, named_text(links, row, "link"));
        table_text(table, named_text(links, row, "from"));
        table_text(table, named_text(links, row, "to"));
        table_real(table, named_number(links, row, "messages"));
        table_real(table, named_number(links, row, "bytes"));
        table_real(table, order[i].busy_s);
        table_real(table, order[i].busy_s / run_time(run));
        table_real(table, order[i].waited_s);
    }
    if (n_shown < count)
        document_note(document, xformat("... %zu more with -v.", count - n_shown));
    free(order);
}

void section_links(struct document *document, const struct study *study)
{
    const struct study_run *fastest = NULL;
    for (int i = 0; i < study->n_runs; i++)
        if (result_find_table(&study->runs[i].result, "links") != NULL &&
            (fastest == NULL || run_time(&study->runs[i]) < run_time(fastest)))
            fastest = &study->runs[i];
    for (int i = 0; i < study->n_runs; i++) {
        const struct result_table *links = result_find_table(&study->runs[i].result, "links");
        if (links != NULL && (study->verbose || &study->runs[i] == fastest))
            add_run(document, study, &study->runs[i], links);
    }
}
