/* Definitions common to all ranks of an archive: clock, machines, ranks, regions, communicators, parameters.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/archive.h"
#include "eppa/archive/memory.h"
#include "eppa/archive/strings.h"

#include <stdio.h>
#include <stdlib.h>

struct definitions {
    OTF2_GlobalDefWriter *writer;
    OTF2_StringRef n_strings;
    bool has_failed;
};

static void check(struct definitions *self, OTF2_ErrorCode code)
{
    self->has_failed = self->has_failed || code != OTF2_SUCCESS;
}

static OTF2_StringRef add_string(struct definitions *self, const char *text)
{
    if (text == NULL || text[0] == '\0')
        return STRING_EMPTY;
    check(self, OTF2_GlobalDefWriter_WriteString(self->writer, self->n_strings, text));
    return self->n_strings++;
}

static void write_strings(struct definitions *self, const struct plan *plan)
{
    static const char *const fixed[N_FIXED_STRINGS] = {"",          "useful", "control", "idle",
                                                       "processor", "asleep", "off",     "messages"};
    for (uint32_t i = 0; i < N_FIXED_STRINGS; i++)
        check(self, OTF2_GlobalDefWriter_WriteString(self->writer, i, fixed[i]));
    for (int i = 0; i < plan->n_ranks; i++) {
        const char *program = plan->ranks[i].program;
        check(self, OTF2_GlobalDefWriter_WriteString(self->writer, STRING_PROGRAM(i), program == NULL ? "" : program));
    }
    for (uint32_t i = 0; i < plan->n_site_names; i++)
        check(self, OTF2_GlobalDefWriter_WriteString(self->writer, STRING_SITE(plan->n_ranks, i), plan->site_names[i]));
    self->n_strings = STRING_SITE(plan->n_ranks, plan->n_site_names);
}

/* A time of a rank's clock on that of rank 0. */
static int64_t common_ns(const struct plan_rank *rank, int64_t time_ns, int which)
{
    const struct define_clock *clock = &rank->clocks[rank->n_clocks > 1 ? which : 0]; /* of none: no offset */
    return time_ns + clock->offset_ns;
}

static void write_clock(struct definitions *self, const struct plan *plan, const struct archive_rank *results)
{
    int64_t first_ns = INT64_MAX, last_ns = 0;
    const struct define_rank *reference = &plan->ranks[0].self;
    for (int i = 0; i < plan->n_ranks; i++) {
        int64_t begin_ns = common_ns(&plan->ranks[i], results[i].first_ns, 0);
        int64_t end_ns = common_ns(&plan->ranks[i], results[i].last_ns, 1);
        first_ns = begin_ns < first_ns ? begin_ns : first_ns;
        last_ns = end_ns > last_ns ? end_ns : last_ns;
    }
    int64_t realtime_ns = reference->realtime_ns + (first_ns - reference->time_ns);
    check(self, OTF2_GlobalDefWriter_WriteClockProperties(self->writer, 1000000000, (uint64_t)first_ns,
                                                          (uint64_t)(last_ns - first_ns), (uint64_t)realtime_ns));
}

/* Write what is known of the cores of a rank, and how long it has had a processor in all its time; below 0 it is not
 * known. */
static void write_processors(struct definitions *self, const struct plan *plan, const struct archive_rank *results)
{
    static const char *const names[] = {"EPPA::CORES",        "EPPA::CORES_OF_HOST", "EPPA::RANKS_OF_HOST",
                                        "EPPA::SHARED_CORES", "EPPA::SHARING_RANKS", "EPPA::SHARING_FIRST",
                                        "EPPA::PROCESSOR_NS", "EPPA::THREAD_NS",     "EPPA::RUN_DELAY_NS"};
    enum { N_CORES = 6, N_NAMES = sizeof names / sizeof names[0] };
    OTF2_StringRef strings[N_NAMES];
    for (int n = 0; n < N_NAMES; n++)
        strings[n] = add_string(self, names[n]);
    for (int i = 0; i < plan->n_ranks; i++) {
        const struct define_cores *cores = &plan->ranks[i].cores;
        const struct define_processor *used = &plan->ranks[i].processor;
        const int64_t numbers[N_NAMES] = {cores->n_own,     cores->n_host,    cores->n_ranks,
                                          cores->n_shared,  cores->n_sharing, cores->first_sharing,
                                          used->process_ns, used->thread_ns,  used->delay_ns};
        for (int n = 0; n < N_NAMES; n++)
            if (numbers[n] >= 0 &&
                (n < N_CORES ? cores->n_own > 0 : plan->ranks[i].has_processor && results[i].lost_ns == 0))
                check(self, OTF2_GlobalDefWriter_WriteLocationProperty(self->writer, (OTF2_LocationRef)i, strings[n],
                                                                       OTF2_TYPE_INT64,
                                                                       (OTF2_AttributeValue){.int64 = numbers[n]}));
    }
}

/* How much of its time a rank has kept. */
static void write_kept(struct definitions *self, const struct plan *plan, const struct archive_rank *results)
{
    if (!plan->ranks[0].map.cut.is_cut)
        return;
    OTF2_StringRef run = add_string(self, "EPPA::RUN_NS"), lost = add_string(self, "EPPA::LOST_NS");
    for (int i = 0; i < plan->n_ranks; i++) {
        check(self, OTF2_GlobalDefWriter_WriteLocationProperty(self->writer, (OTF2_LocationRef)i, run, OTF2_TYPE_INT64,
                                                               (OTF2_AttributeValue){.int64 = results[i].run_ns}));
        check(self, OTF2_GlobalDefWriter_WriteLocationProperty(self->writer, (OTF2_LocationRef)i, lost, OTF2_TYPE_INT64,
                                                               (OTF2_AttributeValue){.int64 = results[i].lost_ns}));
    }
}

static void write_threads(struct definitions *self, int rank, int n_ranks, const struct archive_rank *result)
{
    char name[32];
    for (uint32_t i = 0; i < result->n_threads; i++) {
        OTF2_LocationRef location = (OTF2_LocationRef)(i + 1) * (OTF2_LocationRef)n_ranks + (OTF2_LocationRef)rank;
        snprintf(name, sizeof name, "Thread %u", (unsigned)i + 1);
        check(self, OTF2_GlobalDefWriter_WriteLocation(self->writer, location, add_string(self, name),
                                                       OTF2_LOCATION_TYPE_CPU_THREAD, result->thread_events[i],
                                                       (OTF2_LocationGroupRef)rank));
    }
}

static void write_locations(struct definitions *self, const struct plan *plan, const struct archive_rank *results)
{
    OTF2_StringRef node = add_string(self, "node"), thread = add_string(self, "Master thread");
    OTF2_StringRef machine = add_string(self, "machine");
    OTF2_SystemTreeNodeRef n_nodes = 0;
    char name[64];
    check(self, OTF2_GlobalDefWriter_WriteSystemTreeNode(self->writer, n_nodes++, machine, machine,
                                                         OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    OTF2_SystemTreeNodeRef *nodes = memory_need(calloc((size_t)plan->n_ranks, sizeof *nodes));
    for (int i = 0; i < plan->n_ranks; i++) {
        const char *host = plan->ranks[i].host == NULL ? "" : plan->ranks[i].host;
        for (int j = i - 1; j >= 0 && nodes[i] == 0; j--)
            if (strcmp(host, plan->ranks[j].host == NULL ? "" : plan->ranks[j].host) == 0)
                nodes[i] = nodes[j];
        if (nodes[i] == 0) {
            nodes[i] = n_nodes++;
            check(self,
                  OTF2_GlobalDefWriter_WriteSystemTreeNode(self->writer, nodes[i], add_string(self, host), node, 0));
        }
        snprintf(name, sizeof name, "MPI Rank %d", i);
        check(self, OTF2_GlobalDefWriter_WriteLocationGroup(self->writer, (OTF2_LocationGroupRef)i,
                                                            add_string(self, name), OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                            nodes[i], OTF2_UNDEFINED_LOCATION_GROUP));
        check(self, OTF2_GlobalDefWriter_WriteLocation(self->writer, (OTF2_LocationRef)i, thread,
                                                       OTF2_LOCATION_TYPE_CPU_THREAD, results[i].n_events,
                                                       (OTF2_LocationGroupRef)i));
        write_threads(self, i, plan->n_ranks, &results[i]);
    }
    free(nodes);
    write_processors(self, plan, results);
    write_kept(self, plan, results);
}

static void write_region(struct definitions *self, OTF2_RegionRef id, const char *name, OTF2_RegionRole role,
                         OTF2_Paradigm paradigm)
{
    OTF2_StringRef string = add_string(self, name);
    check(self, OTF2_GlobalDefWriter_WriteRegion(self->writer, id, string, string, STRING_EMPTY, role, paradigm,
                                                 OTF2_REGION_FLAG_NONE, STRING_EMPTY, 0, 0));
}

static void write_regions(struct definitions *self, const struct plan *plan)
{
    for (int i = 0; i < N_REGIONS; i++)
        if (plan->calls[i] != UINT32_MAX)
            write_region(self, plan->calls[i], regions[i].name, (OTF2_RegionRole)regions[i].role,
                         i == REGION_JOIN      ? OTF2_PARADIGM_PTHREAD
                         : i >= REGION_WITHOUT ? OTF2_PARADIGM_USER
                                               : OTF2_PARADIGM_MPI);
    for (uint32_t i = 0; i < plan->n_scopes; i++)
        write_region(self, plan->n_calls + i, plan->scopes[i].name,
                     plan->scopes[i].role == SCOPE_PLAIN ? OTF2_REGION_ROLE_FUNCTION : OTF2_REGION_ROLE_CODE,
                     OTF2_PARADIGM_USER);
}

/* Write the functions of call paths as regions behind all others, and the paths as calling contexts, from 0 on. */
static void write_contexts(struct definitions *self, const struct plan *plan)
{
    for (uint32_t i = 0; i < plan->n_functions; i++) {
        OTF2_StringRef name = STRING_SITE(plan->n_ranks, plan->functions[i].name);
        OTF2_StringRef file = STRING_SITE(plan->n_ranks, plan->functions[i].file);
        check(self, OTF2_GlobalDefWriter_WriteRegion(self->writer, plan->n_calls + plan->n_scopes + i, name, name,
                                                     STRING_EMPTY, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_SAMPLING,
                                                     OTF2_REGION_FLAG_NONE, file, 0, 0));
    }
    for (uint32_t i = 1; i < plan->n_contexts; i++) {
        const struct plan_context *context = &plan->contexts[i];
        OTF2_StringRef file = STRING_SITE(plan->n_ranks, plan->functions[context->function].file);
        check(self, OTF2_GlobalDefWriter_WriteSourceCodeLocation(self->writer, i - 1, file, context->line));
        check(self, OTF2_GlobalDefWriter_WriteCallingContext(
                        self->writer, i - 1, plan->n_calls + plan->n_scopes + context->function, i - 1,
                        context->outer == 0 ? OTF2_UNDEFINED_CALLING_CONTEXT : context->outer - 1));
    }
}

/* Write the attributes; those of call sites and paths come last, and only if there are any. */
static void write_attributes(struct definitions *self, const struct plan *plan)
{
    static const struct {
        OTF2_AttributeRef id;
        OTF2_Type type;
        const char *name, *description;
    } attributes[] = {
        {ATTRIBUTE_ROLE, OTF2_TYPE_STRING, "eppa.role",
         "what the time is: useful, control, idle; processor: waiting for one; asleep; off: one of both"},
        {ATTRIBUTE_OPERATIONS, OTF2_TYPE_UINT64, "eppa.operations", "basic operations done in the phase"},
        {ATTRIBUTE_QUANTUMS, OTF2_TYPE_UINT64, "eppa.quantums", "quantums of work done in the phase"},
        {ATTRIBUTE_PEER, OTF2_TYPE_INT32, "eppa.peer",
         "whose message a probe found, or a call that never returned awaited; -1: anyone's"},
        {ATTRIBUTE_TAG, OTF2_TYPE_INT32, "eppa.tag", "the tag of that message; -1: any"},
        {ATTRIBUTE_COMM, OTF2_TYPE_COMM, "eppa.communicator", "the communicator of the peer"},
        {ATTRIBUTE_POLLS, OTF2_TYPE_UINT64, "eppa.polls", "so many calls, of which the last may have found something"},
        {ATTRIBUTE_ANY_SOURCE, OTF2_TYPE_UINT64, "eppa.any_source", "1: the receive was from any source"},
        {ATTRIBUTE_SITE, OTF2_TYPE_STRING, "eppa.site", "where the program calls: FILE:LINE in FUNCTION"},
        {ATTRIBUTE_PATH, OTF2_TYPE_CALLING_CONTEXT, "eppa.path", "through which functions it comes there"},
    };
    size_t n = sizeof attributes / sizeof attributes[0] - (plan->n_site_names == 0) - (plan->n_contexts == 0);
    for (size_t i = 0; i < n; i++) {
        OTF2_StringRef name = add_string(self, attributes[i].name);
        check(self,
              OTF2_GlobalDefWriter_WriteAttribute(self->writer, attributes[i].id, name,
                                                  add_string(self, attributes[i].description), attributes[i].type));
    }
    check(self, OTF2_GlobalDefWriter_WriteParameter(self->writer, PARAMETER_BLOCK, add_string(self, "eppa.block"),
                                                    OTF2_PARAMETER_TYPE_UINT64));
}

static void write_group(struct definitions *self, OTF2_GroupRef id, OTF2_GroupType type, int32_t n,
                        const int32_t *members)
{
    uint64_t *wide = memory_need(malloc(((size_t)n + 1) * sizeof *wide));
    for (int32_t i = 0; i < n; i++)
        wide[i] = members == NULL ? (uint64_t)i : (uint64_t)members[i];
    check(self, OTF2_GlobalDefWriter_WriteGroup(self->writer, id, STRING_EMPTY, type, OTF2_PARADIGM_MPI,
                                                OTF2_GROUP_FLAG_NONE, (uint32_t)n, wide));
    free(wide);
}

static void write_comm(struct definitions *self, const struct plan_comm *comm, OTF2_GroupRef group)
{
    OTF2_StringRef name = add_string(self, comm->name);
    if (comm->n_remote > 0)
        check(self, OTF2_GlobalDefWriter_WriteInterComm(self->writer, comm->number, name, group, group + 1, 0,
                                                        OTF2_COMM_FLAG_NONE));
    else
        check(self, OTF2_GlobalDefWriter_WriteComm(self->writer, comm->number, name, group, OTF2_UNDEFINED_COMM,
                                                   OTF2_COMM_FLAG_NONE));
    if (comm->kind == COMM_WINDOW)
        check(self, OTF2_GlobalDefWriter_WriteRmaWin(self->writer, comm->window, name, comm->number,
                                                     OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS));
}

/* Groups: 0 the locations of the ranks, then those of each communicator in turn. */
static void write_comms(struct definitions *self, const struct plan *plan)
{
    OTF2_GroupRef n_groups = 0;
    write_group(self, n_groups++, OTF2_GROUP_TYPE_COMM_LOCATIONS, plan->n_ranks, NULL);
    for (uint32_t i = 0; i < plan->n_comms; i++) {
        const struct plan_comm *comm = plan->comms[i];
        OTF2_GroupRef group = n_groups++;
        write_group(self, group, comm->kind == COMM_SELF ? OTF2_GROUP_TYPE_COMM_SELF : OTF2_GROUP_TYPE_COMM_GROUP,
                    comm->n_members, comm->members);
        if (comm->n_remote > 0)
            write_group(self, n_groups++, OTF2_GROUP_TYPE_COMM_GROUP, comm->n_remote, comm->members + comm->n_members);
        if (comm->kind != COMM_GROUP)
            write_comm(self, comm, group);
    }
}

/* Write which part there is of the run, and what of it is left out. */
static void write_keep(struct definitions *self, OTF2_Archive *archive, const struct plan *plan,
                       const struct archive_rank *results)
{
    char text[64];
    unsigned long long n_messages = 0, n_collectives = 0;
    if (!plan->ranks[0].map.cut.is_cut)
        return;
    for (int i = 0; i < plan->n_ranks; i++) {
        n_messages += results[i].n_alone_messages;
        n_collectives += results[i].n_alone_collectives;
    }
    if (plan->keep.bytes > 0)
        snprintf(text, sizeof text, "last %.4g MiB", (double)plan->keep.bytes / (1 << 20));
    else
        snprintf(text, sizeof text, "first and last %u", plan->keep.n_laps);
    check(self, OTF2_Archive_SetProperty(archive, "EPPA::KEEP", text, true));
    snprintf(text, sizeof text, "%llu", n_messages);
    check(self, OTF2_Archive_SetProperty(archive, "EPPA::ALONE_MESSAGES", text, true));
    snprintf(text, sizeof text, "%llu", n_collectives);
    check(self, OTF2_Archive_SetProperty(archive, "EPPA::ALONE_COLLECTIVES", text, true));
}

static void write_properties(struct definitions *self, OTF2_Archive *archive, const struct plan *plan,
                             const struct archive_rank *results)
{
    bool is_whole = true;
    uint64_t n_unrecorded = 0, n_cut = 0;
    double off_s = 0, run_s = 0;
    bool has_delay = plan->calls[REGION_OFF] == UINT32_MAX;
    char name[256], value[32];
    for (int i = 0; i < plan->n_ranks; i++) {
        is_whole = is_whole && results[i].is_whole;
        n_unrecorded += plan->ranks[i].n_unrecorded;
        off_s += (double)plan->ranks[i].off.off_ns / 1e9;
        run_s += (double)plan->ranks[i].off.run_ns / 1e9;
        n_cut += plan->ranks[i].n_cut;
        has_delay = has_delay && (!plan->ranks[i].has_processor || plan->ranks[i].processor.delay_ns >= 0);
    }
    snprintf(value, sizeof value, "%llu", (unsigned long long)n_unrecorded);
    check(self, OTF2_Archive_SetProperty(archive, "EPPA::COMPLETE", is_whole ? "true" : "false", true));
    if (plan->library[0] != '\0')
        check(self, OTF2_Archive_SetProperty(archive, "EPPA::MPI_LIBRARY", plan->library, true));
    check(self, OTF2_Archive_SetProperty(archive, "EPPA::RUN_DELAY", has_delay ? "true" : "false", true));
    if (n_unrecorded > 0)
        check(self, OTF2_Archive_SetProperty(archive, "EPPA::UNRECORDED_CALLS", value, true));
    if (off_s > 0) {
        snprintf(value, sizeof value, "%.3f %%", 100 * off_s / run_s);
        check(self, OTF2_Archive_SetProperty(archive, "EPPA::OFF", value, true));
    }
    snprintf(value, sizeof value, "%llu", (unsigned long long)n_cut);
    if (n_cut > 0)
        check(self, OTF2_Archive_SetProperty(archive, "EPPA::CUT_PATHS", value, true));
    write_keep(self, archive, plan, results);
    for (uint32_t i = 0; i < plan->n_parameters; i++) {
        snprintf(name, sizeof name, "EPPA::PARAMETER::%s", plan->parameters[i].name);
        check(self, OTF2_Archive_SetProperty(archive, name, plan->parameters[i].value, true));
    }
}

int archive_write_definitions(OTF2_Archive *archive, const struct plan *plan, const struct archive_rank *results)
{
    struct definitions self = {.writer = OTF2_Archive_GetGlobalDefWriter(archive)};
    if (self.writer == NULL)
        return -1;
    check(&self, OTF2_Archive_SetCreator(archive, "libeppa " SIMRUN_VERSION));
    write_clock(&self, plan, results);
    write_strings(&self, plan);
    OTF2_StringRef mpi = add_string(&self, "MPI");
    check(&self, OTF2_GlobalDefWriter_WriteParadigm(self.writer, OTF2_PARADIGM_MPI, mpi, OTF2_PARADIGM_CLASS_PROCESS));
    write_locations(&self, plan, results);
    write_regions(&self, plan);
    write_contexts(&self, plan);
    write_attributes(&self, plan);
    write_comms(&self, plan);
    write_properties(&self, archive, plan, results);
    check(&self, OTF2_Archive_CloseGlobalDefWriter(archive, self.writer));
    return self.has_failed ? -1 : 0;
}
