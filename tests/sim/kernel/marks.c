/* Waits for several requests: what has come is taken in as it comes, and not as it was asked for. In closed form, where
 * ranks run ahead, in the order of time on each network, in strands, and from any source.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/network/wires.h"
#include "tests/testing.h"

#define PROPS                                                                                                          \
    "<prop id='send_completes' value='buffered'/><prop id='control' value='0B'/>"                                      \
    "<prop id='eager_limit' value='100B'/><prop id='receive_overhead' value='start=5ms'/>"

/* The messages: when each is sent [ms], to come a little later, from which rank if that is not its number, and `!` if
 * synchronously. The receiver, rank 0, by letters: `p1` posts the receive of message 1, `s1` sends it synchronously,
 * `cN` computes for N ms, `w1` waits for message 1 alone, `m1` marks it, `W` waits for all that is marked, `A` for all.
 * */
static const struct row {
    const char *name;
    const char *messages, *receiver, *order;
    int end_ms;
} rows[] = {
    {"all, in the order of coming", "30 10 20", "p1 p2 p3 m1 m2 m3 W", "2 3 1", 35},
    {"all by the other wait", "30 10 20", "p1 p2 p3 A", "2 3 1", 35},
    {"one after the other", "30 10 20", "p1 p2 p3 w1 w2 w3", "1 2 3", 45},
    {"some, then the one that has come meanwhile", "30 10 20", "p1 p2 p3 m1 m2 W w3", "2 1 3", 40},
    {"one, then the others", "30 10 20", "p1 p2 p3 w2 m1 m3 W", "2 3 1", 35},
    {"some twice", "30 10 20 40", "p1 p2 p3 p4 m3 m2 W m4 m1 W", "2 3 1 4", 45},
    {"some, then all others", "30 10 20 40", "p1 p2 p3 p4 m3 m2 W A", "2 3 1 4", 45},
    {"what has come while the rank computes", "30 10 20", "p1 p2 p3 c25 m1 m3 m2 W", "2 3 1", 40},
    {"all has", "30 10 20", "p1 p2 p3 c50 m1 m3 m2 W", "2 3 1", 65},
    {"it has come before it is asked for", "30 10 20", "c15 p1 p2 p3 m1 m2 m3 W", "2 3 1", 35},
    {"tests that fail before", "30 10 20", "p1 p2 p3 c6 c6 c6 m1 m2 W w3", "2 1 3", 40},
    {"two of one source", "10>4 20>4 5", "p1 p2 p3 m2 m1 m3 W", "3 1 2", 25},
    {"at the same time", "10 10 10", "p3 p2 p1 m3 m1 m2 W", "1 2 3", 25},
    {"a rendezvous", "30! 10 20!", "p1 p2 p3 m1 m2 m3 W", "2 3 1", 35},
    {"it waits for its posting", "10! 21", "p2 c20 p1 m2 m1 W", "1 2", 30},
    {"a message is taken in while the next comes", "12 10 14", "p1 p2 p3 m1 m2 m3 W", "2 1 3", 25},
    {"a send among them", "30 10 40>4", "p1 p2 s3 m3 m1 m2 W", "2 1 s3", 45},
    {"a send that is complete", "30 20 5>4", "p1 p2 s3 c10 m3 m1 m2 W", "2 1 s3", 35},
    {"nothing", "10", "W p1 m1 W W", "1", 15},
};
enum { N_RANKS = 5, N_ROWS = sizeof rows / sizeof rows[0] };

/* How a row is run. */
static const struct way {
    const char *name, *network;
    bool looks, has_strands, any_source;
} ways[] = {
    {"ahead", "quiet", false, false, false},   {"quiet", "quiet", true, false, false},
    {"fifo", "fifo", true, false, false},      {"fluid", "fluid", true, false, false},
    {"strands", "quiet", true, true, false},   {"strands, fluid", "fluid", true, true, false},
    {"any source", "quiet", true, true, true},
};

enum { MOST_MESSAGES = 4 };
struct sending {
    int at_ms, from;
    bool synchronous;
};

/* The row's messages, from number 1 on; how many. */
static int read_messages(struct sending sendings[1 + MOST_MESSAGES], const struct row *row)
{
    int n = 0;
    for (char *at = (char *)(uintptr_t)row->messages; *at != '\0' && n < MOST_MESSAGES; at += *at == ' ') {
        struct sending *sending = &sendings[++n];
        sending->at_ms = (int)strtol(at, &at, 10);
        sending->from = *at == '>' ? (int)strtol(at + 1, &at, 10) : n;
        sending->synchronous = *at == '!';
        at += *at == '!';
    }
    return n;
}

/* Append what the letter says of the message, or of a time, `number`. */
static void add_letter(struct script *script, const struct sending *sendings, bool any_source, char letter, int number)
{
    static const enum op_kind kinds[] = {
        ['p'] = OP_IRECV, ['s'] = OP_ISEND, ['w'] = OP_WAIT, ['m'] = OP_MARK, ['W'] = OP_WAIT, ['A'] = OP_WAIT};
    if (letter == 'c') {
        add_work(script, 0, number * MS);
        return;
    }
    struct op *op = add(script, 0, kinds[(unsigned char)letter], -1, 0);
    op->request = (uint32_t)number;
    op->marked = letter == 'W';
    if (letter != 'p' && letter != 's')
        return;
    op->peer = letter == 'p' && any_source ? -1 : sendings[number].from;
    op->tag = number;
    op->bytes = number;
    op->mode = letter == 's' ? SEND_SYNCHRONOUS : SEND_STANDARD;
}

static void add_sender(struct script *script, const struct row *row, const struct sending *sending, int number,
                       int64_t *clock_ps)
{
    char letters[] = {'s', (char)('0' + number), '\0'};
    bool receives = strstr(row->receiver, letters) != NULL;
    add_work(script, sending->from, sending->at_ms * MS - *clock_ps);
    *clock_ps = sending->at_ms * MS;
    struct op *op = add(script, sending->from, receives ? OP_RECV : OP_SEND, 0, number);
    op->tag = number;
    op->mode = sending->synchronous ? SEND_SYNCHRONOUS : SEND_STANDARD;
}

static void make_program(struct script *script, const struct row *row, bool any_source)
{
    struct sending sendings[1 + MOST_MESSAGES] = {0};
    int64_t clocks_ps[N_RANKS] = {0};
    int n = read_messages(sendings, row);
    *script = (struct script){.n_ranks = N_RANKS, .chunk = 3};
    for (char *at = (char *)(uintptr_t)row->receiver; *at != '\0'; at += *at == ' ') {
        char letter = *at;
        int number = (int)strtol(at + 1, &at, 10);
        add_letter(script, sendings, any_source, letter, number);
    }
    for (int number = 1; number <= n; number++)
        add_sender(script, row, &sendings[number], number, &clocks_ps[sendings[number].from]);
}

static bool emit_strand(const void *config, int rank, int64_t line, int64_t step, struct op_list *list)
{
    return line == 0 && script_emit(config, rank, step, list);
}

static int run_way(struct kernel_stats *stats, struct recording *record, const struct script *script,
                   const struct way *way)
{
    static const struct app_spec strand_app = {.name = "strands",
                                               .scopes = script_scopes,
                                               .kernels = script_kernels,
                                               .emit = script_emit,
                                               .emit_strand = emit_strand};
    const struct program program = {.app = &strand_app,
                                    .config = (void *)(uintptr_t)script,
                                    .n_processors = way->has_strands,
                                    .has_any_source = way->any_source};
    struct placement placement;
    struct placement_request request = {.n_ranks = script->n_ranks, .ranks_per_host = 1};
    struct sim_error error = {0};
    const struct interval_sink sink = {.take = record_take, .self = record};
    if (placement_init(&placement, &request, &machine, &error) != 0)
        return -1;
    const struct kernel_run run = {.program = &program,
                                   .machine = &machine,
                                   .placement = &placement,
                                   .network = network_named(way->network),
                                   .sinks = &sink,
                                   .n_sinks = way->looks};
    int status = kernel_run(stats, &run, &error);
    if (status != 0)
        fprintf(stderr, "%s\n", error.message);
    return status;
}

/* The numbers of what the receiver takes in, and of the sends (s) that it waits for, in their order. */
static void read_order(char text[32], const struct recording *record)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < record->count; i++) {
        const struct interval *interval = &record->intervals[i];
        bool waits_for_send = (interval->call & CALL_WAITS) != 0 && interval->state == STATE_SEND;
        if (interval->location != 0 || !(interval->is_receipt || (waits_for_send && interval->request != 0)))
            continue;
        used += (size_t)snprintf(text + used, 32 - used, "%s%s%d", used > 0 ? " " : "", waits_for_send ? "s" : "",
                                 waits_for_send ? (int)interval->request : interval->tag);
    }
}

/* Messages take less than a millisecond on their way. */
static int check_row(const struct row *row, const struct way *way)
{
    static struct script script;
    struct kernel_stats stats = {0};
    struct recording record = {0};
    char order[32];
    make_program(&script, row, way->any_source);
    int status = run_way(&stats, &record, &script, way);
    read_order(order, &record);
    free(record.intervals);
    if (status == 0 && !record.broken && stats.end_ps / MS == row->end_ms &&
        (!way->looks || strcmp(order, row->order) == 0))
        return 0;
    fprintf(stderr, "%s, %s: %g ms, messages %s; expected %d ms, messages %s\n", row->name, way->name,
            (double)stats.end_ps / (double)MS, order, row->end_ms, row->order);
    return 1;
}

static int check_rows(const void *argument)
{
    int failures = 0;
    (void)argument;
    for (size_t r = 0; r < N_ROWS; r++)
        for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++)
            failures += check_row(&rows[r], &ways[w]);
    return failures;
}

static void test_rows(void)
{
    const struct wire_row wire = {1e9, 50000};
    CU_ASSERT_EQUAL(on_platform(star_platform(PROPS, N_RANKS, wire), check_rows, NULL), 0);
}

int main(void)
{
    static const struct test tests[] = {{"waits for several requests, in closed form", test_rows}, {NULL, NULL}};
    return testing_run("marks", tests);
}
