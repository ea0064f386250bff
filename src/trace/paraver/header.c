/* Reads "#Paraver (date):END_UNIT:nodes:1:TASKS(THREADS:NODE,...)" ("Paraver: Tracefile description", BSC).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/paraver/header.h"

#include "base/range.h"
#include "base/units.h"

#include <string.h>

bool prv_number(int64_t *number, const char **at, const char *end)
{
    const char *first = *at + (*at < end && **at == '-'), *c = first;
    int64_t sum = 0;
    for (; c < end && *c >= '0' && *c <= '9' && c - first < 18; c++)
        sum = sum * 10 + (*c - '0');
    if (c == first || (c < end && *c >= '0' && *c <= '9'))
        return false;
    *number = first == *at ? sum : -sum;
    *at = c;
    return true;
}

static bool take(const char **at, const char *end, char c)
{
    if (*at >= end || **at != c)
        return false;
    ++*at;
    return true;
}

bool prv_field(int64_t *number, const char **at, const char *end)
{
    return take(at, end, ':') && prv_number(number, at, end);
}

int64_t prv_time(const struct prv_header *header, int64_t number)
{
    return number <= PS_MAX / header->unit_ps ? number * header->unit_ps : -1;
}

/* The unit of times, behind the end of the run; without one they are microseconds. */
static bool read_unit(struct prv_header *header, const char **at, const char *end)
{
    static const struct {
        const char *name;
        int64_t ps;
    } units[] = {{"_ns", 1000}, {"_us", 1000000}, {"_ms", 1000000000}, {"_s", 1000000000000}};
    header->unit_ps = 1000000;
    if (*at < end && **at == ':')
        return true;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t length = strlen(units[i].name);
        if ((size_t)(end - *at) > length && memcmp(*at, units[i].name, length) == 0 && (*at)[length] == ':') {
            header->unit_ps = units[i].ps;
            *at += length;
            return true;
        }
    }
    return false;
}

/* "0", or the nodes' processors: 2(4,4). */
static bool skip_nodes(const char **at, const char *end)
{
    int64_t number;
    if (!prv_field(&number, at, end))
        return false;
    if (!take(at, end, '('))
        return true;
    do
        if (!prv_number(&number, at, end))
            return false;
    while (take(at, end, ','));
    return take(at, end, ')');
}

/* TASKS(THREADS:NODE,...) */
static bool read_tasks(struct prv_header *header, const char **at, const char *end)
{
    int64_t n_tasks, threads, node;
    if (!prv_field(&n_tasks, at, end) || n_tasks < 1 || n_tasks > PRV_MOST_TASKS || !take(at, end, '('))
        return false;
    header->n_tasks = (int)n_tasks;
    for (int task = 0; task < n_tasks; task++) {
        if ((task > 0 && !take(at, end, ',')) || !prv_number(&threads, at, end) || threads < 1 ||
            threads > PRV_MOST_LOCATIONS / n_tasks || !prv_field(&node, at, end))
            return false;
        header->n_threads = int_max(header->n_threads, (int)threads);
    }
    return take(at, end, ')');
}

int prv_header_read(struct prv_header *header, const char *begin, const char *end, const char *file,
                    struct sim_error *error)
{
    const char *at = memchr(begin, ')', (size_t)(end - begin));
    int64_t last = 0, n_applications;
    struct prv_header found = {0};
    at = at != NULL ? at + 1 : end;
    bool is_fine = prv_field(&last, &at, end) && last >= 0 && read_unit(&found, &at, end) && skip_nodes(&at, end) &&
                   prv_field(&n_applications, &at, end);
    if (is_fine && n_applications != 1)
        return sim_error_set(error, SIM_BAD_INPUT, file, 1, "has %lld applications; a trace that can be read has 1",
                             (long long)n_applications);
    if (!is_fine || !read_tasks(&found, &at, end) || (found.end_ps = prv_time(&found, last)) < 0)
        return sim_error_set(error, SIM_BAD_INPUT, file, 1,
                             "is not the head of a Paraver trace: #Paraver (date):END_ns:NODES(CPUS,...):1:"
                             "TASKS(THREADS:NODE,...), with at most %d tasks and %d threads in all",
                             PRV_MOST_TASKS, PRV_MOST_LOCATIONS);
    *header = found;
    return 0;
}
