/* Reads the lines of a .prv, sorts what they say by time, and spools it by location:
 *
 *     1:cpu:application:task:thread:begin:end:state
 *     2:cpu:application:task:thread:time:type:value[:type:value ...]
 *     3:cpu:application:task:thread:send called:sent:cpu:application:task:thread:receive called:received:bytes:tag
 *     c:application:communicator:tasks:task[:task ...]
 *     4:...                                             a collective, of which the events say as much
 *
 * Tasks and threads count from 1. Lines that begin with '#' are comments.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/paraver/input.h"

#include "base/memory.h"
#include "base/range.h"
#include "trace/record/lines.h"
#include "trace/record/sorter.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct lines_of {
    struct prv_input *input;
    struct sorter *sorter;
    struct lines lines;
    const char *at, *end; /* of what is left of the line */
    struct sim_error *error;
};

#define FAIL(of, format, ...)                                                                                          \
    sim_error_set((of)->error, SIM_BAD_INPUT, (of)->input->file, (long)(of)->lines.line, format, __VA_ARGS__)

static int fail_line(struct lines_of *of, const char *form)
{
    return FAIL(of, "is no line of a Paraver trace of this kind: %s, in whole numbers", form);
}

static bool field(struct lines_of *of, int64_t *number)
{
    return prv_field(number, &of->at, of->end);
}

/* Things of one time: what came belongs to the call that ends then, what is sent or asked for to the one that begins. A
 * receive that takes no time comes before a send, and one that takes time behind it. */
static void put(struct lines_of *of, struct prv_item item)
{
    static const int ranks[] = {[PRV_RECEIVED] = 0, [PRV_CALL] = 1, [PRV_VALUE] = 1, [PRV_SCOPE] = 1,
                                [PRV_POSTED] = 2,   [PRV_SENT] = 3, [PRV_STATE] = 5};
    int rank = ranks[item.kind] + (item.kind == PRV_POSTED && item.other_ps > item.at_ps ? 2 : 0);
    item.position = of->lines.line;
    sorter_add(of->sorter, item.at_ps, rank, &item, sizeof item);
}

/* cpu:application:task:thread: 1, or 0 if these are no numbers, or -1 with an error. */
static int read_location(struct lines_of *of, int32_t *location)
{
    int64_t cpu, application, task, thread;
    const struct prv_header *header = &of->input->header;
    if (!field(of, &cpu) || !field(of, &application) || !field(of, &task) || !field(of, &thread))
        return 0;
    if (application != 1 || task < 1 || task > header->n_tasks || thread < 1 || thread > header->n_threads) {
        FAIL(of,
             "thread %lld of task %lld of application %lld: the trace has 1 application, %d tasks and %d threads "
             "at most of each",
             (long long)thread, (long long)task, (long long)application, header->n_tasks, header->n_threads);
        return -1;
    }
    *location = (int32_t)((thread - 1) * header->n_tasks + task - 1);
    return 1;
}

static bool read_time(struct lines_of *of, int64_t *time_ps)
{
    int64_t number;
    return field(of, &number) && number >= 0 && (*time_ps = prv_time(&of->input->header, number)) >= 0;
}

static int read_state(struct lines_of *of)
{
    struct prv_item item = {.kind = PRV_STATE};
    int status = read_location(of, &item.location);
    if (status < 0)
        return -1;
    if (status == 0 || !read_time(of, &item.at_ps) || !read_time(of, &item.other_ps) || !field(of, &item.number))
        return fail_line(of, "1:cpu:application:task:thread:begin:end:state");
    if (item.other_ps > item.at_ps)
        put(of, item);
    return 0;
}

static void take_event(struct lines_of *of, struct prv_item item, int64_t type, int64_t value)
{
    struct prv_input *input = of->input;
    item.type = (int32_t)type;
    item.number = value;
    if (prv_is_mpi(type) || prv_is_scope(type)) {
        item.kind = prv_is_mpi(type) ? PRV_CALL : PRV_SCOPE;
        item.number = value == 0 ? 0 : prv_names_find(&input->names, type, value);
        input->has_calls[item.location] |= prv_is_mpi(type);
    } else if (type >= PRV_SENT_BYTES && type <= PRV_COMMUNICATOR) {
        item.kind = PRV_VALUE;
    } else {
        return;
    }
    put(of, item);
}

static int read_events(struct lines_of *of)
{
    static const char form[] = "2:cpu:application:task:thread:time:type:value[:type:value ...]";
    struct prv_item item = {0};
    int64_t type, value;
    int status = read_location(of, &item.location);
    if (status < 0)
        return -1;
    if (status == 0 || !read_time(of, &item.at_ps))
        return fail_line(of, form);
    do {
        if (!field(of, &type) || !field(of, &value))
            return fail_line(of, form);
        take_event(of, item, type, value);
    } while (of->at < of->end && *of->at == ':');
    return 0;
}

/* A message is in the traces of both sides; the receiver has it twice if it was called before. */
static void put_message(struct lines_of *of, struct prv_item sent, struct prv_item received)
{
    received.number = sent.number;
    received.type = sent.type;
    received.peer = sent.location;
    sent.peer = received.location;
    sent.kind = PRV_SENT;
    put(of, sent);
    received.kind = PRV_POSTED;
    put(of, received);
    received.kind = PRV_RECEIVED;
    int64_t called_ps = received.at_ps;
    received.at_ps = received.other_ps;
    received.other_ps = called_ps;
    put(of, received);
}

static int read_message(struct lines_of *of)
{
    static const char form[] = "3:cpu:application:task:thread:send called:sent:cpu:application:task:thread:receive "
                               "called:received:bytes:tag";
    struct prv_item sent = {0}, received = {0};
    int64_t tag;
    int status = read_location(of, &sent.location);
    if (status == 1 && (!read_time(of, &sent.at_ps) || !read_time(of, &sent.other_ps)))
        status = 0;
    if (status == 1)
        status = read_location(of, &received.location);
    if (status < 0)
        return -1;
    if (status == 0 || !read_time(of, &received.at_ps) || !read_time(of, &received.other_ps) ||
        !field(of, &sent.number) || sent.number < 0 || !field(of, &tag))
        return fail_line(of, form);
    if (received.other_ps < received.at_ps)
        return FAIL(of, "a message that is received %lld ps before its receive is called",
                    (long long)(received.at_ps - received.other_ps));
    sent.type = (int32_t)int64_clamp(tag, INT32_MIN, INT32_MAX);
    put_message(of, sent, received);
    return 0;
}

static struct record_group *add_group(struct prv_input *input, int n_members)
{
    input->groups = xgrow(input->groups, (size_t)input->n_groups, &input->groups_capacity, sizeof *input->groups);
    struct record_group *group = &input->groups[input->n_groups++];
    *group = (struct record_group){n_members, xmalloc((size_t)n_members * sizeof(int))};
    return group;
}

/* A communicator with a member that the trace has not, -1, is one of which nothing is known. */
static int read_communicator(struct lines_of *of)
{
    struct prv_input *input = of->input;
    int64_t application, id, n, task;
    if (!field(of, &application) || !field(of, &id) || !field(of, &n) || n < 1 || n > input->header.n_tasks)
        return fail_line(of, "c:application:communicator:tasks:task[:task ...]");
    struct record_group *group = add_group(input, (int)n);
    bool *seen = xcalloc((size_t)input->header.n_tasks, sizeof *seen);
    bool is_known = true;
    for (int i = 0; i < n; i++) {
        is_known = is_known && field(of, &task) && task >= 1 && task <= input->header.n_tasks && !seen[task - 1];
        group->members[i] = is_known ? (int)task - 1 : 0;
        seen[group->members[i]] = true;
    }
    free(seen);
    if (is_known)
        map_add(&input->group_map, map_key_64((uint64_t)id))->index = (uint32_t)input->n_groups - 1;
    else
        free(input->groups[--input->n_groups].members);
    return 0;
}

static int read_line(struct lines_of *of)
{
    if (of->end > of->at && of->end[-1] == '\r')
        of->end--;
    char kind = of->at < of->end ? *of->at++ : '#';
    switch (kind) {
    case '1':
        return read_state(of);
    case '2':
        return read_events(of);
    case '3':
        return read_message(of);
    case 'c':
    case 'C':
        return read_communicator(of);
    case '4':
        return 0;
    default:
        return kind == '#' ? 0
                           : FAIL(of,
                                  "begins with '%c'; known: 1 state, 2 event, 3 message, 4 collective, c communicator, "
                                  "# comment",
                                  kind > ' ' && kind < 127 ? kind : '?');
    }
}

static void set_up(struct prv_input *input)
{
    const struct prv_header *header = &input->header;
    input->n_locations = header->n_tasks * header->n_threads;
    input->has_calls = xcalloc((size_t)input->n_locations, sizeof *input->has_calls);
    input->spool = prv_spool_new(input->n_locations);
    struct record_group *all = add_group(input, header->n_tasks);
    for (int i = 0; i < header->n_tasks; i++)
        all->members[i] = i;
}

static int read_lines(struct lines_of *of)
{
    int status = lines_next(&of->lines, &of->at, &of->end, of->error);
    if (status == 1 && prv_header_read(&of->input->header, of->at, of->end, of->input->file, of->error) != 0)
        return -1;
    if (status == 1)
        set_up(of->input);
    while (status == 1 && (status = lines_next(&of->lines, &of->at, &of->end, of->error)) == 1)
        if (read_line(of) != 0)
            return -1;
    return status;
}

static int spool_items(struct lines_of *of)
{
    const struct prv_item *item;
    int64_t at_ps;
    while ((item = sorter_next(of->sorter, &at_ps)) != NULL)
        if (prv_spool_add(of->input->spool, item, of->error) != 0)
            return -1;
    int reason = sorter_status(of->sorter);
    if (reason != 0)
        return sim_error_set(of->error, SIM_UNFINISHED, of->input->file, 0, "could not be sorted: %s",
                             strerror(reason));
    return prv_spool_finish(of->input->spool, of->error);
}

int prv_input_read(struct prv_input *input, const char *file, struct sim_error *error)
{
    struct lines_of of = {.input = input, .error = error};
    int64_t size;
    *input = (struct prv_input){.file = file};
    if (prv_names_read(&input->names, file, error) != 0)
        return -1;
    int descriptor = lines_open_file(&size, file, error);
    if (descriptor < 0)
        return -1;
    of.sorter = sorter_new(NULL);
    lines_init(&of.lines, file, descriptor, 256 * 1024);
    lines_begin(&of.lines, &(struct lines_part){0, size, 1});
    int status = read_lines(&of);
    if (status == 0 && input->spool == NULL)
        status = sim_error_set(error, SIM_BAD_INPUT, file, 0, "has no line");
    if (status == 0)
        status = spool_items(&of);
    lines_dispose(&of.lines);
    sorter_free(of.sorter);
    close(descriptor);
    return status;
}

void prv_input_dispose(struct prv_input *input)
{
    prv_spool_free(input->spool);
    prv_names_dispose(&input->names);
    for (int i = 0; i < input->n_groups; i++)
        free(input->groups[i].members);
    free(input->groups);
    map_dispose(&input->group_map);
    free(input->has_calls);
}
