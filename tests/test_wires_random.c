/* Random programs on wires: times on the quiet network against a reckoning of its own, the accounts, the critical path
 * against a walk back through the trace, the same events from the same program; random flows against SimGrid itself. */
#include "wires.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>

static const char *const networks[] = {"quiet", "fifo", "fluid"};
enum { N_NETWORKS = sizeof networks / sizeof networks[0] };

/* --- random numbers, the same everywhere --- */

static uint64_t random_state;

static int64_t random_below(int64_t bound)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((random_state >> 33) % (uint64_t)bound);
}

/* Of every magnitude up to `bound`. */
static int64_t random_magnitude(int64_t bound)
{
    int64_t top = 1;
    while (top < bound && random_below(8) > 0)
        top *= 4;
    return random_below(top < bound ? top : bound);
}

/* --- random programs that end ---
 *
 * A history is a list of acts in an order in which they can happen one after the other; each rank's program is its part
 * of it. Who waits for his isends has their receives before that in the history, so no program can deadlock. */

enum act_kind { ACT_WORK, ACT_SEND, ACT_ISEND, ACT_RECV, ACT_WAIT };

struct act {
    enum act_kind kind;
    int rank, message;
    int64_t work_ps;
};

struct letter {
    int from, to;
    int64_t bytes;
    bool synchronous, received;
};

enum { MAX_ACTS = 400, MAX_LETTERS = 120 };

struct history {
    int n_ranks, n_acts, n_letters;
    struct act acts[MAX_ACTS];
    struct letter letters[MAX_LETTERS];
};

static struct act *act(struct history *history, enum act_kind kind, int rank, int message)
{
    struct act *act = &history->acts[history->n_acts++];
    *act = (struct act){.kind = kind, .rank = rank, .message = message};
    return act;
}

static void receive(struct history *history, int message)
{
    struct letter *letter = &history->letters[message];
    if (!letter->received)
        act(history, ACT_RECV, letter->to, message);
    letter->received = true;
}

/* A message by a blocking send, whose receive follows, or by an isend, whose receive may come much later. */
static void write_letter(struct history *history)
{
    int p = history->n_ranks, message = history->n_letters++;
    struct letter *letter = &history->letters[message];
    bool blocking = random_below(2) == 0;
    *letter = (struct letter){.from = (int)random_below(p),
                              .bytes = random_magnitude(300000),
                              .synchronous = random_below(6) == 0};
    letter->to = (int)((letter->from + 1 + random_below(p - 1)) % p);
    act(history, blocking ? ACT_SEND : ACT_ISEND, letter->from, message);
    if (blocking || random_below(3) == 0)
        receive(history, message);
}

static void wait_for_own(struct history *history, int rank)
{
    for (int i = 0; i < history->n_letters; i++)
        if (history->letters[i].from == rank)
            receive(history, i);
    act(history, ACT_WAIT, rank, -1);
}

static void make_history(struct history *history, int n_ranks)
{
    *history = (struct history){.n_ranks = n_ranks};
    int64_t n = 5 + random_below(MAX_LETTERS - 5);
    while (history->n_letters < n && history->n_acts < MAX_ACTS - 2 * MAX_LETTERS) {
        int rank = (int)random_below(n_ranks);
        int64_t choice = random_below(8);
        if (choice < 2)
            act(history, ACT_WORK, rank, -1)->work_ps = random_magnitude(20 * MS);
        else if (choice < 3)
            wait_for_own(history, rank);
        else if (choice < 4 && history->n_letters > 0)
            receive(history, (int)random_below(history->n_letters));
        else
            write_letter(history);
    }
    for (int i = 0; i < history->n_letters; i++)
        receive(history, i);
    for (int r = 0; r < n_ranks; r++)
        if (random_below(2) == 0)
            act(history, ACT_WAIT, r, -1);
}

static void make_script(struct script *script, const struct history *history, int ranks_per_host)
{
    static const enum op_kind kinds[] = {OP_COMPUTE, OP_SEND, OP_ISEND, OP_RECV, OP_WAIT};
    *script = (struct script){.n_ranks = history->n_ranks, .ranks_per_host = ranks_per_host};
    script->chunk = (int)random_below(OP_LIST_MAX) + 1;
    for (int i = 0; i < history->n_acts; i++) {
        const struct act *now = &history->acts[i];
        struct op *op = add(script, now->rank, kinds[now->kind], -1, 0);
        op->times = now->work_ps;
        op->scope = (uint8_t)(i % 2 + 1);
        op->role = i % 3 == 0 ? ROLE_CONTROL : ROLE_USEFUL;
        if (now->message < 0)
            continue;
        const struct letter *letter = &history->letters[now->message];
        op->peer = now->kind == ACT_RECV ? letter->from : letter->to;
        op->bytes = letter->bytes;
        op->tag = now->message;
        op->mode = letter->synchronous ? SEND_SYNCHRONOUS : SEND_STANDARD;
    }
}

/* --- the reckoning for the quiet network: through the history, every rank with a clock --- */

struct reckoning {
    int64_t clock[MAX_RANKS];
    int64_t isent[MAX_RANKS];        /* when the rank's isends are complete, as far as that is known */
    int64_t begun[MAX_LETTERS];      /* handed to the network */
    bool blocks[MAX_LETTERS], done[MAX_LETTERS];
};

static int64_t travel_ps(const struct letter *letter, int64_t bytes, bool back)
{
    const struct route *route = machine_route(&machine, back ? letter->to : letter->from, back ? letter->from : letter->to);
    return route->latency_ps + llround((double)bytes * route->byte_ps);
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool is_rendezvous(const struct letter *letter)
{
    return letter->synchronous || letter->bytes > machine.eager_limit;
}

/* Note when a message's sender may go on. */
static void complete(struct reckoning *reckoning, const struct letter *letter, int message, int64_t at)
{
    int64_t *when = reckoning->blocks[message] ? &reckoning->clock[letter->from] : &reckoning->isent[letter->from];
    *when = later(*when, at);
}

static void reckon_send(struct reckoning *reckoning, const struct letter *letter, int message, bool blocks)
{
    int64_t *clock = &reckoning->clock[letter->from];
    *clock += machine.send_start_ps + machine.send_byte_ps * letter->bytes;
    reckoning->begun[message] = *clock;
    reckoning->blocks[message] = blocks;
    if (!is_rendezvous(letter) && !machine.buffers_sends)
        complete(reckoning, letter, message, *clock + travel_ps(letter, letter->bytes, false));
}

static void reckon_recv(struct reckoning *reckoning, const struct letter *letter, int message)
{
    int64_t *clock = &reckoning->clock[letter->to], start = reckoning->begun[message];
    if (is_rendezvous(letter))
        start = later(*clock, start + travel_ps(letter, machine.control_bytes, false)) +
                travel_ps(letter, machine.control_bytes, true);
    int64_t delivery = start + travel_ps(letter, letter->bytes, false);
    if (is_rendezvous(letter))
        complete(reckoning, letter, message, delivery);
    *clock = later(*clock, delivery) + machine.receive_start_ps + machine.receive_byte_ps * letter->bytes;
}

/* The makespan of the history. */
static int64_t reckon(const struct history *history)
{
    struct reckoning reckoning = {.clock = {0}};
    int64_t end = 0;
    for (int i = 0; i < history->n_acts; i++) {
        const struct act *now = &history->acts[i];
        const struct letter *letter = &history->letters[now->message >= 0 ? now->message : 0];
        if (now->kind == ACT_WORK)
            reckoning.clock[now->rank] += now->work_ps;
        else if (now->kind == ACT_RECV)
            reckon_recv(&reckoning, letter, now->message);
        else if (now->kind == ACT_WAIT)
            reckoning.clock[now->rank] = later(reckoning.clock[now->rank], reckoning.isent[now->rank]);
        else
            reckon_send(&reckoning, letter, now->message, now->kind == ACT_SEND);
    }
    for (int r = 0; r < history->n_ranks; r++)
        end = later(end, reckoning.clock[r]);
    return end;
}

/* --- the critical path, once more, from the whole record --- */

enum { SUM_PROCESSING, SUM_COMMUNICATION, N_SUMS };
static const char *const sum_names[N_SUMS] = {"processing", "communication"};

/* The last event before number `before` of the lane, or -1. */
static int64_t last_of(const struct record *record, int lane, int64_t before)
{
    int64_t i = before - 1;
    while (i >= 0 && record->events[i].lane != lane)
        i--;
    return i;
}

/* The last departure of the message before the event; its number, or -1. */
static int64_t departure_of(const struct record *record, uint32_t message, int64_t before)
{
    int64_t i = before - 1;
    while (i >= 0 && !(record->events[i].departs && record->events[i].message == message))
        i--;
    return i;
}

/* From the end of event i back to the start of the run. False where the path has a gap or idles. */
static bool walk_back(const struct record *record, int64_t i, int64_t sums[N_SUMS])
{
    int64_t time = record->events[i].end_ps;
    while (i >= 0) {
        const struct event *event = &record->events[i];
        if (event->end_ps != time)
            return false;
        int64_t origin = event->cause == CAUSE_SELF ? event->start_ps : event->origin_ps;
        if (event->state == STATE_IDLE && origin < time)
            return false;
        sums[event->kind == EVENT_COMPUTE ? SUM_PROCESSING : SUM_COMMUNICATION] += time - origin;
        time = origin;
        if (event->cause == CAUSE_MESSAGE) {
            i = departure_of(record, event->message, i); /* itself of no length, on the path */
            if (i < 0 || record->events[i].end_ps != origin)
                return false;
        } else {
            i = last_of(record, event->cause == CAUSE_PEER ? event->peer : event->lane, i);
        }
    }
    return time == 0;
}

/* The last event of the first lane that is busy to the end; -1 if there is none. */
static int64_t busy_to_the_end(const struct record *record, int n_lanes, int64_t end_ps)
{
    for (int lane = 0; lane < n_lanes; lane++) {
        int64_t last = last_of(record, lane, (int64_t)record->count);
        if (last >= 0 && (record->events[last].state != STATE_IDLE || record->events[last].start_ps == end_ps))
            return last;
    }
    return -1;
}

static wide_int path_part(const struct result *result, const char *name)
{
    const struct measure *measure = result_find(result, "critical_path_s", name);
    return measure != NULL ? measure->number : -1;
}

static bool path_agrees(const struct outcome *outcome, int n_lanes, const struct result *result)
{
    int64_t sums[N_SUMS] = {0}, end_ps = outcome->stats.end_ps;
    int64_t last = busy_to_the_end(&outcome->record, n_lanes, end_ps);
    bool good = last >= 0 && walk_back(&outcome->record, last, sums) &&
                sums[SUM_PROCESSING] + sums[SUM_COMMUNICATION] == end_ps;
    for (int s = 0; s < N_SUMS; s++)
        good = good && path_part(result, sum_names[s]) == sums[s];
    return good && path_part(result, "memory") == 0 && path_part(result, "io") == 0;
}

/* --- one program --- */

/* Every message is sent once, with its bytes. */
static bool messages_counted(const struct outcome *outcome, const struct history *history)
{
    wide_int bytes = 0, bytes_seen = 0;
    int64_t seen = 0;
    for (int i = 0; i < history->n_letters; i++)
        bytes += history->letters[i].bytes;
    for (size_t i = 0; i < outcome->record.count; i++)
        if (outcome->record.events[i].is_message) {
            seen++;
            bytes_seen += outcome->record.events[i].bytes;
        }
    return outcome->stats.messages == history->n_letters && seen == history->n_letters &&
           outcome->stats.bytes == bytes && bytes_seen == bytes;
}

static bool same_events(const struct record *a, const struct record *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const struct event *x = &a->events[i], *y = &b->events[i];
        if (x->start_ps != y->start_ps || x->end_ps != y->end_ps || x->origin_ps != y->origin_ps ||
            x->bytes != y->bytes || x->message != y->message || x->lane != y->lane || x->peer != y->peer ||
            x->state != y->state || x->kind != y->kind || x->cause != y->cause || x->scope != y->scope ||
            x->departs != y->departs || x->is_message != y->is_message)
            return false;
    }
    return true;
}

static const char *fault_of(const struct script *script, const struct history *history, const char *network)
{
    const struct metrics_setup setup = {script->n_ranks, script_scopes, 3};
    struct metrics metrics;
    struct result result;
    const char *fault = NULL;
    metrics_open(&metrics, &setup);
    result_init(&result);
    struct outcome outcome = run_with(script, network_named(network), &metrics);
    struct outcome again = run_with(script, network_named(network), NULL);
    if (outcome.status == 0)
        metrics_report(&metrics, &(struct metrics_totals){outcome.stats.end_ps, 0}, &result);
    if (outcome.status != 0 || again.status != 0)
        fault = "it does not end well";
    else if (!path_agrees(&outcome, script->n_ranks, &result))
        fault = "the critical path differs from the walk back";
    else if (!messages_counted(&outcome, history))
        fault = "messages or bytes are lost";
    else if (!same_events(&outcome.record, &again.record))
        fault = "a second run differs";
    else if (strcmp(network, "quiet") == 0 && script->ranks_per_host == 1 && outcome.stats.end_ps != reckon(history))
        fault = "the makespan differs from the reckoning";
    result_dispose(&result);
    metrics_close(&metrics);
    free(outcome.record.events);
    free(again.record.events);
    return fault;
}

enum { PROGRAMS_A_PLATFORM = 60 };

static const struct setting {
    const char *props;
    bool star;
    int ranks_per_host;
} settings[] = {
    {"", true, 1},
    {"<prop id='send_completes' value='buffered'/><prop id='eager_limit' value='4KiB'/><prop id='control' value='8B'/>",
     true, 1},
    {"<prop id='send_overhead' value='start=10us byte=1ns'/><prop id='receive_overhead' value='start=5us byte=2ns'/>"
     "<prop id='send_completes' value='buffered'/><prop id='eager_limit' value='1KiB'/><prop id='control' value='4B'/>",
     false, 1},
    {"<prop id='send_overhead' value='start=30us'/><prop id='eager_limit' value='10kB'/>", false, 1},
    {"<prop id='send_completes' value='buffered'/><prop id='eager_limit' value='16KiB'/><prop id='control' value='8B'/>",
     false, 2},
};
enum { N_SETTINGS = sizeof settings / sizeof settings[0] };

static int check_programs(const void *argument)
{
    const struct setting *setting = argument;
    static struct history history;
    static struct script script;
    int failures = 0;
    for (int i = 0; i < PROGRAMS_A_PLATFORM; i++) {
        random_state = (uint64_t)(setting - settings) * PROGRAMS_A_PLATFORM + (uint64_t)i;
        make_history(&history, 2 + (int)random_below(7));
        make_script(&script, &history, setting->ranks_per_host);
        for (int n = 0; n < N_NETWORKS; n++) {
            const char *fault = fault_of(&script, &history, networks[n]);
            if (fault != NULL)
                fprintf(stderr, "setting %d, program %d, %s: %s\n", (int)(setting - settings), i, networks[n], fault);
            failures += fault != NULL;
        }
    }
    return failures;
}

static const struct wire_row wires[] = {{11e6, 50000},  {1e8, 7000},  {3e6, 200000}, {11e6, 50000},
                                        {12.5e6, 1000}, {1e9, 30000}, {11e6, 40000}};

static void test_programs(void)
{
    for (int s = 0; s < N_SETTINGS; s++) {
        char *text = settings[s].star ? star_platform(settings[s].props, 8, wires[0])
                                      : line_platform(settings[s].props, wires, 7);
        CU_ASSERT_EQUAL(on_platform(text, check_programs, &settings[s]), 0);
    }
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite("wires, at random", NULL, NULL);
    CU_add_test(suite, "random programs", test_programs);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures != 0;
}
