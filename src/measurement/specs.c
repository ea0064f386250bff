/* The benchmarks that are known, by what their output calls them.
 *
 * Sources: the OSU micro-benchmarks 3.1 to 7.5 (util/osu_util.c and headers of outputs), Intel MPI Benchmarks 3.0 to
 * 2021 (user guide), NetPIPE 3.7 and 5.1, mpptest of perftest 1.4.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "measurement/internal.h"

#include "base/known.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct benchmark_spec specs[] = {
    {"osu_latency", "OSU Latency", BENCHMARK_LATENCY, NULL, false},
    {"osu_multi_lat", "OSU Multi Latency", BENCHMARK_LATENCY, NULL, false},
    {"osu_bw", "OSU Bandwidth", BENCHMARK_STREAM, NULL, false},
    {"osu_mbw_mr", "OSU Multiple Bandwidth / Message Rate", BENCHMARK_STREAM, NULL, true},
    {"osu_bibw", "OSU Bi-Directional Bandwidth", BENCHMARK_BOTH, NULL, false},
    {"osu_allreduce", "OSU Allreduce Latency", BENCHMARK_COLLECTIVE, "allreduce", false},
    {"osu_reduce", "OSU Reduce Latency", BENCHMARK_COLLECTIVE, "reduce", false},
    {"osu_bcast", "OSU Broadcast Latency", BENCHMARK_COLLECTIVE, "broadcast", false},
    {"osu_allgather", "OSU Allgather Latency", BENCHMARK_COLLECTIVE, "allgather", false},
    {"osu_alltoall", "OSU All-to-All Personalized Exchange Latency", BENCHMARK_COLLECTIVE, "alltoall", false},
    {"osu_gather", "OSU Gather Latency", BENCHMARK_COLLECTIVE, "gather", false},
    {"osu_scatter", "OSU Scatter Latency", BENCHMARK_COLLECTIVE, "scatter", false},
    {"osu_barrier", "OSU Barrier Latency", BENCHMARK_COLLECTIVE, "barrier", false},
    {"IMB PingPong", "IMB PingPong", BENCHMARK_LATENCY, NULL, false},
    {"IMB Uniband", "IMB Uniband", BENCHMARK_STREAM, NULL, true},
    {"IMB Biband", "IMB Biband", BENCHMARK_BOTH, NULL, true},
    {"IMB Sendrecv", "IMB Sendrecv", BENCHMARK_EXCHANGE, NULL, false},
    {"IMB Allreduce", "IMB Allreduce", BENCHMARK_COLLECTIVE, "allreduce", false},
    {"IMB Reduce", "IMB Reduce", BENCHMARK_COLLECTIVE, "reduce", false},
    {"IMB Bcast", "IMB Bcast", BENCHMARK_COLLECTIVE, "broadcast", false},
    {"IMB Allgather", "IMB Allgather", BENCHMARK_COLLECTIVE, "allgather", false},
    {"IMB Alltoall", "IMB Alltoall", BENCHMARK_COLLECTIVE, "alltoall", false},
    {"IMB Gather", "IMB Gather", BENCHMARK_COLLECTIVE, "gather", false},
    {"IMB Scatter", "IMB Scatter", BENCHMARK_COLLECTIVE, "scatter", false},
    {"IMB Barrier", "IMB Barrier", BENCHMARK_COLLECTIVE, "barrier", false},
    {"NetPIPE", "NetPIPE", BENCHMARK_LATENCY, NULL, false},
    {"mpptest", "mpptest", BENCHMARK_LATENCY, NULL, false},
    {"latency", "latency", BENCHMARK_LATENCY, NULL, false},
    {"bandwidth", "bandwidth", BENCHMARK_STREAM, NULL, true},
    {"bidirectional", "bidirectional", BENCHMARK_BOTH, NULL, true},
    {"sendrecv", "sendrecv", BENCHMARK_EXCHANGE, NULL, false},
    {"allreduce", "allreduce", BENCHMARK_COLLECTIVE, "allreduce", false},
    {"reduce", "reduce", BENCHMARK_COLLECTIVE, "reduce", false},
    {"bcast", "bcast", BENCHMARK_COLLECTIVE, "broadcast", false},
    {"allgather", "allgather", BENCHMARK_COLLECTIVE, "allgather", false},
    {"alltoall", "alltoall", BENCHMARK_COLLECTIVE, "alltoall", false},
    {"gather", "gather", BENCHMARK_COLLECTIVE, "gather", false},
    {"scatter", "scatter", BENCHMARK_COLLECTIVE, "scatter", false},
    {"barrier", "barrier", BENCHMARK_COLLECTIVE, "barrier", false},
    {"another benchmark", "", BENCHMARK_OTHER, NULL, false},
};
enum { N_SPECS = sizeof specs / sizeof specs[0] };

const struct benchmark_spec *benchmark_spec_at(int i)
{
    return i < N_SPECS - 1 ? &specs[i] : NULL;
}

const struct benchmark_spec *spec_other(void)
{
    return &specs[N_SPECS - 1];
}

const struct benchmark_spec *spec_find_title(const char *title)
{
    for (int i = 0; i < N_SPECS - 1; i++)
        if (strcasecmp(specs[i].title, title) == 0)
            return &specs[i];
    return spec_other();
}

const struct benchmark_spec *spec_find(const char *name)
{
    for (int i = 0; i < N_SPECS - 1; i++)
        if (strcasecmp(specs[i].name, name) == 0)
            return &specs[i];
    return NULL;
}

const char *spec_name_at(const void *table, int i)
{
    (void)table;
    return i < N_SPECS - 1 ? specs[i].name : NULL;
}

const struct benchmark_spec *spec_find_osu(const char *line)
{
    char title[120];
    const char *text = strstr(line, "OSU MPI");
    if (text == NULL)
        return NULL;
    text += strlen("OSU MPI");
    text += strcspn(text, " "); /* "-CUDA" */
    const char *end = strstr(text, " Test");
    snprintf(title, sizeof title, "OSU%.*s", end != NULL ? (int)(end - text) : (int)strlen(text), text);
    return spec_find_title(title);
}

const struct benchmark_spec *spec_find_imb(const char *name)
{
    char title[64];
    snprintf(title, sizeof title, "IMB %.*s", (int)strcspn(name, " \t"), name);
    return spec_find_title(title);
}
