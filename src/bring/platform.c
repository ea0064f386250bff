/* Makes the props of a platform, each with where it comes from, and writes them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bring/platform.h"

#include "base/builder.h"
#include "base/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CORES = 65536 }; /* of a host, in a platform */

/* ---- Props ---- */

static __attribute__((format(printf, 1, 0))) char *format_text(const char *format, va_list values)
{
    char text[800];
    vsnprintf(text, sizeof text, format, values);
    return xstrdup(text);
}

static __attribute__((format(printf, 3, 4))) void add_prop(struct made_platform *platform, const char *id,
                                                           const char *format, ...)
{
    va_list values;
    va_start(values, format);
    platform->props = xgrow(platform->props, platform->n_props, &platform->capacity, sizeof *platform->props);
    platform->props[platform->n_props++] = (struct made_prop){NULL, xstrdup(id), format_text(format, values)};
    va_end(values);
}

/* A comment above the prop that was added last, before others of that comment. */
static __attribute__((format(printf, 2, 3))) void comment(struct made_platform *platform, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    struct made_prop *last = &platform->props[platform->n_props - 1];
    free(last->comment);
    last->comment = format_text(format, values);
    va_end(values);
}

/* ---- Where numbers come from ---- */

/* "osu_latency, a.txt:12 to a.txt:34 (23 lengths, medians of 20)" */
static const char *say_source(char text[400], const struct series *series, const struct benchmarks *benchmarks)
{
    const struct point *first = &series->points[0], *last = &series->points[series->count - 1];
    int most = 0;
    for (int i = 0; i < series->count; i++)
        most = series->points[i].n > most ? series->points[i].n : most;
    int length =
        snprintf(text, 400, "%s, %.120s:%ld to %.120s:%ld (%d lengths", series->spec->name,
                 benchmarks->files[first->file], first->line, benchmarks->files[last->file], last->line, series->count);
    snprintf(text + length, 400 - (size_t)length, most > 1 ? ", medians of up to %d)" : ")", most);
    return text;
}

/* ---- Messages ---- */

static void add_time(struct builder *value, const char *key, double time_s)
{
    double ps = round(time_s * 1e12);
    if (ps > 0)
        builder_add(value, "%s%s=%.10g%s", value->length > 0 ? " " : "", key, fmod(ps, 1000) == 0 ? ps / 1000 : ps,
                    fmod(ps, 1000) == 0 ? "ns" : "ps");
}

static void add_rows(struct made_platform *platform, const char *family, const struct end_rows *rows, bool ways_only)
{
    for (int i = 0; i < rows->count; i++) {
        const struct end_row *row = &rows->rows[i];
        struct builder value = {0};
        char id[32];
        if (row->up_to != INT64_MAX)
            builder_add(&value, "up_to=%lldB", (long long)row->up_to);
        add_time(&value, "start", row->start_s);
        add_time(&value, "byte", row->byte_s);
        if (!ways_only) {
            add_time(&value, "send", row->send_s);
            add_time(&value, "send_byte", row->send_byte_s);
            add_time(&value, "receive", row->receive_s);
            add_time(&value, "receive_byte", row->receive_byte_s);
        }
        if (value.length == 0)
            builder_add(&value, "start=0ns");
        char *text = builder_take(&value);
        snprintf(id, sizeof id, "%s.%d", family, i + 1);
        add_prop(platform, id, "%s", text);
        free(text);
    }
}

static void add_limit(struct made_platform *platform, const char *id, const struct limit *limit)
{
    if (limit->source == LIMIT_NONE)
        return;
    add_prop(platform, id, "%lldB", (long long)limit->bytes);
    if (limit->source == LIMIT_TOLD)
        comment(platform, "(Q) told by --eager-limit");
    else
        comment(platform, "(D) the %s has a step behind this length: %.0f %% of %s; the next greatest has %.0f %%",
                limit->source == LIMIT_LATENCY ? "latency" : "rate of a window", 100 * limit->step,
                limit->source == LIMIT_LATENCY ? "the shortest latency" : "it", 100 * limit->second_step);
}

static void add_between(struct made_platform *platform, const struct model *model, const struct benchmarks *benchmarks)
{
    char latency[400], stream[400] = "";
    const struct message_model *between = &model->between;
    size_t first = platform->n_props;
    add_rows(platform, "endpoint", &between->rows, false);
    if (between->stream != NULL)
        say_source(stream, between->stream, benchmarks);
    struct made_prop *prop = &platform->props[first];
    prop->comment = xformat(
        "(D) %s: half a round trip, less %d wires, the rate of a core, and of a rendezvous its RTS and CTS; every "
        "length "
        "within %.2g %%. send: %s%s; receive as much where there is room",
        say_source(latency, between->latency, benchmarks), model->wires, 100 * between->rows.tolerance,
        between->stream != NULL ? "from one message of a window to the next, " : "(A) a quarter of the shortest time",
        stream);
}

static void add_local(struct made_platform *platform, const struct model *model, const struct benchmarks *benchmarks)
{
    char latency[400];
    if (platform->cores == 1)
        return;
    if (model->local_is_assumed) {
        add_prop(platform, "local.1", "send=60ns start=200ns byte=0.114ns receive=90ns");
        comment(platform,
                "(A) within a host, no table says what messages take: as simrun calibrate measures between two "
                "x86 cores with Open MPI, 0.35 us and 8.8 GB/s");
        return;
    }
    add_limit(platform, "local_eager_limit", &model->local.limit);
    size_t first = platform->n_props;
    add_rows(platform, "local", &model->local.rows, false);
    platform->props[first].comment =
        xformat("(D) within a host: %s; every length within %.2g %%",
                say_source(latency, model->local.latency, benchmarks), 100 * model->local.rows.tolerance);
    if (model->memory == NULL)
        return;
    add_prop(platform, "local_bandwidth", "%.0fBps", model->memory_Bps);
    comment(platform, "(D) all messages within a host together: %s, its longest messages",
            say_source(latency, model->memory, benchmarks));
}

static void add_exchanges(struct made_platform *platform, const struct model *model,
                          const struct benchmarks *benchmarks)
{
    char source[400];
    if (!model->has_exchanges)
        return;
    size_t first = platform->n_props;
    add_rows(platform, "exchange", &model->exchanges, true);
    platform->props[first].comment =
        xformat("(D) while both send: %s",
                say_source(source, model->exchange != NULL ? model->exchange : model->both, benchmarks));
}

/* ---- Wires ---- */

static void add_wire(struct made_platform *platform, const char *id, double bandwidth_Bps, double latency_s)
{
    add_prop(platform, id, "bandwidth=%.0fBps latency=%.0fps", bandwidth_Bps, latency_s * 1e12);
}

static void add_wires(struct made_platform *platform, const struct model *model, const struct benchmarks *benchmarks)
{
    char source[400];
    const struct fabric *fabric = platform->fabric;
    double wire_Bps = fabric->switch_Bps > 0 ? fmax(fabric->switch_Bps, model->core_Bps) : model->node_Bps;
    add_prop(platform, "core_bandwidth", "%.0fBps", model->core_Bps);
    comment(
        platform, "(D) the best rate of one core: %s",
        say_source(source, model->between.stream != NULL ? model->between.stream : model->between.latency, benchmarks));
    add_wire(platform, "wire.host", model->node_Bps, model->wire_latency_s);
    if (model->node_is_measured)
        comment(platform, "(D) the rate of a host: %s. (A) the latency of a wire",
                say_source(source, model->pairs, benchmarks));
    else
        comment(platform, "%s. (A) the latency of a wire",
                fabric->host_Bps > 0
                    ? "(Q) the rate of a host is that of its wires, as described"
                    : "(A) the rate of a host is that of one core: no windows of several pairs say more");
    if (model->node_gap_s > 0) {
        add_prop(platform, "node_gap", "%.0fps", model->node_gap_s * 1e12);
        comment(platform, "(D) between two messages of a host: %s", say_source(source, model->gap, benchmarks));
    }
    const char *const levels[] = {"wire.leaf", "wire.spine", "wire.global"};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        add_wire(platform, levels[i], wire_Bps, model->wire_latency_s);
}

/* ---- All of it ---- */

/* Hosts and cores that the benchmarks had. */
static void count_hosts(struct made_platform *platform, const struct benchmarks *benchmarks)
{
    for (size_t i = 0; i < benchmarks->n_rows; i++) {
        const struct benchmark_row *row = &benchmarks->rows[i];
        int hosts = row->hosts > 0 ? row->hosts : 1, per_host = (row->ranks + hosts - 1) / hosts;
        if (platform->fabric->n_hosts == 0 && hosts > platform->n_hosts)
            platform->n_hosts = hosts;
        if (platform->fabric->cores == 0 && row->hosts > 0 && per_host > platform->cores && per_host <= MOST_CORES)
            platform->cores = per_host;
    }
}

static void split_topology(struct made_platform *platform)
{
    const char *text = platform->fabric->topology;
    size_t length = strcspn(text, " ");
    snprintf(platform->topology, sizeof platform->topology, "%.*s", (int)length, text);
    snprintf(platform->dimensions, sizeof platform->dimensions, "%s", text + length + strspn(text + length, " "));
}

static void add_facts(struct made_platform *platform)
{
    const struct fabric *fabric = platform->fabric;
    add_prop(platform, "about.machine", "%d hosts%s%s", platform->n_hosts, fabric->machine[0] != '\0' ? ": " : "",
             fabric->machine);
    if (platform->topology[0] != '\0')
        add_prop(platform, "about.topology", "%s", platform->topology);
    add_prop(platform, "network", "fifo");
    if (platform->cores > 1)
        add_prop(platform, "cores", "%d", platform->cores);
    add_prop(platform, "send_completes", "buffered");
}

static void add_assumptions(struct made_platform *platform)
{
    add_prop(platform, "collectives", "openmpi");
    comment(platform, "(A) collectives are done as Open MPI 4.1 chooses; for another library, choose by parameters");
    add_prop(platform, "combine.1", "start=14ns byte=0.12ns");
    comment(platform, "(A) combining vectors takes what simrun calibrate measures of an x86 core with Open MPI");
}

void platform_make(struct made_platform *platform, const struct model *model, const struct benchmarks *benchmarks,
                   const struct fabric *fabric, const char *name)
{
    *platform = (struct made_platform){.fabric = fabric,
                                       .n_hosts = fabric->n_hosts > 0 ? fabric->n_hosts : 2,
                                       .cores = fabric->cores > 0 ? fabric->cores : 1,
                                       .wire_Bps = model->node_Bps,
                                       .wire_latency_s = model->wire_latency_s};
    for (size_t n = 0; *name != '\0' && n + 1 < sizeof platform->name; name++)
        platform->name[n++] = isalnum((unsigned char)*name) ? *name : '-';
    count_hosts(platform, benchmarks);
    split_topology(platform);
    add_facts(platform);
    add_limit(platform, "eager_limit", &model->between.limit);
    add_between(platform, model, benchmarks);
    add_exchanges(platform, model, benchmarks);
    add_local(platform, model, benchmarks);
    add_wires(platform, model, benchmarks);
    add_assumptions(platform);
}

void platform_dispose(struct made_platform *platform)
{
    for (size_t i = 0; i < platform->n_props; i++) {
        free(platform->props[i].comment);
        free(platform->props[i].id);
        free(platform->props[i].value);
    }
    free(platform->props);
}

/* ---- Text ---- */

static bool is_of_reader(const struct made_prop *prop)
{
    return strncmp(prop->id, "about.", 6) == 0;
}

char *platform_text(const struct made_platform *platform, int n_hosts, double latency_s, bool levels)
{
    struct builder text = {0};
    builder_add(&text, "hosts star %d 1Gf %.0fBps %.0fps\n", n_hosts, platform->wire_Bps, latency_s * 1e12);
    for (size_t i = 0; i < platform->n_props; i++)
        if (!is_of_reader(&platform->props[i]) && (levels || strncmp(platform->props[i].id, "wire.", 5) != 0))
            builder_add(&text, "%s %s\n", platform->props[i].id, platform->props[i].value);
    return builder_take(&text);
}
