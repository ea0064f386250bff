/* Reads a .pcf: paragraphs "EVENT_TYPE" with lines "GRADIENT TYPE LABEL", then "VALUES" with lines "VALUE LABEL".
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/paraver/names.h"

#include "base/memory.h"
#include "trace/paraver/header.h"
#include "trace/record/lines.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NAMES = UINT16_MAX, MOST_TYPES = 64, LONGEST_NAME = 200 };

/* A paragraph: the types whose values follow. */
struct paragraph {
    int64_t types[MOST_TYPES];
    int n_types;
    enum { IN_NOTHING, IN_TYPES, IN_VALUES } in;
};

static char ***list_of(struct prv_names *names, int64_t type, int **count, size_t **capacity)
{
    *count = prv_is_mpi(type) ? &names->n_functions : &names->n_scopes;
    *capacity = prv_is_mpi(type) ? &names->functions_capacity : &names->scopes_capacity;
    return prv_is_mpi(type) ? &names->functions : &names->scopes;
}

static uint16_t add_name(struct prv_names *names, int64_t type, char *name)
{
    int *count;
    size_t *capacity;
    char ***list = list_of(names, type, &count, &capacity);
    if (*count == MOST_NAMES) {
        free(name);
        return MOST_NAMES - 1;
    }
    *list = xgrow(*list, (size_t)*count, capacity, sizeof **list);
    (*list)[*count] = name;
    return (uint16_t)(*count)++;
}

static struct map_key key_of(int64_t type, int64_t value)
{
    return (struct map_key){(uint64_t)type, (uint64_t)value};
}

/* "0" ends what had begun: it is no name, nor is that of the scope around all others in simrun's own traces. */
static bool is_nothing(const struct prv_names *names, int64_t value, const char *label, size_t length)
{
    return value == 0 || (names->has_flat_scopes && length == 7 && memcmp(label, "program", 7) == 0);
}

static void add_value(struct prv_names *names, int64_t type, int64_t value, const char *label, size_t length)
{
    if (!prv_is_mpi(type) && !prv_is_scope(type))
        return;
    struct map_entry *entry = map_find(&names->map, key_of(type, value));
    if (entry != NULL)
        return;
    uint16_t index =
        is_nothing(names, value, label, length)
            ? 0
            : add_name(names, type, xformat("%.*s", (int)(length < LONGEST_NAME ? length : LONGEST_NAME), label));
    map_add(&names->map, key_of(type, value))->index = index;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

static bool begins(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

/* A line of a paragraph; whatever is no such line ends it. */
static void take_line(struct prv_names *names, struct paragraph *paragraph, const char *at, const char *end)
{
    int64_t number, type;
    while (end > at && (end[-1] == '\r' || end[-1] == ' '))
        end--;
    if (begins(at, end, "EVENT_TYPE")) {
        *paragraph = (struct paragraph){.in = IN_TYPES};
    } else if (begins(at, end, "VALUES")) {
        paragraph->in = paragraph->in == IN_TYPES ? IN_VALUES : IN_NOTHING;
    } else if (!prv_number(&number, &at, end)) {
        paragraph->in = IN_NOTHING;
    } else if (paragraph->in == IN_TYPES) {
        at = skip_blanks(at, end);
        if (!prv_number(&type, &at, end) || paragraph->n_types == MOST_TYPES)
            return;
        paragraph->types[paragraph->n_types++] = type;
        at = skip_blanks(at, end);
        names->has_flat_scopes |= type == PRV_USER_FUNCTION && end - at == 5 && begins(at, end, "scope");
    } else if (paragraph->in == IN_VALUES) {
        at = skip_blanks(at, end);
        for (int i = 0; i < paragraph->n_types; i++)
            add_value(names, paragraph->types[i], number, at, (size_t)(end - at));
    }
}

/* NAME.pcf beside NAME.prv or NAME.prv.gz. */
static char *name_of_pcf(const char *prv)
{
    size_t length = strlen(prv);
    if (length > 3 && strcmp(prv + length - 3, ".gz") == 0)
        length -= 3;
    if (length > 4 && memcmp(prv + length - 4, ".prv", 4) == 0)
        length -= 4;
    return xformat("%.*s.pcf", (int)length, prv);
}

static int read_lines(struct prv_names *names, const char *file, struct sim_error *error)
{
    struct paragraph paragraph = {0};
    struct lines lines;
    const char *begin, *end;
    int64_t size;
    int status, descriptor = lines_open_file(&size, file, error);
    if (descriptor < 0)
        return -1;
    lines_init(&lines, file, descriptor, 64 * 1024);
    lines_begin(&lines, &(struct lines_part){0, size, 1});
    while ((status = lines_next(&lines, &begin, &end, error)) == 1)
        take_line(names, &paragraph, begin, end);
    lines_dispose(&lines);
    close(descriptor);
    return status;
}

int prv_names_read(struct prv_names *names, const char *prv, struct sim_error *error)
{
    char *pcf = name_of_pcf(prv);
    *names = (struct prv_names){0};
    add_name(names, PRV_MPI_FIRST, xstrdup(""));
    add_name(names, PRV_USER_FUNCTION, xstrdup(""));
    int status = access(pcf, F_OK) == 0 ? read_lines(names, pcf, error) : 0;
    free(pcf);
    return status;
}

/* Extrae's numbers of the usual functions, for a trace without a .pcf (its MPI_EventEncoding.h). */
static const char *usual_name(int64_t type, int64_t value)
{
    static const char *const names[] = {"",
                                        "MPI_Send",
                                        "MPI_Recv",
                                        "MPI_Isend",
                                        "MPI_Irecv",
                                        "MPI_Wait",
                                        "MPI_Waitall",
                                        "MPI_Bcast",
                                        "MPI_Barrier",
                                        "MPI_Reduce",
                                        "MPI_Allreduce",
                                        "MPI_Alltoall",
                                        "MPI_Alltoallv",
                                        "MPI_Gather",
                                        "MPI_Gatherv",
                                        "MPI_Scatter",
                                        "MPI_Scatterv",
                                        "MPI_Allgather",
                                        "MPI_Allgatherv",
                                        "MPI_Comm_rank",
                                        "MPI_Comm_size"};
    if (!prv_is_mpi(type))
        return NULL;
    return value == 31                                                      ? "MPI_Init"
           : value == 32                                                    ? "MPI_Finalize"
           : value > 0 && value < (int64_t)(sizeof names / sizeof names[0]) ? names[value]
                                                                            : NULL;
}

uint16_t prv_names_find(struct prv_names *names, int64_t type, int64_t value)
{
    struct map_entry *entry = map_find(&names->map, key_of(type, value));
    if (entry != NULL)
        return (uint16_t)entry->index;
    const char *usual = usual_name(type, value);
    char *name = usual != NULL ? xstrdup(usual)
                               : xformat(prv_is_mpi(type) ? "MPI call %lld" : "function %lld", (long long)value);
    uint16_t index = add_name(names, type, name);
    map_add(&names->map, key_of(type, value))->index = index;
    return index;
}

void prv_names_dispose(struct prv_names *names)
{
    for (int i = 0; i < names->n_functions; i++)
        free(names->functions[i]);
    for (int i = 0; i < names->n_scopes; i++)
        free(names->scopes[i]);
    free(names->functions);
    free(names->scopes);
    map_dispose(&names->map);
    *names = (struct prv_names){0};
}
