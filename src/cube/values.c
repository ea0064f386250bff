/* Opens profiles, and reads the values of metrics.
 *
 *     N.index  "CUBEX.INDEX", 1 as an int32 by which the order of bytes is told, a version (2 bytes), 1 if nodes
 *              are named (1 byte), and then their number (4 bytes) and their numbers (4 each); else all are there
 *     N.data   "CUBEX.DATA" and the values, node by node; or "ZCUBEX.DATA", the number of nodes and for each where its
 *              values are, unpacked and packed, and their packed size (8 bytes each), and what zlib has packed
 * SPDX-License-Identifier: BSD-3-Clause */
#include "cube/cube.h"

#include "base/memory.h"
#include "os/unpack.h"

#include <stdlib.h>
#include <string.h>

enum {
    INDEX_HEAD = 22,       /* bytes, with the number of nodes */
    ZLIB_HEAD = 2,         /* bytes before what deflate has packed, */
    ZLIB_TAIL = 4,         /* and behind */
    MOST_VALUES = 1 << 27, /* of a metric */
};

static int fail(const struct cube *cube, const struct cube_metric *metric, const char *what, struct sim_error *error)
{
    return sim_error_set(error, SIM_BAD_INPUT, cube->tar.file, 0, "metric '%.60s' (%lld.index, %lld.data): %s",
                         metric->name, (long long)metric->id, (long long)metric->id, what);
}

/* A number of so many bytes, the lowest first or last. */
static uint64_t number_at(const char *bytes, int n, bool is_big)
{
    uint64_t number = 0;
    for (int i = 0; i < n; i++)
        number = number << 8 | (unsigned char)bytes[is_big ? i : n - 1 - i];
    return number;
}

static double value_at(const char *bytes, const struct cube_metric *metric, bool is_big)
{
    uint64_t bits = number_at(bytes, metric->n_bytes, is_big);
    double real;
    int unused = 64 - 8 * metric->n_bytes;
    if (metric->type == CUBE_UNSIGNED)
        return (double)bits;
    if (metric->type == CUBE_SIGNED)
        return (double)((int64_t)(bits << unused) >> unused);
    memcpy(&real, &bits, sizeof real);
    return real;
}

/* --- which nodes --- */

/* The head of an index. */
struct index {
    size_t n_nodes;
    const char *numbers; /* NULL: all, in their order */
    bool is_big;
};

static bool read_index(struct index *index, const char *bytes, size_t size, const struct cube *cube)
{
    static const char magic[] = "CUBEX.INDEX";
    if (size < INDEX_HEAD - 4 || memcmp(bytes, magic, sizeof magic - 1) != 0)
        return false;
    const char *at = bytes + sizeof magic - 1;
    *index = (struct index){.n_nodes = cube->n_nodes, .is_big = number_at(at, 4, false) != 1};
    if (at[6] == 0)
        return true;
    index->n_nodes = size >= INDEX_HEAD ? number_at(at + 7, 4, index->is_big) : 0;
    index->numbers = bytes + INDEX_HEAD;
    return size >= INDEX_HEAD && (size - INDEX_HEAD) / 4 >= index->n_nodes && index->n_nodes <= cube->n_nodes;
}

/* The nodes by their numbers among the values of a metric. */
static int32_t *nodes_by_number(const struct cube *cube, const struct cube_metric *metric)
{
    int32_t *nodes = xmalloc(cube->n_nodes * sizeof *nodes);
    for (size_t i = 0; i < cube->n_nodes; i++)
        nodes[metric->is_inclusive ? (size_t)cube->nodes[i].wide : i] = (int32_t)i;
    return nodes;
}

/* --- what they have --- */

/* Unpack what zlib has packed, segment by segment; to be freed. NULL: it is damaged. */
static char *unpack_values(const char *bytes, size_t size, const struct index *index, size_t row,
                           const struct cube *cube)
{
    struct sim_error ignored;
    size_t n = index->n_nodes, heads = 8 + n * 24, at = heads;
    if (size < heads || number_at(bytes, 8, index->is_big) != n)
        return NULL;
    char *values = xcalloc(n > 0 ? n : 1, row);
    for (size_t i = 0; i < n; i++) {
        uint64_t packed = number_at(bytes + 8 + i * 24 + 16, 8, index->is_big);
        if (packed == 0)
            continue;
        if (packed > size - at || packed < ZLIB_HEAD + ZLIB_TAIL ||
            unpack_deflated(values + i * row, row, bytes + at + ZLIB_HEAD, (size_t)packed - ZLIB_HEAD - ZLIB_TAIL,
                            cube->tar.file, &ignored) != 0) {
            free(values);
            return NULL;
        }
        at += (size_t)packed;
    }
    return values;
}

/* The values, node by node as the index says: borrowed, or *unpacked, which is to be freed. NULL: damaged. */
static const char *find_values(char **unpacked, const char *bytes, size_t size, const struct index *index, size_t row,
                               const struct cube *cube)
{
    static const char plain[] = "CUBEX.DATA", packed[] = "ZCUBEX.DATA";
    size_t head = sizeof plain - 1, packed_head = sizeof packed - 1;
    *unpacked = NULL;
    if (size >= head && memcmp(bytes, plain, head) == 0)
        return (size - head) / row >= index->n_nodes ? bytes + head : NULL;
    if (size >= packed_head && memcmp(bytes, packed, packed_head) == 0)
        *unpacked = unpack_values(bytes + packed_head, size - packed_head, index, row, cube);
    return *unpacked;
}

/* Take from each node what those below it have: children come behind their parents. */
static void make_exclusive(double *values, const struct cube *cube)
{
    size_t n = cube->n_locations;
    for (size_t i = 0; i < cube->n_nodes; i++)
        for (size_t l = 0; cube->nodes[i].parent >= 0 && l < n; l++)
            values[(size_t)cube->nodes[i].parent * n + l] -= values[i * n + l];
}

static bool fill(double *values, const char *from, const struct index *index, const struct cube *cube,
                 const struct cube_metric *metric)
{
    int32_t *nodes = nodes_by_number(cube, metric);
    size_t n = cube->n_locations;
    bool is_fine = true;
    for (size_t i = 0; is_fine && i < index->n_nodes; i++) {
        uint64_t number = index->numbers != NULL ? number_at(index->numbers + 4 * i, 4, index->is_big) : i;
        is_fine = number < cube->n_nodes;
        for (size_t l = 0; is_fine && l < n; l++)
            values[(size_t)nodes[number] * n + l] =
                value_at(from + (i * n + l) * metric->n_bytes, metric, index->is_big);
    }
    free(nodes);
    return is_fine;
}

int cube_read_values(double **values, const struct cube *cube, const struct cube_metric *metric,
                     struct sim_error *error)
{
    char *index_name = xformat("%lld.index", (long long)metric->id), *unpacked;
    char *data_name = xformat("%lld.data", (long long)metric->id);
    const char *index_bytes, *data;
    size_t index_size, data_size, row = cube->n_locations * metric->n_bytes;
    struct index index;
    bool is_there = tar_find(&index_bytes, &index_size, &cube->tar, index_name) &&
                    tar_find(&data, &data_size, &cube->tar, data_name);
    free(index_name);
    free(data_name);
    if (!is_there || !read_index(&index, index_bytes, index_size, cube))
        return fail(cube, metric, is_there ? "its index is damaged" : "one of them is not in the archive", error);
    if (cube->n_nodes > MOST_VALUES / cube->n_locations)
        return fail(cube, metric, "more than 134217728 values", error);
    const char *from = find_values(&unpacked, data, data_size, &index, row, cube);
    double *all = xcalloc(cube->n_nodes * cube->n_locations, sizeof *all);
    bool is_fine = from != NULL && fill(all, from, &index, cube, metric);
    free(unpacked);
    if (!is_fine) {
        free(all);
        return fail(cube, metric, "its values are damaged", error);
    }
    if (metric->is_inclusive)
        make_exclusive(all, cube);
    *values = all;
    return 0;
}

/* --- the whole --- */

static void find_stored(struct cube *cube)
{
    for (size_t i = 0; i < cube->n_metrics; i++) {
        struct cube_metric *metric = &cube->metrics[i];
        char *name = xformat("%lld.data", (long long)metric->id);
        const char *bytes;
        size_t size;
        metric->is_stored = metric->id >= 0 && metric->type != CUBE_OTHER && tar_find(&bytes, &size, &cube->tar, name);
        free(name);
    }
}

int cube_open(struct cube *cube, const char *file, struct sim_error *error)
{
    const char *text;
    size_t size;
    *cube = (struct cube){0};
    if (tar_open(&cube->tar, file, error) != 0)
        return -1;
    if (!tar_find(&text, &size, &cube->tar, "anchor.xml"))
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is no whole profile of Cube: it has no anchor.xml");
    if (unpack_is_packed(text, size))
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "its anchor.xml is packed by itself, which is not read");
    if (cube_read_anchor(cube, text, size, error) != 0)
        return -1;
    find_stored(cube);
    return 0;
}

void cube_close(struct cube *cube)
{
    for (size_t i = 0; i < cube->n_metrics; i++)
        free(cube->metrics[i].name), free(cube->metrics[i].title), free(cube->metrics[i].unit);
    for (size_t i = 0; i < cube->n_regions; i++)
        free(cube->regions[i].name), free(cube->regions[i].paradigm);
    for (size_t i = 0; i < cube->n_locations; i++)
        free(cube->locations[i].name), free(cube->locations[i].group);
    free(cube->metrics);
    free(cube->regions);
    free(cube->nodes);
    free(cube->locations);
    free(cube->creator);
    tar_close(&cube->tar);
}
