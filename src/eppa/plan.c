#include "eppa/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A vector grows by doubling at powers of two. */
static void *add_room(void *items, uint32_t n, size_t size)
{
    if (n != 0 && (n & (n - 1)) != 0)
        return items;
    void *larger = realloc(items, 2 * (n == 0 ? 1 : (size_t)n) * size);
    if (larger == NULL)
        abort();
    return larger;
}

static void *copy(const void *data, size_t length)
{
    void *made = malloc(length + 1);
    if (made == NULL)
        abort();
    memcpy(made, data, length);
    ((char *)made)[length] = '\0';
    return made;
}

static uint32_t hash_of(const int32_t *members, int32_t n, int32_t n_remote)
{
    uint32_t hash = 2166136261u ^ (uint32_t)n_remote;
    for (int32_t i = 0; i < n + n_remote; i++)
        hash = (hash ^ (uint32_t)members[i]) * 16777619u;
    return hash % PLAN_BUCKETS;
}

static bool is_same(const struct plan_comm *comm, const struct define_comm *head, const int32_t *members)
{
    size_t n = (size_t)(head->n_members + head->n_remote);
    return comm->is_self == (head->is_self != 0) && comm->n_members == head->n_members &&
           comm->n_remote == head->n_remote && memcmp(comm->members, members, n * sizeof *members) == 0;
}

static struct plan_comm *add_comm(struct plan *plan, const struct define_comm *head, const int32_t *members)
{
    struct plan_comm *comm = calloc(1, sizeof *comm);
    if (comm == NULL)
        abort();
    *comm = (struct plan_comm){.is_self = head->is_self != 0,
                               .n_members = head->n_members,
                               .n_remote = head->n_remote,
                               .members = copy(members, (size_t)(head->n_members + head->n_remote) * sizeof *members),
                               .id = plan->n_comms};
    plan->comms = add_room(plan->comms, plan->n_comms, sizeof *plan->comms);
    plan->comms[plan->n_comms++] = comm;
    return comm;
}

/* The first with these members. */
static struct plan_comm *find_first(struct plan *plan, const struct define_comm *head, const int32_t *members)
{
    struct plan_comm **bucket = &plan->buckets[hash_of(members, head->n_members, head->n_remote)], *comm = *bucket;
    while (comm != NULL && !is_same(comm, head, members))
        comm = comm->next;
    if (comm == NULL) {
        comm = add_comm(plan, head, members);
        comm->next = *bucket;
        *bucket = comm;
    }
    return comm;
}

/* The one after the rank's latest with these members. */
static uint32_t find_comm(struct plan *plan, const struct plan_rank *rank, const struct define_comm *head,
                          const int32_t *members)
{
    struct plan_comm *first = find_first(plan, head, members);
    if (first->latest_owner != rank || head->is_self) {
        first->latest_owner = rank;
        first->latest = first;
        return first->id;
    }
    if (first->latest->alike == NULL)
        first->latest->alike = add_comm(plan, head, members);
    first->latest = first->latest->alike;
    return first->latest->id;
}

/* Both sides describe an intercommunicator; the group with the lowest rank is to come first. */
static void order_groups(struct define_comm *head, int32_t *members)
{
    int32_t lowest[2] = {INT32_MAX, INT32_MAX};
    for (int32_t i = 0; i < head->n_members + head->n_remote; i++)
        if (members[i] < lowest[i >= head->n_members])
            lowest[i >= head->n_members] = members[i];
    if (lowest[0] <= lowest[1])
        return;
    size_t n = (size_t)head->n_members, n_remote = (size_t)head->n_remote;
    int32_t *old = copy(members, (n + n_remote) * sizeof *members);
    memcpy(members, old + n, n_remote * sizeof *members);
    memcpy(members + n_remote, old, n * sizeof *members);
    free(old);
    *head = (struct define_comm){head->id, head->is_self, head->n_remote, head->n_members};
}

static bool take_comm(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    struct define_comm head;
    if (length < sizeof head)
        return false;
    memcpy(&head, data, sizeof head);
    if (head.n_members < 0 || head.n_remote < 0 || head.id != rank->map.n_comms ||
        length != sizeof head + ((size_t)head.n_members + (size_t)head.n_remote) * sizeof(int32_t))
        return false;
    int32_t *members = copy(data + sizeof head, length - sizeof head);
    if (head.is_self) /* one for all, with nobody's rank */
        head.n_members = 0;
    else
        order_groups(&head, members);
    uint32_t id = find_comm(plan, rank, &head, members);
    free(members);
    rank->map.comms = add_room(rank->map.comms, rank->map.n_comms, sizeof *rank->map.comms);
    rank->map.comms[rank->map.n_comms++] = id;
    return true;
}

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
    comm->name = copy(data + sizeof id, length - sizeof id);
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
    }
}

static bool take_scope(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    uint32_t role, id = 0;
    if (length <= sizeof role)
        return false;
    memcpy(&role, data, sizeof role);
    if (role >= N_SCOPE_ROLES)
        return false;
    const char *name = data + sizeof role;
    while (id < plan->n_scopes && (plan->scopes[id].role != role || strcmp(plan->scopes[id].name, name) != 0))
        id++;
    if (id == plan->n_scopes) {
        plan->scopes = add_room(plan->scopes, plan->n_scopes, sizeof *plan->scopes);
        plan->scopes[plan->n_scopes++] = (struct plan_scope){role, copy(name, strlen(name))};
    }
    rank->map.scopes = add_room(rank->map.scopes, rank->map.n_scopes, sizeof *rank->map.scopes);
    rank->map.scopes[rank->map.n_scopes++] = id;
    return true;
}

/* What the lowest rank says first counts. */
static bool take_parameter(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    size_t n = strlen(data);
    if (n + 1 >= length)
        return false;
    uint32_t i = 0;
    while (i < plan->n_parameters && strcmp(plan->parameters[i].name, data) != 0)
        i++;
    if (i < plan->n_parameters)
        return true;
    (void)rank;
    plan->parameters = add_room(plan->parameters, plan->n_parameters, sizeof *plan->parameters);
    plan->parameters[plan->n_parameters++] =
        (struct plan_parameter){copy(data, n), copy(data + n + 1, strlen(data + n + 1))};
    return true;
}

static bool take_rank(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    (void)plan;
    if (length < sizeof rank->self + 2 || rank->is_there)
        return false;
    memcpy(&rank->self, data, sizeof rank->self);
    const char *host = data + sizeof rank->self;
    size_t n = strlen(host);
    rank->host = copy(host, n);
    rank->program = copy(host + n + 1, sizeof rank->self + n + 1 < length ? strlen(host + n + 1) : 0);
    rank->is_there = true;
    return true;
}

static bool take_clock(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    (void)plan;
    if (length != sizeof rank->clocks[0])
        return false;
    rank->n_clocks += rank->n_clocks < 2;
    memcpy(&rank->clocks[rank->n_clocks - 1], data, length);
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

static bool (*const takers[])(struct plan *plan, struct plan_rank *rank, char *data, size_t length) = {
    [DEFINE_RANK] = take_rank,           [DEFINE_COMM] = take_comm,
    [DEFINE_COMM_NAME] = take_comm_name, [DEFINE_CALL] = take_call,
    [DEFINE_SCOPE] = take_scope,         [DEFINE_PARAMETER] = take_parameter,
    [DEFINE_CLOCK] = take_clock,         [DEFINE_UNRECORDED] = take_unrecorded};

/* A file as a whole, with a 0 behind it; NULL with errno. */
static char *read_file(const char *path, size_t *length)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0)
        return NULL;
    char *data = fstat(file, &status) == 0 ? malloc((size_t)status.st_size + 1) : NULL;
    ssize_t n = data == NULL ? -1 : read(file, data, (size_t)status.st_size);
    close(file);
    if (n < 0) {
        free(data);
        return NULL;
    }
    data[n] = '\0';
    *length = (size_t)n;
    return data;
}

/* A definition cut short by a death is the last one; all before it count. */
static int load_rank(struct plan *plan, struct plan_rank *rank, const char *path, char *message, int n_message)
{
    size_t length, at = 0;
    char *data = read_file(path, &length);
    if (data == NULL) {
        snprintf(message, (size_t)n_message, "%s: %s", path, strerror(errno));
        return -1;
    }
    struct definition_head head;
    while (length - at >= sizeof head) {
        memcpy(&head, data + at, sizeof head);
        if (head.length > length - at - sizeof head)
            break;
        at += sizeof head;
        char *definition = copy(data + at, head.length);
        bool is_good =
            head.kind < sizeof takers / sizeof takers[0] && takers[head.kind](plan, rank, definition, head.length);
        free(definition);
        if (!is_good) {
            snprintf(message, (size_t)n_message, "%s: no definition at byte %zu", path, at - sizeof head);
            free(data);
            return -1;
        }
        at += head.length;
    }
    free(data);
    return 0;
}

/* The number of ranks, as any rank's definitions say. */
static int count_ranks(const char *directory, char *message, int n_message)
{
    char path[SPOOL_MAX_PATH];
    for (int rank = 0; rank < 1 << 16; rank++) {
        struct {
            struct definition_head head;
            struct define_rank self;
        } first;
        snprintf(path, sizeof path, "%s/%d.defs", directory, rank);
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0)
            continue;
        ssize_t n = read(file, &first, sizeof first);
        close(file);
        if (n == (ssize_t)sizeof first && first.head.kind == DEFINE_RANK && first.self.n_ranks > rank)
            return first.self.n_ranks;
    }
    snprintf(message, (size_t)n_message, "%s: no records of a run", directory);
    return -1;
}

int plan_load(struct plan *plan, const char *directory, char *message, int n_message)
{
    char path[SPOOL_MAX_PATH];
    *plan = (struct plan){.n_ranks = count_ranks(directory, message, n_message)};
    if (plan->n_ranks < 0)
        return -1;
    plan->ranks = calloc((size_t)plan->n_ranks, sizeof *plan->ranks);
    if (plan->ranks == NULL)
        abort();
    for (int rank = 0; rank < plan->n_ranks; rank++) {
        snprintf(path, sizeof path, "%s/%d.defs", directory, rank);
        if (access(path, F_OK) == 0 && load_rank(plan, &plan->ranks[rank], path, message, n_message) != 0) {
            plan_free(plan);
            return -1;
        }
    }
    number_calls(plan);
    return 0;
}

void plan_free(struct plan *plan)
{
    for (int i = 0; i < plan->n_ranks && plan->ranks != NULL; i++) {
        free(plan->ranks[i].host);
        free(plan->ranks[i].program);
        free(plan->ranks[i].map.comms);
        free(plan->ranks[i].map.scopes);
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
    free(plan->ranks);
    free(plan->comms);
    free(plan->scopes);
    free(plan->parameters);
    *plan = (struct plan){0};
}
