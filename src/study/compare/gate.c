/* Parses conditions of a gate, and evaluates them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/compare/gate.h"

#include "base/condition.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the text --- */

static char *trim(char *text)
{
    text += strspn(text, " ");
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
    return text;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* A number with a sign, and a unit or none. */
static int parse_limit(struct gate *gate, char *text, struct sim_error *error)
{
    char why[200];
    double sign = *text == '-' ? -1 : 1;
    size_t length = strlen(text);
    text += *text == '-' || *text == '+';
    gate->is_share = length > 0 && ends_with(text, "%");
    if (gate->is_share) {
        text[strlen(text) - 1] = '\0';
        text = trim(text);
    }
    for (char *blank = strchr(text, ' '); blank != NULL; blank = strchr(text, ' ')) /* "5 ms" */
        memmove(blank, blank + 1, strlen(blank));
    enum condition_unit unit = gate->is_share         ? CONDITION_RATIO
                               : ends_with(text, "s") ? CONDITION_TIME
                                                      : CONDITION_SIZE;
    if (condition_number(&gate->limit, text, unit, why, sizeof why) != 0 || !isfinite(gate->limit) || *text == '-')
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "--fail-if: '%.80s': the limit is a number, with %% or a unit of time or size or without, "
                             "such as 5 %%, 20ms or -0.1",
                             gate->text);
    gate->limit *= gate->is_share ? sign / 100 : sign;
    return 0;
}

int gate_parse(struct gate *gate, const char *text, struct sim_error *error)
{
    struct condition condition;
    *gate = (struct gate){.text = text, .words = xstrdup(text)};
    struct sim_error ignored;
    if (condition_parse(&condition, gate->words, &ignored) != 0 || !condition_is_order(&condition)) {
        gate_dispose(gate);
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "--fail-if: '%.80s' is not NAME > LIMIT or NAME < LIMIT, such as 'time_s > 5 %%'", text);
    }
    gate->name = trim(gate->words);
    gate->op = condition.op;
    char *limit = xstrdup(condition.value);
    int status = parse_limit(gate, trim(limit), error);
    free(limit);
    if (status != 0)
        gate_dispose(gate);
    return status;
}

void gate_dispose(struct gate *gate)
{
    free(gate->words);
    gate->words = NULL;
}

/* --- the numbers --- */

/* The measure that JSON calls that; NULL: the run has none. */
static const struct measure *find_measure(const struct study_run *run, const char *key)
{
    const char *dot = strchr(key, '.');
    const struct measure *measure = result_find(&run->result, "", key);
    if (measure != NULL || dot == NULL)
        return measure;
    char *group = xformat("%.*s", (int)(dot - key), key);
    measure = result_find(&run->result, group, dot + 1);
    free(group);
    return measure;
}

/* The part that "function.MPI_Recv" names, and which of its numbers: an offset in struct part_amount. */
static const struct compare_part *find_part(size_t *offset, const struct compare_parts *parts, const char *name)
{
    static const struct {
        const char *end;
        size_t offset;
    } numbers[] = {{".count", offsetof(struct part_amount, count)},
                   {".bytes", offsetof(struct part_amount, bytes)},
                   {"", offsetof(struct part_amount, time_s)}};
    const struct compare_part *part = NULL;
    for (int by = 0; by < N_COMPARE_AXES; by++) {
        size_t length = strlen(compare_axis_names[by]);
        if (strncmp(name, compare_axis_names[by], length) != 0 || name[length] != '.')
            continue;
        for (size_t i = 0; part == NULL && i < sizeof numbers / sizeof numbers[0]; i++) {
            const char *of = name + length + 1;
            char *cut =
                xformat("%.*s", (int)(strlen(of) - (ends_with(of, numbers[i].end) ? strlen(numbers[i].end) : 0)), of);
            part = ends_with(of, numbers[i].end) ? parts_named(parts, (enum compare_axis)by, cut) : NULL;
            *offset = numbers[i].offset;
            free(cut);
        }
    }
    return part;
}

/* The number of each run of a version; NAN: it has none. */
static double *values_of(bool *is_time, const struct gate *gate, const struct compare_parts *parts, int version)
{
    const struct compare_version *of = &parts->versions[version];
    double *values = xcalloc((size_t)of->n_runs + 1, sizeof *values);
    size_t offset = 0;
    const struct compare_part *part = find_part(&offset, parts, gate->name);
    for (int i = 0; i < of->n_runs; i++) {
        const struct measure *measure = find_measure(&of->runs[i], gate->name);
        values[i] = measure != NULL ? measure_value(measure) : (double)NAN;
        *is_time |= measure != NULL && measure->of->type == MEASURE_TIME;
        if (measure == NULL && part != NULL)
            memcpy(&values[i], (const char *)&part_of_version(parts, part, version)[i] + offset, sizeof *values);
    }
    *is_time |= part != NULL && offset == offsetof(struct part_amount, time_s);
    return values;
}

static int refuse(const struct gate *gate, const struct compare_version *version, struct sim_error *error)
{
    return sim_error_set(
        error, SIM_BAD_INPUT, NULL, 0,
        "--fail-if: '%.80s': %.80s has no '%.80s'; known are the measures of simrun list measures, and "
        "KIND.PART of time_parts in -f json, such as 'function.MPI_Recv'",
        gate->text, version->name, gate->name);
}

static bool passes(const struct gate *gate, double change)
{
    const struct condition condition = {.op = gate->op};
    return condition_holds(&condition, (change > gate->limit) - (change < gate->limit));
}

static void check(struct gate_result *result, const struct gate *gate, const struct verdict *verdict)
{
    double change = verdict->second_s - verdict->first_s;
    if (gate->is_share && fabs(change) > 0)
        change /= fabs(verdict->first_s);
    result->first = verdict->first_s;
    result->second = verdict->second_s;
    result->change = change;
    bool tells_noise = verdict->least_p <= VERDICT_LEVEL; /* NAN is not */
    result->is_noise = passes(gate, change) && tells_noise && verdict->p > VERDICT_LEVEL;
    result->fails = passes(gate, change) && !result->is_noise;
}

int gate_check(struct gate_result *result, const struct gate *gate, const struct compare_parts *parts, int version,
               struct sim_error *error)
{
    const struct compare_version *first = &parts->versions[0], *second = &parts->versions[version];
    *result = (struct gate_result){.gate = gate, .version = version};
    double *before = values_of(&result->is_time, gate, parts, 0),
           *after = values_of(&result->is_time, gate, parts, version);
    const struct verdict verdict =
        verdict_of_values(before, first->n_runs, after, second->n_runs, verdict_is_exact(parts->versions, version));
    free(before);
    free(after);
    if (isnan(verdict.first_s) || isnan(verdict.second_s))
        return refuse(gate, isnan(verdict.first_s) ? first : second, error);
    check(result, gate, &verdict);
    return 0;
}

/* --- words --- */

static void add_number(struct builder *line, const struct gate_result *result, double number)
{
    if (result->is_time)
        builder_add_time(line, number);
    else
        builder_add(line, "%.6g", number);
}

void gate_add_text(struct builder *line, const struct gate_result *result, const struct compare_parts *parts)
{
    double change = result->change;
    builder_add(line, "%s of %s ", result->gate->name, parts->versions[result->version].name);
    if (fabs(change) <= 0) {
        builder_add(line, "is unchanged");
    } else if (isinf(change)) {
        builder_add(line, "was nothing before");
    } else {
        builder_add(line, "%s by ", change > 0 ? "grew" : "fell");
        if (result->gate->is_share)
            builder_add(line, fabs(change) < 9.995 ? "%.3g %%" : "%.0f %%", 100 * fabs(change));
        else
            add_number(line, result, fabs(change));
    }
    builder_add(line, " (");
    add_number(line, result, result->first);
    builder_add(line, " to ");
    add_number(line, result, result->second);
    builder_add(line, ")%s; '%s' %s", result->is_noise ? ", no more than noise" : "", result->gate->text,
                result->fails ? "is so" : "is not so");
}
