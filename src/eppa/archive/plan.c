/* Reads the definitions of all ranks, and numbers communicators, scopes, parameters and clocks for the archive.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/plan.h"

#include "eppa/archive/cut.h"
#include "eppa/archive/files.h"
#include "eppa/archive/memory.h"
#include "eppa/archive/open.h"
#include "eppa/archive/strings.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static bool take_comm_name(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    uint32_t id;
    if (length <= sizeof id)
        return false;
    memcpy(&id, data, sizeof id);
    if (id >= rank->map.n_comms)
        return false;
    struct plan_comm *comm = plan->comms[rank->map.comms[id]];
    free(comm->name);
    comm->name = memory_copy(data + sizeof id, length - sizeof id);
    return true;
}

static bool take_call(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    uint32_t call;
    (void)rank;
    if (length != sizeof call)
        return false;
    memcpy(&call, data, sizeof call);
    if (call >= N_REGIONS)
        return false;
    plan->calls[call] = 1;
    return true;
}

/* From marks to numbers. */
static void number_calls(struct plan *plan)
{
    for (int i = 0; i < N_REGIONS; i++)
        plan->calls[i] = plan->calls[i] ? plan->n_calls++ : UINT32_MAX;
    for (int i = 0; i < plan->n_ranks; i++) {
        plan->ranks[i].map.calls = plan->calls;
        plan->ranks[i].map.n_calls = plan->n_calls;
        plan->ranks[i].map.first_site = STRING_SITE(plan->n_ranks, 0);
    }
}

static bool take_scope(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    uint32_t role, id = 0;
    if (length <= sizeof role)
        return false;
    memcpy(&role, data, sizeof role);
    if (role >= N_SCOPE_ROLES || rank->map.n_scopes >= SPOOL_MAX_SCOPES)
        return false;
    const char *name = data + sizeof role;
    while (id < plan->n_scopes && (plan->scopes[id].role != role || strcmp(plan->scopes[id].name, name) != 0))
        id++;
    if (id == plan->n_scopes) {
        plan->scopes = memory_grow(plan->scopes, plan->n_scopes, sizeof *plan->scopes);
        plan->scopes[plan->n_scopes++] = (struct plan_scope){role, memory_copy(name, strlen(name))};
    }
    rank->map.scopes = memory_grow(rank->map.scopes, rank->map.n_scopes, sizeof *rank->map.scopes);
    rank->map.scopes[rank->map.n_scopes++] = id;
    return true;
}

bool plan_is_parameter(const char *name)
{
    size_t n = 0;
    while (isalnum((unsigned char)name[n]) || name[n] == '_')
        n++;
    return n > 0 && n < 200 && name[n] == '\0';
}

/* Take a parameter; what the lowest rank says first counts. */
static bool take_parameter(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    size_t n = strlen(data);
    (void)rank;
    if (n + 1 >= length || !plan_is_parameter(data) || data[n + 1] == '\0')
        return false;
    uint32_t i = 0;
    while (i < plan->n_parameters && strcasecmp(plan->parameters[i].name, data) != 0)
        i++;
    if (i < plan->n_parameters || i == SPOOL_MAX_PARAMETERS)
        return true;
    plan->parameters = memory_grow(plan->parameters, plan->n_parameters, sizeof *plan->parameters);
    plan->parameters[plan->n_parameters++] =
        (struct plan_parameter){memory_copy(data, n), memory_copy(data + n + 1, strlen(data + n + 1))};
    return true;
}

static bool take_rank(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    if (length < sizeof rank->self + 2 || rank->is_there)
        return false;
    memcpy(&rank->self, data, sizeof rank->self);
    if (rank->self.rank != rank - plan->ranks || rank->self.n_ranks != plan->n_ranks ||
        !spool_is_time(rank->self.time_ns) || rank->self.realtime_ns < 0 ||
        rank->self.realtime_ns > SPOOL_MAX_REALTIME_NS)
        return false;
    const char *host = data + sizeof rank->self;
    size_t n = strlen(host);
    rank->host = memory_copy(host, n);
    rank->program = memory_copy(host + n + 1, sizeof rank->self + n + 1 < length ? strlen(host + n + 1) : 0);
    rank->is_there = true;
    return true;
}

static bool take_clock(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    (void)plan;
    struct define_clock clock;
    if (length != sizeof clock)
        return false;
    memcpy(&clock, data, length);
    if (!spool_is_time(clock.time_ns) || clock.offset_ns < -SPOOL_MAX_TIME_NS || clock.offset_ns > SPOOL_MAX_TIME_NS)
        return false;
    rank->n_clocks += rank->n_clocks < 2;
    rank->clocks[rank->n_clocks - 1] = clock;
    return true;
}

static bool take_unrecorded(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    (void)plan;
    if (length != sizeof rank->n_unrecorded)
        return false;
    memcpy(&rank->n_unrecorded, data, length);
    return true;
}

static bool take_cut(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    (void)plan;
    if (length != sizeof rank->n_cut)
        return false;
    memcpy(&rank->n_cut, data, length);
    return true;
}

static bool take_cores(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    (void)plan;
    if (length != sizeof rank->cores)
        return false;
    memcpy(&rank->cores, data, length);
    return true;
}

static bool take_processor(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    (void)plan;
    if (length != sizeof rank->processor)
        return false;
    memcpy(&rank->processor, data, length);
    rank->has_processor = true;
    return true;
}

static bool take_off(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    (void)plan;
    if (length != sizeof rank->off)
        return false;
    memcpy(&rank->off, data, length);
    return rank->off.off_ns >= 0 && rank->off.off_ns <= rank->off.run_ns && spool_is_time(rank->off.run_ns);
}

static bool take_keep(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    (void)rank;
    if (length != sizeof plan->keep)
        return false;
    memcpy(&plan->keep, data, length);
    return plan->keep.bytes >= 0 && (plan->keep.bytes > 0 || plan->keep.n_laps > 0);
}

/* Take the name of the library; what the lowest rank says counts. */
static bool take_library(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    (void)rank;
    if (length == 0 || length > sizeof plan->library || strlen(data) + 1 != length)
        return false;
    if (plan->library[0] == '\0')
        memcpy(plan->library, data, length);
    return true;
}

static bool (*const takers[])(struct plan *plan, struct plan_rank *rank, char *data,
                              size_t length) = {[DEFINE_RANK] = take_rank,
                                                [DEFINE_COMM] = plan_take_comm,
                                                [DEFINE_COMM_NAME] = take_comm_name,
                                                [DEFINE_CALL] = take_call,
                                                [DEFINE_SCOPE] = take_scope,
                                                [DEFINE_PARAMETER] = take_parameter,
                                                [DEFINE_CLOCK] = take_clock,
                                                [DEFINE_UNRECORDED] = take_unrecorded,
                                                [DEFINE_CORES] = take_cores,
                                                [DEFINE_PROCESSOR] = take_processor,
                                                [DEFINE_SITE] = plan_take_site,
                                                [DEFINE_LIBRARY] = take_library,
                                                [DEFINE_SOURCE] = plan_take_source,
                                                [DEFINE_PATH] = plan_take_path,
                                                [DEFINE_CUT] = take_cut,
                                                [DEFINE_OFF] = take_off,
                                                [DEFINE_KEEP] = take_keep};

static bool take(struct plan *plan, struct plan_rank *rank, struct definition_head head, char *definition)
{
    return head.kind < sizeof takers / sizeof takers[0] && takers[head.kind](plan, rank, definition, head.length);
}

/* The definitions of a file, one by one. One cut short by a death is the last; all before it count. Where one begins
 * that is none; -1: all are good. */
static int64_t take_all(struct plan *plan, struct plan_rank *rank, FILE *file)
{
    struct definition_head head;
    struct stat status;
    int64_t at = 0, size = fstat(fileno(file), &status) == 0 ? status.st_size : 0;
    for (; fread(&head, sizeof head, 1, file) == 1; at += (int64_t)sizeof head + head.length) {
        if (head.length > size - at - (int64_t)sizeof head)
            break;
        if (head.length > SPOOL_MAX_DEFINITION)
            return at;
        char *definition = memory_need(calloc((size_t)head.length + 1, 1));
        bool is_whole = fread(definition, 1, head.length, file) == head.length;
        bool is_good = !is_whole || take(plan, rank, head, definition);
        free(definition);
        if (!is_good)
            return at;
        if (!is_whole)
            break;
    }
    return -1;
}

/* All is well if there is no file. */
static int load_rank(struct plan *plan, int rank, int folder, const char *directory, char *message, int n_message)
{
    int descriptor = open_of_rank(folder, rank, "defs", O_RDONLY);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
    if (file == NULL && errno == ENOENT)
        return 0;
    int64_t bad = file == NULL ? 0 : take_all(plan, &plan->ranks[rank], file);
    if (file == NULL)
        snprintf(message, (size_t)n_message, "%s/%d.defs: %s", directory, rank, strerror(errno));
    else if (bad >= 0)
        snprintf(message, (size_t)n_message, "%s/%d.defs: no definition at byte %lld", directory, rank, (long long)bad);
    if (file != NULL)
        fclose(file);
    return bad >= 0 ? -1 : 0;
}

/* The lowest rank that describes itself; -1: none does. */
static int find_rank(int folder, struct define_rank *self)
{
    int lowest = -1, directory = open_folder(folder, ".");
    DIR *entries = directory < 0 ? NULL : fdopendir(directory);
    const struct dirent *entry;
    struct define_rank found;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        int rank = spool_rank_of(entry->d_name);
        if (rank < 0 || (lowest >= 0 && rank > lowest) || !spool_read_rank(folder, rank, &found))
            continue;
        lowest = rank;
        *self = found;
    }
    if (entries != NULL)
        closedir(entries);
    return lowest;
}

static int load(struct plan *plan, int folder, const char *directory, char *message, int n_message)
{
    struct define_rank self;
    int first = find_rank(folder, &self);
    if (first < 0 || self.n_ranks > SPOOL_MAX_RANKS) {
        if (first < 0)
            snprintf(message, (size_t)n_message, "%s: no records of a run", directory);
        else
            snprintf(message, (size_t)n_message, "%s/%d.defs: %d ranks; 1 to %d are allowed", directory, first,
                     self.n_ranks, SPOOL_MAX_RANKS);
        return -1;
    }
    plan->n_ranks = self.n_ranks;
    plan->ranks = memory_need(calloc((size_t)plan->n_ranks, sizeof *plan->ranks));
    for (int rank = 0; rank < plan->n_ranks; rank++)
        if (load_rank(plan, rank, folder, directory, message, n_message) != 0)
            return -1;
    if (plan->has_world)
        return 0;
    snprintf(message, (size_t)n_message, "%s: %d ranks, but no communicator that has all of them", directory,
             plan->n_ranks);
    return -1;
}

int plan_load(struct plan *plan, int folder, const char *directory, char *message, int n_message)
{
    *plan = (struct plan){0};
    if (load(plan, folder, directory, message, n_message) != 0) {
        plan_free(plan);
        return -1;
    }
    number_calls(plan);
    plan_number_comms(plan);
    plan_name_sites(plan);
    cut_find(plan, folder);
    return 0;
}

void plan_free(struct plan *plan)
{
    for (int i = 0; i < plan->n_ranks && plan->ranks != NULL; i++) {
        free(plan->ranks[i].host);
        free(plan->ranks[i].program);
        free(plan->ranks[i].map.comms);
        free(plan->ranks[i].map.windows);
        free(plan->ranks[i].map.scopes);
        free(plan->ranks[i].map.sites);
        free(plan->ranks[i].map.paths);
    }
    for (uint32_t i = 0; i < plan->n_comms; i++) {
        free(plan->comms[i]->members);
        free(plan->comms[i]->name);
        free(plan->comms[i]);
    }
    for (uint32_t i = 0; i < plan->n_scopes; i++)
        free(plan->scopes[i].name);
    for (uint32_t i = 0; i < plan->n_parameters; i++) {
        free(plan->parameters[i].name);
        free(plan->parameters[i].value);
    }
    plan_free_sites(plan);
    map_dispose(&plan->firsts);
    free(plan->ranks);
    free(plan->comms);
    free(plan->scopes);
    free(plan->parameters);
    *plan = (struct plan){0};
}
