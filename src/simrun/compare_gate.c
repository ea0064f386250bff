/* Evaluates --fail-if, says what fails, and writes it as JUnit's XML, as CI systems read it: a test suite with a test
 * case for each condition and version.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/compare_gate.h"

#include "base/memory.h"
#include "os/output.h"
#include "study/compare/gate.h"

#include <stdlib.h>

struct gates {
    struct gate *gates;
    int n_gates;
    struct gate_result *results; /* by version, then by condition */
    int n_results, n_failed;
    struct compare_parts parts;
};

/* --- conditions --- */

static int parse(struct gates *self, const struct options *options, struct sim_error *error)
{
    *self = (struct gates){.gates = xcalloc((size_t)options->n_conditions + 1, sizeof *self->gates)};
    for (int i = 0; i < options->n_conditions; i++) {
        if (gate_parse(&self->gates[i], options->conditions[i], error) != 0)
            return -1;
        self->n_gates++;
    }
    return 0;
}

static void dispose(struct gates *self)
{
    for (int i = 0; i < self->n_gates; i++)
        gate_dispose(&self->gates[i]);
    free(self->gates);
    free(self->results);
    parts_dispose(&self->parts);
}

int compare_gate_parse(const struct options *options, struct sim_error *error)
{
    struct gates gates;
    int status = parse(&gates, options, error);
    dispose(&gates);
    if (status == 0 && options->junit != NULL && options->n_conditions == 0)
        status = sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                               "--junit writes what --fail-if finds, and there is no --fail-if");
    return status;
}

static int evaluate(struct gates *self, const struct comparison *comparison, struct sim_error *error)
{
    self->results = xcalloc((size_t)(self->n_gates * comparison->n_versions) + 1, sizeof *self->results);
    parts_find(&self->parts, comparison->versions, comparison->n_versions);
    for (int v = 1; v < comparison->n_versions; v++)
        for (int i = 0; i < self->n_gates; i++) {
            struct gate_result *result = &self->results[self->n_results++];
            if (gate_check(result, &self->gates[i], &self->parts, v, error) != 0)
                return -1;
            self->n_failed += result->fails;
        }
    return 0;
}

/* --- JUnit --- */

static void write_escaped(FILE *stream, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            fputc((unsigned char)*text < ' ' ? ' ' : *text, stream);
        }
}

static void write_case(FILE *stream, const struct gates *self, const struct gate_result *result)
{
    struct builder text = {0};
    gate_add_text(&text, result, &self->parts);
    fputs("    <testcase classname=\"", stream);
    write_escaped(stream, self->parts.versions[result->version].name);
    fputs("\" name=\"", stream);
    write_escaped(stream, result->gate->text);
    fputs(result->fails ? "\"><failure message=\"" : "\"><system-out>", stream);
    write_escaped(stream, text.text);
    if (result->fails) {
        struct builder why = {0};
        verdict_add(&why, &self->parts, result->version);
        fputs("\">", stream);
        write_escaped(stream, why.text);
        free(builder_take(&why));
    }
    fputs(result->fails ? "</failure></testcase>\n" : "</system-out></testcase>\n", stream);
    free(builder_take(&text));
}

static int write_junit(const struct gates *self, const char *file, struct sim_error *error)
{
    struct output output;
    if (output_open(&output, file, error) != 0)
        return -1;
    fprintf(output.stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            "  <testsuite name=\"simrun compare\" tests=\"%d\" failures=\"%d\" errors=\"0\">\n",
            self->n_results, self->n_failed);
    for (int i = 0; i < self->n_results; i++)
        write_case(output.stream, self, &self->results[i]);
    fputs("  </testsuite>\n</testsuites>\n", output.stream);
    return output_close(&output, error);
}

/* --- what fails --- */

/* The first condition that fails, and why: one line. */
static int fail(const struct gates *self, struct sim_error *error)
{
    struct builder line = {0};
    const struct gate_result *result = self->results;
    while (!result->fails)
        result++;
    if (self->n_failed > 1)
        builder_add(&line, "%d of %d conditions: ", self->n_failed, self->n_results);
    gate_add_text(&line, result, &self->parts);
    builder_add(&line, ". ");
    verdict_add(&line, &self->parts, result->version);
    sim_error_set(error, SIM_GATE, NULL, 0, "--fail-if: %s", line.text);
    free(builder_take(&line));
    return -1;
}

int compare_gate_check(const struct comparison *comparison, const struct options *options, struct sim_error *error)
{
    struct gates gates;
    int status = parse(&gates, options, error);
    if (status == 0 && gates.n_gates > 0)
        status = evaluate(&gates, comparison, error);
    if (status == 0 && options->junit != NULL)
        status = write_junit(&gates, options->junit, error);
    if (status == 0 && gates.n_failed > 0)
        status = fail(&gates, error);
    dispose(&gates);
    return status;
}
