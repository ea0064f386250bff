/* Random programs on wires: times on the quiet network against a reckoning of its own, the accounts, the critical path
 * against a walk back through the trace, the same events from the same program. */
#include "testing.h"
#include "wires.h"

#include <sys/mman.h>

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
    int from, to, tag;
    int64_t bytes;
    bool synchronous, received;
};

enum { MAX_ACTS = 400, MAX_LETTERS = 120 };

struct history {
    int n_ranks, n_tags, n_acts, n_letters;
    struct act acts[MAX_ACTS];
    struct letter letters[MAX_LETTERS];
};

static struct act *act(struct history *history, enum act_kind kind, int rank, int message)
{
    struct act *act = &history->acts[history->n_acts++];
    *act = (struct act){.kind = kind, .rank = rank, .message = message};
    return act;
}

/* Messages with the same ends and tag are received in the order in which they were sent. */
static void receive(struct history *history, int message)
{
    const struct letter *last = &history->letters[message];
    for (int i = 0; i <= message; i++) {
        struct letter *letter = &history->letters[i];
        if (letter->received || letter->from != last->from || letter->to != last->to || letter->tag != last->tag)
            continue;
        act(history, ACT_RECV, letter->to, i);
        letter->received = true;
    }
}

/* A message by a blocking send, whose receive follows, or by an isend, whose receive may come much later. */
static void write_letter(struct history *history)
{
    int p = history->n_ranks, message = history->n_letters++;
    struct letter *letter = &history->letters[message];
    bool blocking = random_below(2) == 0;
    *letter = (struct letter){.from = (int)random_below(p),
                              .tag = (int)random_below(history->n_tags),
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

static void make_history(struct history *history, int n_ranks, int n_tags)
{
    *history = (struct history){.n_ranks = n_ranks, .n_tags = n_tags};
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
        op->tag = letter->tag;
        op->mode = letter->synchronous ? SEND_SYNCHRONOUS : SEND_STANDARD;
    }
}

/* --- the reckoning for the quiet network: through the history, every rank with a clock --- */

struct reckoning {
    int64_t clock[MAX_RANKS];
    int64_t isent[MAX_RANKS];   /* when the rank's isends are complete, as far as that is known */
    int64_t begun[MAX_LETTERS]; /* handed to the network */
    bool blocks[MAX_LETTERS];
};

static int64_t travel_ps(const struct letter *letter, int64_t bytes, bool back)
{
    const struct route *route =
        machine_route(&machine, back ? letter->to : letter->from, back ? letter->from : letter->to);
    return route->latency_ps + llround((double)bytes * route->byte_ps);
}

static bool is_rendezvous(const struct letter *letter)
{
    return letter->synchronous || letter->bytes > machine.eager_limit;
}

/* Note when a message's sender may go on. */
static void complete(struct reckoning *reckoning, const struct letter *letter, int message, int64_t at)
{
    int64_t *when = reckoning->blocks[message] ? &reckoning->clock[letter->from] : &reckoning->isent[letter->from];
    *when = max64(*when, at);
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
        start = max64(*clock, start + travel_ps(letter, machine.control_bytes, false)) +
                travel_ps(letter, machine.control_bytes, true);
    int64_t delivery = start + travel_ps(letter, letter->bytes, false);
    if (is_rendezvous(letter))
        complete(reckoning, letter, message, delivery);
    *clock = max64(*clock, delivery) + machine.receive_start_ps + machine.receive_byte_ps * letter->bytes;
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
            reckoning.clock[now->rank] = max64(reckoning.clock[now->rank], reckoning.isent[now->rank]);
        else
            reckon_send(&reckoning, letter, now->message, now->kind == ACT_SEND);
    }
    for (int r = 0; r < history->n_ranks; r++)
        end = max64(end, reckoning.clock[r]);
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

static bool path_agrees(const struct outcome *outcome, int n_lanes, const struct result *result)
{
    int64_t sums[N_SUMS] = {0}, end_ps = outcome->stats.end_ps;
    int64_t last = busy_to_the_end(&outcome->record, n_lanes, end_ps);
    bool good = last >= 0 && walk_back(&outcome->record, last, sums);
    good = good && sums[SUM_PROCESSING] + sums[SUM_COMMUNICATION] == end_ps;
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

/* A number that tells two records apart. */
static uint64_t digest(const struct record *record)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < record->count; i++) {
        const struct event *event = &record->events[i];
        const int64_t words[] = {event->start_ps,   event->end_ps, event->origin_ps, event->bytes,     event->message,
                                 event->operations, event->lane,   event->peer,      event->state,     event->kind,
                                 event->cause,      event->scope,  event->departs,   event->is_message};
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
            hash = (hash ^ (uint64_t)words[w]) * UINT64_C(1099511628211);
    }
    return hash;
}

/* A second run in the same process; of a network with a clock of its own, which goes on, it need not be the same. */
static bool repeats(const struct script *script, const struct network_spec *network, uint64_t first)
{
    if (network->host != NULL)
        return true;
    struct outcome again = run_with(script, network, NULL);
    bool same = again.status == 0 && digest(&again.record) == first;
    free(again.record.events);
    return same;
}

static const char *fault_of(const struct outcome *outcome, const struct script *script, const struct history *history,
                            const struct network_spec *network, const struct metrics *metrics)
{
    if (outcome->status != 0)
        return "it does not end well";
    struct result result;
    result_init(&result);
    metrics_report(metrics, &(struct metrics_totals){outcome->stats.end_ps, 0}, &result);
    bool good = path_agrees(outcome, script->n_ranks, &result);
    result_dispose(&result);
    if (!good)
        return "the critical path differs from the walk back";
    if (!messages_counted(outcome, history))
        return "messages or bytes are lost";
    if (strcmp(network->name, "quiet") == 0 && script->ranks_per_host == 1 && outcome->stats.end_ps != reckon(history))
        return "the makespan differs from the reckoning";
    return repeats(script, network, digest(&outcome->record)) ? NULL : "a second run differs";
}

/* 1 and a message where something is wrong with it; the digest of its events. */
static int run_program(const struct script *script, const struct history *history, const char *network, uint64_t *hash)
{
    const struct metrics_setup setup = {script->n_ranks, script->n_ranks, script_scopes, 3, false};
    struct metrics metrics;
    metrics_open(&metrics, &setup);
    struct outcome outcome = run_with(script, network_named(network), &metrics);
    const char *fault = fault_of(&outcome, script, history, network_named(network), &metrics);
    if (fault != NULL)
        fprintf(stderr, "%s: %s\n", network, fault);
    *hash = digest(&outcome.record);
    metrics_close(&metrics);
    free(outcome.record.events);
    return fault != NULL;
}

enum { PROGRAMS = 60, REPEATED = 10 };

#define BUFFERED "<prop id='send_completes' value='buffered'/><prop id='control' value='8B'/>"
#define EAGER(limit) "<prop id='eager_limit' value='" limit "'/>"
#define SEND_OVERHEAD "<prop id='send_overhead' value='start=10us byte=1ns'/>"
#define RECEIVE_OVERHEAD "<prop id='receive_overhead' value='start=5us byte=2ns'/>"

static const struct setting {
    const char *props;
    bool star;
    int ranks_per_host, n_tags;
} settings[] = {
    {"", true, 1, 1000},
    {BUFFERED EAGER("4KiB"), true, 1, 1000},
    {BUFFERED EAGER("1KiB") SEND_OVERHEAD RECEIVE_OVERHEAD, false, 1, 1000},
    {EAGER("10kB") SEND_OVERHEAD, false, 1, 2},
    {BUFFERED EAGER("16KiB") SEND_OVERHEAD, false, 2, 2},
    {BUFFERED EAGER("16KiB") RECEIVE_OVERHEAD, false, 2, 1000},
};
enum { N_SETTINGS = sizeof settings / sizeof settings[0] };

/* Shared with the children: the digests of all programs, and how many to run. */
struct board {
    uint64_t digests[PROGRAMS][N_NETWORKS];
    int n_programs;
};
static struct board *board;

static int check_programs(const void *argument)
{
    const struct setting *setting = argument;
    static struct history history;
    static struct script script;
    int failures = 0, number = (int)(setting - settings);
    for (int i = 0; i < board->n_programs; i++) {
        random_state = (uint64_t)(number * PROGRAMS + i);
        make_history(&history, 2 + (int)random_below(7), setting->n_tags);
        make_script(&script, &history, setting->ranks_per_host);
        int wrong = 0;
        for (int n = 0; n < N_NETWORKS; n++)
            wrong += run_program(&script, &history, networks[n], &board->digests[i][n]);
        if (wrong > 0)
            fprintf(stderr, "... setting %d, program %d\n", number, i);
        failures += wrong;
    }
    return failures;
}

static const struct wire_row wires[] = {{11e6, 50000},  {1e8, 7000},  {3e6, 200000}, {11e6, 50000},
                                        {12.5e6, 1000}, {1e9, 30000}, {11e6, 40000}};

static void run_setting(const struct setting *setting, int n_programs)
{
    board->n_programs = n_programs;
    char *text = setting->star ? star_platform(setting->props, 8, wires[0]) : line_platform(setting->props, wires, 7);
    CU_ASSERT_EQUAL(on_platform(text, check_programs, setting), 0);
}

/* All programs on each platform, and the first of them once more in a process of their own. */
static void test_programs(void)
{
    uint64_t first[REPEATED][N_NETWORKS];
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CU_ASSERT_PTR_NOT_EQUAL_FATAL(board, MAP_FAILED);
    for (int s = 0; s < N_SETTINGS; s++) {
        run_setting(&settings[s], PROGRAMS);
        memcpy(first, board->digests, sizeof first);
        memset(board->digests, 0, sizeof board->digests);
        run_setting(&settings[s], REPEATED);
        CU_ASSERT_EQUAL(memcmp(first, board->digests, sizeof first), 0);
    }
    munmap(board, sizeof *board);
}

int main(void)
{
    static const struct test tests[] = {
        {"random programs", test_programs},
        {NULL, NULL},
    };
    return testing_run("wires, at random", tests);
}
