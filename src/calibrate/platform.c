/* Writes what was measured as a platform file, with ranges and residuals.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "calibrate/platform.h"

#include "os/output.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Text from outside in a comment: without what means something there, above all a double hyphen. */
static void write_text(FILE *out, const char *text)
{
    for (char before = '\0'; *text != '\0'; before = *text++)
        if (isalnum((unsigned char)*text) || strchr(" .,:()@/", *text) != NULL || (*text == '-' && before != '-'))
            putc(*text, out);
}

static void write_head(FILE *out, const struct platform *platform)
{
    fputs("<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<!-- ", out);
    write_text(out, platform->processor);
    if (platform->cores == 0)
        fprintf(out, ", %d hosts, one for each processor", platform->n_hosts);
    else
        fprintf(out, ", %d hosts of %d cores%s", platform->n_hosts, platform->cores,
                platform->hosts_differ ? "; others differ: these are the first one's kernels, the fewest cores" : "");
    fprintf(out, ".\n     Measured by simrun-calibrate %s on ", SIMRUN_VERSION);
    write_text(out, platform->date);
    fputs(".\n     (M) measured then, (F) fitted to what was measured then, (D) derived from it by arithmetic,\n"
          "     (A) assumed. A residual is the mean relative deviation of the measurements from what is written. -->\n"
          "<platform version=\"4.1\">\n  <zone id=\"world\" routing=\"Full\">\n"
          "    <!-- (A) each host has its own link in and out, which serves messages one at a time -->\n"
          "    <prop id=\"network\" value=\"fifo\"/>\n",
          out);
    if (platform->cores > 0)
        fprintf(out, "    <prop id=\"cores\" value=\"%d\"/>\n", platform->cores);
    else
        fprintf(out,
                "    <!-- (M) for shared.NAME: these are processors of one computer -->\n"
                "    <prop id=\"hosts_per_computer\" value=\"%d\"/>\n",
                platform->n_hosts);
}

static void write_memory(FILE *out, const struct platform *platform)
{
    int sharers = platform->cores == 0 ? platform->n_hosts : 1;
    if (sharers > 1)
        fprintf(out, "    <!-- (D) %lld bytes of physical memory (M), shared evenly by %d processors -->\n",
                (long long)platform->memory_bytes, sharers);
    else
        fputs("    <!-- (M) physical memory -->\n", out);
    fprintf(out, "    <prop id=\"memory\" value=\"%lld\"/>\n", (long long)(platform->memory_bytes / sharers));
}

static void write_term(FILE *out, const struct fit_term *term, double factor, const char *unit)
{
    fputc(' ', out);
    if (term->m + term->n + term->k == 0)
        fputc('1', out);
    for (int i = 0; i < term->m; i++)
        fputc('m', out);
    for (int i = 0; i < term->n; i++)
        fputc('n', out);
    for (int i = 0; i < term->k; i++)
        fputc('k', out);
    fprintf(out, "=%.8g%s", term->coefficient * factor, unit);
}

static void write_polynomial(FILE *out, const struct fit *fit, double factor, const char *unit)
{
    fputs("poly", out);
    for (int t = 0; t < fit->n_terms; t++)
        write_term(out, &fit->terms[t], factor, unit);
    fprintf(out, " from=%d to=%d residual=%.4f\"/>\n", fit->from, fit->to, fit->residual);
}

static void write_memory_need(FILE *out, const struct platform_kernel *kernel)
{
    const struct fit *fit = &kernel->memory_fit;
    if (fit->n_terms > 0) {
        fprintf(
            out,
            "    <!-- (F) memory of %s with its operands (measured): %d samples, residual %.2f %%; without the buffer\n"
            "         that the library takes in its first call and keeps -->\n"
            "    <prop id=\"memory.%s\" value=\"",
            kernel->name, fit->n_samples, 100 * fit->residual, kernel->name);
        write_polynomial(out, fit, 1, "B");
    } else if (kernel->memory != NULL)
        fprintf(
            out,
            "    <!-- (D) the operands of %s, 8 bytes per element; not measured, because this system does not let the\n"
            "         peak of the memory be reset (/proc/self/clear_refs) and read, or counts it too coarsely -->\n"
            "    <prop id=\"memory.%s\" value=\"poly %s\"/>\n",
            kernel->name, kernel->name, kernel->memory);
}

static void write_sharing(FILE *out, const struct platform_kernel *kernel)
{
    const struct sharing *sharing = &kernel->sharing;
    if (sharing->n == 0)
        return;
    fprintf(out,
            "    <!-- (F) while others work on processors of their own, at %d shapes: residual %.1f %% -->\n"
            "    <prop id=\"shared.%s\" value=\"",
            sharing->n_shapes, 100 * sharing->residual, kernel->name);
    for (int i = 0; i < sharing->n; i++)
        fprintf(out, "%s%d=%.4f", i > 0 ? " " : "", sharing->ranks[i], sharing->times[i]);
    fputs("\"/>\n", out);
}

static void write_kernel(FILE *out, const struct platform_kernel *kernel)
{
    const struct fit *fit = &kernel->fit;
    fprintf(out,
            "    <!-- (F) %s: %d samples, residual %.1f %%, when each is forecast from the others %.1f %% -->\n"
            "    <prop id=\"kernel.%s\" value=\"",
            kernel->summary, fit->n_samples, 100 * fit->residual, 100 * fit->left_out, kernel->name);
    write_polynomial(out, fit, 1e9, "ns");
    write_sharing(out, kernel);
    write_memory_need(out, kernel);
}

static void write_length(FILE *out, const char *family, int number, int64_t up_to)
{
    fprintf(out, "    <prop id=\"%s.%d\" value=\"", family, number);
    if (up_to < INT64_MAX)
        fprintf(out, "up_to=%lldB ", (long long)up_to);
}

/* Rounded to whole picoseconds, and so that the row's shortest message takes no less than none. */
static double start_ps(double start_s, double byte_s, int64_t shortest)
{
    return fmax(round(start_s * 1e12), -round(byte_s * 1e12) * (double)shortest);
}

static void write_segments(FILE *out, const char *family, const struct segments *segments)
{
    int64_t shortest = 0;
    for (int i = 0; i < segments->count; i++) {
        const struct segment *segment = &segments->items[i];
        write_length(out, family, i + 1, segment->up_to);
        fprintf(out, "start=%.0fps byte=%.0fps\"/>\n", start_ps(segment->start_s, segment->byte_s, shortest),
                segment->byte_s * 1e12);
        shortest = segment->up_to + (i + 1 < segments->count);
    }
}

/* Amounts for each byte in whole picoseconds, as platforms have them. */
static void write_row(FILE *out, const char *family, int number, const struct message_row *row, int64_t shortest)
{
    write_length(out, family, number, row->up_to);
    fprintf(out, "start=%.0fps byte=%.0fps", start_ps(row->start_s, row->byte_s, shortest), row->byte_s * 1e12);
    if (row->send_s > 0 || row->send_byte_s > 0)
        fprintf(out, " send=%.0fps send_byte=%.0fps", row->send_s * 1e12, row->send_byte_s * 1e12);
    if (row->receive_s > 0 || row->receive_byte_s > 0)
        fprintf(out, " receive=%.0fps receive_byte=%.0fps", row->receive_s * 1e12, row->receive_byte_s * 1e12);
    fputs("\"/>\n", out);
}

static void write_family(FILE *out, const char *family, const struct message_rows *rows)
{
    fprintf(out,
            "    <!-- (F) half the round trips of %d lengths, piece by piece: residual %.1f %%, worst %.1f %%. Of them "
            "(M)\n"
            "         the processors are busy for send and receive: sends that nobody waits for, receives of what has\n"
            "         come; medians. -->\n",
            rows->n_samples, 100 * rows->residual, 100 * rows->worst);
    for (int i = 0; i < rows->count; i++)
        write_row(out, family, i + 1, &rows->rows[i], i > 0 ? rows->rows[i - 1].up_to + 1 : 0);
}

static void write_rows(FILE *out, const struct message_rows *rows)
{
    write_family(out, "message", rows);
    fputs("    <!-- (F) on the way, where both send and receive at the same time: MPI_Sendrecv -->\n", out);
    write_segments(out, "exchange", &rows->exchange);
    fputs("    <!-- (F) of a processor: a step of a reduction, less its exchanges: copying, taking memory, "
          "MPI_Reduce_local -->\n",
          out);
    write_segments(out, "combine", &rows->combine);
    fputs("    <!-- (F) of a processor: a copy of what was received last -->\n", out);
    write_segments(out, "copy", &rows->copy);
    fprintf(out,
            "    <!-- (M) what MPI_Bcast and MPI_Allreduce take besides their messages -->\n"
            "    <prop id=\"broadcast_call\" value=\"%.0fps\"/>\n"
            "    <prop id=\"allreduce_call\" value=\"%.0fps\"/>\n",
            rows->broadcast_s * 1e12, rows->allreduce_s * 1e12);
}

static void write_local(FILE *out, const struct message_rows *rows)
{
    fprintf(out,
            "    <!-- (M) within a host: where the time jumps there -->\n"
            "    <prop id=\"local_eager_limit\" value=\"%lld\"/>\n",
            (long long)rows->eager_limit);
    write_family(out, "local", rows);
}

static void write_messages(FILE *out, const struct platform *platform)
{
    fputs("    <!-- Messages: ", out);
    write_text(out, platform->mpi);
    fprintf(out,
            ", between two %s.\n"
            "         (M) a send of %lld B %s before its receiver looked for messages -->\n"
            "    <prop id=\"send_completes\" value=\"%s\"/>\n",
            platform->cores > 0 ? "hosts" : "processes of this computer", (long long)platform->tried_bytes,
            platform->buffers_sends ? "returned" : "did not return",
            platform->buffers_sends ? "buffered" : "delivered");
    fputs(platform->sees_limit
              ? "    <!-- (M) the longest message before the time of a ping-pong jumps -->\n"
              : "    <!-- (A) no jump was seen; the default of Open MPI's btl_vader_eager_limit (ompi_info) -->\n",
          out);
    fprintf(out, "    <prop id=\"eager_limit\" value=\"%lld\"/>\n", (long long)platform->rows.eager_limit);
    if (strstr(platform->mpi, "Open MPI") != NULL)
        fputs("    <!-- (A) its collectives are chosen as Open MPI 4.1 does without a file of rules -->\n"
              "    <prop id=\"collectives\" value=\"openmpi\"/>\n",
              out);
    write_rows(out, &platform->rows);
    if (platform->local.count > 0)
        write_local(out, &platform->local);
    else if (platform->cores > 0)
        fputs("    <!-- (A) messages within a host take as long as between hosts: no pair was measured there -->\n",
              out);
}

static void write_cluster(FILE *out, const struct platform *platform)
{
    const struct message_fit *fit = &platform->messages;
    const char *id = platform->cores > 0 ? "hosts" : "processors";
    char core[32] = "";
    if (platform->cores > 0)
        snprintf(core, sizeof core, " core=\"%d\"", platform->cores);
    fprintf(
        out,
        "\n    <!-- speed (M): the best rate of dgemm. bw, lat (F): one latency and one bandwidth for %d lengths, 1 B "
        "to %lld B,\n"
        "         residual %.1f %%, for formulas. A message crosses two wires, which take half of the latency of\n"
        "         %.4g us each. -->\n",
        fit->n_samples, (long long)platform->longest_message, 100 * fit->residual, fit->latency_s * 1e6);
    fprintf(out,
            "    <cluster id=\"%s\" prefix=\"p\" suffix=\"\" radical=\"0-%d\" speed=\"%.6gf\"%s bw=\"%.6gBps\"\n"
            "             lat=\"%.6gus\" sharing_policy=\"SPLITDUPLEX\"/>\n",
            id, platform->n_hosts - 1, platform->rate_flopps, core, fit->rate_Bps, fit->latency_s / 2 * 1e6);
}

int platform_write(const struct platform *platform, const char *file, struct sim_error *error)
{
    struct output output;
    if (output_open(&output, file, error) != 0)
        return -1;
    write_head(output.stream, platform);
    write_messages(output.stream, platform);
    write_memory(output.stream, platform);
    fprintf(output.stream, "    <!-- (M) large arrays are copied at %.4g bytes a second -->\n", platform->copy_Bps);
    for (int i = 0; i < PLATFORM_KERNELS; i++)
        write_kernel(output.stream, &platform->kernels[i]);
    write_cluster(output.stream, platform);
    fputs("  </zone>\n</platform>\n", output.stream);
    return output_close(&output, error);
}
