/* Messages and bytes between each two ranks, and the time that scopes take.
 *
 *     trace_pairs TRACE           the messages of a traced program, by scope
 *     trace_pairs --hpl TRACE     those of each run of HPL in it, called "hpl 1", "hpl 2" ...
 *     trace_pairs --times TRACE   how long each scope lasts
 *     trace_pairs --programs FILE those of simrun's applications; a line of FILE is one of them, such as
 *                                 pdgemm grid=2x3 m=108 ...
 *
 * Prints a line for each ordered pair of ranks between which there is a message, "SCOPE: FROM>TO MESSAGES BYTES". MPI
 * chooses the messages of its broadcast, reduce and allreduce: here they are binomial trees, allreduce that of a reduce
 * to the first member and that of a broadcast from it, and are printed as "SCOPE: FROM+TO MESSAGES BYTES". Other
 * collectives but barriers are only counted, "SCOPE: NAME CALLS", a call for each member.
 *
 * With --times, for each scope of the program, "SCOPE: SECONDS SHARE": from where the first rank enters it to where the
 * last one leaves it, and which part of that the ranks do not compute, in the mean.
 *
 * Status 1 if what is sent and what is received differ, 2 for bad input.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "base/memory.h"
#include "sim/collective/collective.h"
#include "sim/kernel/app.h"
#include "trace/formats.h"
#include "trace/record/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN, COLLECTIVE, N_ORIGINS }; /* of a message */
enum { SENT, RECEIVED, N_DIRECTIONS };
enum { TAG_COLLECTIVE = 1 }; /* of the applications' messages within MPI's collectives */
enum { MAX_LINE = 256, MAX_WORDS = 32, MAX_DEPTH = 64 };

/* The applications follow the library, not the papers. */
#define LIBRARY "algorithm=library"

struct traffic {
    int64_t messages, bytes;
};

struct scope {
    const char *name;
    int64_t first_ps, last_ps; /* of all ranks */
    int64_t computing_ps;      /* summed over the ranks */
    int n_visitors;            /* ranks that have been in it, */
    int last_visitor;          /* and the latest of them */
    struct traffic *pairs;     /* by origin, direction, sender, receiver */
    int64_t others[N_RECORD_COLLECTIVES];
};

static const char *const collective_names[N_RECORD_COLLECTIVES] = {"barrier", "broadcast", "reduce",        "allreduce",
                                                                   "scan",    "exscan",    "gather",        "allgather",
                                                                   "scatter", "alltoall",  "reduce-scatter"};

extern const struct coll_spec coll_binomial;

static struct scope scope_new(const char *name, int n_ranks)
{
    size_t n_pairs = (size_t)n_ranks * (size_t)n_ranks * N_ORIGINS * N_DIRECTIONS;
    return (struct scope){.name = name, .last_visitor = -1, .pairs = xcalloc(n_pairs, sizeof(struct traffic))};
}

static struct traffic *traffic_of(const struct scope *scope, int n_ranks, int origin, int direction, int from, int to)
{
    return &scope->pairs[((size_t)(origin * N_DIRECTIONS + direction) * (size_t)n_ranks + (size_t)from) *
                             (size_t)n_ranks +
                         (size_t)to];
}

static void count(const struct scope *scope, int n_ranks, int origin, int direction, int rank, int peer, int64_t bytes)
{
    bool sent = direction == SENT;
    struct traffic *traffic = traffic_of(scope, n_ranks, origin, direction, sent ? rank : peer, sent ? peer : rank);
    traffic->messages++;
    traffic->bytes += bytes;
}

/* Print the scope; -1 if something is sent that is not received, or the reverse. */
static int print_pairs(const struct scope *scope, int n_ranks)
{
    bool silent = true;
    int status = 0;
    for (int i = 0; i < N_ORIGINS * n_ranks * n_ranks; i++) {
        int origin = i / (n_ranks * n_ranks), from = i / n_ranks % n_ranks, to = i % n_ranks;
        const struct traffic *sent = traffic_of(scope, n_ranks, origin, SENT, from, to);
        const struct traffic *received = traffic_of(scope, n_ranks, origin, RECEIVED, from, to);
        if (sent->messages > 0)
            printf("%s: %d%c%d %" PRId64 " %" PRId64 "\n", scope->name, from, origin == OWN ? '>' : '+', to,
                   sent->messages, sent->bytes);
        if (sent->messages != received->messages || sent->bytes != received->bytes) {
            fprintf(stderr,
                    "%s: %d to %d: %" PRId64 " messages of %" PRId64 " bytes are sent, %" PRId64 " of %" PRId64
                    " received\n",
                    scope->name, from, to, sent->messages, sent->bytes, received->messages, received->bytes);
            status = -1;
        }
        silent = silent && sent->messages == 0;
    }
    for (int i = 0; i < N_RECORD_COLLECTIVES; i++)
        if (scope->others[i] > 0)
            printf("%s: %s %" PRId64 "\n", scope->name, collective_names[i], scope->others[i]);
    if (silent)
        printf("%s: no messages\n", scope->name);
    return status;
}

/* --- a trace --- */

static int member_of(const struct record_group *group, int rank)
{
    int member = 0;
    while (group->members[member] != rank)
        member++;
    return member;
}

/* A tree down from member `root`, or up to it. */
static void count_tree(const struct scope *scope, int n_ranks, const struct record_group *group, int rank, int root,
                       bool up, int64_t bytes)
{
    const struct coll_options options = {.broadcast = &coll_binomial};
    int me = member_of(group, rank);
    struct op op = {.kind = OP_SEND};
    const struct coll_call call = {.options = &options, .n_ranks = group->n_members, .root = root, .bytes = bytes};
    for (int64_t i = 0; coll_binomial.next(&call, me, i, &op); i++)
        count(scope, n_ranks, COLLECTIVE, (op.kind == OP_SEND) != up ? SENT : RECEIVED, rank, group->members[op.peer],
              bytes);
}

static void count_collective(struct scope *scope, const struct record_info *info, int rank, const struct record *record)
{
    const struct record_group *group = &info->groups[record->group];
    int kind = record->collective;
    if (kind == RECORD_BROADCAST)
        count_tree(scope, info->n_ranks, group, rank, member_of(group, record->peer), false, record->bytes);
    else if (kind == RECORD_REDUCE)
        count_tree(scope, info->n_ranks, group, rank, member_of(group, record->peer), true, record->bytes);
    else if (kind == RECORD_ALLREDUCE)
        for (int up = 1; up >= 0; up--)
            count_tree(scope, info->n_ranks, group, rank, 0, up, record->bytes);
    else
        scope->others[kind] += kind != RECORD_BARRIER;
}

/* The scopes that a rank is in. */
struct stack {
    uint16_t scopes[MAX_DEPTH];
    int depth;
};

static void enter(struct scope *scope, int64_t now_ps, int rank)
{
    scope->n_visitors += scope->last_visitor != rank;
    if (scope->n_visitors == 1 || now_ps < scope->first_ps)
        scope->first_ps = now_ps;
    scope->last_visitor = rank;
}

static void leave(struct scope *scope, int64_t now_ps)
{
    if (now_ps > scope->last_ps)
        scope->last_ps = now_ps;
}

/* Scopes begin and end. */
static int follow(struct stack *stack, struct scope *scopes, const struct record *record, int rank,
                  struct sim_error *error)
{
    if (record->kind == RECORD_LEAVE && stack->depth > 0) {
        leave(&scopes[stack->scopes[stack->depth--]], record->end_ps);
    } else if (record->kind == RECORD_ENTER) {
        if (++stack->depth == MAX_DEPTH)
            return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "rank %d: more than %d scopes are open", rank,
                                 MAX_DEPTH - 1);
        stack->scopes[stack->depth] = record->scope;
        enter(&scopes[record->scope], record->start_ps, rank);
    }
    return 0;
}

static void take(struct scope *scope, const struct record_info *info, int rank, const struct record *record)
{
    if (record->kind == RECORD_SEND || record->kind == RECORD_ISEND)
        count(scope, info->n_ranks, OWN, SENT, rank, record->peer, record->bytes);
    else if (record->kind == RECORD_RECV || record->kind == RECORD_IRECV)
        count(scope, info->n_ranks, OWN, RECEIVED, rank, record->peer, record->bytes);
    else if (record->kind == RECORD_COLLECTIVE)
        count_collective(scope, info, rank, record);
    else if (record->kind == RECORD_COMPUTE)
        scope->computing_ps += record->end_ps - record->start_ps;
}

static int read_rank(struct scope *scopes, struct record_reader *reader, int rank, struct sim_error *error)
{
    struct stack stack = {.depth = 0};
    struct record record;
    int status;
    while ((status = record_next(reader, rank, &record, error)) > 0) {
        if (follow(&stack, scopes, &record, rank, error) != 0)
            return -1;
        take(&scopes[stack.scopes[stack.depth]], &reader->info, rank, &record);
    }
    return status;
}

static int print_times(const struct scope *scope, int n_ranks)
{
    (void)n_ranks;
    if (scope->n_visitors > 0) {
        double length_ps = (double)(scope->last_ps - scope->first_ps);
        printf("%s: %.9f %.4f\n", scope->name, length_ps * 1e-12,
               1 - (double)scope->computing_ps / scope->n_visitors / length_ps);
    }
    return 0;
}

static int print_trace(const char *file, int (*print)(const struct scope *scope, int n_ranks), struct sim_error *error)
{
    struct record_reader reader;
    if (record_open(&reader, file, error) != 0)
        return SIM_BAD_INPUT;
    const struct record_info *info = &reader.info;
    struct scope *scopes = xcalloc((size_t)info->n_scopes, sizeof *scopes);
    int status = 0;
    for (int i = 0; i < info->n_scopes; i++)
        scopes[i] = scope_new(info->scopes[i], info->n_ranks);
    for (int rank = 0; rank < info->n_ranks && status == 0; rank++)
        if (read_rank(scopes, &reader, rank, error) != 0)
            status = SIM_BAD_INPUT;
    for (int i = 0; i < info->n_scopes; i++) {
        if (status != SIM_BAD_INPUT && print(&scopes[i], info->n_ranks) != 0)
            status = SIM_UNFINISHED;
        free(scopes[i].pairs);
    }
    free(scopes);
    record_close(&reader);
    return status;
}

/* --- HPL in a trace --- */

/* HPL tells its messages apart by their tags: those of its solving, and after them those of its collectives, with
 * which it gathers times and checks the solution. So a rank's next run begins with the first of the one kind after
 * the other. */
enum { HPL_FIRST_TAG = 1001, HPL_LAST_TAG = 4000, HPL_FIRST_COLLECTIVE_TAG = 9001, HPL_LAST_COLLECTIVE_TAG = 10000 };
enum { MAX_HPL_RUNS = 4096 };

struct hpl_runs {
    struct scope *scopes;
    int count;
};

static struct scope *hpl_run(struct hpl_runs *runs, int number, int n_ranks)
{
    while (runs->count <= number) {
        char *name = xcalloc(1, MAX_LINE);
        snprintf(name, MAX_LINE, "hpl %d", runs->count + 1);
        runs->scopes[runs->count++] = scope_new(name, n_ranks);
    }
    return &runs->scopes[number];
}

static int read_hpl(struct hpl_runs *runs, struct record_reader *reader, int rank, struct sim_error *error)
{
    struct record record;
    int status, number = -1;
    bool solves = false;
    while ((status = record_next(reader, rank, &record, error)) > 0) {
        if (record.kind < RECORD_SEND || record.kind > RECORD_IRECV)
            continue;
        if (record.tag >= HPL_FIRST_COLLECTIVE_TAG && record.tag <= HPL_LAST_COLLECTIVE_TAG)
            solves = false;
        if (record.tag < HPL_FIRST_TAG || record.tag > HPL_LAST_TAG)
            continue;
        number += !solves;
        solves = true;
        if (number == MAX_HPL_RUNS)
            return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "more than %d runs of HPL", MAX_HPL_RUNS);
        take(hpl_run(runs, number, reader->info.n_ranks), &reader->info, rank, &record);
    }
    return status;
}

static int print_hpl(const char *file, struct sim_error *error)
{
    struct record_reader reader;
    if (record_open(&reader, file, error) != 0)
        return SIM_BAD_INPUT;
    struct hpl_runs runs = {.scopes = xcalloc(MAX_HPL_RUNS, sizeof *runs.scopes)};
    int status = 0, n_ranks = reader.info.n_ranks;
    for (int rank = 0; rank < n_ranks && status == 0; rank++)
        if (read_hpl(&runs, &reader, rank, error) != 0)
            status = SIM_BAD_INPUT;
    for (int i = 0; i < runs.count; i++) {
        if (status != SIM_BAD_INPUT && print_pairs(&runs.scopes[i], n_ranks) != 0)
            status = SIM_UNFINISHED;
        free(runs.scopes[i].pairs);
        free((char *)runs.scopes[i].name);
    }
    free(runs.scopes);
    record_close(&reader);
    return status;
}

/* --- an application --- */

/* The parameters of a line, or -1. */
static int read_values(int64_t *values, const struct app_spec *app, char *words, struct sim_error *error)
{
    char why[256] = "", *rest = NULL;
    for (int i = 0; i < app->n_params; i++)
        if (app->params[i].fallback != NULL)
            param_parse(&values[i], &app->params[i], app->params[i].fallback, why, sizeof why);
    for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        if (value != NULL)
            *value++ = '\0';
        int place = param_find(app->params, app->n_params, word);
        if (value == NULL || place < 0 || param_parse(&values[place], &app->params[place], value, why, sizeof why) != 0)
            return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "parameter '%s' %s", word, why);
    }
    return 0;
}

static void count_program(const struct scope *scope, const struct program *program, int n_ranks)
{
    struct op_list list = {.count = 0};
    for (int rank = 0; rank < n_ranks; rank++)
        for (int64_t step = 0; program->app->emit(program->config, rank, step, &list); step++, list.count = 0)
            for (int i = 0; i < list.count; i = op_list_after(&list, i)) {
                const struct op *op = &list.ops[i];
                int origin = op->tag == TAG_COLLECTIVE ? COLLECTIVE : OWN;
                if (op->kind == OP_SEND || op->kind == OP_ISEND)
                    count(scope, n_ranks, origin, SENT, rank, op->peer, op->bytes);
                else if (op->kind == OP_RECV || op->kind == OP_IRECV)
                    count(scope, n_ranks, origin, RECEIVED, rank, op->peer, op->bytes);
            }
}

static int print_program(const char line[MAX_LINE], struct sim_error *error)
{
    char copy[MAX_LINE + sizeof LIBRARY], *arguments;
    int64_t values[MAX_WORDS] = {0};
    snprintf(copy, sizeof copy, "%s ", line);
    arguments = copy + strcspn(copy, " ");
    *arguments++ = '\0';
    const struct app_spec *app = app_find(app_specs, copy);
    if (app != NULL && param_find(app->params, app->n_params, "algorithm") >= 0)
        strcat(arguments, LIBRARY);
    if (app == NULL || app->n_params > MAX_WORDS || app->emit == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "unknown application '%s'", copy);
    if (read_values(values, app, arguments, error) != 0)
        return -1;
    int place = param_find(app->params, app->n_params, "grid");
    int64_t grid = place < 0 ? PARAM_MESH_PACK(1, 1) : values[place];
    int n_ranks = PARAM_MESH_WIDTH(grid) * PARAM_MESH_HEIGHT(grid);
    const struct placement placement = {.n_ranks = n_ranks, .ranks_per_host = 1, .n_slots = n_ranks};
    struct program program;
    if (program_init(&program, app, values, &placement, error) != 0)
        return -1;
    struct scope scope = scope_new(line, n_ranks);
    count_program(&scope, &program, n_ranks);
    int status = print_pairs(&scope, n_ranks);
    free(scope.pairs);
    program_dispose(&program);
    return status == 0 ? 0 : sim_error_set(error, SIM_UNFINISHED, NULL, 0, "%s: what is sent is not received", line);
}

static int print_programs(const char *file, struct sim_error *error)
{
    char line[MAX_LINE];
    FILE *stream = fopen(file, "r");
    int status = 0;
    if (stream == NULL)
        status = sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be read");
    while (stream != NULL && status == 0 && fgets(line, sizeof line, stream) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        status = print_program(line, error);
    }
    if (stream != NULL)
        fclose(stream);
    return status == 0 ? 0 : (int)error->status;
}

int main(int argc, char **argv)
{
    struct sim_error error = {.message = ""};
    int status = SIM_BAD_INPUT;
    if (argc == 3 && strcmp(argv[1], "--programs") == 0)
        status = print_programs(argv[2], &error);
    else if (argc == 3 && strcmp(argv[1], "--hpl") == 0)
        status = print_hpl(argv[2], &error);
    else if (argc == 3 && strcmp(argv[1], "--times") == 0)
        status = print_trace(argv[2], print_times, &error);
    else if (argc == 2)
        status = print_trace(argv[1], print_pairs, &error);
    else
        snprintf(error.message, sizeof error.message, "TRACE, or --hpl TRACE, or --times TRACE, or --programs FILE");
    if (error.message[0] != '\0')
        fprintf(stderr, "trace_pairs: %s\n", error.message);
    return status;
}
